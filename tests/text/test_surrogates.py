"""Halves of surrogate pairs."""

from __future__ import annotations

import pytest

from gistmark.text import readable


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("plain", "plain"),
        ("\u6a4b \U0001f44d", "\u6a4b \U0001f44d"),
        ("a\ud800b\udfff", "a\ufffdb\ufffd"),
        ("", ""),
    ],
)
def test_only_halves_are_replaced(text: str, found: str):
    assert readable(text) == found
