"""Campaigns beside each other: means and coefficients of variation of systems, and differences.

Hardy, Narayan and Vlachos, "HighRES" (2019), section 5, have three campaigns rate the same
summaries: beside highlights, the plain document, and the reference. Tables 2 and 3 give the mean
and the coefficient of variation of each system in each mode.

Two campaigns differ in their annotators as much as in what they ask, and one severe annotator moves
a whole campaign. So a difference is tested for other documents and annotators, by Student's t:

    variance = variance over documents + variance over annotators

The first is that of the documents' differences. The second is by the jackknife: without an
annotator, how far does the difference move? Annotators of both campaigns leave both at once. The
degrees of freedom are the fewer of both: documents less one, and Welch's of the annotators. Those
of a campaign are its annotators less one, where their shares of the ratings are equal, and fewer
where they are not. (Satterthwaite's for the sum would let three annotators who happen to agree
count as many documents: of equal campaigns, 8 in 100 would differ.) The sum is cautious, because
what a document and an annotator share is counted twice.

The coefficient of variation depends on who the annotators are even more: a group of three whose
severity happens to differ varies on every summary. The jackknife needs some ten annotators to
notice, and with fewer there is no test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.agreement.ratings import coefficients_of_variation
from gistmark.analysis.data.campaigns import campaign_name, campaigns_by_dimension
from gistmark.analysis.data.columns import RatingColumns, Unit, columns_by_dimension
from gistmark.analysis.resampling.means import ONE_DOCUMENT, mean_intervals
from gistmark.analysis.resampling.significance import corrected_within
from gistmark.analysis.resampling.student import student_p, student_quantile
from gistmark.analysis.studies.options import Scale
from gistmark.corpus import Corpus
from gistmark.records import Condition, Rating

Float64 = NDArray[np.float64]
Int64 = NDArray[np.int64]
Statistic = Literal["mean", "cv"]

STATISTICS: tuple[Statistic, ...] = ("mean", "cv")
TEST = "Student's t over documents and annotators"
ALL_SYSTEMS, SINGLE_SYSTEMS = "all systems", "single systems"

FEWEST_ANNOTATORS = 3
"""Two annotators do not tell how far others differ: the test would be wrong too often."""

FEWEST_FOR_VARIATION = 10
"""With fewer annotators than this in a campaign, coefficients of variation are not compared."""

_ALIKE = 2.0
"""Where scales are not known, ratings that reach so many times as far are on another scale."""

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Mode:
    """The ratings of a system in one campaign: their mean and their coefficient of variation.

    `shows` is what annotators saw beside the summary, if that is known. Without a `system` it is of
    all systems. The mean is over summaries, each by the mean of its ratings; `cv` is the mean
    coefficient of variation of the summaries with two ratings or more. Intervals are over
    documents, for these annotators; documents count alike, however they were sampled. A mean
    without an interval has a `reason`, and so has a coefficient (`cv_reason`).
    """

    campaign: str
    shows: str | None
    dimension: str
    system: str
    mean: float | None
    low: float | None
    high: float | None
    cv: float | None
    cv_low: float | None
    cv_high: float | None
    documents: int
    annotators: int
    n: int
    reason: str | None = None
    cv_reason: str | None = None


@dataclass(frozen=True, slots=True)
class ModeDifference:
    """How far two campaigns differ in one dimension: left's value minus right's.

    `statistic` is `mean` or `cv`; without a `system` it is about all systems together. Both values
    are over the `n` summaries, of so many `documents`, that both campaigns rated. `shared` counts
    annotators who judged in both. Interval and p are for other documents and other annotators;
    `p_corrected` is corrected by Holm among the `compared` differences of its `family`. With
    `normalised`, ratings are shares of their campaign's scale, because the scales differ.
    """

    dimension: str
    statistic: Statistic
    system: str
    left: str
    right: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_corrected: float | None
    family: str
    compared: int
    documents: int
    annotators_left: int
    annotators_right: int
    shared: int
    n: int
    normalised: bool = False
    test: str = TEST
    reason: str | None = None


@dataclass(frozen=True)
class Modes:
    """The records of all campaigns; empty where there is only one."""

    modes: tuple[Mode, ...] = ()
    differences: tuple[ModeDifference, ...] = ()


def modes_of(corpus: Corpus, scales: Mapping[str, Scale] | None = None) -> Modes:
    """Every campaign's ratings of every system, and the differences between campaigns."""
    ratings = corpus.ratings
    shared = campaigns_by_dimension(ratings)
    if len({campaign for campaigns in shared.values() for campaign in campaigns}) < 2:
        return Modes()
    conditions = {condition.campaign: condition for condition in corpus.conditions}
    systems = tuple(dict.fromkeys((*corpus.systems, *(rating.system for rating in ratings))))
    anonymous = corpus.anonymous_systems
    groups: dict[tuple[str, str], list[Rating]] = {}
    for rating in ratings:
        key = (rating.dimension, campaign_name(rating.campaign))
        groups.setdefault(key, []).append(rating)
    campaigns = {key: _Campaign(key[1], group) for key, group in groups.items()}
    named = [system for system in systems if system not in anonymous]
    records = [
        record
        for (dimension, name), campaign in campaigns.items()
        for record in campaign.modes(dimension, named, conditions.get(name))
    ]
    differences = [
        record
        for dimension, names in shared.items()
        for one, other in combinations(names, 2)
        for record in _differences(
            dimension,
            _scaled(
                campaigns[dimension, one], campaigns[dimension, other],
                _scale(dimension, conditions.get(one), scales),
                _scale(dimension, conditions.get(other), scales),
            ),
            named,
        )
    ]  # fmt: skip
    return Modes(tuple(records), tuple(_corrected(differences)))


