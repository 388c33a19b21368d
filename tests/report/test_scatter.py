"""The data behind the interactive scatter."""

from __future__ import annotations

import json

import pytest
from scipy import stats

from gistmark.corpus import Corpus
from gistmark.records import Document, Highlight, Summary
from gistmark.report.passages import cut, highlighted_passages
from gistmark.report.scatter import MOST_CHARACTERS, MOST_POINTS, embed, scatter_data
from gistmark.report.views import View
from gistmark.study.results import Study


def view_of(corpus: Corpus) -> View:
    return View(Study(), corpus, None, "rouge1")


def test_it_starts_with_the_best_metric_and_the_studys_own_numbers(view: View):
    data = scatter_data(view)
    start = data["start"]
    assert (start["x"], start["y"]) == ("metric:rouge2.f", "human:Overall Quality")
    columns = {measure["key"]: measure["values"] for measure in data["measures"]}
    found = stats.spearmanr(columns[start["x"]], columns[start["y"]]).statistic
    assert start["study"]["spearman"] == pytest.approx(found, abs=5e-4)
    assert start["study"].keys() == {"pearson", "spearman", "kendall"}


def test_a_point_leads_to_its_texts_scores_and_ratings(view: View, sample: Corpus):
    data = scatter_data(view)
    assert len(data["points"]) == data["total"] == 56
    document, system, text = data["points"][0]
    first = next(summary for summary in sample.summaries if not summary.reference)
    assert data["documents"][document]["id"] == first.document
    assert (data["systems"][system], text) == (first.system, first.text)
    source = data["documents"][document]
    assert "".join(part for part, _ in source["passages"]) == sample.document(source["id"]).text
    assert source["annotators"] == 5
    assert len(source["references"]) == 2
    assert {dimension for dimension, _, _ in data["ratings"][0]} == set(view.humans)


def test_references_are_points_only_where_they_were_judged():
    corpus = Corpus(summaries=(Summary("d", "gold", "g", reference=True), Summary("d", "s", "t")))
    data = scatter_data(view_of(corpus))
    assert data["systems"] == ["s"]
    assert data["documents"][0]["references"] == [["gold", "g"]]


def test_a_big_corpus_is_sampled_the_same_way_every_time():
    corpus = Corpus(summaries=tuple(Summary(f"d{n}", "s", f"text {n}") for n in range(2_500)))
    data = scatter_data(view_of(corpus))
    assert len(data["points"]) == MOST_POINTS
    assert data["total"] == 2_500
    assert data == scatter_data(view_of(corpus))


def test_a_long_document_is_cut_and_says_so():
    long = "word " * 5_000
    corpus = Corpus(documents=(Document("d", (long,)),), summaries=(Summary("d", "s", "t"),))
    source = scatter_data(view_of(corpus))["documents"][0]
    assert sum(len(part) for part, _ in source["passages"]) == MOST_CHARACTERS
    assert source["cut"] == len(long) - MOST_CHARACTERS


@pytest.mark.parametrize(
    ("marks", "passages"),
    [
        ([], [("abcdef", 0)]),
        ([("x", 1, 3)], [("a", 0), ("bc", 1), ("def", 0)]),
        ([("x", 0, 4), ("y", 2, 6)], [("ab", 1), ("cd", 2), ("ef", 1)]),
        ([("x", 0, 3), ("x", 2, 4)], [("abcd", 1), ("ef", 0)]),
        ([("x", 4, 99), ("y", -5, 1)], [("a", 1), ("bcd", 0), ("ef", 1)]),
        ([("x", 3, 3)], [("abcdef", 0)]),
    ],
)
def test_passages_count_annotators_once(marks, passages):
    highlights = [Highlight("d", *mark) for mark in marks]
    assert highlighted_passages("abcdef", highlights) == passages


def test_an_empty_text_has_no_passages():
    assert highlighted_passages("", [Highlight("d", "x", 0, 5)]) == []


def test_a_cut_text_says_how_much_is_missing():
    assert cut("abcdef", 3) == "abc […3 more characters]"
    assert cut("abc", 3) == "abc"


@pytest.mark.parametrize("text", ["</script>", "<!--", "]]>", "a&b", "\u2028\u2029", "🙂"])
def test_embedded_json_is_safe_and_comes_back(text: str):
    made = embed({"text": text})
    assert not set("<>&\u2028\u2029") & set(made)
    assert json.loads(made) == {"text": text}
