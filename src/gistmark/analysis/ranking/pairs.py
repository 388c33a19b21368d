"""Every pair of systems of a ranking: difference, interval, test, effect size, and letters.

What is compared is a difference that documents contribute to: a mean over documents (of ratings,
of ranks, of a metric), adjusted for documents and annotators where these are not the same for all
(`additive`), or a Bradley-Terry strength, whose contributions are those of the infinitesimal
jackknife: how far the difference moves when a document counts a little more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.correlations import number
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.ranking import letters
from gistmark.analysis.ranking.additive import AdditiveFit
from gistmark.analysis.ranking.bradley_terry import PENALTY, Wins, fit
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.resampling.sign_flips import Contributions, FlipTests, flip_tests
from gistmark.analysis.resampling.significance import correct
from gistmark.analysis.studies.records import Pair

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

SIGNIFICANT = 0.05

DOCUMENTS = "sign flips over documents"
BOTH = "sign flips over documents and annotators"

NOTHING_SHARED = "no document has a value of both"
NO_ANNOTATOR = "no annotator judged both about the same document"
NO_LINK = "nobody judged both, so a difference may be one between annotators"


@dataclass(frozen=True)
class Contest:
    """All pairs (i, j), i < j, of some systems: differences, tests and effect sizes.

    `differences` are i's value minus j's, NaN where the two share nothing. `withdrawn` says why a
    pair has no test although it has a difference; `no_letters` why systems have none.
    """

    lefts: Int64
    rights: Int64
    differences: Float64
    tests: FlipTests
    effects: Float64
    wins: Float64
    n: Int64
    test: str
    unshared: str = NOTHING_SHARED
    withdrawn: Mapping[int, str] = field(default_factory=dict)
    no_letters: str | None = None

    def ranked(self, merits: Float64, sign: float = 1.0) -> tuple[Grouping, list[int], Float64]:
        """How systems group by merit: the grouping, their order, and corrected p values.

        A system without a merit has no rank, and its pairs do not count in the correction. Pairs
        whose test is withdrawn do, as if it had found nothing. Two systems count as different only
        where the tested difference, times `sign`, is in favour of the one with more merit.
        """
        counted = ~np.isnan(merits[self.lefts] + merits[self.rights] + self.tests.p)
        p = [
            (1.0 if k in self.withdrawn else float(value)) if count else None
            for k, (value, count) in enumerate(zip(self.tests.p, counted, strict=True))
        ]
        corrected = np.array(
            [np.nan if value is None else value for value in correct(p, "holm")], dtype=np.float64
        )
        corrected[[*self.withdrawn]] = np.nan
        order = [int(k) for k in np.argsort(-merits, kind="stable") if not np.isnan(merits[k])]
        differ = np.zeros((len(merits), len(merits)), dtype=np.bool_)
        ordered = (merits[self.lefts] - merits[self.rights]) * self.differences * sign > 0
        differ[self.lefts, self.rights] = (corrected < SIGNIFICANT) & ordered
        differ |= differ.T
        nothing, why = [None] * len(order), self.no_letters
        if why is None and order[1:] and len(self.n) and not counted.any():
            why = f"no two systems can be compared: {self.unshared}"
        if why is not None:
            return Grouping(nothing, nothing, why), order, corrected
        differ = differ[np.ix_(order, order)]
        texts, clusters = letters.letters(differ), letters.clusters(differ)
        if texts is None:
            return Grouping(nothing, clusters, letters.TOO_MANY), order, corrected
        return Grouping(texts, clusters), order, corrected


_NOTHING = np.zeros(0)
NO_CONTEST = Contest(
    np.zeros(0, np.int64), np.zeros(0, np.int64), _NOTHING,
    FlipTests(_NOTHING, _NOTHING, _NOTHING), _NOTHING, _NOTHING, np.zeros(0, np.int64), DOCUMENTS,
)  # fmt: skip
"""The contest of systems that are not compared."""


@dataclass(frozen=True)
class Grouping:
    """Letters and clusters of systems in the order of their ranks."""

    letters: Sequence[str | None]
    clusters: Sequence[int | None]
    reason: str | None = None


def pair_records(
    contest: Contest,
    systems: Sequence[str],
    merits: Float64,
    corrected: Float64,
    *,
    by: str,
    dimension: str,
    method: str,
) -> list[Pair]:
    """A record per pair of ranked systems, the better one left, in the order of the ranking."""
    position = np.empty(len(merits), dtype=np.int64)
    position[np.argsort(-merits, kind="stable")] = np.arange(len(merits))
    rows: list[tuple[tuple[int, int], Pair]] = []
    for k, (i, j) in enumerate(zip(contest.lefts, contest.rights, strict=True)):
        if np.isnan(merits[i]) or np.isnan(merits[j]):
            continue
        ahead = position[i] < position[j]
        left, right = (i, j) if ahead else (j, i)
        sign = 1.0 if ahead else -1.0
        bounds = sorted((sign * contest.tests.low[k], sign * contest.tests.high[k]))
        why = contest.withdrawn.get(k)
        record = Pair(
            by=by,
            dimension=dimension,
            method=method,
            left=systems[left],
            right=systems[right],
            difference=number(sign * contest.differences[k]),
            low=number(bounds[0]) if why is None else None,
            high=number(bounds[1]) if why is None else None,
            p=number(contest.tests.p[k]) if why is None else None,
            p_corrected=number(corrected[k]),
            effect=number(sign * contest.effects[k]),
            wins=number(contest.wins[k] if ahead else 1.0 - contest.wins[k]),
            test=contest.test,
            n=int(contest.n[k]),
            reason=contest.unshared if np.isnan(contest.differences[k]) else why,
        )
        rows.append(((int(position[left]), int(position[right])), record))
    return [record for _, record in sorted(rows, key=lambda row: row[0])]


def cell_contest(
    cells: Float64, sign: float, resampling: Resampling, documents: Float64 | None = None
) -> Contest:
    """All pairs by their means over documents, from documents × systems.

    `sign` is -1 where less is better: it turns `wins` and nothing else. `documents` are weights.
    """
    lefts, rights = pairs = _all_pairs(cells.shape[1])
    gaps = cells[:, lefts] - cells[:, rights]
    there = ~np.isnan(gaps)
    n = there.sum(axis=0)
    counted = there if documents is None else there * documents[:, None]
    weights = np.nan_to_num(quotient(counted, counted.sum(axis=0)))
    parts = np.where(there, gaps, 0.0) * weights
    if there.all() and documents is None:
        size = max(len(cells), 1)
        contributions = Contributions(
            parts.sum(axis=0), cells / size, *pairs, np.full((size, 1), 1 / size)
        )
    else:
        contributions = direct_contributions(parts.sum(axis=0), parts, weights)
    better = np.where(there, (np.sign(gaps * sign) + 1.0) / 2.0, 0.0)
    return _contest(
        pairs, contributions, n,
        effects=_effects(gaps, there, n),
        wins=quotient((better * counted).sum(axis=0), counted.sum(axis=0)),
        resampling=resampling, test=DOCUMENTS,
    )  # fmt: skip


def annotator_contest(
    cube: Float64, resampling: Resampling, document_weights: Float64 | None = None
) -> Contest:
    """All pairs by their means, from annotators × documents × systems of ratings.

    Only an annotator who judged both systems about a document says how they differ there.
    """
    lefts, rights = _all_pairs(cube.shape[2])
    annotators, documents = cube.shape[:2]
    counted = np.ones(documents) if document_weights is None else document_weights
    blocks = documents + annotators
    parts, weights = np.zeros((blocks, len(lefts))), np.zeros((blocks, len(lefts)))
    effects, wins = np.full(len(lefts), np.nan), np.full(len(lefts), np.nan)
    n = np.zeros(len(lefts), dtype=np.int64)
    for pair, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        gaps = cube[:, :, left] - cube[:, :, right]
        there = ~np.isnan(gaps)
        counts = there.sum(axis=0)
        n[pair] = np.count_nonzero(counts)
        total = counted[counts > 0].sum()
        weight = np.nan_to_num(there * quotient(counted, counts * total)[None, :])
        part = np.where(there, gaps, 0.0) * weight
        parts[:, pair] = np.concatenate([part.sum(axis=0), part.sum(axis=1)])
        weights[:, pair] = np.concatenate([weight.sum(axis=0), weight.sum(axis=1)])
        means = quotient(np.sum(gaps, axis=0, where=there), counts)[:, None]
        filled = ~np.isnan(means)
        effects[pair] = _effects(means, filled, n[pair : pair + 1])[0]
        better = np.where(filled, (np.sign(np.nan_to_num(means)) + 1.0) / 2.0, 0.0)
        wins[pair] = quotient((better[:, 0] * counted).sum(keepdims=True), total[None])[0]
    contributions = direct_contributions(parts[:documents].sum(axis=0), parts, weights)
    return _contest(
        (lefts, rights), contributions, n, effects=effects, wins=wins,
        resampling=resampling, test=BOTH, unshared=NO_ANNOTATOR,
    )  # fmt: skip


def additive_contest(
    fit: AdditiveFit, cells: Float64, sign: float, resampling: Resampling, *, over_both: bool
) -> Contest:
    """All pairs by their adjusted means; `cells` are documents × systems.

    `n` counts the documents that tell two systems apart. Signs are those of documents, or of
    documents and annotators.
    """
    lefts, rights = pairs = _all_pairs(cells.shape[1])
    parts, shares = fit.contributions(fit.data.document, len(cells), *pairs)
    linked = fit.linked(*pairs) & (shares.sum(axis=0) > 0)
    n = np.where(linked, np.count_nonzero(shares > 1e-9, axis=0), 0)
    differences = fit.means[lefts] - fit.means[rights]
    gaps = cells[:, lefts] - cells[:, rights]
    there = ~np.isnan(gaps)
    spread = np.square(parts - shares * np.nan_to_num(differences)).sum(axis=0)
    size = quotient(np.ones(len(n)), np.square(shares).sum(axis=0))
    deviations = np.sqrt(quotient(size**2 * spread, size - 1.0, size > 1.0 + 1e-9))
    if over_both:
        annotators = fit.data.annotator
        others = fit.contributions(annotators, int(annotators.max()) + 1, *pairs)
        parts, shares = (np.concatenate(two) for two in zip((parts, shares), others, strict=True))
    return _contest(
        pairs, direct_contributions(np.nan_to_num(differences), parts, shares), n,
        effects=quotient(differences, deviations, deviations > 1e-12 * np.abs(differences)),
        wins=quotient(
            np.where(there, (np.sign(np.nan_to_num(gaps) * sign) + 1.0) / 2.0, 0.0).sum(axis=0),
            there.sum(axis=0),
        ),
        resampling=resampling, test=BOTH if over_both else DOCUMENTS,
        unshared=NO_LINK if fit.of_annotators else NOTHING_SHARED,
    )  # fmt: skip


def strength_contest(wins: Wins, resampling: Resampling) -> Contest:
    """All pairs by their Bradley-Terry strengths, from the wins in each document."""
    total = wins.tables.sum(axis=0)
    strengths = fit(total[None])[0]
    moves = document_moves(wins.tables, strengths)
    return moved_contest(strengths, moves, total, resampling)


def moved_contest(
    strengths: Float64, moves: Float64, total: Float64, resampling: Resampling
) -> Contest:
    """All pairs by strengths, which move with each document by `moves`; `total` counts wins."""
    lefts, rights = pairs = _all_pairs(len(strengths))
    size = max(len(moves), 1)
    parts = strengths / size + moves
    gaps = parts[:, lefts] - parts[:, rights]
    n = np.full(len(lefts), len(moves))
    differences = strengths[lefts] - strengths[rights]
    return _contest(
        pairs, Contributions(differences, parts, *pairs, np.full((size, 1), 1.0 / size)), n,
        effects=_effects(gaps, np.ones(gaps.shape, np.bool_), n),
        wins=quotient(total, total + total.T)[lefts, rights],
        resampling=resampling, test=DOCUMENTS,
    )  # fmt: skip


def document_moves(tables: Float64, strengths: Float64, penalty: float = PENALTY) -> Float64:
    """Documents × systems: how the strengths move when a document counts a little more.

    H^-1 (u_d - u / D), with u_d the slope of the likelihood in document d at the strengths, u
    their sum (which the penalty holds in balance) and H its negative curvature.
    """
    chances = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))
    games = tables + tables.swapaxes(1, 2)
    slopes = tables.sum(axis=2) - (games * chances).sum(axis=2)
    bends = games.sum(axis=0) * chances * (1.0 - chances)
    curve = np.diag(bends.sum(axis=1)) - bends + 2.0 * penalty * np.eye(len(strengths))
    moves: Float64 = np.linalg.solve(curve, (slopes - slopes.mean(axis=0)).T).T
    return moves


def _contest(
    pairs: tuple[Int64, Int64],
    contributions: Contributions,
    n: Int64,
    *,
    effects: Float64,
    wins: Float64,
    resampling: Resampling,
    test: str,
    unshared: str = NOTHING_SHARED,
) -> Contest:
    """Run the tests; a pair that shares nothing has no difference and no p."""
    tests = flip_tests(
        contributions, resampling.resamples, resampling.rng, rankings=resampling.rankings
    )
    empty = n == 0
    kept = FlipTests(
        np.where(empty, np.nan, tests.p),
        np.where(empty, np.nan, tests.low),
        np.where(empty, np.nan, tests.high),
    )
    differences = np.where(empty, np.nan, contributions.differences)
    return Contest(*pairs, differences, kept, effects, wins, n, test, unshared)


def direct_contributions(differences: Float64, parts: Float64, weights: Float64) -> Contributions:
    """Contributions of which each pair has a column of its own."""
    columns = np.arange(len(differences))
    return Contributions(differences, parts, columns, np.full_like(columns, -1), weights)


def _all_pairs(size: int) -> tuple[Int64, Int64]:
    lefts, rights = np.triu_indices(size, k=1)
    return lefts.astype(np.int64), rights.astype(np.int64)


def _effects(gaps: Float64, there: Bool, n: Int64) -> Float64:
    """The mean of each column's gaps over their sample standard deviation; NaN without spread."""
    filled = np.where(there, gaps, 0.0)
    means = quotient(filled.sum(axis=0), n)
    squares = np.sum((filled - np.nan_to_num(means)) ** 2, axis=0, where=there)
    deviation = np.sqrt(quotient(squares, n - 1, n > 1))
    scale = np.abs(filled).max(axis=0, initial=0.0)
    return quotient(means, deviation, deviation > 1e-12 * scale)