class _Campaign:
    """The ratings of one dimension in one campaign."""

    def __init__(self, name: str, ratings: Sequence[Rating]) -> None:
        self.name = name
        self.ratings = ratings

    @cached_property
    def columns(self) -> RatingColumns:
        return next(iter(columns_by_dimension(self.ratings).values()))

    @cached_property
    def annotators(self) -> frozenset[str]:
        return frozenset(rating.annotator for rating in self.ratings)

    def of(self, units: frozenset[Unit]) -> _Campaign:
        """The ratings of some summaries."""
        kept = [rating for rating in self.ratings if (rating.document, rating.system) in units]
        return _Campaign(self.name, kept)

    def as_shares(self, scale: Scale) -> _Campaign:
        """With each rating as its share of the scale."""
        low, high = scale
        shares = [replace(r, value=(r.value - low) / (high - low)) for r in self.ratings]
        return _Campaign(self.name, shares)

    def modes(
        self, dimension: str, systems: Sequence[str], condition: Condition | None
    ) -> Iterator[Mode]:
        """A record for all systems, and one for each that has a name."""
        rated = {system for _, system in self.columns.unit_names}
        for system in ("", *(name for name in systems if name in rated)):
            units = [k for k, unit in enumerate(self.columns.unit_names) if system in ("", unit[1])]
            mean, low, high, reason = self._mean(self.columns.unit_means, units)
            cv, cv_low, cv_high, cv_reason = self._mean(self._variation, units)
            rows = np.flatnonzero(np.isin(self.columns.units, units))
            yield Mode(
                self.name, None if condition is None else condition.shows, dimension, system,
                mean, low, high, cv, cv_low, cv_high,
                documents=len({self.columns.unit_names[k][0] for k in units}),
                annotators=len({self.ratings[int(row)].annotator for row in rows}),
                n=len(rows),
                reason=reason,
                cv_reason=cv_reason,
            )  # fmt: skip

    @cached_property
    def _variation(self) -> Float64:
        columns = self.columns
        return coefficients_of_variation(columns.units, columns.values, len(columns.unit_names))

    def _mean(
        self, values: Float64, units: Sequence[int]
    ) -> tuple[float | None, float | None, float | None, str | None]:
        """The mean of some units, with an interval over their documents; or why there is none."""
        kept = [k for k in units if not np.isnan(values[k])]
        if not kept:
            return None, None, None, "no summary has two ratings with a mean above 0"
        documents, rows = np.unique(self.columns.documents[kept], return_inverse=True)
        sums = np.bincount(rows, weights=values[kept], minlength=len(documents))
        counts = np.bincount(rows, minlength=len(documents))
        # Documents with several summaries weigh as much as these.
        (interval,) = mean_intervals((sums / counts)[:, None], counts.astype(np.float64))
        reason = None
        if interval.low is None:
            reason = ONE_DOCUMENT if len(documents) == 1 else "all its values are equal"
        return float(values[kept].mean()), interval.low, interval.high, reason


@dataclass(frozen=True)
class _Two:
    """Two campaigns on the summaries that both rated, or why their values cannot be compared."""

    left: _Campaign
    right: _Campaign
    normalised: bool = False
    reason: str | None = None


def _scale(
    dimension: str, condition: Condition | None, scales: Mapping[str, Scale] | None
) -> Scale | None:
    """The scale on which a campaign rated a dimension, if that is known."""
    if condition is not None and condition.low is not None and condition.high is not None:
        return condition.low, condition.high
    return (scales or {}).get(dimension)


