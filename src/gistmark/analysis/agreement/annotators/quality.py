"""The quality of annotators: how much they did, how fast, how severely, how like the others.

Their habits are severity, spread, straight-lining, and a preference for one side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import mul

import numpy as np

from gistmark.analysis.agreement.annotators.competence import competence
from gistmark.analysis.agreement.coefficients.splits import (
    annotators_against_rest,
    by_rater,
    means_of_others,
)
from gistmark.analysis.agreement.coefficients.statistic import Statistic, mean_of, undefined
from gistmark.analysis.agreement.highlights import annotators_on_words
from gistmark.analysis.data.columns import (
    TIE,
    Float64,
    RatingColumns,
    VoteColumns,
    columns_by_dimension,
    votes_by_dimension,
)
from gistmark.corpus.corpus import Corpus
from gistmark.records import Rating


@dataclass(frozen=True, slots=True)
class AnnotatorQuality:
    """What one annotator's ratings, comparisons or highlights (`subject`) tell about the annotator.

    `dimension` is empty for the annotator as a whole; n counts ratings, comparisons or documents.
    `severity` is how far below the mean of the others a summary is rated on average: positive is
    severe.
    `bias` is `severe` or `lenient`, for comparisons `left` or `right`, where a test at 5 % tells
    it from chance, else `none`; it is empty where nothing can be tested. `spread` is the standard
    deviation of the values. `agreement` is for ratings the Spearman correlation with the mean of
    the others, for comparisons the share of choices that the majority of the others shares, for
    highlights the mean F1 on words with each of the others.
    `straight_lining` is the share of summaries with one value in all of at least three dimensions;
    `left_share` how often the left summary was chosen, of the choices that are no tie;
    `tie_share` the share of ties, where anybody chose one; `competence` is described there. For the
    whole, agreement and competence are means over dimensions, and severity and spread, which are
    on the scale of a dimension, are left out. What should be there and is not is in `reason`.
    """

    subject: str
    annotator: str
    dimension: str
    n: int
    mean_seconds: float | None = None
    total_seconds: float | None = None
    severity: float | None = None
    bias: str = ""
    spread: float | None = None
    agreement: float | None = None
    straight_lining: float | None = None
    left_share: float | None = None
    tie_share: float | None = None
    competence: float | None = None
    reason: str | None = None


def annotator_quality(corpus: Corpus) -> list[AnnotatorQuality]:
    """The quality of everybody who judged: as a whole, then by dimension where there are any.

    Competence is estimated where the values are categories; see
    `agreement.competence` for where it is not defined.
    """
    times = _times(corpus.ratings)
    lines = straight_lines(corpus.ratings)
    rated = _grouped(
        result
        for columns in columns_by_dimension(corpus.ratings).values()
        for result in _rated(columns, times)
    )
    voted = _grouped(
        result
        for votes in votes_by_dimension(corpus.comparisons).values()
        for result in _voted(votes)
    )
    every: list[AnnotatorQuality] = []
    for name, parts in rated.items():
        every += [_rater(parts, times, lines[name]), *parts]
    for parts in voted.values():
        every += [_voter(parts), *parts]
    every += [
        AnnotatorQuality(
            subject="highlights",
            annotator=name,
            dimension="",
            n=words.n,
            agreement=words.value,
            reason=words.reason,
        )
        for name, words in annotators_on_words(corpus).items()
    ]
    return every


Times = Mapping[tuple[str, str], list[float]]
"""The seconds of each rating, by annotator and dimension."""


def _rated(columns: RatingColumns, times: Times) -> Iterator[AnnotatorQuality]:
    leanings, widths = severities(columns), spreads(columns)
    rest, skills = annotators_against_rest(columns), _competence(columns)
    counts = np.bincount(columns.raters, minlength=len(columns.rater_names))
    for rater, name in enumerate(columns.rater_names):
        mean, total = _time(times.get((name, columns.dimension), []))
        severity, agreement = leanings[rater].size, rest[rater].correlation
        yield AnnotatorQuality(
            subject="ratings",
            annotator=name,
            dimension=columns.dimension,
            n=int(counts[rater]),
            mean_seconds=mean,
            total_seconds=total,
            severity=severity.value,
            bias=leanings[rater].direction,
            spread=widths[rater].value,
            agreement=agreement.value,
            competence=skills[rater].value,
            reason=_reason(
                severity=severity,
                spread=widths[rater],
                agreement=agreement,
                competence=skills[rater],
            ),
        )


def _voted(votes: VoteColumns) -> Iterator[AnnotatorQuality]:
    count = len(votes.annotator_names)
    shares, leanings = majority_shares(votes), sides(votes)
    skills = competence(votes.pairs, votes.annotators, votes.values, count=count)
    numbers = np.bincount(votes.annotators, minlength=count)
    tied = np.bincount(votes.annotators[votes.values == TIE], minlength=count)
    for index, name in enumerate(votes.annotator_names):
        yield AnnotatorQuality(
            subject="comparisons",
            annotator=name,
            dimension=votes.dimension,
            n=int(numbers[index]),
            bias=leanings[index].direction,
            agreement=shares[index].value,
            left_share=leanings[index].size.value,
            tie_share=float(tied[index] / numbers[index]) if tied.any() else None,
            competence=skills[index].value,
            reason=_reason(agreement=shares[index], competence=skills[index]),
        )


def _rater(parts: Sequence[AnnotatorQuality], times: Times, line: Statistic) -> AnnotatorQuality:
    """A rater over all dimensions."""
    name = parts[0].annotator
    mean, total = _time([t for part in parts for t in times.get((name, part.dimension), [])])
    agreement, skill = _mean(part.agreement for part in parts), _mean(p.competence for p in parts)
    return AnnotatorQuality(
        subject="ratings",
        annotator=name,
        dimension="",
        n=sum(part.n for part in parts),
        mean_seconds=mean,
        total_seconds=total,
        agreement=agreement.value,
        straight_lining=line.value,
        competence=skill.value,
        reason=_reason(agreement=agreement, straight_lining=line, competence=skill),
    )


def _voter(parts: Sequence[AnnotatorQuality]) -> AnnotatorQuality:
    """A voter over all dimensions."""
    n = sum(part.n for part in parts)
    chosen = [round(part.n * (1.0 - (part.tie_share or 0.0))) for part in parts]
    shares = [part.left_share or 0.0 for part in parts]
    left = side(round(sum(map(mul, chosen, shares))), sum(chosen))
    tied = any(part.tie_share is not None for part in parts)
    agreement, skill = _mean(part.agreement for part in parts), _mean(p.competence for p in parts)
    return AnnotatorQuality(
        subject="comparisons",
        annotator=parts[0].annotator,
        dimension="",
        n=n,
        bias=left.direction,
        agreement=agreement.value,
        left_share=left.size.value,
        tie_share=1.0 - sum(chosen) / n if tied else None,
        competence=skill.value,
        reason=_reason(agreement=agreement, competence=skill),
    )


def _competence(columns: RatingColumns) -> Sequence[Statistic]:
    count = len(columns.rater_names)
    if columns.level not in ("nominal", "ordinal"):
        return (undefined("The scale has no categories."),) * count
    return competence(columns.units, columns.raters, columns.values, count=count)


def _times(ratings: Iterable[Rating]) -> Times:
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for rating in ratings:
        if rating.seconds is not None:
            for name in names_of(rating.annotator, rating.campaign):
                times[name, rating.dimension].append(rating.seconds)
    return times


def _time(seconds: Sequence[float]) -> tuple[float, float] | tuple[None, None]:
    return (sum(seconds) / len(seconds), sum(seconds)) if seconds else (None, None)


def _mean(values: Iterable[float | None]) -> Statistic:
    none = undefined("It has no value in any dimension.")
    return mean_of((none if v is None else Statistic(v, 1) for v in values), "dimensions")


def _grouped(result: Iterable[AnnotatorQuality]) -> dict[str, list[AnnotatorQuality]]:
    groups: dict[str, list[AnnotatorQuality]] = defaultdict(list)
    for quality in result:
        groups[quality.annotator].append(quality)
    return groups


def _reason(**statistics: Statistic) -> str | None:
    """Why these have no value, each by its name."""
    lacking = [f"{name}: {s.reason}" for name, s in statistics.items() if s.value is None]
    return " ".join(lacking) or None


FEWEST_DIMENSIONS = 3
"""Equal values in fewer dimensions are no sign of straight-lining."""

_SIGNIFICANT = 0.05

_ALONE = "No unit in common with another annotator."


@dataclass(frozen=True, slots=True)
class Leaning:
    """How far somebody leans, and where to; `direction` is empty where nothing can be tested."""

    size: Statistic
    direction: str


def severities(columns: RatingColumns) -> list[Leaning]:
    """For each rater, how far below the mean of the others a unit is rated on average.

    The direction is `severe` or `lenient` where a t-test at 5 % tells the mean from 0, else
    `none`. Not defined for a rater who shares no unit with others; not tested for one unit.
    """
    below = means_of_others(columns) - columns.values
    shared = ~np.isnan(below)
    groups = by_rater(columns.raters[shared], below[shared], len(columns.rater_names))
    return [
        Leaning(Statistic(float(own.mean()), len(own)), _direction(own))
        if len(own)
        else Leaning(undefined(_ALONE), "")
        for own in groups
    ]


def spreads(columns: RatingColumns) -> list[Statistic]:
    """For each rater, the sample standard deviation of the values; not defined for one value."""
    return [
        Statistic(float(own.std(ddof=1)), len(own))
        if len(own) > 1
        else undefined("Fewer than two ratings.", len(own))
        for own in by_rater(columns.raters, columns.values, len(columns.rater_names))
    ]


def straight_lines(ratings: Iterable[Rating]) -> dict[str, Statistic]:
    """For each annotator, the share of summaries that got one value in every dimension.

    Only summaries that the annotator rated in at least `FEWEST_DIMENSIONS` dimensions count; n is
    their number. Not defined where there are none.
    """
    sheets: dict[tuple[str, str, str, str | None], list[float]] = defaultdict(list)
    for rating in ratings:
        key = (rating.annotator, rating.document, rating.system, rating.campaign)
        sheets[key].append(rating.value)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (annotator, _, _, campaign), values in sheets.items():
        for name in names_of(annotator, campaign):
            enough = len(values) >= FEWEST_DIMENSIONS
            counts[name][0] += enough and len(set(values)) == 1
            counts[name][1] += enough
    none = undefined(f"No summary was rated in {FEWEST_DIMENSIONS} dimensions.")
    return {name: Statistic(same / n, n) if n else none for name, (same, n) in counts.items()}


def names_of(annotator: str, campaign: str | None) -> tuple[str, ...]:
    """The annotator, and the annotator in a campaign: `RatingColumns` uses either as a rater."""
    return (annotator, f"{annotator} ({campaign})") if campaign else (annotator,)


def majority_shares(votes: VoteColumns) -> list[Statistic]:
    """For each annotator, the share of choices that most of the other voters made too.

    A choice is for the first, for the second or for neither. Pairs on which no choice of the
    others is the most frequent, or where there are no others, do not count.
    """
    outcomes = np.array([1.0, 0.0, TIE])
    own = votes.values[:, None] == outcomes
    others = np.stack(votes.counts, axis=1)[votes.pairs] - own
    most = others.max(axis=1, initial=0)
    decided = (others == most[:, None]).sum(axis=1) == 1
    same = (outcomes[others.argmax(axis=1)] == votes.values)[decided].astype(np.float64)
    groups = by_rater(votes.annotators[decided], same, len(votes.annotator_names))
    return [Statistic(float(g.mean()), len(g)) if len(g) else undefined(_ALONE) for g in groups]


def sides(votes: VoteColumns) -> list[Leaning]:
    """For each annotator, how often the left summary was chosen, of the choices that are no tie.

    The direction is `left` or `right` where a binomial test at 5 % tells the share from one half,
    else `none`. Not defined where all are ties.
    """
    chosen = votes.left != TIE
    groups = by_rater(votes.annotators[chosen], votes.left[chosen], len(votes.annotator_names))
    return [side(int(own.sum()), len(own)) for own in groups]


def side(left: int, n: int) -> Leaning:
    """The share of the left side, and where it leans."""
    from scipy.special import bdtr

    if not n:
        return Leaning(undefined("All choices are ties.", chance=0.5), "")
    share = Statistic(left / n, n, chance=0.5)
    if 2 * float(bdtr(min(left, n - left), n, 0.5)) >= _SIGNIFICANT:
        return Leaning(share, "none")
    return Leaning(share, "left" if 2 * left > n else "right")


def _direction(below: Float64) -> str:
    from scipy.special import stdtrit

    n, mean = len(below), float(below.mean())
    if n < 2:
        return ""
    error = float(below.std(ddof=1)) / n**0.5
    if abs(mean) <= float(stdtrit(n - 1, 1 - _SIGNIFICANT / 2)) * error:
        return "none"
    return "severe" if mean > 0 else "lenient"
