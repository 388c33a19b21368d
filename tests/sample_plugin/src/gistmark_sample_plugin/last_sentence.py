"""`LastSentence`: the end of a document instead of its start."""

from __future__ import annotations

from gistmark.records import Document
from gistmark.summarizers import Limit, Summarizer
from gistmark.text import sentences


class LastSentence(Summarizer):
    """Takes whole sentences from the end of the document while they fit."""

    about = "The last sentences of the document."

    def summarize(self, document: Document, limit: Limit) -> str:
        taken: list[str] = []
        for sentence in reversed(sentences(document.text, document.lang)):
            if not limit.holds([sentence, *taken]):
                break
            taken.insert(0, sentence)
        return " ".join(taken)
