"""Systems that were judged on different documents, or by different annotators, made comparable.

A judgement is taken as a sum, value = system + document + annotator + rest, fitted by least
squares: the analysis of an incomplete layout (Yates 1934, "The Analysis of Multiple
Classifications with Unequal Numbers in the Different Classes"). A system's adjusted mean is what it
would have if all systems had been judged on every document. Where nothing is missing it is the
plain mean, and a difference of two systems the mean of their differences within documents.

A difference of two systems is t = v'y, with v their columns after documents and annotators are
taken out. If it were d, document k would contribute

    sum over its judgements of v (r + v (t - d) / v'v)

with r what the model leaves of a judgement: the score of the likelihood where the difference is
held at d. These add up to t - d, and their signs can be flipped (Hemerik, Goeman and Finos 2020,
"Robust testing in generalized linear models by sign flipping score contributions"). A document's
share of a difference is its sum of v^2 over v'v. Rests are too small where a document has much to
say about an effect; they are brought back to their size as Bell and McCaffrey (2002), "Bias
reduction in standard errors for linear regression with multi-stage samples", do, by
(I - H)^(-1/2) with H the document's block of the projection.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import quotient
from gistmark.analysis.variance.design import Observations

Bool = NDArray[np.bool_]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]

MOST_CONFOUNDED = 0.5
"""Annotators are taken out where their severity could add more than this share to the variance of
a difference, if it varied as much as the rest of single judgements does."""

_ROUNDING = 1e-9
_LINKED = 1e-6


@dataclass(frozen=True, eq=False)
class AdditiveFit:
    """A fitted model of `data`, in which each document counts its weight.

    `means` are the systems' adjusted means, and `moves` (documents × systems) what each document
    adds to them, less its share of the mean. `directions` has a row per judgement and a column per
    system: v of two systems is the difference of their columns. `rests` is what the model leaves of
    each judgement. Rows of `groups` are equal for systems that are linked.
    """

    data: Observations
    weights: Float64
    means: Float64
    moves: Float64
    directions: Float64
    rests: Float64
    groups: Float64

    @property
    def of_annotators(self) -> bool:
        """Whether the model has annotators."""
        return bool(self.data.annotator.max(initial=0) > 0)

    def linked(self, lefts: Int64, rights: Int64) -> Bool:
        """Which pairs of systems judgements link, directly or through other systems."""
        gaps = np.abs(self.groups[lefts] - self.groups[rights]).max(axis=1, initial=0.0)
        return np.asarray(gaps < _LINKED)

    def contributions(
        self, blocks: Int64, count: int, lefts: Int64, rights: Int64
    ) -> tuple[Float64, Float64]:
        """Blocks × pairs: what each block of judgements adds to a difference, and its share."""
        weights = self.weights[self.data.document][:, None]
        scores = _sums(self.directions * weights * self.rests[:, None], blocks, count)
        weighted = np.sqrt(weights) * self.directions
        squares = np.zeros((count, len(lefts)))
        for number, rows in enumerate(_rows_of(blocks, count)):
            squares[number] = _squared_gaps(weighted[rows], lefts, rights)
        shares = np.nan_to_num(quotient(squares, squares.sum(axis=0)))
        parts = scores[:, lefts] - scores[:, rights]
        parts += shares * (self.means[lefts] - self.means[rights] - parts.sum(axis=0))
        return parts, shares


def fit_additive(data: Observations, systems: int, weights: Float64) -> AdditiveFit:
    """Fit the effects of systems, documents and, where there are several, annotators.

    `weights` has a number for each document; a system that nobody judged has no mean.
    """
    design = _Design(data, systems, weights)
    inverse = np.asarray(
        np.linalg.pinv(design.normal, rcond=_ROUNDING, hermitian=True), dtype=np.float64
    )
    effects: Float64 = inverse @ design.transposed(design.centred(data.value))
    directions = design.centred(design.times(inverse[:, :systems]))
    rests = design.corrected(design.centred(data.value - design.times(effects)), inverse)
    scores = _sums(directions * (design.weight * rests)[:, None], data.document, len(weights))
    share = weights * (design.judgements > 0) / (weights @ (design.judgements > 0))
    company = share @ design.systems_of_documents
    levels = design.means(data.value - effects[data.system])
    moves = scores - (scores @ company)[:, None] + (share * (levels - share @ levels))[:, None]
    moves -= share[:, None] * moves.sum(axis=0)
    means = effects[:systems] + share @ levels
    means[np.bincount(data.system, minlength=systems) == 0] = np.nan
    groups = (design.normal @ inverse[:, :systems]).T - np.eye(systems, len(inverse))
    return AdditiveFit(data, weights, means, moves, directions, rests, groups)


class _Design:
    """Who judged what, as the columns of systems and annotators; documents are taken out."""

    def __init__(self, data: Observations, systems: int, weights: Float64) -> None:
        self.data = data
        self.weight = weights[data.document]
        self.judgements = np.bincount(data.document, minlength=len(weights))
        self.columns = [data.system]
        self.size = systems
        if (annotators := int(data.annotator.max(initial=0)) + 1) > 1:
            self.columns.append(systems + data.annotator)
            self.size += annotators
        counts = np.zeros((len(weights), self.size))
        self.normal = np.zeros((self.size, self.size))
        for column in self.columns:
            np.add.at(counts, (data.document, column), 1.0)
            for other in self.columns:
                np.add.at(self.normal, (column, other), self.weight)
        shares = counts / np.maximum(self.judgements, 1)[:, None]
        self.systems_of_documents = shares[:, :systems]
        self.normal -= (shares * weights[:, None]).T @ counts

    def means(self, values: Float64) -> Float64:
        """The mean of each document's judgements."""
        sums = _sums(values, self.data.document, len(self.judgements))
        means: Float64 = (sums.T / np.maximum(self.judgements, 1)).T
        return means

    def centred(self, values: Float64) -> Float64:
        """What is left of values without the means of their documents."""
        return values - self.means(values)[self.data.document]

    def times(self, effects: Float64) -> Float64:
        """What the effects of systems and annotators add to each judgement."""
        total: Float64 = np.sum([effects[column] for column in self.columns], axis=0)
        return total

    def transposed(self, values: Float64) -> Float64:
        """The weighted sums of the judgements of each system and annotator."""
        weighted = self.weight * values
        total: Float64 = np.sum([_sums(weighted, c, self.size) for c in self.columns], axis=0)
        return total

    def corrected(self, rests: Float64, inverse: Float64) -> Float64:
        """Rests of the size that they would have if the document were not in the model.

        Documents that were judged in the same way share H. With all of D documents the same, it
        makes them larger by the root of D / (D - 1), which is taken back: a test of signs holds
        the difference where it is tested, and needs no correction for it.
        """
        alike: dict[bytes, list[Int64]] = {}
        for rows in _rows_of(self.data.document, len(self.judgements)):
            levels = np.stack([self.weight[rows], *(column[rows] for column in self.columns)])
            order = np.lexsort(levels[1:])
            alike.setdefault(levels[:, order].tobytes(), []).append(rows[order])
        result = np.zeros_like(rests)
        for blocks in alike.values():
            rows = blocks[0]
            if len(rows) < 2:
                continue
            levels = np.zeros((len(rows), self.size))
            for column in self.columns:
                levels[np.arange(len(rows)), column[rows]] += 1.0
            levels -= levels.mean(axis=0)
            kept, vectors = np.linalg.eigh(
                np.eye(len(rows)) - self.weight[rows[0]] * levels @ inverse @ levels.T
            )
            sizes = np.where(kept > _ROUNDING, 1.0 / np.sqrt(np.maximum(kept, _ROUNDING)), 0.0)
            every = np.stack(blocks)
            result[every] = rests[every] @ (vectors * sizes) @ vectors.T
        several = int(np.count_nonzero(self.judgements > 1))
        return result * np.sqrt((several - 1) / several) if several else result


