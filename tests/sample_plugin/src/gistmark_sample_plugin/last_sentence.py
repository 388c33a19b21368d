"""`LastSentence`: the end of a document instead of its start."""

from __future__ import annotations

from collections.abc import Sequence

from gistmark.summarizers import Choice, Extractive, Limit, Sentence, Source


class LastSentence(Extractive):
    """Takes whole sentences from the end of the document while they fit."""

    name = "LastSentence"
    about = "The last sentences of the document."

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        first = len(candidates)
        while first and limit.holds(each.text for each in candidates[first - 1 :]):
            first -= 1
        return Choice(tuple(range(first, len(candidates))))
