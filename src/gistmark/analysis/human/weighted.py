"""The weighted overall: a human score from ratings and the relevance weights beside them.

In DIP-SumEval (section 3.3.1) annotators say of each dimension how much it counts for the quality
of this very summary. With their ratings r brought to 0..1 by the scale of the dimension, an
annotation comes to

    sum of w r / sum of w        over all weighed dimensions but the overall one

which is the same however high somebody's weights are altogether.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gistmark.analysis.confidence.means import weighed_sheets
from gistmark.analysis.human.composites import Scale, guess_scales
from gistmark.records import Rating

WEIGHTED_OVERALL = "weighted overall"


def weighted_ratings(
    ratings: Sequence[Rating],
    *,
    overall: str | None = None,
    scales: Mapping[str, Scale] | None = None,
) -> list[Rating]:
    """One rating for each annotation that weighs all dimensions: its weighted overall.

    Scales are those of HS1 (`composite_scores`). A dimension whose ratings are all the same, on no
    known scale, counts as 0, as in HS1.
    """
    bounds = guess_scales(ratings) | dict(scales or {})
    return [_weighted(sheet, bounds) for sheet in weighed_sheets(ratings, overall)]


def _weighted(sheet: Sequence[Rating], bounds: Mapping[str, Scale]) -> Rating:
    first, total, value = sheet[0], 0.0, 0.0
    for rating in sheet:
        low, high = bounds[rating.dimension]
        weight = rating.weight or 0.0
        total += weight
        value += weight * ((rating.value - low) / (high - low) if high > low else 0.0)
    return Rating(
        first.document, first.system, first.annotator, WEIGHTED_OVERALL, value / total,
        campaign=first.campaign,
    )  # fmt: skip
