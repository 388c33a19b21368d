"""What programs measured of each summary: metrics and plain lengths, as one matrix."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.arithmetic import average_ranks, exact_ties, quotient
from gistmark.analysis.data.columns import Unit
from gistmark.corpus.corpus import Corpus
from gistmark.errors import UsageError, unknown_name
from gistmark.metrics.batch import Batch
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.metric import Better
from gistmark.scoring.scores import Column, Scores

Float64 = NDArray[np.float64]

Parts = Literal["main", "all"]

DIMENSION = "dimension"
"""The part of a row that is a dimension of human judgement and no metric."""

MAIN_PART = "f"
"""The part that stands for a metric with several parts."""

_ONLY_PARTS = ("value", DIMENSION)

_NEITHER: Better = "neither"
_HIGHER: Better = "higher"

_MAIN_PARTS = (MAIN_PART, "value", "per_token", "recall", "precision", "")
"""The parts that may stand for a metric which declares none: the first of these that it has."""

LENGTHS = ("chars", "words", "compression")


@dataclass(frozen=True, order=True)
class MeasureName:
    """A metric and one of its parts; in text `rouge1.f`, or plain `js` where there is one part."""

    metric: str
    part: str

    def __str__(self) -> str:
        return self.metric if self.part in _ONLY_PARTS else f"{self.metric}.{self.part}"


@dataclass(frozen=True)
class Measures:
    """A row of `values` per name, a column per unit (document and system); NaN is missing."""

    units: tuple[Unit, ...]
    names: tuple[MeasureName, ...]
    better: tuple[Better, ...]
    values: Float64

    @cached_property
    def positions(self) -> dict[Unit, int]:
        """The column of each unit."""
        return {unit: index for index, unit in enumerate(self.units)}

    @property
    def oriented(self) -> Float64:
        """The values with those negated of which less is better, so that more always is."""
        signs = np.array([-1.0 if better == "lower" else 1.0 for better in self.better])
        values: Float64 = self.values * signs[:, None]
        return values

    @property
    def judging(self) -> Measures:
        """The rows of which more or less is better: those that judge a summary."""
        rows = zip(self.names, self.better, strict=True)
        return self.select([str(name) for name, better in rows if better != _NEITHER])

    def row(self, name: str) -> int:
        """The row of `rouge1.f` or `js`; a metric by itself means its F, or its only part."""
        names = [str(measure) for measure in self.names]
        parts = [str(measure) for measure in self.names if measure.metric == name]
        for wanted in (name, f"{name}.{MAIN_PART}"):
            if wanted in names:
                return names.index(wanted)
        if len(parts) == 1:
            return names.index(parts[0])
        if parts:
            raise UsageError(f"{name} has several parts; name one of: {', '.join(parts)}.")
        raise unknown_name("metric", name, names)

    def at(self, units: Sequence[Unit], *, oriented: bool = False) -> Float64:
        """The values of these units, in this order; NaN for a unit that is not known."""
        values = self.oriented if oriented else self.values
        padded = np.concatenate([values, np.full((len(self.names), 1), np.nan)], axis=1)
        return padded[:, [self.positions.get(unit, -1) for unit in units]]

    def select(self, names: Sequence[str]) -> Measures:
        """Some of the rows, by name."""
        rows = [self.row(name) for name in names]
        return Measures(
            self.units,
            tuple(self.names[row] for row in rows),
            tuple(self.better[row] for row in rows),
            self.values[rows],
        )

    def where(self, keep: Callable[[Unit], bool]) -> Measures:
        """The values of some units."""
        kept = [column for column, unit in enumerate(self.units) if keep(unit)]
        units = tuple(self.units[column] for column in kept)
        return replace(self, units=units, values=self.values[:, kept])


def measures_of(scores: Scores, *, parts: Parts = "all") -> Measures:
    """The scores of all metrics; values that differ by rounding only become equal."""
    chosen = [
        (metric, part, column)
        for metric, column in scores.columns.items()
        for part in _parts(column, parts)
    ]
    rows = [column.part(part) for _, part, column in chosen]
    return Measures(
        units=tuple(zip(scores.documents, scores.systems, strict=True)),
        names=tuple(MeasureName(metric, part) for metric, part, _ in chosen),
        better=tuple(column.better for *_, column in chosen),
        values=_matrix(rows, scores.summary_count),
    )


def length_measures(corpus: Corpus, names: Sequence[str] = LENGTHS) -> Measures:
    """Length and compression of every summary, references included, by the metrics' definitions."""
    documents = {document.id: document.text for document in corpus.documents}
    batch = Batch.of_columns(
        [summary.text for summary in corpus.summaries],
        [()] * len(corpus.summaries),
        [documents.get(summary.document) for summary in corpus.summaries],
    )
    rows = [metric_from(name).score(batch).values[:, 0] for name in names]
    return Measures(
        units=tuple((summary.document, summary.system) for summary in corpus.summaries),
        names=tuple(MeasureName(name, "value") for name in names),
        better=tuple(_NEITHER for _ in names),
        values=_matrix(rows, len(corpus.summaries)),
    )


