"""Which system is best, how surely, and which systems cannot be told apart.

For ratings and scores a system's value is its mean over documents, or its normalised mean rank;
for comparisons its normalised mean rank by votes won, or its Bradley-Terry strength. Intervals of
means are those of `resampling.means`; every pair of systems is tested (`pairs`), and letters say
which cannot be told apart.

Systems that were not judged on the same documents, or not by the same annotators, are ranked by
means that are adjusted for both (`additive`). Their plain means keep value and interval, and rank
nobody.

The normalised mean rank is that of DIP-SumEval's Figure 5. Within each document the n systems are
ranked by score, 1 for the best, ties averaged; a rank becomes (n - rank) / (n - 1), which is 1 for
the best of a document and 0 for the worst; and a system's value is the mean over its documents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.correlation.levels import Layout, layout_of
from gistmark.analysis.data.arithmetic import average_ranks, exact_ties, quotient
from gistmark.analysis.data.columns import Unit, columns_by_dimension
from gistmark.analysis.data.measures import Measures
from gistmark.analysis.human import VOTES, HumanScores, votes_won
from gistmark.analysis.human.sets import SUFFIXES, Sets, set_values
from gistmark.analysis.ranking import bradley_terry, length_control
from gistmark.analysis.ranking.additive import (
    MOST_CONFOUNDED,
    AdditiveFit,
    annotator_excess,
    fit_additive,
)
from gistmark.analysis.ranking.fit import (
    MISFIT,
    UNEQUAL,
    choice_fit,
    is_rejected,
    with_direct_votes,
    without_tests,
)
from gistmark.analysis.ranking.pairs import (
    NO_CONTEST,
    Contest,
    additive_contest,
    annotator_contest,
    cell_contest,
    moved_contest,
    pair_records,
    strength_contest,
)
from gistmark.analysis.resampling.bootstrap import Interval, Resampling
from gistmark.analysis.resampling.means import (
    ALL_EQUAL,
    EVERYWHERE,
    ONE_DOCUMENT,
    estimate_intervals,
    mean_intervals,
)
from gistmark.analysis.studies.options import PairsOver
from gistmark.analysis.studies.records import ChoiceFit, LengthEffect, Pair, Rank
from gistmark.analysis.variance.design import Observations
from gistmark.records import Comparison, Rating

Int64 = NDArray[np.int64]

Float64 = NDArray[np.float64]

By = Literal["ratings", "comparisons", "units", "spans", "rankings", "best-worst", "scores"]

PEOPLE: tuple[By, ...] = ("ratings", "comparisons", "rankings", "best-worst", "units", "spans")
"""The kinds of evidence that come from people, the one that leads first."""

MEAN = "mean"
MEAN_RANK = "normalised mean rank"
DOCUMENT_ADJUSTED = "document-adjusted mean"
ANNOTATOR_ADJUSTED = "document- and annotator-adjusted mean"
MEANS = (DOCUMENT_ADJUSTED, ANNOTATOR_ADJUSTED, MEAN)
"""The methods that are means of judgements, the one that leads first."""

_SUFFIXES: dict[By, str] = {
    "comparisons": VOTES,
    "rankings": SUFFIXES["ranking"],
    "best-worst": SUFFIXES["best-worst"],
}

NO_DOCUMENTS = "no document has a value to rank it by"

NO_SUMMARY = "it has no summary in the corpus"

OTHER_DOCUMENTS = "systems were judged on different documents; adjusted means rank them"
OTHER_ANNOTATORS = "systems were judged by different annotators; adjusted means rank them"
APART = (
    "some systems were judged on documents that no other system was judged on, so nothing can be "
    "said about their order"
)
CONFOUNDED = (
    "systems were judged by different annotators, so a difference may be one between annotators"
)

SIGNS = {"higher": 1.0, "lower": -1.0, "neither": 0.0}


@dataclass(frozen=True)
class Ranking:
    """Ranks of systems and all their pairs, by one or more kinds of evidence.

    `length_effects` says what length does to pairwise choices, `fits` who met whom in choices and
    whether these fit a line of strengths.
    """

    ranks: tuple[Rank, ...] = ()
    pairs: tuple[Pair, ...] = ()
    length_effects: tuple[LengthEffect, ...] = ()
    fits: tuple[ChoiceFit, ...] = ()


@dataclass(frozen=True)
class _SystemValues:
    """The values of all systems by one method, ready to be put in order."""

    systems: Sequence[str]
    values: Float64
    intervals: Sequence[Interval]
    n: Int64
    contest: Contest
    reason: str | None = None

    def ranking(
        self, by: By, dimension: str, method: str, *, sign: float = 1.0, without: Collection[str]
    ) -> Ranking:
        """From best to worst; `sign` is -1 where less is better, and 0 where neither is.

        Systems in `without` have a value, but no rank.
        """
        ordered = bool(sign) and self.reason is None
        merits = exact_ties(self.values * sign) if ordered else np.full(len(self.values), np.nan)
        merits[[system in without for system in self.systems]] = np.nan
        ranks = average_ranks(-merits)
        groups, order, corrected = self.contest.ranked(merits, sign)
        group_of = dict(zip(order, zip(groups.letters, groups.clusters, strict=True), strict=True))
        rows = []
        for k, system in enumerate(self.systems):
            texts, cluster = group_of.get(k, (None, None))
            value, rank = float(self.values[k]), float(ranks[k])
            reason = self.reason or (NO_DOCUMENTS if np.isnan(value) else None)
            if system in without:
                reason = NO_SUMMARY
            rows.append(
                Rank(
                    by=by,
                    dimension=dimension,
                    method=method,
                    system=system,
                    value=None if np.isnan(value) else value,
                    low=self.intervals[k].low,
                    high=self.intervals[k].high,
                    rank=None if np.isnan(rank) else rank,
                    letters=texts,
                    cluster=cluster,
                    n=int(self.n[k]),
                    reason=reason or groups.reason or self._without_interval(k),
                )
            )
        pairs = pair_records(
            self.contest, self.systems, merits, corrected,
            by=by, dimension=dimension, method=method,
        )  # fmt: skip
        ranked = sorted(
            rows,
            key=lambda r: (r.rank is None, r.rank or 0.0, r.value is None, -sign * (r.value or 0)),
        )
        return Ranking(tuple(ranked), tuple(pairs))

    def _without_interval(self, k: int) -> str | None:
        """Why a value has no interval, although there is one of such values."""
        if self.intervals[k].low is not None or np.isnan(self.values[k]):
            return None
        return ONE_DOCUMENT if self.n[k] == 1 else ALL_EQUAL


def rank_human(
    human: HumanScores,
    resampling: Resampling,
    *,
    by: By = "ratings",
    methods: Sequence[str] = (MEAN, MEAN_RANK),
    ratings: Sequence[Rating] = (),
    over: PairsOver = "documents",
    without: Collection[str] = (),
    reason: str | None = None,
    votes: Mapping[str, _Votes] | None = None,
) -> Ranking:
    """Systems by every human score (dimensions, HS1 to HS3), as mean and as mean rank.

    With the `ratings` behind the scores, means are adjusted where systems were not judged by the
    same annotators, and may be tested `over` documents and annotators. A `reason` is why nobody is
    ranked. `votes` are the choices behind a dimension's values, where it has some.
    """
    layout = layout_of(human.units)
    weights = resampling.weights.of_documents(layout.document_names)
    judgements = judgements_by_dimension(ratings, layout)
    parts = []
    for name, values in zip(human.names, human.values, strict=True):
        table = _Table(
            layout.system_names, layout.cube(values), weights, without,
            judgements.get(name), over if by in ADJUSTED else None,
        )  # fmt: skip
        dimension = name.removesuffix(_SUFFIXES.get(by, ""))
        for method, system_values in table.by_methods(methods, resampling):
            if votes is not None:
                system_values = votes[dimension].limit(system_values)
            limited = replace(system_values, reason=reason or system_values.reason)
            parts.append(limited.ranking(by, dimension, method, without=without))
    return joined(parts)


ADJUSTED: tuple[By, ...] = ("ratings", "units", "spans", "scores")
"""Evidence of which every value stands for itself; ranks and votes depend on the others."""


@dataclass(frozen=True)
class _Table:
    """The values of one score, documents × systems, with the judgements behind them if known.

    `over` says what tests of means hold for; without it means are never adjusted. `sign` is -1
    where less is better.
    """

    systems: Sequence[str]
    cells: Float64
    document_weights: Float64 | None
    without: Collection[str]
    judgements: Observations | None
    over: PairsOver | None
    sign: float = 1.0

    def by_methods(
        self, methods: Sequence[str], resampling: Resampling
    ) -> Iterator[tuple[str, _SystemValues]]:
        """The systems' values by each method, the one that leads first."""
        reason = None
        if MEAN in methods and self.over is not None and not self.is_plain:
            leading, values = self._adjusted(resampling)
            yield leading, values
            methods = [method for method in methods if method != leading]
            reason = OTHER_DOCUMENTS if leading == DOCUMENT_ADJUSTED else OTHER_ANNOTATORS
            reason = CONFOUNDED if leading == MEAN else values.reason or reason
        for method in methods:
            yield method, self._plain(method, resampling, reason)

    @cached_property
    def is_plain(self) -> bool:
        """Whether plain means compare systems: judged on the same documents, by the same people."""
        return self._is_complete and not self.is_confounded

    @cached_property
    def is_confounded(self) -> bool:
        """Whether annotators are spread so unevenly over systems that their severity matters."""
        if self.judgements is None:
            return False
        excess = annotator_excess(self.judgements, self._by_document)
        return bool((np.nan_to_num(excess) > MOST_CONFOUNDED).any())

    @cached_property
    def _ranked(self) -> NDArray[np.bool_]:
        kept = np.array([system not in self.without for system in self.systems], dtype=np.bool_)
        return kept & ~np.isnan(self.cells).all(axis=0)

    @cached_property
    def _is_complete(self) -> bool:
        judged = ~np.isnan(self.cells)
        return bool(judged[judged.any(axis=1)][:, self._ranked].all())

    @cached_property
    def _weights(self) -> Float64:
        weights = self.document_weights
        return np.ones(len(self.cells)) if weights is None else weights

    @cached_property
    def _by_document(self) -> AdditiveFit:
        documents, systems = np.nonzero(~np.isnan(self.cells))
        data = Observations(
            self.cells[documents, systems], systems, np.zeros_like(systems), documents
        )
        return fit_additive(data, len(self.systems), self._weights)

    def _links_all(self, fit: AdditiveFit) -> bool:
        systems = np.flatnonzero(self._ranked)
        return bool(fit.linked(systems[:1].repeat(len(systems)), systems).all())

    def _adjusted(self, resampling: Resampling) -> tuple[str, _SystemValues]:
        """Adjusted means; where annotators link too few systems, their order is that of documents.

        Then only pairs that annotators link are tested.
        """
        fit, over_both = self._by_document, self.over == "both"
        if self.judgements is not None and (over_both or self.is_confounded):
            fit = fit_additive(self.judgements, len(self.systems), self._weights)
        contest = additive_contest(
            fit, self.cells, self.sign, resampling, over_both=over_both and fit.of_annotators
        )
        method = ANNOTATOR_ADJUSTED if fit.of_annotators else DOCUMENT_ADJUSTED
        if not self._links_all(fit):
            fit = self._by_document
            method = MEAN if self._is_complete else DOCUMENT_ADJUSTED
        linked = self._links_all(fit)
        means = fit.means if linked else np.full(len(fit.means), np.nan)
        n = (~np.isnan(self.cells)).sum(axis=0)
        bounds = estimate_intervals(means, fit.moves, n)
        reason = None if linked else APART
        return method, _SystemValues(self.systems, means, bounds, n, contest, reason)

    def _plain(self, method: str, resampling: Resampling, reason: str | None) -> _SystemValues:
        """Means over documents of values or ranks; a reason is why these rank nobody."""
        by_rank = method == MEAN_RANK
        table = normalised_ranks(self.cells) if by_rank else self.cells
        weights = self.document_weights
        defined = ~np.isnan(table)
        counted = defined * self._weights[:, None]
        if reason is not None:
            contest = NO_CONTEST
        elif self.over == "both" and self.judgements is not None and not by_rank:
            contest = annotator_contest(self._cube, resampling, weights)
        else:
            contest = cell_contest(table, self.sign, resampling, weights)
        return _SystemValues(
            systems=self.systems,
            values=quotient(np.sum(np.where(defined, table, 0.0) * counted, axis=0),
                            counted.sum(axis=0)),
            intervals=mean_intervals(table, weights, (0.0, 1.0) if by_rank else EVERYWHERE),
            n=defined.sum(axis=0),
            contest=contest,
            reason=reason,
        )  # fmt: skip

    @property
    def _cube(self) -> Float64:
        """Annotators × documents × systems."""
        data = self.judgements
        assert data is not None, "only judgements have annotators"
        cube = np.full((int(data.annotator.max()) + 1, *self.cells.shape), np.nan)
        cube[data.annotator, data.document, data.system] = data.value
        return cube


