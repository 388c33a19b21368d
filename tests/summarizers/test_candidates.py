"""Candidates: where sentences stand, and which can be in a summary."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gistmark.records import Document
from gistmark.summarizers.candidates import cut_down, fitting, sentences_of
from gistmark.summarizers.limits import Limit

TEXTS = st.lists(st.text(alphabet="aB. \n?橋。", max_size=40), max_size=4).map(tuple)


@given(TEXTS)
def test_offsets_count_in_the_whole_text(texts: tuple[str, ...]) -> None:
    document = Document("d", texts)
    for sentence in sentences_of(document):
        assert document.text[sentence.start : sentence.end] == sentence.text
        assert sentence.text in texts[sentence.source]


def test_sources_and_places_are_numbered() -> None:
    found = sentences_of(Document("d", ("One is here. Two is here.", "", "Three is here.")))
    assert [(each.source, each.place) for each in found] == [(0, 0), (0, 1), (2, 0)]


def test_the_first_of_each_wording_stays() -> None:
    sentences = sentences_of(Document("d", ("It rained. IT  rained. It poured.", "It rained.")))
    found = fitting(sentences, Limit())
    assert [each.text for each in found] == ["It rained.", "It poured."]
    assert found[0].start == 0


def test_one_that_alone_is_too_long_is_no_candidate() -> None:
    sentences = sentences_of(Document("d", ("It rained. It rained cats and dogs.",)))
    assert [each.text for each in fitting(sentences, Limit(chars=12))] == ["It rained."]


def test_where_all_are_too_long_beginnings_stand_in() -> None:
    document = Document("d", ("A painter found a crack. A painter fell. Engineers came late.",))
    found = fitting(sentences_of(document), Limit(chars=10))
    assert [each.text for each in found] == ["A painter", "Engineers"]
    assert all(each.cut for each in found)
    assert all(document.text[each.start : each.end] == each.text for each in found)


def test_what_fits_is_not_cut() -> None:
    (sentence,) = sentences_of(Document("d", ("It rained.",)))
    assert cut_down(sentence, Limit()) is sentence
    assert fitting([sentence], Limit(chars=0)) == ()
