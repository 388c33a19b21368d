"""Bootstrap and permutation of correlations: Gistmark against plain loops over scipy.stats.

The bootstrap draws 10,000 resamples of 1,001 summaries with 40 metrics, Pearson and Spearman; the
loop does the first 20 of the same resamples, and its time is extrapolated. The permutation tests
exchange the scores of a pair of metrics 1,000 times, on 100 documents of 17 systems; the loop
does the first 50 of the same exchanges. Every value that the loop found is compared. (Kendall's
tau over all 1,700 summaries is not in the claim: scipy counts pairs in compiled code as well, and
Gistmark is about ten times faster.)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.correlation.levels import Layout, Level, layout_of
from gistmark.analysis.resampling.bootstrap import Draws, draw, resample
from gistmark.analysis.resampling.significance import draw_swaps, permuted_differences
from harness import best_of, report

Rows = NDArray[np.float64]

PEERS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
METRICS, SUMMARIES, RESAMPLES, FEW_RESAMPLES = 40, 1_001, 10_000, 20
DOCUMENTS, SYSTEMS, PERMUTATIONS, FEW_PERMUTATIONS = 100, 17, 1_000, 50


def main() -> None:
    bootstrap()
    for coefficient in ("pearson", "spearman"):
        for level in ("system", "summary", "global"):
            permutation(level, coefficient)
    for level in ("system", "summary"):
        permutation(level, "kendall")


def bootstrap() -> None:
    rng = np.random.default_rng(1)
    people = rng.integers(0, 33, SUMMARIES) / 8
    metrics = np.round(people + rng.normal(0, 2, (METRICS, SUMMARIES)), 3)
    layout = layout_of([(str(number), "candidate") for number in range(SUMMARIES)])
    draws = draw(layout, "documents", RESAMPLES, rng)
    kinds: tuple[str, ...] = ("pearson", "spearman")

    def ours() -> list[Rows]:
        drawn = draw(layout, "documents", RESAMPLES, np.random.default_rng(2))
        return [resampled(metrics, people, layout, kind, drawn) for kind in kinds]

    resampled(metrics, people, layout, "spearman", next(draws.pieces(2)))
    (fast,), _ = best_of(3, ours)
    few = next(draws.pieces(FEW_RESAMPLES))
    (slow,), (expected,) = best_of(2, lambda: [loop(metrics, people, few, kind) for kind in kinds])
    found = [resampled(metrics, people, layout, kind, few) for kind in kinds]
    check(np.array(found), np.array(expected))
    ratio = slow / FEW_RESAMPLES * RESAMPLES / fast
    print(f"      {RESAMPLES:,} resamples of {METRICS} metrics in {fast:.2f} s")
    claim = "bootstrap of Pearson and Spearman, speed over a loop over scipy"
    report(claim, ratio, ">= 50", ratio >= 50)


def resampled(metrics: Rows, people: Rows, layout: Layout, kind: str, draws: Draws) -> Rows:
    return resample(metrics, np.broadcast_to(people, metrics.shape), layout, "global", kind, draws)


def loop(metrics: Rows, people: Rows, draws: Draws, kind: str) -> list[list[float]]:
    found = []
    for counts in draws.documents:
        rows = np.repeat(np.arange(SUMMARIES), counts)
        y = people[rows]
        found.append([PEERS[kind](metric[rows], y).statistic for metric in metrics])
    return found


def permutation(level: Level, coefficient: str) -> None:
    rng = np.random.default_rng(3)
    people, *noise = rng.normal(size=(3, DOCUMENTS, SYSTEMS))
    first, second = people + noise[0], people + 2 * noise[1]
    layout = layout_of([(str(d), str(s)) for d in range(DOCUMENTS) for s in range(SYSTEMS)])
    rows = (first.ravel(), second.ravel(), people.ravel())
    swaps = draw_swaps(layout, "both", FEW_PERMUTATIONS, rng)

    def ours() -> Rows:
        drawn = draw_swaps(layout, "both", PERMUTATIONS, np.random.default_rng(4))
        return permuted_differences(level, *rows, layout, coefficient, drawn)

    correlate = LEVELS[level]

    def theirs() -> list[float]:
        one, other = stats.zscore(first, axis=None), stats.zscore(second, axis=None)
        found = []
        kind = PEERS[coefficient]
        for both in zip(*(coins.reshape(-1, DOCUMENTS, SYSTEMS) for coins in swaps), strict=True):
            total = 0.0
            for swap in both:
                left, right = np.where(swap, other, one), np.where(swap, one, other)
                total += correlate(kind, left, people) - correlate(kind, right, people)
            found.append(total)
        return found

    ours()
    (fast,), _ = best_of(5, ours)
    (slow,), (expected,) = best_of(2, theirs)
    check(permuted_differences(level, *rows, layout, coefficient, swaps), np.array(expected))
    ratio = slow / FEW_PERMUTATIONS * PERMUTATIONS / fast
    claim = f"PERM-SYS and PERM-INPUT at {level} level, {coefficient}, speed over a plain loop"
    report(claim, ratio, ">= 30", ratio >= 30)


def system_level(kind: Callable[..., tuple[float, float]], x: Rows, y: Rows) -> float:
    return kind(x.mean(axis=0), y.mean(axis=0))[0]


def summary_level(kind: Callable[..., tuple[float, float]], x: Rows, y: Rows) -> float:
    return float(np.mean([kind(one, other)[0] for one, other in zip(x, y, strict=True)]))


def global_level(kind: Callable[..., tuple[float, float]], x: Rows, y: Rows) -> float:
    return kind(x.ravel(), y.ravel())[0]


LEVELS = {"system": system_level, "summary": summary_level, "global": global_level}


def check(found: Rows, expected: Rows) -> None:
    worst = np.abs(found - expected).max()
    if not worst <= 1e-9:
        raise SystemExit(f"the values differ from the loop's by {worst}")


if __name__ == "__main__":
    main()
