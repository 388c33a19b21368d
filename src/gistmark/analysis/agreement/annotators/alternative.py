"""The alternative annotator test: may a judge, such as a language model, stand in for a person?

Calderon, Reichart and Dror (2025), "The Alternative Annotator Test for LLM-as-a-Judge". Each
annotator is left out in turn. On an item that at least one other person judged, the judge wins if
its value is at least as close to the others' values (by the root of the mean squared difference)
as the left-out annotator's is, and the annotator wins likewise; both win a draw. If the
annotator's share of wins is less than epsilon above the judge's, by a one-sided t-test, the judge
is as good as this annotator: epsilon is what a person costs, 0.2 for experts, 0.15 for skilled
people, 0.1 for a crowd. The judge may stand in if that holds for at least half of the annotators,
with Benjamini and Yekutieli's correction at 5 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gistmark.records import Rating

Float64 = NDArray[np.float64]

EPSILON = 0.2
LEAST = 30
"""An annotator with fewer items than this is left out."""
LEVEL = 0.05
PASS = 0.5


@dataclass(frozen=True, slots=True)
class JudgeTest:
    """Whether a judge may stand in for people, in one dimension or (empty) in all together.

    `winning_rate` (omega) is the share of annotators that the judge is as good as, `advantage`
    (rho) the mean share of items on which it is at least as close to the other people as an
    annotator. `annotators` took part, each with at least 30 items; `n` is the number of items.
    """

    judge: str
    dimension: str
    epsilon: float
    winning_rate: float | None
    advantage: float | None
    passed: bool | None
    annotators: int
    n: int
    reason: str | None = None


def judge_tests(
    people: Iterable[Rating], judged: Iterable[Rating], *, epsilon: float = EPSILON
) -> tuple[JudgeTest, ...]:
    """Test each judge in every dimension, and in all together where there are several."""
    ratings, machines = tuple(people), tuple(judged)
    dimensions = list(dict.fromkeys(rating.dimension for rating in machines))
    scopes = dimensions if len(dimensions) < 2 else ["", *dimensions]
    return tuple(
        _tested(judge, scope, ratings, machines, epsilon)
        for judge in dict.fromkeys(rating.annotator for rating in machines)
        for scope in scopes
    )


def _tested(
    judge: str, scope: str, people: Sequence[Rating], machines: Sequence[Rating], epsilon: float
) -> JudgeTest:
    own = {_item(each): each.value for each in machines
           if each.annotator == judge and scope in ("", each.dimension)}  # fmt: skip
    items = {item: number for number, item in enumerate(own)}
    kept = [each for each in people if _item(each) in items]
    names = {name: column for column, name in enumerate({each.annotator: None for each in kept})}
    table = np.full((len(items), len(names)), np.nan)
    for each in kept:
        table[items[_item(each)], names[each.annotator]] = each.value
    return _verdict((judge, scope, epsilon), np.array([*own.values()], dtype=np.float64), table)


def _item(rating: Rating) -> tuple[str, str, str]:
    return rating.document, rating.system, rating.dimension


def _verdict(about: tuple[str, str, float], judge: Float64, table: Float64) -> JudgeTest:
    wins = [each for each in (compared(judge, table, k) for k in range(table.shape[1]))
            if len(each[0]) >= LEAST]  # fmt: skip
    if not wins:
        reason = f"no annotator has {LEAST} items that the judge and another person judged too"
        return JudgeTest(*about, None, None, None, 0, len(judge), reason)
    p = [_p(theirs - own, about[2]) for own, theirs in wins]
    corrected = stats.false_discovery_control(p, method="by")
    rate = float(np.mean(corrected <= LEVEL))
    advantage = float(np.mean([own.mean() for own, _ in wins]))
    return JudgeTest(*about, rate, advantage, rate >= PASS, len(wins), len(judge))


def compared(judge: Float64, table: Float64, column: int) -> tuple[Float64, Float64]:
    """On which items the judge wins, and on which the annotator of this column does."""
    person, others = table[:, column], np.delete(table, column, axis=1)
    there = ~np.isnan(person) & ~np.isnan(others).all(axis=1)
    others = others[there]
    gaps = [
        np.nanmean((values[there][:, None] - others) ** 2, axis=1) for values in (judge, person)
    ]
    return (gaps[0] <= gaps[1]).astype(np.float64), (gaps[1] <= gaps[0]).astype(np.float64)


def _p(differences: Float64, epsilon: float) -> float:
    """Of the t-test that the mean is below epsilon; exact where all differences are equal."""
    if np.ptp(differences) == 0:
        return 0.0 if differences[0] < epsilon else 1.0
    return float(stats.ttest_1samp(differences, epsilon, alternative="less").pvalue)