def main_part(parts: Collection[str], declared: str | None = None) -> str:
    """The part that stands for a metric: the one that it declares, if it is among these."""
    if declared in parts:
        return str(declared)
    return next((part for part in _MAIN_PARTS if part in parts), min(parts))


def joined(*tables: Measures) -> Measures:
    """The rows of all tables over the units of any; of two rows of a name, the first stays."""
    units = tuple(dict.fromkeys(unit for table in tables for unit in table.units))
    rows: dict[MeasureName, tuple[Better, Float64]] = {}
    for table in tables:
        for name, better, values in zip(table.names, table.better, table.at(units), strict=True):
            rows.setdefault(name, (better, values))
    return Measures(
        units,
        tuple(rows),
        tuple(better for better, _ in rows.values()),
        _matrix([values for _, values in rows.values()], len(units)),
    )


def _parts(column: Column, parts: Parts) -> tuple[str, ...]:
    if parts == "main":
        return (column.main_part,)
    return column.judging


def _matrix(rows: Sequence[Float64], size: int) -> Float64:
    return exact_ties(np.array(rows, dtype=np.float64).reshape(len(rows), size))


_WEIGHTED = re.compile(r"(\d+(?:\.\d+)?)\s*\*\s*(.+)")


def combined(measures: Measures, spec: str) -> Measures:
    """Metrics taken together: `rouge1+js`, `3*blanc-help + rougeLsum`, `blanc-help/compression`.

    A term of the sum may have a weight, and be divided by another metric or length. Several terms
    give two rows. `sum` adds the values as they are, so metrics should be of one size; `rank` is
    the mean of the ranks of a summary, 1 for the worst, with the same weights. One term, which must
    be a quotient, gives its `value`. A metric of which less is better is negated first, so that
    more is better in the result; not so a divisor. A summary that lacks one of the metrics, or
    whose divisor is not above 0, has no value.
    """
    texts = [text.strip() for text in spec.split("+")]
    terms = [_term(measures, text) for text in texts if text]
    if len(terms) < len(texts) or (len(terms) == 1 and not terms[0].is_quotient):
        raise UsageError(
            f"{spec!r} does not join metrics; write them with +, as in rouge1+js, or divide by "
            "one, as in blanc-help/compression."
        )
    values = np.array([term.values for term in terms])
    values = np.where(np.isnan(values).any(axis=0), np.nan, values)
    weights = np.array([term.weight for term in terms])
    rows = {"sum": weights @ values, "rank": weights @ average_ranks(values) / weights.sum()}
    if len(terms) == 1:
        rows = {"value": rows["sum"]}
    metric = "+".join(term.name for term in terms)
    return Measures(
        units=measures.units,
        names=tuple(MeasureName(metric, part) for part in rows),
        better=tuple(_HIGHER for _ in rows),
        values=exact_ties(np.array(list(rows.values()))),
    )


@dataclass(frozen=True)
class _Term:
    """One term of a combination, more of which is better; `values` are without its weight."""

    name: str
    weight: float
    values: Float64
    is_quotient: bool


def _term(measures: Measures, text: str) -> _Term:
    """`rouge1`, `3*rouge1`, `rouge1/words` or `3*rouge1/words`; names may have slashes, too."""
    weighted = _WEIGHTED.fullmatch(text)
    weight, text = (float(weighted[1]), weighted[2]) if weighted else (1.0, text)
    if weight == 0:
        raise UsageError(f"The weight of {text} in a combination must be above 0.")
    prefix = f"{weight:g}*" if weighted else ""
    metric, slash, divisor = (part.strip() for part in text.rpartition("/"))
    if not slash or text in {name for m in measures.names for name in (m.metric, str(m))}:
        values = measures.oriented[measures.row(text)]
        return _Term(f"{prefix}{text}", weight, values, is_quotient=False)
    above, below = measures.oriented[measures.row(metric)], measures.values[measures.row(divisor)]
    name = f"{prefix}{metric}/{divisor}"
    return _Term(name, weight, quotient(above, below), is_quotient=True)
