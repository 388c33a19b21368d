"""What extractive systems share: candidates, filling, order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.records import Document
from gistmark.summarizers import Choice, Extractive, Limit, Sentence, Source
from gistmark.summarizers.extractive.selection import (
    cut_down,
    fill,
    fitting,
    in_document_order,
    sentences_of,
)


class Backwards(Extractive):
    """Takes the last two sentences, the last first."""

    name = "Backwards"
    about = "The end."

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        return Choice(tuple(range(len(candidates)))[:-3:-1], note=source.document.title)


def test_the_summary_has_the_chosen_sentences_in_the_order_of_the_choice() -> None:
    outcome = Backwards().summarize(Source(Document("d", ("Ann ran. Bob sat. Cid ate.",))), Limit())
    assert outcome.text == "Cid ate. Bob sat."
    assert [sentence.position for sentence in outcome.sentences] == [2, 1]
    assert outcome.note is None


@pytest.mark.parametrize(
    ("title", "note"),
    [
        (None, "every sentence is longer than the limit, so one is cut at a word boundary"),
        ("own note", "own note"),
    ],
)
def test_a_cut_is_noted_unless_the_system_has_more_to_say(title: str | None, note: str) -> None:
    source = Source(Document("d", ("It rained.",), title))
    outcome = Backwards().summarize(source, Limit(chars=5))
    assert (outcome.text, outcome.note) == ("It", note)


@pytest.mark.parametrize(
    ("text", "limit", "note"),
    [
        (" \n", Limit(), "the document has no sentences"),
        ("It rained.", Limit(chars=0), "the limit leaves no room"),
        ("It rained.", Limit(sentences=0), "the limit leaves no room"),
    ],
)
def test_an_empty_summary_says_why(text: str, limit: Limit, note: str) -> None:
    outcome = Backwards().summarize(Source(Document("d", (text,))), limit)
    assert (outcome.text, outcome.sentences, outcome.note) == ("", (), note)


def test_filling_passes_over_what_does_not_fit() -> None:
    texts = ("Ann ran away from home.", "Bob sat.", "Cid ate.")
    candidates = [Sentence(text, position, 0, 0, position) for position, text in enumerate(texts)]
    assert fill([2, 0, 1], candidates, Limit(chars=17)) == (2, 1)
    assert in_document_order([2, 1], candidates) == (1, 2)


TEXTS = st.lists(st.text(alphabet="aB. \n?橋。", max_size=40), max_size=4).map(tuple)


@given(TEXTS)
def test_offsets_count_in_the_whole_text(texts: tuple[str, ...]) -> None:
    document = Document("d", texts)
    for sentence in sentences_of(document):
        assert document.text[sentence.start : sentence.end] == sentence.text
        assert sentence.text in texts[sentence.source]


def test_sources_and_positions_are_numbered() -> None:
    result = sentences_of(Document("d", ("One is here. Two is here.", "", "Three is here.")))
    assert [(each.source, each.position) for each in result] == [(0, 0), (0, 1), (2, 0)]


def test_the_first_of_each_wording_stays() -> None:
    sentences = sentences_of(Document("d", ("It rained. IT  rained. It poured.", "It rained.")))
    result = fitting(sentences, Limit())
    assert [each.text for each in result] == ["It rained.", "It poured."]
    assert result[0].start == 0


def test_one_that_alone_is_too_long_is_no_candidate() -> None:
    sentences = sentences_of(Document("d", ("It rained. It rained cats and dogs.",)))
    assert [each.text for each in fitting(sentences, Limit(chars=12))] == ["It rained."]


def test_where_all_are_too_long_beginnings_stand_in() -> None:
    document = Document("d", ("A painter found a crack. A painter fell. Engineers came late.",))
    result = fitting(sentences_of(document), Limit(chars=10))
    assert [each.text for each in result] == ["A painter", "Engineers"]
    assert all(each.cut for each in result)
    assert all(document.text[each.start : each.end] == each.text for each in result)


def test_what_fits_is_not_cut() -> None:
    (sentence,) = sentences_of(Document("d", ("It rained.",)))
    assert cut_down(sentence, Limit()) is sentence
    assert fitting([sentence], Limit(chars=0)) == ()
