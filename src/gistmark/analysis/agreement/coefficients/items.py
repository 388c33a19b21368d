"""How far the annotators of one item disagree, from 0 (all say the same) upwards.

Coefficients such as alpha compare with chance over many items and are not defined for one. These
are plain: they sort items, so that the most doubtful ones are looked at first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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


def set_disagreement(chosen: Sequence[frozenset[str]]) -> float | None:
    """One minus the mean Jaccard coefficient over all pairs of sets of options.

    From 0 to 1. Two who chose nothing agree. Not defined for fewer than two sets.

    >>> set_disagreement([frozenset("ab"), frozenset("bc")])
    0.6666666666666667
    """
    if len(chosen) < 2:
        return None
    shares = [
        len(one & other) / len(one | other) if one or other else 1.0
        for one, other in combinations(chosen, 2)
    ]
    return 1 - sum(shares) / len(shares)


def order_disagreement(ranks: Sequence[Mapping[str, float]]) -> float | None:
    """The mean over pairs of annotators of the share of pairs of summaries in another order.

    From 0 to 1: 1 is the opposite order, and a tie in one of the two counts half. Only summaries
    that both ranked count. Not defined for fewer than two annotators.

    >>> order_disagreement([{"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 1, "c": 3}])
    0.3333333333333333
    """
    shares = []
    for one, other in combinations(ranks, 2):
        if pairs := list(combinations(sorted(one.keys() & other.keys()), 2)):
            gaps = (abs(_sign(one[a] - one[b]) - _sign(other[a] - other[b])) for a, b in pairs)
            shares.append(sum(gaps) / (2 * len(pairs)))
    return sum(shares) / len(shares) if shares else None


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
