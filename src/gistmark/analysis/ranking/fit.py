"""Whether choices fit a line of strengths, and what follows for pairs of systems where not.

Bradley-Terry strengths put systems on one line, so that a choice between two follows from what
either did against others. Choices need not: A may beat B, B beat C and C beat A. The test compares
the wins w of every pair with those that the strengths promise,

    G² = 2 Σ w_ij log(w_ij / (n_ij p_ij)),        n_ij = w_ij + w_ji,

over all pairs that met, which has as many degrees of freedom as there are pairs less what the
strengths take up. Choices about one document hang together, and ties are half wins, so p is not
that of χ²: it is a wild bootstrap of the scores by document (Kline and Santos 2012). Each document
adds residuals, less what they move in the strengths, and their signs are flipped; the statistic of
the flipped sums is Pearson's Σ (w_ij - n_ij p_ij)² / (n_ij p_ij (1 - p_ij)), to which G² comes
close, times D / (D - 1) for D documents, as is usual for variances by cluster.

The direct votes of a pair are those between its two systems alone. No pair is called different
against them (`with_direct_votes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.findings import words
from gistmark.analysis.ranking.bradley_terry import (
    NEVER_COMPARED,
    PENALTY,
    Wins,
    disconnected,
    fit,
)
from gistmark.analysis.ranking.pairs import SIGNIFICANT, Contest, direct_contributions
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.resampling.sign_flips import FLIPS, FlipTests, choices_of_signs, flip_tests
from gistmark.analysis.studies.records import ChoiceFit, Note

Float64 = NDArray[np.float64]

VOTES_BETWEEN = "sign flips over documents, of the votes between the two"
NO_LINE = "The choices do not fit a line of strengths"
MISFIT = "the choices do not fit a line of strengths"
UNEQUAL = "systems did not meet each other equally often, so votes depend on whom a system met"
NEVER_MET = "nobody chose between the two, and the choices do not fit a line of strengths"
AGAINST_VOTES = "the votes between the two go the other way"
CIRCLES = "the votes between two systems go significantly against the order"


def choice_fit(
    wins: Wins, resampling: Resampling, *, by: str, dimension: str, balanced: bool, counts: Float64
) -> ChoiceFit:
    """How well the wins fit; `counts` says how many choices there are between every two systems."""
    total = wins.tables.sum(axis=0)
    lefts, rights = np.triu_indices(len(total), k=1)
    met = counts[lefts, rights]
    pairs = (total + total.T)[lefts, rights] > 0
    df = int(pairs.sum()) - len(total) + len(wins.groups)
    reason = disconnected(wins.groups)
    if reason is None and df < 1:
        reason = "no two systems met both directly and through others"
    elif reason is None and len(wins.documents) < 2:
        reason = "all choices are about one document"
    statistic, p = (None, None) if reason else _tested(wins, resampling)
    return ChoiceFit(
        by, dimension,
        fewest=int(met.min(initial=met.max(initial=0))), most=int(met.max(initial=0)),
        balanced=balanced, g2=statistic, df=None if reason else df, p=p,
        n=int(met.sum()), documents=len(wins.documents), reason=reason,
    )  # fmt: skip


def _tested(wins: Wins, resampling: Resampling) -> tuple[float, float]:
    """G² of the wins, and its p."""
    total = wins.tables.sum(axis=0)
    games = total + total.T
    i, j = np.nonzero(np.triu(games, k=1))
    strengths = fit(total[None])[0]
    chance = 1.0 / (1.0 + np.exp(strengths[j] - strengths[i]))
    expected, spread = games[i, j] * chance, games[i, j] * chance * (1.0 - chance)
    table = np.zeros_like(total)
    table[i, j], table[j, i] = expected, games[i, j] - expected
    g2 = 2.0 * np.sum(np.where(total > 0, total * np.log(quotient(total, table, total > 0)), 0.0),
                      where=total > 0)  # fmt: skip
    played = (wins.tables + wins.tables.swapaxes(1, 2))[:, i, j]
    residuals = wins.tables[:, i, j] - played * chance
    design = np.zeros((len(i), len(total)))
    design[np.arange(len(i)), i], design[np.arange(len(i)), j] = 1.0, -1.0
    curve = design.T @ (spread[:, None] * design) + 2.0 * PENALTY * np.eye(len(total))
    moved = np.linalg.solve(curve, design.T @ residuals.T).T
    residuals = (residuals - (moved @ design.T) * spread) / np.sqrt(spread)
    signs = choices_of_signs(len(residuals), max(resampling.resamples, FLIPS), resampling.rng)
    flipped = np.sum((signs @ residuals) ** 2, axis=1)
    few = len(residuals) / (len(residuals) - 1)
    return float(g2), float(np.mean(few * flipped >= flipped[0] * (1.0 - 1e-9)))


def with_direct_votes(contest: Contest, wins: Wins, fitted: ChoiceFit, rng: np.random.Generator,
                      *, by_strength: bool) -> Contest:  # fmt: skip
    """The contest without a test of any pair that its own votes speak against.

    Where the choices fit a line of strengths, only votes that go significantly the other way do.
    Where they do not, any majority of votes for the other system does; and pairs that are compared
    `by_strength` have the test of their own votes, because strengths rest on other pairs' choices.
    """
    shares, tests = _direct_votes(wins, contest, rng)
    sides = np.sign(np.nan_to_num(contest.differences)) * np.sign(np.nan_to_num(shares))
    surely = tests.p < SIGNIFICANT
    rejected = is_rejected(fitted)
    against = (sides < 0) & (surely | rejected)
    withdrawn = {int(k): AGAINST_VOTES for k in np.flatnonzero(against)}
    no_letters = CIRCLES if np.any((sides < 0) & surely) else None
    if rejected and by_strength:
        unknown = np.full(len(shares), np.nan)
        withdrawn |= {int(k): NEVER_MET for k in np.flatnonzero(np.isnan(shares))}
        p = np.where(np.isnan(tests.p), 1.0, tests.p)
        contest = replace(contest, tests=FlipTests(p, unknown, unknown), test=VOTES_BETWEEN)
    return replace(
        contest,
        withdrawn={**withdrawn, **contest.withdrawn},
        no_letters=contest.no_letters or no_letters,
    )


def without_tests(contest: Contest, reason: str) -> Contest:
    """The contest without any test, and so without letters."""
    every = dict.fromkeys(range(len(contest.lefts)), reason)
    return replace(contest, withdrawn=every, no_letters=reason)


def is_rejected(fitted: ChoiceFit) -> bool:
    """Whether the choices do not fit a line of strengths, as far as they tell."""
    return fitted.p is not None and fitted.p < SIGNIFICANT


def _direct_votes(
    wins: Wins, contest: Contest, rng: np.random.Generator
) -> tuple[Float64, FlipTests]:
    """The share of votes for the first system less that for the other, and its test, per pair."""
    ahead = wins.tables[:, contest.lefts, contest.rights]
    behind = wins.tables[:, contest.rights, contest.lefts]
    votes = (ahead + behind).sum(axis=0)
    parts = np.nan_to_num(quotient(ahead - behind, votes))
    weights = np.nan_to_num(quotient(ahead + behind, votes))
    shares = np.where(votes > 0, parts.sum(axis=0), np.nan)
    tests = flip_tests(direct_contributions(parts.sum(axis=0), parts, weights), FLIPS, rng)
    return shares, replace(tests, p=np.where(votes > 0, tests.p, np.nan))


def fit_notes(fits: Iterable[ChoiceFit]) -> Iterator[Note]:
    """What a reader should know of who met whom, and of choices that fit no line."""
    for record in fits:
        if record.reason is not None and record.reason.startswith(NEVER_COMPARED):
            yield Note(record.dimension, f"{words.sentence(record.reason)}. So nobody has a rank.")
        elif not record.balanced:
            yield Note(
                record.dimension,
                f"Systems did not meet each other equally often ({_meetings(record)}), so "
                "Bradley-Terry strengths lead: shares of votes depend on whom a system met.",
            )
        if record.p is not None and is_rejected(record):
            p = words.show_p(record.p)
            yield Note(
                record.dimension,
                f"{NO_LINE} (G² = {words.show_number(record.g2)}, "
                f"p {p if p.startswith('<') else f'= {p}'}): "
                "who wins against some systems need not win against others, and preferences may "
                "run in circles. Strengths say nothing of two systems here, only the votes between "
                "the two do.",
            )


def _meetings(record: ChoiceFit) -> str:
    most = words.counted(record.most, "time")
    if record.fewest == record.most:
        return f"every pair {most}, but not about the same documents"
    fewest = "never" if not record.fewest else words.counted(record.fewest, "time")
    return f"the rarest pair {fewest}, the most frequent {most}"
