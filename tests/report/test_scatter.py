"""The data behind the interactive scatter."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.records import Document, Highlight, Summary
from gistmark.report.folder import text_pages
from gistmark.report.passages import highlighted_passages
from gistmark.report.scatter import embed, scatter_data
from gistmark.report.views import View


def view_of(corpus: Corpus) -> View:
    return View(Study(), corpus, None, "rouge1")


def test_it_starts_with_the_best_metric_and_the_studys_own_numbers(view: View):
    data = scatter_data(view)
    start = data["start"]
    assert (start["x"], start["y"]) == ("metric:rouge2.f", "human:Overall Quality")
    columns = {measure["key"]: measure["values"] for measure in data["measures"]}
    result = stats.spearmanr(columns[start["x"]], columns[start["y"]]).statistic
    assert start["summary"]["spearman"] == pytest.approx(result, abs=5e-4)
    assert start["system"].keys() == start["summary"].keys() == {"pearson", "spearman", "kendall"}


def test_the_means_of_systems_correlate_as_the_study_says(big_view: View):
    data = scatter_data(big_view)
    columns = {measure["key"]: measure["values"] for measure in data["measures"]}
    systems = np.array([system for _, system, _ in data["points"]])
    means = [
        [np.mean(np.array(columns[data["start"][axis]])[systems == k]) for k in range(25)]
        for axis in ("x", "y")
    ]
    result = stats.pearsonr(*means).statistic
    assert data["start"]["system"]["pearson"] == pytest.approx(result, abs=1e-6)


def test_a_point_leads_to_its_texts_scores_and_ratings(view: View, sample: Corpus):
    data = scatter_data(view)
    assert len(data["points"]) == 56
    document, system, text = data["points"][0]
    first = next(summary for summary in sample.summaries if not summary.reference)
    assert data["documents"][document]["id"] == first.document
    assert (data["systems"][system], text) == (first.system, first.text)
    source = data["documents"][document]
    assert "".join(part for part, _ in source["passages"]) == sample.document(source["id"]).text
    assert source["annotators"] == 5
    assert len(source["references"]) == 2
    rated = {data["dimensions"][dimension] for dimension, _, _ in data["ratings"][0]}
    assert rated == {rating.dimension for rating in sample.ratings}
    raters = {r.annotator for r in sample.ratings if r.document == first.document}
    assert {data["annotators"][annotator] for _, annotator, _ in data["ratings"][0]} <= raters


def test_references_are_points_only_where_they_were_judged():
    corpus = Corpus(summaries=(Summary("d", "gold", "g", reference=True), Summary("d", "s", "t")))
    data = scatter_data(view_of(corpus))
    assert data["systems"] == ["s"]
    assert data["documents"][0]["references"] == [["gold", "g"]]


def test_every_summary_of_a_big_corpus_is_a_point():
    corpus = Corpus(summaries=tuple(Summary(f"d{n}", "s", f"text {n}") for n in range(2_500)))
    data = scatter_data(view_of(corpus))
    assert [text for _, _, text in data["points"]] == [f"text {n}" for n in range(2_500)]


def test_texts_that_the_page_cannot_carry_are_in_pages_beside_it(monkeypatch):
    monkeypatch.setattr("gistmark.report.scatter.MOST_TEXT", 60)
    corpus = Corpus(
        documents=(Document("d1", ("A short text.",)), Document("d2", ("<b>Long</b> " * 9,))),
        summaries=(Summary("d1", "s", "one"), Summary("d2", "s", "two & a half"),
                   Summary("d2", "gold", "reference", reference=True)),
        highlights=(Highlight("d2", "x", 0, 4), Highlight("d2", "y", 0, 2)),
    )  # fmt: skip
    data = scatter_data(view_of(corpus))
    assert data["documents"][0]["passages"] == [("A short text.", 0)]
    assert data["documents"][1] == {"id": "d2", "title": "d2", "file": "texts/00002.html"}
    assert [text for _, _, text in data["points"]] == ["one", ""]
    ((path, page),) = text_pages(view_of(corpus))
    assert path == "texts/00002.html"
    assert '<article class="system" id="system-0"><h3>s</h3>' in page
    assert "two &amp; a half" in page
    assert "reference</div>" in page
    assert '<mark class="heat-5" title="highlighted by 2 of 2">&lt;b</mark>' in page
    assert '<mark class="heat-3" title="highlighted by 1 of 2">&gt;L</mark>' in page


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


@pytest.mark.parametrize("text", ["</script>", "<!--", "]]>", "a&b", "\u2028\u2029", "🙂"])
def test_embedded_json_is_safe_and_comes_back(text: str):
    made = embed({"text": text})
    assert not set("<>&\u2028\u2029") & set(made)
    assert json.loads(made) == {"text": text}
