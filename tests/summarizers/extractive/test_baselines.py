"""LeadFirst takes the first sentences; Random gives every sentence the same chance."""

from __future__ import annotations

from collections import Counter

import pytest

from gistmark.records import Document
from gistmark.summarizers import Limit, Source, system_from
from gistmark.summarizers.extractive.baselines import LeadFirst

TEXT = "The cat sat. The dog ran away. It rained."


def lead(text: str, **limit: int | None) -> str:
    source = Source(Document("d", (text,)))
    return LeadFirst().summarize(source, Limit(**{"chars": None, **limit})).text


@pytest.mark.parametrize(
    ("limit", "summary"),
    [
        ({}, TEXT),
        ({"sentences": 1}, "The cat sat."),
        ({"sentences": 2}, "The cat sat. The dog ran away."),
        ({"words": 7}, "The cat sat. The dog ran away."),
        ({"words": 6}, "The cat sat."),
        ({"chars": len("The cat sat. The dog ran away.")}, "The cat sat. The dog ran away."),
        ({"chars": len("The cat sat. The dog ran away.") - 1}, "The cat sat."),
        ({"chars": 3}, "The"),
        ({"chars": 2}, "Th"),
        ({"sentences": 0}, ""),
        ({"sentences": 2, "words": 3}, "The cat sat."),
    ],
)
def test_sentences_are_taken_while_they_fit(limit: dict[str, int], summary: str):
    assert lead(TEXT, **limit) == summary


def test_a_short_sentence_after_one_that_does_not_fit_is_not_taken():
    assert lead("Yes. A sentence that is far too long to fit in here. No.", chars=12) == "Yes."


def test_a_sentence_that_comes_again_is_passed_over():
    assert lead("It rained. It rained. It poured.", sentences=2) == "It rained. It poured."


def test_of_several_texts_the_first_counts():
    document = Document("d", ("First text.", "Second text."))
    assert LeadFirst().summarize(Source(document), Limit()).text == "First text."


@pytest.mark.parametrize("texts", [(), ("",), (" \n ",)])
def test_nothing_is_summarised_as_nothing(texts: tuple[str, ...]):
    outcome = LeadFirst().summarize(Source(Document("d", texts)), Limit())
    assert outcome.text == ""
    assert outcome.note == "the document has no sentences"


FIVE = "Ann ran. Bob sat. Cid ate. Dan hid. Eva won."
ONE = Limit(chars=None, sentences=1)


def test_sentences_stand_in_the_order_of_the_document() -> None:
    for seed in range(20):
        outcome = system_from(f"Random:seed={seed}").summarize(
            Source(Document("d", (FIVE,))), Limit(chars=None, sentences=3)
        )
        starts = [sentence.start for sentence in outcome.sentences]
        assert starts == sorted(starts)
        assert len(starts) == 3


def test_every_sentence_is_chosen_about_as_often() -> None:
    """1,000 samples of one in five: 200 each, give or take five standard deviations of 12.6."""
    system = system_from("Random")
    sampled = Counter(
        system.summarize(Source(Document(str(number), (FIVE,))), ONE).text for number in range(1000)
    )
    assert len(sampled) == 5
    assert all(137 <= count <= 263 for count in sampled.values())


def test_what_does_not_fit_is_passed_over_and_the_room_is_filled() -> None:
    text = "A sentence that is much too long for what is left. Go. Run."
    source = Source(Document("d", (text,)))
    for seed in range(10):
        result = system_from(f"Random:seed={seed}").summarize(source, Limit(chars=52)).text
        assert result in ("A sentence that is much too long for what is left.", "Go. Run.")
