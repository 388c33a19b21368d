"""Krippendorff's alpha with any distance between values, and an interval over documents.

The same formula as in `alpha`, with a table of distances between the distinct values:

    alpha = 1 - (n - 1) D / E
    D = sum over units u of  1 / (m_u - 1) * sum over ordered pairs (v, w) in u of  delta(v, w)
    E = sum over ordered pairs (v, w) of all pairable values of  delta(v, w)

For sets of options delta is the distance of Passonneau, "Measuring Agreement on Set-valued Items
(MASI) for Semantic and Pragmatic Annotation" (2006): 1 - J M, where J is the Jaccard coefficient
and M is 1 for equal sets, 2/3 where one holds the other, 1/3 where they overlap otherwise, else 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gistmark.analysis.agreement.coefficients.intervals import summed, with_interval
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.columns import Float64, Int64

NO_UNIT = "No two annotators answered it about the same item."


def nominal_distances(size: int) -> Float64:
    """1 between different values."""
    return 1.0 - np.eye(size)


def interval_distances(values: Float64) -> Float64:
    """The squared difference."""
    distances: Float64 = (values[:, None] - values) ** 2
    return distances


def masi_distances(sets: Sequence[frozenset[str]]) -> Float64:
    """The MASI distance of every two sets; two empty ones are equal, an empty one is unlike all."""
    return np.array([[_masi(one, other) for other in sets] for one in sets], dtype=np.float64)


def _masi(one: frozenset[str], other: frozenset[str]) -> float:
    if one == other:
        return 0.0
    common = len(one & other)
    monotone = 2 / 3 if one < other or other < one else 1 / 3
    return 1.0 - monotone * common / len(one | other)


def distance_alpha(units: Int64, codes: Int64, documents: Int64, distances: Float64) -> Statistic:
    """Alpha with an interval over documents; `documents[u]` is that of unit u.

    `codes[i]`, a row of `distances`, was given to unit `units[i]`; a unit with one value is left
    out, and n counts the others. Not defined where none is left or where all values are equal.
    """
    counts = np.zeros((len(documents), len(distances)))
    np.add.at(counts, (units, codes), 1.0)
    good = counts.sum(axis=1) >= 2
    counts, documents = counts[good], documents[good]
    if not len(counts):
        return undefined(NO_UNIT)
    sizes = counts.sum(axis=1)
    inner = np.einsum("uv,vw,uw->u", counts, distances, counts, optimize=True) / (sizes - 1)
    used, document_of = np.unique(documents, return_inverse=True)
    parts = np.zeros((len(used), len(distances) + 1))
    np.add.at(parts, document_of.ravel(), np.concatenate([counts, inner[:, None]], axis=1))
    whole = parts.sum(axis=0)
    (value,) = _alphas(whole[None], distances)
    if np.isnan(value):
        return undefined("All answers are the same.", len(counts))
    left_out = _alphas(whole - summed(parts), distances)
    return with_interval(Statistic(float(value), len(counts)), left_out, documents=len(used))


def _alphas(sums: Float64, distances: Float64) -> Float64:
    """Alpha of each row of totals of values and D; NaN where all values are equal."""
    totals, inner = sums[:, :-1], sums[:, -1]
    outer = ((totals @ distances) * totals).sum(axis=1)
    return 1.0 - quotient((totals.sum(axis=1) - 1) * inner, outer)