def is_confounded(human: HumanScores, ratings: Iterable[Rating]) -> bool:
    """Whether annotators' severity bears on a difference between systems in any dimension."""
    layout = layout_of(human.units)
    judgements = judgements_by_dimension(ratings, layout)
    cells = zip(human.names, layout.cube(human.values), strict=True)
    return any(
        _Table(
            layout.system_names, table, None, (), judgements.get(name), "documents"
        ).is_confounded
        for name, table in cells
    )


@dataclass(frozen=True)
class _Votes:
    """The choices of one dimension as wins, and what may be concluded from them.

    `fitted` says whether systems met about equally often, so that values of votes may lead, and
    whether the choices fit a line of strengths.
    """

    by: By
    wins: bradley_terry.Wins
    fitted: ChoiceFit
    rng: np.random.Generator

    @classmethod
    def of(
        cls,
        wins: bradley_terry.Wins,
        meetings: bradley_terry.Wins,
        counts: Float64,
        resampling: Resampling,
        *,
        by: By,
        dimension: str,
    ) -> _Votes:
        """`meetings` says who met whom in each document, `counts` how often in all.

        Random numbers are drawn apart from those of intervals and other tests.
        """
        [rng] = resampling.rng.spawn(1)
        wins = wins.weighted(resampling.weights)
        balanced = bradley_terry.met_equally(meetings, resampling.weights)
        fitted = choice_fit(
            wins, replace(resampling, rng=rng),
            by=by, dimension=dimension, balanced=balanced, counts=counts,
        )  # fmt: skip
        return cls(by, wins, fitted, rng)

    def limit(self, values: _SystemValues, *, by_strength: bool = False) -> _SystemValues:
        """The values without an order or a test that the choices do not allow."""
        wins = self.wins.among(values.systems)
        contest = values.contest
        if not by_strength and not self.fitted.balanced:
            contest = without_tests(contest, UNEQUAL)
        contest = with_direct_votes(contest, wins, self.fitted, self.rng, by_strength=by_strength)
        return replace(values, contest=contest, reason=bradley_terry.disconnected(self.wins.groups))

    def ordered(self, by_value: Ranking, by_strength: Ranking) -> tuple[Ranking, Ranking]:
        """Both rankings, the one that leads first."""
        return (by_value, by_strength) if self.fitted.balanced else (by_strength, by_value)


