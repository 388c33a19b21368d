"""What tables and figures show beside the statistics, so that a report computes nothing.

Histograms of ratings, the means of systems by every metric, which measures follow people most
closely, the spread of annotators, and the best metric against groups of annotators (BLANC,
figure 9, the pluses).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gistmark.analysis.correlation.coefficients import correlate
from gistmark.analysis.data.arithmetic import exact_ties, quotient
from gistmark.analysis.data.columns import (
    MOST_POINTS,
    Float64,
    RatingColumns,
    columns_by_dimension,
)
from gistmark.analysis.data.measures import MeasureName, Measures, main_part
from gistmark.analysis.studies.records import (
    AGAINST_REST,
    RATING,
    SPLIT,
    Agreement,
    Measure,
    MetricSplit,
    RatingBin,
    Spread,
    Strength,
    SystemMean,
)
from gistmark.metrics.metric import Better
from gistmark.records import Rating
from gistmark.scoring import LeaderboardEntry, Scores

_MOST_CAMPAIGNS = 4
_BINS = 20
_JOINER = " + "

CampaignValues = dict[str, Float64]


def measure_records(measures: Measures, scores: Scores | None) -> list[Measure]:
    """Every measure that was correlated, and which part stands for its metric."""
    parts: dict[str, list[str]] = {}
    for name in measures.names:
        parts.setdefault(name.metric, []).append(name.part)
    columns = scores.columns if scores is not None else {}
    main = {
        metric: main_part(own, columns[metric].main_part if metric in columns else None)
        for metric, own in parts.items()
    }
    return [
        Measure(name.metric, name.part, better, name.part == main[name.metric],
                name.metric in columns)
        for name, better in zip(measures.names, measures.better, strict=True)
    ]  # fmt: skip


def closeness(value: float | None, better: Better) -> tuple[int, float]:
    """Sorts what follows people most closely first, a correlation of less being better negated.

    Descriptions, of which neither more nor less is better, come after what judges, by the size of
    their correlation; those without a value come last.
    """
    if value is None:
        return 2, 0.0
    return (1, -abs(value)) if better == "neither" else (0, value if better == "lower" else -value)


def closest(
    records: Iterable[Strength], measures: Iterable[Measure], human: str, level: str
) -> list[Strength]:
    """The main parts of metrics of quality, the one that follows a human score best first."""
    judging = {
        (m.metric, m.part) for m in measures if m.main and m.scored and m.better != "neither"
    }
    return [
        record
        for record in records
        if (record.human, record.level) == (human, level)
        and (record.metric, record.part) in judging
    ]


def system_means(scores: Scores | None) -> list[SystemMean]:
    """The mean and 95 % interval of every system by every part of every metric."""
    if scores is None or not len(scores):
        return []
    board = scores.leaderboard()
    order = {system: index for index, system in enumerate(board.systems)}
    groups: dict[tuple[str, str], list[LeaderboardEntry]] = {}
    for entry in board.entries:
        groups.setdefault((entry.metric, entry.part), []).append(entry)
    return [
        SystemMean(
            entry.metric, entry.part, entry.system, entry.mean, entry.low, entry.high, entry.n,
            entry.missing, entry.better, best is not None and entry.mean == best,
        )
        for group in groups.values()
        for best in (_best_mean(group),)
        for entry in sorted(group, key=lambda entry: order[entry.system])
    ]  # fmt: skip


def rating_bins(ratings: Sequence[Rating]) -> Iterator[RatingBin]:
    """How often each value was given, dimension by dimension, campaign by campaign."""
    for dimension, campaigns in _by_campaign(ratings).items():
        edges = _edges(np.concatenate(list(campaigns.values())))
        for campaign, values in campaigns.items():
            counts = np.histogram(values, edges)[0]
            shares = counts / len(values)
            bins = zip(edges[:-1], edges[1:], counts, shares, strict=True)
            for low, high, count, share in bins:
                yield RatingBin(
                    dimension, campaign, float(low), float(high), int(count), float(share)
                )


def spreads(ratings: Sequence[Rating], agreement: Iterable[Agreement]) -> Iterator[Spread]:
    """Lowest, median, mean and highest of the ratings, of the annotators and of the splits."""
    for dimension, campaigns in _by_campaign(ratings).items():
        yield _spread(RATING, dimension, np.concatenate(list(campaigns.values())))
    groups: dict[tuple[str, str], list[float]] = {}
    for record in agreement:
        kind = (record.statistic, record.dimension)
        if record.statistic in (AGAINST_REST, SPLIT) and record.scope and record.value is not None:
            groups.setdefault(kind, []).append(record.value)
    for kind, values in groups.items():
        yield _spread(*kind, np.array(values))


def metric_splits(
    ratings: Sequence[Rating],
    agreement: Iterable[Agreement],
    measures: Measures,
    best: dict[str, Strength],
) -> Iterator[MetricSplit]:
    """The best metric of each dimension against the mean of those outside each split's group.

    A split whose group cannot be told from its name is left out, and so is an undefined value.
    """
    splits: dict[str, list[str]] = {}
    for record in agreement:
        if record.statistic == SPLIT and record.scope and record.value is not None:
            splits.setdefault(record.dimension, []).append(record.scope)
    for dimension, columns in columns_by_dimension(ratings).items():
        metric = best.get(dimension)
        groups = {
            scope: members
            for scope in splits.get(dimension, ())
            if (members := _members(scope, columns.rater_names))
        }
        if metric is None or not groups:
            continue
        row = measures.names.index(MeasureName(metric.metric, metric.part))
        people = np.array([_means_without(columns, members) for members in groups.values()])
        values = exact_ties(measures.at(columns.unit_names, oriented=True)[row])
        result = correlate(people, values, "spearman").values
        for scope, value in zip(groups, result, strict=True):
            if not np.isnan(value):
                yield MetricSplit(dimension, metric.metric, metric.part, scope, float(value))


def _best_mean(group: Sequence[LeaderboardEntry]) -> float | None:
    """The best mean of one part of a metric; None for a description, or for a single system."""
    means = [entry.mean for entry in group if entry.mean is not None]
    if group[0].better == "neither" or len(means) < 2:
        return None
    return max(means) if group[0].better == "higher" else min(means)


def _by_campaign(ratings: Sequence[Rating]) -> dict[str, CampaignValues]:
    """dimension -> campaign -> values; the campaigns beyond the first few are one."""
    values: dict[str, dict[str, list[float]]] = {}
    campaigns = list(dict.fromkeys(rating.campaign or "" for rating in ratings))
    few = len(campaigns) <= _MOST_CAMPAIGNS
    kept = set(campaigns if few else campaigns[: _MOST_CAMPAIGNS - 1])
    for rating in ratings:
        campaign = rating.campaign or ""
        name = (campaign or "no campaign") if campaign in kept else "other campaigns"
        values.setdefault(rating.dimension, {}).setdefault(name, []).append(rating.value)
    return {
        dimension: {name: np.array(group, dtype=np.float64) for name, group in groups.items()}
        for dimension, groups in values.items()
    }


def _edges(values: Float64) -> Float64:
    """An interval around each point of a short whole-number scale, else twenty equal ones."""
    low, high = float(values.min()), float(values.max())
    whole = bool(np.all(values == np.round(values)))
    if whole and high - low < MOST_POINTS:
        points: Float64 = np.arange(low - 0.5, high + 1.0, dtype=np.float64)
        return points
    return np.linspace(low, high if high > low else low + 1.0, _BINS + 1)


def _spread(statistic: str, dimension: str, values: Float64) -> Spread:
    return Spread(
        statistic, dimension, float(values.min()), statistics.median(values.tolist()),
        float(values.mean()), float(values.max()), len(values),
    )  # fmt: skip


def _members(scope: str, raters: Sequence[str]) -> list[int]:
    """The indices of the raters that a split is named after; none where the name is unclear."""
    names = scope.split(_JOINER)
    return [raters.index(name) for name in names] if set(names) <= set(raters) else []


def _means_without(columns: RatingColumns, group: list[int]) -> Float64:
    """The mean of each unit over the raters outside the group."""
    kept = np.delete(columns.matrix, group, axis=1)
    rated = ~np.isnan(kept)
    return exact_ties(quotient(np.where(rated, kept, 0.0).sum(axis=1), rated.sum(axis=1)))
