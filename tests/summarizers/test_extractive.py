"""What all extractive systems share: the way from a choice to a summary."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gistmark.records import Document
from gistmark.summarizers import Choice, Extractive, Limit, Sentence, Source
from gistmark.summarizers.extractive import fill, in_document_order


class Backwards(Extractive):
    """Takes the last two sentences, the last first."""

    name = "Backwards"
    about = "The end."

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        return Choice(tuple(range(len(candidates)))[:-3:-1], note=source.document.title)


def test_the_summary_has_the_chosen_sentences_in_the_order_of_the_choice() -> None:
    outcome = Backwards().summarize(Source(Document("d", ("Ann ran. Bob sat. Cid ate.",))), Limit())
    assert outcome.text == "Cid ate. Bob sat."
    assert [sentence.place for sentence in outcome.sentences] == [2, 1]
    assert outcome.note is None


@pytest.mark.parametrize(
    ("title", "note"),
    [
        (None, "every sentence is longer than the limit, so one is cut at a word boundary"),
        ("own note", "own note"),
    ],
)
def test_a_cut_is_told_unless_the_system_has_more_to_say(title: str | None, note: str) -> None:
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
    candidates = [Sentence(text, place, 0, 0, place) for place, text in enumerate(texts)]
    assert fill([2, 0, 1], candidates, Limit(chars=17)) == (2, 1)
    assert in_document_order([2, 1], candidates) == (1, 2)