def rank_comparisons(
    comparisons: Sequence[Comparison],
    resampling: Resampling,
    *,
    lengths: Mapping[Unit, float] | None = None,
    without: Collection[str] = (),
) -> Ranking:
    """Systems by normalised mean rank of votes and by Bradley-Terry strength, per dimension.

    The mean rank leads where all pairs met about equally often, else the strength. With the
    `lengths` of summaries, also by the strength of two equally long ones.
    """
    groups: dict[str, list[Comparison]] = {}
    for comparison in comparisons:
        groups.setdefault(comparison.dimension, []).append(comparison)
    votes = {}
    for dimension, group in groups.items():
        meetings = bradley_terry.count_wins(group)
        votes[dimension] = _Votes.of(
            bradley_terry.count_wins(group, resampling.weights), meetings, meetings.counts,
            resampling, by="comparisons", dimension=dimension,
        )  # fmt: skip
    ranks = rank_human(
        votes_won(comparisons), resampling,
        by="comparisons", methods=(MEAN_RANK,), without=without, votes=votes,
    )  # fmt: skip
    leading, others = [], []
    for dimension, group in groups.items():
        strengths = _rank_wins(votes[dimension], resampling, without)
        shares = Ranking(
            tuple(rank for rank in ranks.ranks if rank.dimension == dimension),
            tuple(pair for pair in ranks.pairs if pair.dimension == dimension),
        )
        first, second = votes[dimension].ordered(shares, strengths)
        leading.append(first)
        others.append(second)
        if lengths is not None:
            fitted = votes[dimension].fitted
            others.append(_rank_controlled(group, lengths, resampling, without, fitted))
    return joined([*leading, *others])


