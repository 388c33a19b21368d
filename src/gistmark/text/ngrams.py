"""n-grams: runs of n neighbouring words."""

from __future__ import annotations

from collections.abc import Sequence


def ngrams(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """All n-grams of `words` in order; none when there are fewer than `n` words."""
    if n < 1:
        raise ValueError(f"An n-gram has at least one word, not {n}.")
    return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