def annotator_excess(ratings: Observations, cells: AdditiveFit) -> Float64:
    """What annotators' severity may add to the variance of differences of systems' cell means.

    A difference is the sum of c y over ratings y. Severity of variance s adds s times the sum over
    annotators of (sum of their c)^2 to its variance, of which a test over documents sees s times
    the sum over annotators and documents. The rest is divided by the sum of c^2: 0 where everybody
    judged all systems about the same documents and, on average, where chance decided who judged
    what; the number of documents less 1 where each system has its annotator.
    """
    systems = len(cells.means)
    lefts, rights = np.triu_indices(systems, k=1)
    cell_of = np.full((len(cells.weights), systems), -1)
    cell_of[cells.data.document, cells.data.system] = np.arange(len(cells.data.value))
    cell = cell_of[ratings.document, ratings.system]
    weights = cells.weights[ratings.document] / np.bincount(cell)[cell]
    shares = cells.directions[cell] * weights[:, None]
    by_annotator, by_both = (
        _squared_gaps(_sums(shares, codes, int(codes.max()) + 1), lefts, rights)
        for codes in (ratings.annotator, ratings.codes(("annotator", "document")))
    )
    return quotient(by_annotator - by_both, _squared_gaps(shares, lefts, rights))


def _squared_gaps(table: Float64, lefts: Int64, rights: Int64) -> Float64:
    """The sum over rows of the squared difference of two columns."""
    products = table.T @ table
    squares = np.diagonal(products)
    gaps: Float64 = squares[lefts] + squares[rights] - 2.0 * products[lefts, rights]
    return np.where(gaps > _ROUNDING * (squares[lefts] + squares[rights]), gaps, 0.0)


def _sums(values: Float64, numbers: Int64, count: int) -> Float64:
    """The sums of the rows of each number."""
    sums = np.zeros((count, *values.shape[1:]))
    np.add.at(sums, numbers, values)
    return sums


def _rows_of(numbers: Int64, count: int) -> list[Int64]:
    """The rows that have each number."""
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.searchsorted(numbers[order], np.arange(1, count)))