def _rank_controlled(
    comparisons: Sequence[Comparison],
    lengths: Mapping[Unit, float],
    resampling: Resampling,
    without: Collection[str],
    fitted: ChoiceFit,
) -> Ranking:
    """Systems of one dimension by strength at equal lengths; none where that is not defined.

    Choices that do not fit a line of strengths (`fitted`) allow no test.
    """
    result = length_control.controlled(comparisons, lengths, weights=resampling.weights)
    if isinstance(result, LengthEffect):
        return Ranking(length_effects=(result,))
    total = result.wins.tables.sum(axis=0)
    contest = moved_contest(result.strengths, result.moves, total, resampling)
    contest = without_tests(contest, MISFIT) if is_rejected(fitted) else contest
    values = _SystemValues(
        result.wins.systems, result.strengths, result.intervals, result.wins.games, contest
    )
    dimension = result.effect.dimension
    ranking = values.ranking("comparisons", dimension, length_control.METHOD, without=without)
    return replace(ranking, length_effects=(result.effect,))


def _rank_wins(votes: _Votes, resampling: Resampling, without: Collection[str] = ()) -> Ranking:
    """Systems by the Bradley-Terry strengths of comparisons that were made, or are implied."""
    fitted = bradley_terry.strengths_of(votes.wins, resampling=resampling)
    contest = strength_contest(votes.wins, resampling)
    values = _SystemValues(fitted.systems, fitted.values, fitted.intervals, fitted.n, contest)
    ranking = votes.limit(values, by_strength=True).ranking(
        votes.by, votes.fitted.dimension, bradley_terry.METHOD, without=without
    )
    return replace(ranking, fits=(votes.fitted,))


