"""Abstractive: a model reads the document and writes the summary in its own words."""

from __future__ import annotations

from gistmark.summarizers.extractive import EMPTY, NO_ROOM
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.summarizer import Outcome, Source
from gistmark.summarizers.writing import READ, Writing, joined, tokens_for, trimmed


class Abstractive(Writing):
    """Writes with any sequence-to-sequence or instruction-tuned causal model.

    The model reads the texts one after the other from the first on, as far as it reads. Of what
    it writes, the first whole sentences that fit are the summary.
    """

    name = "abstractive"
    about = "A language model reads the document and writes a summary in its own words."
    instruction = "Summarize this text in a few sentences."

    def summarize(self, source: Source, limit: Limit) -> Outcome:
        document = source.document
        if not document.text.strip():
            return Outcome("", note=EMPTY)
        if not limit.cut(document.text.strip()):
            return Outcome("", note=NO_ROOM)
        made = self.write(document.text, tokens_for(limit))
        text, note = trimmed(made, limit, document.lang)
        return Outcome(text, note=joined([note, None if made.read_all else READ]))
