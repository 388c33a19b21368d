"""How far the annotators of one item disagree, from 0 (all say the same) upwards.

Coefficients such as alpha compare with chance over many items and are not defined for one. These
are plain: they sort items, so that the most doubtful ones are looked at first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations


def rating_disagreement(values: Sequence[float], low: float, high: float) -> float | None:
    """The mean absolute difference over all pairs of values, as a share of the scale.

    From 0 to 1; not defined for fewer than two values.

    >>> rating_disagreement([1, 5, 5], 1, 5)
    0.6666666666666666
    """
    if len(values) < 2:
        return None
    pairs = list(combinations(values, 2))
    return sum(abs(one - other) for one, other in pairs) / len(pairs) / (high - low)


def choice_disagreement(choices: Sequence[str]) -> float | None:
    """The share of those who did not choose as the largest group did.

    From 0 to 0.5 for two sides; not defined for fewer than two choices.

    >>> choice_disagreement(["lead", "lead", "oracle"])
    0.33333333333333337
    """
    if len(choices) < 2:
        return None
    return 1 - max(Counter(choices).values()) / len(choices)


def highlight_disagreement(marked: Sequence[frozenset[int]]) -> float | None:
    """One minus the mean F1 over all pairs of annotators, of the words that they marked.

    From 0 to 1. Two who marked nothing agree. Not defined for fewer than two annotators.

    >>> highlight_disagreement([frozenset({1, 2}), frozenset({2, 3})])
    0.5
    """
    if len(marked) < 2:
        return None
    shares = [
        2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0
        for one, other in combinations(marked, 2)
    ]
    return 1 - sum(shares) / len(shares)