def rank_sets(
    every: Iterable[Sets], resampling: Resampling, *, without: Collection[str] = ()
) -> Ranking:
    """Systems by rankings and best-worst choices: mean value of their summaries, and strength.

    The mean leads where all pairs were in sets together about equally often, else the strength.
    """
    parts: list[Ranking] = []
    for sets in every:
        by: By = "rankings" if sets.type == "ranking" else "best-worst"
        votes = _Votes.of(
            sets.wins, sets.meetings, sets.counts, resampling, by=by, dimension=sets.question
        )
        values = rank_human(
            set_values([sets]), resampling,
            by=by, methods=(MEAN,), without=without, votes={sets.question: votes},
        )  # fmt: skip
        parts += votes.ordered(values, _rank_wins(votes, resampling, without))
    return joined(parts)


def rank_scores(
    measures: Measures, resampling: Resampling, *, without: Collection[str] = ()
) -> Ranking:
    """Systems by the mean of every metric; a plain description such as a length ranks nobody."""
    layout = layout_of(measures.units)
    parts = []
    for name, better, values in zip(measures.names, measures.better, measures.values, strict=True):
        sign = SIGNS[better]
        table = _Table(
            layout.system_names, layout.cube(values), None, without, None, "documents", sign
        )
        for method, system_values in table.by_methods((MEAN,), resampling):
            ranking = system_values.ranking("scores", str(name), method, sign=sign, without=without)
            parts.append(ranking)
    return joined(parts)


def joined(parts: Iterable[Ranking]) -> Ranking:
    """Several rankings one after another."""
    every = list(parts)
    return Ranking(
        tuple(rank for part in every for rank in part.ranks),
        tuple(pair for part in every for pair in part.pairs),
        tuple(effect for part in every for effect in part.length_effects),
        tuple(fitted for part in every for fitted in part.fits),
    )


def judgements_by_dimension(ratings: Iterable[Rating], layout: Layout) -> dict[str, Observations]:
    """The ratings of each dimension, with the layout's numbers of documents and systems."""
    documents = {name: k for k, name in enumerate(layout.document_names)}
    systems = {name: k for k, name in enumerate(layout.system_names)}
    kept = [r for r in ratings if r.document in documents and r.system in systems]
    return {
        dimension: Observations(
            column.values,
            np.array([systems[system] for _, system in column.unit_names])[column.units],
            column.raters,
            np.array([documents[document] for document, _ in column.unit_names])[column.units],
        )
        for dimension, column in columns_by_dimension(kept).items()
    }


@dataclass(frozen=True)
class MeanRanks:
    """A value per system (NaN without a document), and the number of documents behind it."""

    systems: tuple[str, ...]
    values: Float64
    n: Int64


def mean_ranks(human: HumanScores, name: str) -> MeanRanks:
    """The normalised mean rank of every system by one human score."""
    layout = layout_of(human.units)
    cells = normalised_ranks(layout.cube(human.of(name)))
    ranked = ~np.isnan(cells)
    n = ranked.sum(axis=0)
    return MeanRanks(layout.system_names, quotient(np.sum(cells, axis=0, where=ranked), n), n)


def normalised_ranks(cells: Float64) -> Float64:
    """Documents × systems: (n - rank) / (n - 1) within each document.

    A document with fewer than two systems ranks nobody and is NaN.
    """
    ranks = average_ranks(-cells)
    n = np.count_nonzero(~np.isnan(cells), axis=1)[:, None]
    return quotient(n - ranks, n - 1, np.broadcast_to(n > 1, cells.shape))
