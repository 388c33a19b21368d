"""What confidence and weights say in words: each sentence only where a test supports it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

from gistmark.analysis.confidence.halves import DIFFERENCE, WITHIN, ConfidenceAgreement
from gistmark.analysis.confidence.means import SHARE, ConfidenceMean, values_of
from gistmark.analysis.findings.words import (
    counted,
    show_estimate,
    show_interval,
    show_number,
    show_p,
    show_percent,
)
from gistmark.analysis.human.composites import guess_overall
from gistmark.analysis.human.scores import dimension_means
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.ranking.ranking import MEAN, rank_human
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies.options import PairsOver
from gistmark.analysis.studies.records import Finding, Pair
from gistmark.records import Rating


def weight_pairs(
    ratings: Sequence[Rating],
    resampling: Resampling,
    *,
    overall: str | None = None,
    over: PairsOver = "both",
) -> tuple[Pair, ...]:
    """Every two dimensions but the overall one by their mean weight, tested like two systems.

    `over` documents and annotators, or over documents alone: then with these annotators.
    """
    values = values_of(ratings, "weight")
    dimensions = tuple(dict.fromkeys(value.dimension for value in values))
    overall = guess_overall(dimensions) if overall is None else overall
    groups: dict[tuple[str, str, str], list[float]] = {}
    for value in values:
        if value.dimension != overall:
            key = (value.document, value.dimension, value.annotator)
            groups.setdefault(key, []).append(value.value)
    if len({dimension for _, dimension, _ in groups}) < 2:
        return ()
    means = [
        Rating(document, dimension, annotator, "weight", fmean(group))
        for (document, dimension, annotator), group in groups.items()
    ]
    ranking = rank_human(
        dimension_means(means), resampling, methods=(MEAN,), ratings=means, over=over
    )
    return ranking.pairs


def confidence_findings(
    ratings: Sequence[Rating],
    means: Sequence[ConfidenceMean],
    agreement: Iterable[ConfidenceAgreement],
    resampling: Resampling,
    *,
    overall: str | None = None,
) -> Iterator[Finding]:
    """Which dimension counts most, and whether people differ more where they are not sure."""
    first = _highest(means, overall)
    if first is not None:
        for over, scope in _SCOPES.items():
            p = _against_all(first, weight_pairs(ratings, resampling, overall=overall, over=over))
            if p is not None and p < SIGNIFICANT:
                yield _most_weight(first, means, p, scope)
                break
    for record in agreement:
        if (record.dimension, record.statistic, record.group) == ("", DIFFERENCE, WITHIN):
            yield from _less_sure(record)


_SCOPES: dict[PairsOver, tuple[str, str]] = {
    "both": ("Annotators give", "over documents and annotators"),
    "documents": ("These annotators give", "over documents, with these annotators"),
}
"""Over whom a sentence about weights speaks, and what its test is over; the wider one first."""


def _highest(means: Iterable[ConfidenceMean], overall: str | None) -> ConfidenceMean | None:
    """The dimension with the highest mean weight, of two or more besides the overall one."""
    weights = [r for r in means if (r.measure, r.by) == ("weight", "dimension")]
    overall = guess_overall([record.name for record in weights]) if overall is None else overall
    weights = [record for record in weights if record.name != overall]
    return max(weights, key=lambda record: record.value) if len(weights) > 1 else None


def _against_all(first: ConfidenceMean, pairs: Sequence[Pair]) -> float | None:
    """The largest p of the differences to all other dimensions; None where one has none.

    So too where tests that see to missing weights put another dimension first.
    """
    against = [pair for pair in pairs if first.name in (pair.left, pair.right)]
    values = [
        pair.p_corrected
        for pair in against
        if (pair.difference or 0.0) * (1 if pair.left == first.name else -1) > 0
    ]
    defined = [value for value in values if value is not None]
    return max(defined) if against and len(defined) == len(against) else None


def _most_weight(
    first: ConfidenceMean, means: Sequence[ConfidenceMean], p: float, scope: tuple[str, str]
) -> Finding:
    shares = {record.name: record for record in means if record.measure == SHARE}
    share = ""
    if first.name in shares:
        mean = show_percent(shares[first.name].value)
        share = f" Its share of an annotation’s weights is {mean} on average."
    people, over = scope
    if sum((record.measure, record.by) == ("weight", "annotator") for record in means) == 1:
        people = "The annotator gives"
    return Finding(
        kind="confidence",
        text=f"{people} most weight to {first.name}: "
        f"{show_estimate(first.value, first.low, first.high)} on average.",
        detail="It differs significantly from every other dimension (sign flips "
        f"{over}, Holm’s correction, largest p {show_p(p)}).{share}",
        by="weight",
        dimension=first.name,
        name=first.name,
        value=first.value,
        low=first.low,
        high=first.high,
        p=p,
        n=first.n,
    )


def _less_sure(record: ConfidenceAgreement) -> Iterator[Finding]:
    """That the same two annotators differ more, or less, where they are not sure."""
    if record.value is None or record.low is None or record.high is None:
        return
    if record.low <= 0 <= record.high:
        return
    more = "more" if record.value > 0 else "less"
    bounds = sorted((abs(record.low), abs(record.high)))
    yield Finding(
        kind="confidence",
        text=f"The same two annotators differ {more} where neither is sure of the rating than "
        f"where both are: by {show_number(abs(record.value))} {show_interval(*bounds)} of the "
        "scale.",
        detail=f"Over {counted(record.documents, 'document')}, with these annotators and all "
        "dimensions together; sure is a confidence from the median of its dimension on.",
        by="confidence",
        name=WITHIN,
        value=record.value,
        low=record.low,
        high=record.high,
        n=record.n,
    )


def confidence_methods(ratings: Iterable[Rating]) -> Iterator[str]:
    """How confidence is analysed, as far as there is any."""
    if any(rating.confidence is not None for rating in ratings):
        yield (
            "A rating is sure if its confidence is at or above the median of its dimension. "
            "Agreement is alpha of the sure ratings and of the others, and the mean absolute "
            "difference of two annotators where both, one or neither is sure; within the same two "
            "annotators by least squares with an effect of each two annotators and dimension. "
            "Intervals are by the jackknife over documents."
        )
