"""Power grids against refitting by simulation: the same powers, many times as fast.

The peer simulates studies and fits each: for ratings the mixed model of every study, for pairwise
choices Bradley-Terry strengths with their documents' contributions. With very few annotators the
two part: there the estimate of how far annotators favour systems is often 0, and a fitted model
then finds differences more often than it should; plans do not count on that.
"""

from __future__ import annotations

import numpy as np
from scipy import stats
from scipy.special import expit

from gistmark.analysis.planning import ChoiceSpread, Deviations
from gistmark.analysis.planning.choices import choice_power
from gistmark.analysis.planning.power import power_over_both
from gistmark.analysis.ranking.bradley_terry import fit as fit_strengths
from gistmark.analysis.ranking.pairs import document_moves
from gistmark.analysis.variance.mixed_model import Observations, fit
from harness import best_of, report

SPREAD = Deviations(summary=0.5, residual=0.7, annotator=0.4)
GAP, CELLS, STUDIES = 0.5, ((20, 8), (30, 12)), 80
CHOICES, GAMES = 300, ((30, 2), (60, 3))
SYSTEMS, ODDS = 3, 0.5


def refitted_ratings() -> list[float]:
    """The share of simulated studies whose mixed model finds the difference."""
    rng, powers = np.random.default_rng(3), []
    for documents, annotators in CELLS:
        grid = np.meshgrid(*map(np.arange, (2, annotators, documents)), indexing="ij")
        s, a, d = (each.ravel() for each in grid)
        hits = 0
        for _ in range(STUDIES):
            value = 3 + GAP * s + rng.normal(0, SPREAD.summary, (documents, 2))[d, s]
            value += rng.normal(0, SPREAD.annotator, (annotators, 2))[a, s]
            value += rng.normal(0, SPREAD.residual, len(s))
            terms = ("annotator", "document", "document:system", "annotator:system")
            gap = fit(Observations(value, s, a, d), terms).contrast(np.array([-1.0, 1.0]))
            hits += abs(gap.estimate) / gap.error > stats.t.ppf(0.975, gap.freedom)
        powers.append(hits / STUDIES)
    return powers


def refitted_choices() -> list[float]:
    """The share of simulated studies whose strengths differ, by the documents' contributions."""
    rng, powers = np.random.default_rng(3), []
    strengths = np.zeros(SYSTEMS)
    strengths[:2] = ODDS / 2, -ODDS / 2
    chances = expit(strengths[:, None] - strengths[None, :])
    for documents, annotators in GAMES:
        hits = 0
        for _ in range(CHOICES):
            upper = np.triu(rng.binomial(annotators, chances, (documents, SYSTEMS, SYSTEMS)), 1)
            lower = np.tril(annotators - upper.swapaxes(1, 2), -1)
            tables = (upper + lower).astype(float)
            found = fit_strengths(tables.sum(axis=0)[None])[0]
            moves = document_moves(tables, found)
            gaps = (found[0] - found[1]) + documents * (moves[:, 0] - moves[:, 1])
            hits += stats.ttest_1samp(gaps, 0.0).pvalue < 0.05
        powers.append(hits / CHOICES)
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
        lambda: [power_over_both(SPREAD, GAP, d, a).power for d, a in CELLS],
    )
    compared("power of ratings", peer, own, STUDIES, theirs / ours)
    share = float(expit(ODDS))
    (theirs, ours), (peer, own) = best_of(
        1,
        refitted_choices,
        lambda: [choice_power(ChoiceSpread(), share, d, a, SYSTEMS).power for d, a in GAMES],
    )
    compared("power of choices", peer, own, CHOICES, theirs / ours)


if __name__ == "__main__":
    main()
