"""Mean confidence and mean relevance weight of dimensions, systems, documents and annotators.

After DIP-SumEval, section 3.3.1 and Table 2: beside each rating, annotators say how sure they are
of it, and how much the dimension counts for the quality of this summary. People use the scale of
weights differently, so there is also the share of a dimension in an annotation's weights:

    share = w / sum of w over the dimensions, the overall one left out
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.weights import UNWEIGHTED, Weights
from gistmark.analysis.findings.words import listed
from gistmark.analysis.human.composites import guess_overall, guess_scales
from gistmark.analysis.resampling.means import (
    ALL_EQUAL,
    EVERYWHERE,
    ONE_DOCUMENT,
    Limits,
    ratio_intervals,
)
from gistmark.analysis.studies.records import Note
from gistmark.records import Rating

Attribute = Literal["confidence", "weight"]
Measure = Literal["confidence", "weight", "weight share"]
By = Literal["dimension", "system", "document", "annotator"]
Over = Literal["documents", "annotators"]

ATTRIBUTES: tuple[Attribute, ...] = ("confidence", "weight")
SHARE: Measure = "weight share"

ONE_ANNOTATOR = "one annotator does not tell how far others differ, so there is no interval"

Sheet = tuple[str, str, str, str | None]
"""What one annotator says of one summary in one campaign: document, system, annotator, campaign."""


@dataclass(frozen=True, slots=True)
class ConfidenceMean:
    """The mean confidence or weight in some ratings.

    `measure` is `confidence`, `weight` or `weight share`; `by` and `name` say of which dimension,
    system, document or annotator; `dimension` is empty for all dimensions together. `low` and
    `high` bound the mean at 95 % `over` other documents, with these annotators; that of a document
    over other annotators. `n` counts ratings. A mean without an interval has a `reason`.
    """

    measure: Measure
    by: By
    name: str
    dimension: str
    value: float
    low: float | None
    high: float | None
    n: int
    over: Over
    reason: str | None = None


def confidence_means(
    ratings: Sequence[Rating],
    *,
    overall: str | None = None,
    weights: Weights = UNWEIGHTED,
    anonymous: Collection[str] = (),
) -> list[ConfidenceMean]:
    """All means, as far as ratings have a confidence or a weight.

    `overall` is the overall dimension, where it cannot be guessed: it has no share of the weights.
    `anonymous` systems only number the summaries of a document, so they have no mean.
    """
    records: list[ConfidenceMean] = []
    for measure in ATTRIBUTES:
        values = values_of(ratings, measure)
        named = [value for value in values if value.system not in anonymous]
        records += [
            *_means(measure, "dimension", values, weights),
            *_means(measure, "system", named, weights),
            *_means(measure, "system", named, weights, by_dimension=True),
            *_means(measure, "document", values),
            *_means(measure, "annotator", values, weights),
        ]
    records += _means(SHARE, "dimension", weight_shares(ratings, overall), weights)
    return records


def values_of(ratings: Iterable[Rating], attribute: Attribute) -> list[Rating]:
    """The ratings that have a confidence (or a weight), with it as their value.

    Where campaigns evidently had different scales for it, such as 1 to 5 and 0 to 100, each value
    is the share of its campaign's scale, from the lowest to the highest value that occurs there.
    """
    values = _attributes(ratings, attribute)
    scales = _scales(values)
    if len(set(scales.values())) < 2:
        return values
    return [
        replace(value, value=(value.value - low) / (high - low) if high > low else 0.0)
        for value in values
        for low, high in [scales[value.campaign or ""]]
    ]


def confidence_notes(ratings: Sequence[Rating], overall: str | None = None) -> Iterator[Note]:
    """Notes on scales that differ between campaigns, and on weights that have no shares."""
    for attribute in ATTRIBUTES:
        scales = _scales(_attributes(ratings, attribute))
        if len(set(scales.values())) > 1:
            names = [
                f"{name or 'no campaign'}: {low:g} to {high:g}"
                for name, (low, high) in scales.items()
            ]
            yield Note(
                attribute,
                f"Campaigns have different scales of {attribute} ({listed(names)}), so each value "
                "is taken as the share of its campaign’s scale, from 0 to 1.",
            )
    if len(_weighed_dimensions(ratings, overall)) > 1 and not weighed_sheets(ratings, overall):
        yield Note(
            "weight",
            "No annotation has usable weights of all dimensions (none below 0, not all of them 0), "
            "so dimensions have no shares of the weights, and there is no weighted overall.",
        )


def weight_shares(ratings: Sequence[Rating], overall: str | None) -> list[Rating]:
    """The share of each dimension but the overall one in the weights of an annotation.

    An annotation counts if it weighs every dimension that anybody weighs, none of them below 0 and
    not all with 0.
    """
    shares: list[Rating] = []
    for sheet in weighed_sheets(ratings, overall):
        total = sum(rating.weight or 0.0 for rating in sheet)
        shares += [replace(rating, value=(rating.weight or 0.0) / total) for rating in sheet]
    return shares


def weighed_sheets(ratings: Sequence[Rating], overall: str | None) -> list[list[Rating]]:
    """The ratings of each annotation that weighs all dimensions but the overall one.

    None where fewer than two dimensions have a weight.
    """
    needed = _weighed_dimensions(ratings, overall)
    sheets: dict[Sheet, dict[str, Rating]] = {}
    for rating in ratings:
        if rating.weight is not None and rating.dimension in needed:
            sheet = (rating.document, rating.system, rating.annotator, rating.campaign)
            sheets.setdefault(sheet, {})[rating.dimension] = rating
    return [
        list(sheet.values())
        for sheet in sheets.values()
        if len(needed) > 1
        and sheet.keys() == needed
        and max(rating.weight or 0.0 for rating in sheet.values()) > 0
        and min(rating.weight or 0.0 for rating in sheet.values()) >= 0
    ]


def _weighed_dimensions(ratings: Iterable[Rating], overall: str | None) -> set[str]:
    """The dimensions that have a weight anywhere, but the overall one."""
    weighed = dict.fromkeys(rating.dimension for rating in ratings if rating.weight is not None)
    return {*weighed} - {guess_overall([*weighed]) if overall is None else overall}


def _attributes(ratings: Iterable[Rating], attribute: Attribute) -> list[Rating]:
    """The ratings that have a confidence (or a weight), with it as their value."""
    return [
        replace(rating, value=value)
        for rating in ratings
        if (value := getattr(rating, attribute)) is not None
    ]


def _scales(values: Iterable[Rating]) -> dict[str, tuple[float, float]]:
    """The scale of each campaign, by the rule that tells scales of dimensions apart."""
    return guess_scales([replace(value, dimension=value.campaign or "") for value in values])


_NAMES: dict[By, Callable[[Rating], str]] = {
    "dimension": lambda rating: rating.dimension,
    "system": lambda rating: rating.system,
    "document": lambda rating: rating.document,
    "annotator": lambda rating: rating.annotator,
}


def _means(
    measure: Measure,
    by: By,
    values: Sequence[Rating],
    weights: Weights = UNWEIGHTED,
    *,
    by_dimension: bool = False,
) -> Iterator[ConfidenceMean]:
    """The mean of each name (in each dimension), with its interval over clusters of ratings."""
    over: Over = "annotators" if by == "document" else "documents"
    cluster_of = _NAMES["annotator" if by == "document" else "document"]
    keys = [
        (_NAMES[by](value), value.dimension if by_dimension or by == "dimension" else "")
        for value in values
    ]
    columns = {key: column for column, key in enumerate(dict.fromkeys(keys))}
    rows = {name: row for row, name in enumerate(dict.fromkeys(map(cluster_of, values)))}
    cells = [rows[cluster_of(value)] for value in values], [columns[key] for key in keys]
    sums, counts = np.zeros((len(rows), len(columns))), np.zeros((len(rows), len(columns)))
    np.add.at(sums, cells, [value.value for value in values])
    np.add.at(counts, cells, 1.0)
    of_documents = weights.of_documents(tuple(rows)) if over == "documents" else None
    counted = np.ones(len(rows)) if of_documents is None else of_documents
    sums, weighted = sums * counted[:, None], counts * counted[:, None]
    limits: Limits = (0.0, 1.0) if measure == SHARE else EVERYWHERE
    means = quotient(sums.sum(axis=0), weighted.sum(axis=0))
    intervals = ratio_intervals(sums, weighted, limits)
    for (name, dimension), column in columns.items():
        interval, clusters = intervals[column], np.count_nonzero(counts[:, column])
        reason = None
        if interval.low is None:
            alone = ONE_DOCUMENT if over == "documents" else ONE_ANNOTATOR
            reason = alone if clusters == 1 else ALL_EQUAL
        yield ConfidenceMean(
            measure, by, name, dimension, float(means[column]), interval.low, interval.high,
            int(counts[:, column].sum()), over, reason,
        )  # fmt: skip
