"""LeadFirst: the first sentences of a document, a baseline that is hard to beat in news."""

from __future__ import annotations

from gistmark.records import Document
from gistmark.summarizers.summarizer import Limit, Summarizer
from gistmark.text import sentences


class LeadFirst(Summarizer):
    """Takes whole sentences from the start of the (first) text while they fit."""

    about = "The first sentences of the document, or of its first text."

    def summarize(self, document: Document, limit: Limit) -> str:
        taken: list[str] = []
        for sentence in sentences(document.texts[0] if document.texts else "", document.lang):
            if not limit.holds([*taken, sentence]):
                break
            taken.append(sentence)
        return " ".join(taken)
