"""LeadFirst: whole sentences from the start, as many as fit."""

from __future__ import annotations

import pytest

from gistmark.records import Document
from gistmark.summarizers import Limit
from gistmark.summarizers.lead import LeadFirst

TEXT = "The cat sat. The dog ran away. It rained."


def lead(text: str, **limit: int | None) -> str:
    return LeadFirst().summarize(Document("d", (text,)), Limit(**{"chars": None, **limit}))


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
        ({"chars": 3}, ""),
        ({"sentences": 2, "words": 3}, "The cat sat."),
    ],
)
def test_sentences_are_taken_while_they_fit(limit: dict[str, int], summary: str):
    assert lead(TEXT, **limit) == summary


def test_a_short_sentence_after_one_that_does_not_fit_is_not_taken():
    assert lead("Yes. A sentence that is far too long to fit in here. No.", chars=12) == "Yes."


def test_of_several_texts_the_first_counts():
    document = Document("d", ("First text.", "Second text."))
    assert LeadFirst().summarize(document, Limit()) == "First text."


@pytest.mark.parametrize("texts", [(), ("",), (" \n ",)])
def test_nothing_is_summarised_as_nothing(texts: tuple[str, ...]):
    assert LeadFirst().summarize(Document("d", texts), Limit()) == ""
