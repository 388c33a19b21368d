"""Sources: what is scored against what, and how it is cut into blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

import gistmark
from gistmark.corpus import Corpus, open_lines
from gistmark.errors import UsageError
from gistmark.records import ContentUnit, Document, Highlight, Summary
from gistmark.scoring import TextPairs, score
from gistmark.scoring.run import source_of
from gistmark.scoring.sources import CorpusSource


@pytest.fixture
def lines(tmp_path: Path) -> list[Path]:
    """A system and two files of references, with what line readers stumble over."""
    texts = {
        "sys.txt": "the cat sat\n\ncafé au lait\nform\x0cfeed line\u2028separator\nlast",
        "ref1.txt": "the cat ran\nno summary\ncafé\nform feed line separator\nthe last",
        "ref2.txt": "a cat sat\nnothing\nun café au lait\nform\x0cfeed\nlast one",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="\n")
    return [tmp_path / name for name in texts]


def many(documents: int, systems: int) -> Corpus:
    return Corpus(
        summaries=tuple(
            Summary(f"d{d}", f"s{s}", f"text {d} {s}")
            for s in range(systems)
            for d in range(documents)
        )
    )


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 100])
def test_all_summaries_of_a_document_stay_in_one_block(size: int):
    blocks = list(CorpusSource(many(7, 3)).blocks(size))
    home = [set(block.documents) for block in blocks]
    assert sum(len(documents) for documents in home) == 7
    assert sum(len(block) for block in blocks) == 21
    assert all(len(block) <= max(size, 3) for block in blocks)


def test_blocks_hold_as_many_documents_as_fit():
    sizes = [len(block) for block in CorpusSource(many(7, 3)).blocks(7)]
    assert sizes == [6, 6, 6, 3]


def test_documents_come_in_the_order_of_the_corpus_then_those_known_from_summaries_only():
    corpus = Corpus(
        documents=(Document("b", ("x",)), Document("a", ("x",))),
        summaries=(Summary("z", "s", "t"), Summary("a", "s", "t"), Summary("b", "s", "t")),
    )
    (block,) = CorpusSource(corpus).blocks()
    assert block.documents == ["b", "a", "z"]
    assert list(block.texts) == ["x", "x", None]


def test_a_source_offers_what_the_corpus_holds(small: Corpus):
    assert CorpusSource(Corpus()).offers == frozenset()
    assert CorpusSource(small).offers == {"references", "documents"}
    marked = Corpus(documents=small.documents, highlights=(Highlight("d1", "ann", 0, 3),))
    assert CorpusSource(marked).offers == {"documents", "highlights"}


def test_references_are_not_scored_unless_asked_for(small: Corpus):
    assert set(score(small, ["words"]).systems) == {"one", "two"}
    assert CorpusSource(small).size == 4
    assert CorpusSource(small, with_references=True).size == 7


def test_a_reference_is_scored_against_the_other_references_only(small: Corpus):
    scores = score(small, ["rouge1"], with_references=True)
    result = {(s.document, s.system): s for s in scores if s.part == "f"}
    # "the cat ran fast" and "a mat was there" share nothing; against itself it would be 1.
    assert result["d1", "gold"].value == 0.0
    assert result["d1", "gold-b"].value == 0.0
    assert result["d2", "gold"].value is None
    assert result["d2", "gold"].reason == "the document has no reference"
    # Systems still have all references: "the cat sat" against "the cat ran fast" is 4/7.
    assert result["d1", "one"].value == pytest.approx(4 / 7)


def test_two_references_with_the_same_text_are_scored_against_each_other():
    corpus = Corpus(
        summaries=(
            Summary("d", "gold", "same words", reference=True),
            Summary("d", "gold-b", "same words", reference=True),
        )
    )
    scores = score(corpus, ["rouge1"], with_references=True)
    assert [s.value for s in scores if s.part == "f"] == [1.0, 1.0]


def test_text_pairs_take_one_reference_or_several():
    pairs = TextPairs(["the cat", "a dog"], ["the cat", ["no", "a dog"]], system="mine")
    scores = score(pairs, ["rouge1"])
    assert [s.value for s in scores if s.part == "f"] == [1.0, 1.0]
    assert list(scores.documents) == ["1", "2"]
    assert set(scores.systems) == {"mine"}


def test_text_pairs_of_different_length_are_refused():
    with pytest.raises(UsageError, match="There are 2 summaries but 1 references"):
        TextPairs(["a", "b"], ["a"])


def test_lines_that_are_streamed_score_like_lines_that_are_loaded(
    lines: list[Path], monkeypatch: pytest.MonkeyPatch
):
    pairs = open_lines(lines[0], lines[1:])
    streamed = score(pairs, ["rouge1", "rougeL", "words"], cache=False)
    loaded = score(pairs.load(), ["rouge1", "rougeL", "words"], cache=False)
    assert list(streamed) == list(loaded)
    assert list(streamed.documents) == ["1", "2", "3", "4", "5"]
    whole = score(TextPairs(*texts_of(lines), system="sys"), ["rouge1", "rougeL", "words"])
    assert list(streamed) == list(whole)


def texts_of(lines: list[Path]) -> tuple[list[str], list[list[str]]]:
    columns = [path.read_text("utf-8").removesuffix("\n").split("\n") for path in lines]
    return columns[0], [list(row) for row in zip(*columns[1:], strict=True)]


@pytest.mark.parametrize("size", [1, 2, 4])
def test_lines_in_several_blocks_keep_their_numbers(lines: list[Path], size: int):
    source = source_of(open_lines(lines[0], lines[1:]))
    blocks = list(source.blocks(size))
    assert [number for block in blocks for number in block.documents] == list("12345")
    assert max(len(block) for block in blocks) == size
    assert [text for block in blocks for text in block.summaries] == texts_of(lines)[0]


def test_lines_can_be_scored_with_their_references_too(lines: list[Path]):
    pairs = open_lines(lines[0], lines[1:])
    scores = score(pairs, ["rouge1"], with_references=True)
    assert scores.summary_count == 15
    assert list(scores) == list(score(pairs.load(), ["rouge1"], with_references=True))


def test_text_pairs_have_no_references_that_could_be_scored():
    with pytest.raises(UsageError, match="with_references"):
        score(TextPairs(["a"], ["a"]), ["rouge1"], with_references=True)


def test_a_path_is_loaded():
    scores = gistmark.score(str(gistmark.sample_folder()), ["words"])
    assert scores.summary_count == 56


def test_what_cannot_be_scored_is_refused_with_what_can():
    import pandas as pd

    frame = pd.DataFrame({"document": ["d"], "system": ["s"], "text": ["t"]})
    with pytest.raises(UsageError, match=r"DataFrame.*from_frame"):
        score(frame, ["words"])  # type: ignore[arg-type]


def test_batches_are_for_those_who_call_metrics_themselves(small: Corpus):
    (batch,) = [block.batch() for block in source_of(small).blocks()]
    assert [item.summary for item in batch] == ["the cat sat", "a mat", "a dog ran", "a cat"]


def test_units_go_with_their_document_and_a_reference_has_none_of_its_own():
    units = (
        ContentUnit("d", "1", "A cat sat.", reference="gold"),
        ContentUnit("d", "2", "A dog ran."),
    )
    summaries = (Summary("d", "s", "A."), Summary("d", "gold", "B.", reference=True))
    source = CorpusSource(Corpus(summaries=summaries, units=units), with_references=True)
    assert "units" in source.offers
    (block,) = source.blocks()
    by_system = dict(zip(block.systems, block.batch(), strict=True))
    assert by_system["s"].units == units
    assert by_system["gold"].units == units[1:]
