"""Made-up texts for the benchmarks: no two alike, words as unevenly common as in English.

Word forms are syllables with English endings, drawn by Zipf's law from a vocabulary of the size
that a large news corpus has, with capitals and punctuation, so that tokenising and stemming cost
what they cost on real text.
"""

from __future__ import annotations

import random
from functools import cache

import numpy as np

SYLLABLES = (
    "ba", "con", "der", "el", "fi", "gra", "ho", "in", "ju", "ka", "lo", "mar", "ne", "or", "pre",
    "qui", "ro", "sta", "ter", "u", "vi", "wex", "yo", "zel",
)  # fmt: skip
ENDINGS = (
    "", "", "", "s", "ed", "ing", "ly", "ation", "ational", "fulness", "ies", "ement", "able",
)  # fmt: skip


@cache
def vocabulary(size: int) -> list[str]:
    rng = random.Random(0)
    words: dict[str, None] = {}
    while len(words) < size:
        stem = "".join(rng.choices(SYLLABLES, k=rng.randint(1, 3)))
        words[stem + rng.choice(ENDINGS)] = None
    return list(words)


def texts(count: int, words: int, *, seed: int, size: int = 40_000) -> list[str]:
    """`count` different texts of about `words` words each, in sentences of about twelve."""
    rng = np.random.default_rng(seed)
    known = np.array(vocabulary(size), dtype=object)
    weights = 1 / np.arange(1, size + 1)
    lengths = rng.integers(int(words * 0.7), int(words * 1.3) + 1, count)
    drawn = known[rng.choice(size, lengths.sum(), p=weights / weights.sum())]
    made = []
    start = 0
    for length in lengths:
        made.append(_punctuated(list(drawn[start : start + length])))
        start += length
    return made


def overlapping(targets: list[str], words: int, *, seed: int) -> list[str]:
    """For each target a text that shares about half of its words with it, in order."""
    rng = np.random.default_rng(seed)
    others = texts(len(targets), words, seed=seed + 1)
    made = []
    for target, other in zip(targets, others, strict=True):
        own, foreign = target.split(), other.split()
        cut = rng.integers(0, max(len(own) - words // 2, 1))
        made.append(" ".join(own[cut : cut + words // 2] + foreign[: words - words // 2]))
    return made


def _punctuated(words: list[str]) -> str:
    for place in range(0, len(words), 12):
        words[place] = words[place].capitalize()
        if place:
            words[place - 1] += "."
    return " ".join(words) + "."
