"""The explanation of a run: every place is right, everything is escaped, nothing needs a script."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.report.pages.explanation import html_tree, location_link, write_explanation
from gistmark.report.passages import taken_passages
from gistmark.summarizers import Node, Outcome, Sentence, summarize
from gistmark.summarizers.summaries import Failure, Record, Summaries
from html_reader import Reader

EVIL = '<script>alert("x")</script>&amp;'


def made(text: str, system: str = "s", **facts: object) -> Record:
    return Record("d", system, Outcome(text, **facts))  # type: ignore[arg-type]


def run_of(*records: Record, failures: tuple[Failure, ...] = ()) -> Summaries:
    return Summaries(records, failures, {record.system: "sig" for record in records})


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Summaries, Corpus]:
    corpus = load(sample_folder())
    result = summarize(corpus, ["LeadFirst", "MMR", "H4"])
    folder = tmp_path_factory.mktemp("why")
    write_explanation(result, corpus, folder)
    return folder, result, corpus


# The sample


def test_the_records_have_every_summary_with_its_places(pages: tuple[Path, Summaries, Corpus]):
    folder, result, corpus = pages
    content = json.loads((folder / "explanations.json").read_text())
    assert content["signatures"] == result.signatures
    assert content["failures"] == []
    assert len(content["explanations"]) == 3 * 14
    for entry in content["explanations"]:
        document = corpus.document(entry["document"])
        assert " ".join(each["text"] for each in entry["sentences"]) == entry["text"]
        for each in entry["sentences"]:
            assert document.text[each["start"] : each["end"]] == each["text"]
            assert each["text"] in document.texts[each["source"]]
        assert (entry["tree"] is not None) == (entry["system"] == "H4")


def test_the_tree_in_the_records_is_the_whole_tree(pages: tuple[Path, Summaries, Corpus]):
    folder, result, _ = pages
    content = json.loads((folder / "explanations.json").read_text())
    trees = {
        (record.document, record.system): record.outcome.tree
        for record in result
        if record.outcome.tree is not None
    }

    def size(node: dict) -> int:
        return len(node["nuggets"]) + sum(map(size, node["children"]))

    assert trees
    for entry in content["explanations"]:
        if entry["tree"] is not None:
            tree = trees[entry["document"], entry["system"]]
            assert size(entry["tree"]) == tree.size
            assert entry["tree"]["relevance"] == tree.relevance


def test_every_link_leads_somewhere_and_every_tag_is_closed(
    pages: tuple[Path, Summaries, Corpus],
):
    folder, _, corpus = pages
    index = Reader((folder / "index.html").read_text())
    documents = [link for link in index.links if not link.startswith("#")]
    assert len(documents) == len(set(documents)) == len(corpus.documents)
    for link in documents:
        read = Reader((folder / link).read_text())
        assert len(read.ids) == len(set(read.ids))
        inner = [link for link in read.links if link.startswith("#")]
        assert {link.removeprefix("#") for link in inner} <= set(read.ids)
        assert [link for link in read.links if not link.startswith("#")] == ["../index.html"]


def test_no_page_has_a_script_or_asks_for_anything(pages: tuple[Path, Summaries, Corpus]):
    folder, _, _ = pages
    for page in folder.rglob("*.html"):
        text = page.read_text()
        assert Reader(text).tags.isdisjoint({"script", "iframe", "img", "object", "form"})
        assert "http://" not in text
        assert "https://" not in text
        assert "default-src 'none'" in text


def test_the_document_stands_on_its_page_with_what_was_taken(
    pages: tuple[Path, Summaries, Corpus],
):
    folder, result, corpus = pages
    page = (folder / "documents" / "01.html").read_text()
    prose = page.partition('id="document"')[2]
    plain = unescape(re.sub(r'<small class="takers"[^>]*>.*?</small>|<[^>]+>', "", prose))
    assert corpus.documents[0].text in plain
    taken = {
        each.text
        for record in result
        if record.document == corpus.documents[0].id
        for each in record.outcome.sentences
    }
    marked = " ".join(re.findall(r"<mark[^>]*>(.*?)</mark>", prose, re.DOTALL))
    assert all(sentence[:20] in unescape(marked) for sentence in taken)


def test_the_same_run_gives_the_same_bytes_and_old_pages_go(
    pages: tuple[Path, Summaries, Corpus], tmp_path: Path
):
    folder, result, corpus = pages
    write_explanation(result, corpus, tmp_path / "why")
    old = tmp_path / "why" / "documents" / "99.html"
    old.write_text("old")
    write_explanation(result, corpus, tmp_path / "why")
    assert not old.exists()
    for page in folder.rglob("*.*"):
        assert (tmp_path / "why" / page.relative_to(folder)).read_bytes() == page.read_bytes()


# Odd texts


def test_everything_is_escaped(tmp_path: Path):
    sentence = Sentence(EVIL, 0, len(EVIL), 0, 0)
    tree = Node((sentence,), 0.5, EVIL, (Node((sentence,), 0.1),))
    record = Record(EVIL, EVIL, Outcome(EVIL, (sentence,), tree, EVIL))
    result = Summaries((record,), (Failure(EVIL, EVIL, EVIL),), {EVIL: EVIL})
    corpus = Corpus((Document(EVIL, (EVIL, "Another."), title=EVIL),))
    write_explanation(result, corpus, tmp_path)
    for page in tmp_path.rglob("*.html"):
        text = page.read_text()
        assert "<script" not in text
        assert "script" not in Reader(text).tags
        assert "&lt;script&gt;" in text
    content = json.loads((tmp_path / "explanations.json").read_text())
    assert content["explanations"][0]["text"] == EVIL
    assert content["failures"] == [{"document": EVIL, "system": EVIL, "reason": EVIL}]


def test_half_a_surrogate_pair_does_not_stop_it(tmp_path: Path):
    page = write_explanation(
        run_of(made("half \ud83d")), Corpus((Document("d", ("half \ud83d",)),)), tmp_path
    )
    assert page.is_file()


def test_an_empty_summary_shows_its_note(tmp_path: Path):
    corpus = Corpus((Document("d", ("",)),))
    write_explanation(run_of(made("", note="the document has no sentences")), corpus, tmp_path)
    page = (tmp_path / "documents" / "1.html").read_text()
    assert "The document has no sentences." in page
    assert "The document has no sentences." in (tmp_path / "index.html").read_text()


def test_a_document_that_nobody_summarised_has_no_page(tmp_path: Path):
    corpus = Corpus((Document("d", ("D.",)), Document("e", ("E.",))))
    failures = (Failure("e", "s", "There is no reference."),)
    write_explanation(run_of(made("D."), failures=failures), corpus, tmp_path)
    assert [page.name for page in (tmp_path / "documents").iterdir()] == ["1.html"]
    assert "There is no reference." in (tmp_path / "index.html").read_text()


def test_many_texts_are_folded(tmp_path: Path):
    for count, folded in ((1, 0), (5, 0), (6, 6)):
        corpus = Corpus((Document("d", tuple(f"Text {n}." for n in range(count))),))
        write_explanation(run_of(made("Text 0.")), corpus, tmp_path)
        page = (tmp_path / "documents" / "1.html").read_text()
        assert page.count("<details><summary>Text ") == folded


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds no explanations; choose another"):
        write_explanation(run_of(made("D.")), Corpus(), tmp_path)
    with pytest.raises(UsageError, match="is a file"):
        write_explanation(run_of(made("D.")), Corpus(), tmp_path / "thesis.txt")


# Trees


def test_a_location_is_in_words_that_count_from_one():
    assert location_link(Sentence("x", 1200, 1300, 0, 4)) == (
        '<a class="location" href="#c1200">text 1, sentence 5, characters 1,200 to 1,300</a>'
    )


def test_a_tree_shows_every_node_with_its_relevance():
    nuggets = [Sentence(f"Nugget {n}.", 10 * n, 10 * n + 9, 0, n) for n in range(3)]
    tree = Node(
        (nuggets[0],), -0.25, "all", (Node((nuggets[1],), 0.5), Node((nuggets[2],), 0.125, "cats"))
    )
    shown = html_tree(tree)
    assert "Tree of 3 nuggets" in shown
    assert "cats</bdi> <small>relevance 0.125, 1 nugget</small>" in shown
    assert '<p class="leaf"><bdi dir="auto">Nugget 1.</bdi> <small>relevance 0.500</small>' in shown
    assert all(nugget.text in shown for nugget in nuggets)
    Reader(shown)


def test_what_lies_too_deep_is_counted():
    tree = Node((Sentence("Deepest.", 0, 8, 0, 0),), 0.0)
    for depth in range(200):
        tree = Node((), 0.0, f"level {depth}", (tree,))
    shown = html_tree(tree)
    assert "1 more below; explanations.json has them." in shown
    assert shown.count("<details") < 40


# Passages


def test_a_text_is_cut_where_something_that_was_taken_starts_or_ends():
    taken = [("x", Sentence("cd", 12, 14, 1, 0)), ("y", Sentence("cdef", 12, 16, 1, 0))]
    result = taken_passages("abcdefg", 10, taken)
    assert [(each.text, each.start, each.systems, each.ends) for each in result] == [
        ("ab", 10, (), ()), ("cd", 12, ("x", "y"), ("x",)),
        ("ef", 14, ("y",), ("y",)), ("g", 16, (), ()),
    ]  # fmt: skip
    assert [each.starts for each in result] == [False, True, False, False]


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 30), st.integers(0, 30))),
    st.lists(st.integers(0, 40)),
)
def test_passages_joined_are_the_text(
    text: str, spans: list[tuple[str, int, int]], places: list[int]
):
    taken = [(name, Sentence("", 5 + start, 5 + end, 0, 0)) for name, start, end in spans]
    result = taken_passages(text, 5, taken, places)
    assert "".join(each.text for each in result) == text
    for each in result:
        covering = {
            name
            for name, sentence in taken
            if 5 <= sentence.start <= each.start < sentence.end <= 5 + len(text)
        }
        assert set(each.systems) == covering
