"""The sentences of a document that an extractive summary can be made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gistmark.records import TEXT_SEPARATOR, Document
from gistmark.summarizers.limits import Limit
from gistmark.text import sentence_spans


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands: offsets count in the document's whole text.

    `source` is the number of the text it is from, `place` its own number in that text. `cut` tells
    that it is only the beginning of a sentence.
    """

    text: str
    start: int
    end: int
    source: int
    place: int
    cut: bool = False


def sentences_of(document: Document) -> tuple[Sentence, ...]:
    """All sentences of all texts, in order."""
    found: list[Sentence] = []
    offset = 0
    for source, text in enumerate(document.texts):
        for place, (start, end) in enumerate(sentence_spans(text, document.lang)):
            found.append(Sentence(text[start:end], offset + start, offset + end, source, place))
        offset += len(text) + len(TEXT_SEPARATOR)
    return tuple(found)


def fitting(sentences: Iterable[Sentence], limit: Limit) -> tuple[Sentence, ...]:
    """Those that can be in a summary: the first of each wording, none that alone is too long.

    Where all are too long, their beginnings stand in, cut at a word boundary.
    """
    different = distinct(sentences)
    found = tuple(sentence for sentence in different if limit.holds([sentence.text]))
    return found or distinct(
        cut for sentence in different if (cut := cut_down(sentence, limit)).text
    )


def cut_down(sentence: Sentence, limit: Limit) -> Sentence:
    """The beginning of a sentence that fits."""
    text = limit.cut(sentence.text)
    if text == sentence.text:
        return sentence
    return replace(sentence, text=text, end=sentence.start + len(text), cut=True)


def distinct(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """The first of each wording."""
    first: dict[str, Sentence] = {}
    for sentence in sentences:
        first.setdefault(wording(sentence.text), sentence)
    return tuple(first.values())


def wording(sentence: str) -> str:
    """A sentence as it is compared with others: case and white space make no difference."""
    return " ".join(sentence.casefold().split())