def _scaled(left: _Campaign, right: _Campaign, scale: Scale | None, other: Scale | None) -> _Two:
    """The campaigns on one scale; on shares of their scales where these are known and differ."""
    units = frozenset(left.columns.unit_names) & frozenset(right.columns.unit_names)
    if not units:
        return _Two(left, right, reason="no summary was rated in both campaigns")
    left, right = left.of(units), right.of(units)
    if scale is not None and other is not None:
        if scale == other:
            return _Two(left, right)
        return _Two(left.as_shares(scale), right.as_shares(other), normalised=True)
    tops = sorted(max(abs(r.value) for r in campaign.ratings) for campaign in (left, right))
    if tops[1] > _ALIKE * tops[0]:
        return _Two(left, right, reason=(
            f"the scales are not known, and ratings reach {tops[0]:g} in one campaign and "
            f"{tops[1]:g} in the other; conditions.csv can have the scales"
        ))  # fmt: skip
    return _Two(left, right)


def _differences(dimension: str, two: _Two, systems: Sequence[str]) -> Iterator[ModeDifference]:
    left, right = two.left, two.right
    for statistic in STATISTICS:
        tested = None if two.reason else _Tested(left, right, statistic)
        rated = set() if tested is None else {system for _, system in tested.units}
        for system in ("", *(name for name in systems if name in rated and len(rated) > 1)):
            family = f"{statistic}, {SINGLE_SYSTEMS if system else ALL_SYSTEMS}"
            record = ModeDifference(
                dimension, statistic, system, left.name, right.name, None, None, None, None, None,
                family, 0, 0, len(left.annotators), len(right.annotators),
                len(left.annotators & right.annotators), 0, two.normalised, reason=two.reason,
            )  # fmt: skip
            if tested is not None and statistic == "cv" and two.normalised:
                record = replace(record, reason=(
                    "the scales differ, and the coefficient of variation depends on where a scale "
                    "begins"
                ))  # fmt: skip
            elif tested is not None:
                record = tested.record(record)
            yield record


class _Tested:
    """The difference of one statistic between two campaigns that rated the same summaries."""

    def __init__(self, left: _Campaign, right: _Campaign, statistic: Statistic) -> None:
        self.statistic = statistic
        self.units = tuple(left.columns.unit_names)
        self.documents = left.columns.documents
        self.systems = np.array([system for _, system in self.units], dtype=object)
        number = {unit: k for k, unit in enumerate(self.units)}
        people = sorted(left.annotators | right.annotators)
        self.people = {name: k for k, name in enumerate(people)}
        self.sides = tuple(
            _side(campaign, number, self.people, statistic) for campaign in (left, right)
        )
        self.gaps = self.sides[0].values - self.sides[1].values

    def record(self, record: ModeDifference) -> ModeDifference:
        """The record with the difference, its interval and p, or why there is none."""
        chosen = ~np.isnan(self.gaps)
        if record.system:
            chosen &= self.systems == record.system
        if not chosen.any():
            return replace(record, reason="no summary has a value in both campaigns")
        documents, rows = np.unique(self.documents[chosen], return_inverse=True)
        count = int(chosen.sum())
        difference = float(self.gaps[chosen].mean())
        counts = [side.count(chosen) for side in self.sides]
        both = int(((counts[0] > 0) & (counts[1] > 0)).sum())
        record = replace(
            record, difference=difference, documents=len(documents), n=count, shared=both,
            annotators_left=int((counts[0] > 0).sum()), annotators_right=int((counts[1] > 0).sum()),
        )  # fmt: skip
        reason = self._too_few(len(documents), counts, (record.left, record.right))
        if reason is not None:
            return replace(record, reason=reason)
        size = len(documents)
        parts = np.bincount(rows, weights=self.gaps[chosen] - difference, minlength=size) / count
        over_documents = _Share(float(size / (size - 1) * (parts @ parts)), size - 1)
        moves = [
            side.moves(chosen, self.gaps, difference, sign)
            for side, sign in zip(self.sides, (1.0, -1.0), strict=True)
        ]
        over_annotators = _over_annotators(moves, counts)
        total = _Share(
            over_documents.variance + over_annotators.variance,
            min(over_documents.freedom, over_annotators.freedom),
        )
        if total.variance <= _ROUNDING:
            return replace(record, reason="all differences are equal")
        error = float(np.sqrt(total.variance))
        half = student_quantile(total.freedom) * error
        return replace(
            record, low=difference - half, high=difference + half,
            p=float(student_p(difference / error, total.freedom)),
        )  # fmt: skip

    def _too_few(
        self, documents: int, counts: Sequence[Float64], names: Sequence[str]
    ) -> str | None:
        """Why nothing can be said beyond these documents and annotators, if so."""
        if documents < 2:
            return ONE_DOCUMENT
        for ratings, name in zip(counts, names, strict=True):
            people = int((ratings > 0).sum())
            if people < FEWEST_ANNOTATORS:
                some = "one annotator" if people == 1 else "two annotators"
                return f"{some} judged in {name}, so it may be a difference between people"
            if _effective(ratings) < 2:
                return f"one annotator gave most of the ratings in {name}"
            if self.statistic == "cv" and _effective(ratings) < FEWEST_FOR_VARIATION:
                return (
                    f"how far ratings vary depends on who the annotators are, and those in {name} "
                    "are too few to tell how far others would"
                )
        return None


