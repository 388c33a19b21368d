"""Sentences by rules, without downloads, from the package sentencex (Wikimedia)."""

from __future__ import annotations

import re

Span = tuple[int, int]

_HALF_PAIR = re.compile("[\ud800-\udfff]")


def sentence_spans(text: str, lang: str | None = None) -> list[Span]:
    """Start and end of each sentence in characters, without the white space around it."""
    from sentencex import segment

    text = readable(text)
    spans: list[Span] = []
    position = 0
    for piece in segment(lang or "en", text):
        position = text.index(piece, position)
        body = piece.strip()
        if body:
            start = position + piece.index(body)
            spans.append((start, start + len(body)))
        position += len(piece)
    return spans


def sentences(text: str, lang: str | None = None) -> list[str]:
    """The sentences of a text, without the white space around them."""
    return [text[start:end] for start, end in sentence_spans(text, lang)]


def readable(text: str) -> str:
    """The text with U+FFFD in place of each half of a surrogate pair; offsets stay the same.

    Broken JSON has such halves, and many libraries refuse to read them.
    """
    return text if text.isascii() else _HALF_PAIR.sub("\ufffd", text)
