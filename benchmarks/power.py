"""Power grids against refitting by simulation: the same powers, many times as fast.

The peer simulates studies and fits the mixed model of `gistmark study` to each, with few annotators
and with many, of two systems and of four. It also prints how often the same test finds a difference
that is not there. The tests by sign flips, of ratings and choices, are held against whole studies
in `truth.py`.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from gistmark.analysis.planning import Deviations
from gistmark.analysis.planning.power import mixed_model_power
from gistmark.analysis.variance.design import TERMS, Observations
from gistmark.analysis.variance.mixed_model import fit
from harness import best_of, report

SPREAD = Deviations(summary=0.5, residual=0.7, annotator=0.4)
GAP, STUDIES = 0.5, 400
CELLS = ((20, 3, 2), (20, 5, 2), (20, 8, 2), (30, 12, 2), (20, 3, 4), (30, 5, 4))
"""Documents, annotators and systems."""


def refitted_ratings(gap: float = GAP) -> list[float]:
    """The share of simulated studies whose mixed model finds the difference of two systems."""
    rng, powers = np.random.default_rng(3), []
    for documents, annotators, systems in CELLS:
        s, a, d = (each.ravel() for each in np.indices((systems, annotators, documents)))
        weights = np.zeros(systems)
        weights[:2] = -1.0, 1.0
        hits = 0
        for _ in range(STUDIES):
            value = gap * (s == 1) + rng.normal(0, SPREAD.summary, (documents, systems))[d, s]
            value += rng.normal(0, SPREAD.annotator, (annotators, systems))[a, s]
            value += rng.normal(0, 0.3, (annotators, documents))[a, d]
            value += rng.normal(0, SPREAD.residual, len(s))
            found = fit(Observations(value, s, a, d), tuple(TERMS)).contrast(weights)
            hits += abs(found.estimate) / found.error > stats.t.ppf(0.975, found.freedom)
        powers.append(hits / STUDIES)
    return powers


def compared(name: str, peer: list[float], own: list[float], studies: int, ratio: float) -> None:
    report(f"{name}, speed over refitting simulated studies", ratio, ">= 20", ratio >= 20)
    errors = [np.sqrt(max(p * (1 - p), 0.01) / studies) for p in own]
    apart = max(abs(a - b) / e for a, b, e in zip(peer, own, errors, strict=True))
    report(f"{name}, largest difference in standard errors", apart, "<= 3", apart <= 3)


def main() -> None:
    (theirs, ours), (peer, own) = best_of(
        1,
        refitted_ratings,
        lambda: [mixed_model_power(SPREAD, GAP, d, a, systems=s).power for d, a, s in CELLS],
    )
    compared("power of ratings", peer, own, STUDIES, theirs / ours)
    false = refitted_ratings(0.0)
    for (documents, annotators, systems), planned, power, wrong in zip(
        CELLS, own, peer, false, strict=True
    ):
        print(
            f"      {annotators} annotators, {documents} documents, {systems} systems: planned "
            f"{planned:.3f}, refitted {power:.3f}; found where there is none: {wrong:.3f}"
        )
    report("largest share of differences found that are not there", max(false), "<= 0.08",
           max(false) <= 0.08)  # fmt: skip


if __name__ == "__main__":
    main()