@dataclass(frozen=True)
class _Side:
    """One campaign: the value of each unit, and what it would be without each single rating."""

    values: Float64
    units: Int64
    people: Int64
    without: Float64
    size: int

    def count(self, chosen: NDArray[np.bool_]) -> Float64:
        """How many ratings each person gave to the chosen units."""
        kept = chosen[self.units]
        return np.bincount(self.people[kept], minlength=self.size).astype(np.float64)

    def moves(
        self, chosen: NDArray[np.bool_], gaps: Float64, difference: float, sign: float
    ) -> Float64:
        """How far the difference moves without each person.

        A unit that has no value then leaves the mean.
        """
        kept = chosen[self.units]
        units, people, without = self.units[kept], self.people[kept], self.without[kept]
        total = float(chosen.sum())
        lost = np.isnan(without)
        changed = np.where(lost, 0.0, sign * (without - self.values[units])) / total
        moves = np.bincount(people, weights=changed, minlength=self.size)
        removed = np.bincount(people[lost], minlength=self.size)
        excess = np.bincount(
            people[lost], weights=gaps[units[lost]] - difference, minlength=self.size
        )
        return np.asarray(moves - excess / np.maximum(total - removed, 1.0))


def _side(
    campaign: _Campaign, number: Mapping[Unit, int], people: Mapping[str, int],
    statistic: Statistic,
) -> _Side:  # fmt: skip
    columns = campaign.columns
    order = np.array([number[unit] for unit in columns.unit_names], dtype=np.int64)
    units, values, size = order[columns.units], columns.values, len(number)
    counts = np.bincount(units, minlength=size).astype(np.float64)
    means = np.bincount(units, weights=values, minlength=size) / np.maximum(counts, 1.0)
    gaps = values - means[units]
    n = counts[units]
    with np.errstate(invalid="ignore", divide="ignore"):
        left_means = np.where(n > 1, means[units] - gaps / (n - 1), np.nan)
        result, without = means, left_means
        if statistic == "cv":
            squares = np.bincount(units, weights=gaps**2, minlength=size)
            left_squares = np.maximum(squares[units] - gaps**2 * n / (n - 1), 0.0)
            deviation = np.sqrt(left_squares / (n - 2))
            without = (1 + 1 / (4 * (n - 1))) * deviation / left_means
            without = np.where((n > 2) & (left_means > 0), without, np.nan)
            result = coefficients_of_variation(units, values, size)
    numbers = np.array([people[rating.annotator] for rating in campaign.ratings], dtype=np.int64)
    return _Side(result, units, numbers, without, len(people))


@dataclass(frozen=True, slots=True)
class _Share:
    """A variance, and the degrees of freedom behind it."""

    variance: float
    freedom: float


def _over_annotators(moves: Sequence[Float64], counts: Sequence[Float64]) -> _Share:
    """The jackknife over annotators; whoever judged in both campaigns leaves both."""
    centred, factors, shares = [], [], []
    for move, ratings in zip(moves, counts, strict=True):
        took_part = ratings > 0
        size = int(took_part.sum())
        centred.append(np.where(took_part, move - move[took_part].mean(), 0.0))
        factors.append((size - 1) / size)
        variance = factors[-1] * float(centred[-1] @ centred[-1])
        shares.append(_Share(variance, _effective(ratings) - 1))
    if not ((counts[0] > 0) & (counts[1] > 0)).any():
        # Independent variances: Satterthwaite's degrees of freedom of their sum.
        total = sum(share.variance for share in shares)
        scatter = sum(share.variance**2 / share.freedom for share in shares)
        return _Share(total, total**2 / scatter if scatter > 0 else float("inf"))
    covariance = float(np.sqrt(factors[0] * factors[1]) * (centred[0] @ centred[1]))
    variance = max(shares[0].variance + shares[1].variance + 2 * covariance, 0.0)
    return _Share(variance, min(share.freedom for share in shares))


def _effective(ratings: Float64) -> float:
    """How many annotators with equal shares of the ratings tell as much."""
    squares = ratings**2
    return float(squares.sum() ** 2 / (squares**2).sum())


def _corrected(records: Sequence[ModeDifference]) -> Iterator[ModeDifference]:
    """The records with p corrected within each family."""
    tested = Counter(record.family for record in records if record.p is not None)
    corrected = corrected_within(
        [record.family for record in records], [record.p for record in records]
    )
    for record, p in zip(records, corrected, strict=True):
        yield replace(record, p_corrected=p, compared=tested[record.family])
