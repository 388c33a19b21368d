"""The steps of BLANC: each sentence of the document, and what of the summary may help with it.

A summary that copies sentences helps unfairly with those very sentences. Three guards, of which
the paper has the first two and uses the third in an experiment: `skip` leaves such a sentence of
the document out; `remove` takes its copies out of the summary for this one step; `replace` puts
in place of each copy the sentence of the document that is nearest to it in length, is not in the
summary, and has not been put there already; the earlier one on ties, nothing if there is none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gistmark.metrics.batch import Batch
from gistmark.text.sentences import sentences

Guard = Literal["none", "skip", "remove", "replace"]
Form = Literal["NFKC", "NFKD"]


@dataclass(frozen=True)
class Text:
    """A text in a normal form of Unicode, and its sentences."""

    whole: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A sentence of the document and the text that stands before it."""

    sentence: str
    help: Text


def split(batch: Batch, number: int, form: Form, lang: str) -> Text:
    """A text of the batch by its number, split once however many metrics ask for it."""

    def made() -> Text:
        whole = unicodedata.normalize(form, batch.texts[number])
        return Text(whole, tuple(sentences(whole, lang)))

    return batch.memo(("blanc text", form, lang, number), made)


def steps(document: Text, summary: Text, guard: Guard) -> Iterator[Step]:
    """Every sentence of the document with its help."""
    copied = set(summary.sentences) if guard != "none" else set()
    for sentence in document.sentences:
        if sentence not in copied:
            yield Step(sentence, summary)
        elif guard != "skip":
            kept = _without(sentence, document.sentences, summary.sentences, guard)
            yield Step(sentence, Text(" ".join(kept), kept))


def _without(
    sentence: str, document: Sequence[str], summary: Sequence[str], guard: Guard
) -> tuple[str, ...]:
    """The summary's sentences without the copies of one."""
    free = [other for other in dict.fromkeys(document) if other not in summary]
    kept: list[str] = []
    for own in summary:
        if own != sentence:
            kept.append(own)
        elif guard == "replace" and free:
            nearest = min(free, key=lambda other: abs(len(other) - len(sentence)))
            free.remove(nearest)
            kept.append(nearest)
    return tuple(kept)
