"""Halves of surrogate pairs, as broken JSON has them, which many libraries refuse to read."""

from __future__ import annotations

import re

_HALF_PAIR = re.compile("[\ud800-\udfff]")


def readable(text: str) -> str:
    """The text with U+FFFD in place of each half of a surrogate pair; offsets stay the same."""
    return text if text.isascii() else _HALF_PAIR.sub("\ufffd", text)
