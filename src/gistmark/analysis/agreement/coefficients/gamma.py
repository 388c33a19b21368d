"""Gamma: agreement on spans, where they are and of which category, without cutting text into words.

Mathet, Widlöcher and Métivier, "The Unified and Holistic Method Gamma (γ) for Inter-Annotator
Agreement Measure and Alignment" (2015). A unitary alignment takes at most one span of each
annotator; its disorder is the mean over pairs of annotators of their dissimilarity

    d(u, v) = ((|s_u - s_v| + |e_u - e_v|) / (e_u - s_u + e_v - s_v))^2 + [categories differ]

or 1 where one of the two has no span in it. The disorder of a text is the least sum over unitary
alignments in which every span occurs once, and

    gamma = 1 - disorder / expected disorder

1 is full agreement, 0 what chance gives. Chance moves all spans of an annotator by one random
distance, round the end of the text (section 5.2). Where there are many texts, as here, disorders
and expected disorders are summed over texts. The package pygamma-agreement has the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from gistmark.analysis.agreement.coefficients.intervals import summed, with_interval
from gistmark.analysis.agreement.coefficients.statistic import Statistic, undefined
from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.data.columns import Float64, Int64

MOST_ALIGNMENTS = 20_000
"""A text in which spans can be put together in more ways is too much work."""

_SAMPLES = 300
"""How many random annotations there are at least, over all texts together."""

_TOGETHER = 100
"""How many texts are aligned at a time."""

_TRIES = 20

_ROUNDING = 1e-9

Spans = Float64
"""A row per span: start, end and the number of its category."""


@dataclass(frozen=True)
class MarkedText:
    """A text of `size` characters with the spans of each annotator; `document` is its number."""

    document: int
    size: int
    annotators: Sequence[Spans]


def gamma(texts: Sequence[MarkedText], rng: np.random.Generator) -> Statistic:
    """Gamma over all texts, with an interval over documents; n counts texts with a span.

    Not defined where no text has a span, or where one has too many.
    """
    marked = [text for text in texts if any(len(spans) for spans in text.annotators)]
    if not marked:
        return undefined("No annotator marked such a span.")
    samples = ceil(_SAMPLES / len(marked))
    shuffled = [_shuffled(text, rng) for text in marked for _ in range(samples)]
    observed = disorders([text.annotators for text in marked])
    expected = disorders(shuffled)
    if observed is None or expected is None:
        why = f"The spans of a text can be aligned in more than {MOST_ALIGNMENTS:,} ways."
        return undefined(why, len(marked))
    parts = np.stack([observed, expected.reshape(-1, samples).mean(axis=1)], axis=1)
    _, numbers = np.unique([text.document for text in marked], return_inverse=True)
    documents = np.zeros((int(numbers.max()) + 1, 2))
    np.add.at(documents, numbers, parts)
    whole = documents.sum(axis=0)
    result = Statistic(float(1 - whole[0] / whole[1]), len(marked))
    left_out = 1 - quotient(*(whole - summed(documents)).T)
    return with_interval(result, left_out, documents=len(documents))


def disorders(texts: Sequence[Sequence[Spans]]) -> Float64 | None:
    """The disorder of the best alignment of each text, or None where that is too much work."""
    values = []
    for start in range(0, len(texts), _TOGETHER):
        blocks = []
        for annotators in texts[start : start + _TOGETHER]:
            rows, costs = _unitary_alignments(annotators)
            if costs is None:
                return None
            blocks.append((rows, costs))
        values.append(_least_costs(blocks))
    return np.concatenate(values)


def dissimilarities(one: Spans, other: Spans) -> Float64:
    """d(u, v) of every span of one annotator and of another."""
    first, second = one[:, None], other[None]
    apart = np.abs(first[..., :2] - second[..., :2]).sum(axis=-1)
    lengths = first[..., 1] - first[..., 0] + second[..., 1] - second[..., 0]
    result: Float64 = (apart / lengths) ** 2 + (first[..., 2] != second[..., 2])
    return result


def _unitary_alignments(annotators: Sequence[Spans]) -> tuple[Int64, Float64 | None]:
    """Alignments × annotators: which span (or -1) is in it, and what it costs.

    One that costs more than its spans do alone, 1 each, is never in the best alignment. It is left
    out as soon as pairs among the first annotators cost more, whatever the others may add.
    """
    count = len(annotators)
    pairs = count * (count - 1) / 2
    rows, costs = np.full((1, 0), -1), np.zeros(1)
    for number, spans in enumerate(annotators):
        if len(rows) * (len(spans) + 1) > MOST_ALIGNMENTS:
            return rows, None
        choices = np.arange(-1, len(spans))
        rows = np.column_stack([np.repeat(rows, len(choices), axis=0), np.tile(choices, len(rows))])
        costs = np.repeat(costs, len(choices))
        for before, others in enumerate(annotators[:number]):
            table = np.ones((len(others) + 1, len(choices)))
            table[:-1, 1:] = dissimilarities(others, spans)
            costs = costs + table[rows[:, before], rows[:, -1] + 1]
        most = (rows >= 0).sum(axis=1) + count - 1 - number
        keep = costs <= pairs * most + _ROUNDING
        rows, costs = rows[keep], costs[keep]
    used = (rows >= 0).any(axis=1)
    return rows[used], costs[used] / pairs


def _least_costs(texts: Sequence[tuple[Int64, Float64]]) -> Float64:
    """The least cost of each text's alignments in which every span occurs once.

    It is one integer program for all texts, since starting the solver costs more than a text does.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import block_array

    costs = np.concatenate([costs for _, costs in texts])
    once = block_array(
        [
            [_membership(rows) if column == number else None for column in range(len(texts))]
            for number, (rows, _) in enumerate(texts)
        ],
        format="csr",
    )
    result = milp(
        costs,
        integrality=np.ones(len(costs), dtype=np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(once, 1, 1),
    )
    if result.x is None:
        raise RuntimeError(f"The best alignment of spans was not found: {result.message}")
    text_of = np.repeat(np.arange(len(texts)), [len(costs) for _, costs in texts])
    return np.bincount(text_of, weights=costs * np.round(result.x)).astype(np.float64)


def _membership(rows: Int64) -> Any:
    """Spans × alignments: 1 where a span is in an alignment."""
    from scipy.sparse import csr_array

    sizes = rows.max(axis=0, initial=-1) + 1
    starts = np.cumsum(sizes) - sizes
    number, annotator = np.nonzero(rows >= 0)
    spans = starts[annotator] + rows[number, annotator]
    return csr_array((np.ones(len(spans)), (spans, number)), (int(sizes.sum()), len(rows)))


def _shuffled(text: MarkedText, rng: np.random.Generator) -> list[Spans]:
    """Every annotator's spans moved by a distance of its own, at least half a span from others."""
    lengths = np.concatenate([spans[:, 1] - spans[:, 0] for spans in text.annotators])
    least = float(lengths.mean()) / 2
    moves: list[float] = []
    for _ in text.annotators:
        for _ in range(_TRIES):
            move = float(rng.integers(text.size))
            gaps = [abs(move - other) for other in moves]
            if all(min(gap, text.size - gap) >= least for gap in gaps):
                break
        moves.append(move)
    result = []
    for spans, move in zip(text.annotators, moves, strict=True):
        moved = spans.copy()
        moved[:, 0] = (spans[:, 0] + move) % text.size
        moved[:, 1] = moved[:, 0] + spans[:, 1] - spans[:, 0]
        result.append(moved)
    return result
