"""Variance components of ratings: how much of their spread comes from whom and what.

For each dimension a crossed mixed model (`mixed_model`) says how far ratings differ because of the
annotator, the document, how an annotator takes a document, the single summary, how far an annotator
favours a system, and the rest. From the same model come the differences between systems, and how
reliable the mean of k annotators is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy import stats
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from gistmark.analysis.data.columns import RatingColumns, columns_by_dimension
from gistmark.analysis.resampling.bootstrap import CONFIDENCE
from gistmark.analysis.resampling.significance import correct
from gistmark.analysis.studies.options import PairsOver
from gistmark.analysis.variance.design import FAVOUR, RESIDUAL, Observations, identifiable
from gistmark.analysis.variance.mixed_model import Fit, fit
from gistmark.records import Rating

SYSTEM = "system"
ANNOTATORS = (1, 2, 3, 5, 10)
"""The numbers of annotators whose mean's reliability is given."""

_MOST_SYSTEMS = 60
"""With more systems than this the differences between all of them are not listed."""


@dataclass(frozen=True, slots=True)
class VarianceComponent:
    """How much of the variance of a dimension's ratings comes from one source.

    `source` is `system` (the variance of the systems' means), a random term of the mixed model
    such as `annotator` or `annotator:document`, or `residual`. `share` is of their sum.
    """

    dimension: str
    source: str
    variance: float | None
    share: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Reliability:
    """How reliable the mean rating of a summary by `annotators` people is, from 0 to 1.

    The share of its variance that does not come from who the annotators were.
    """

    dimension: str
    annotators: int
    value: float | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference of two systems' means in the mixed model.

    `over` says what it holds for: `both`, other documents and other annotators, where the model
    tells how far annotators favour systems; else other `documents`, with these annotators. `low`
    and `high` bound it at 95 % with `df` degrees of freedom (Satterthwaite); `p_corrected` is
    corrected by Holm among all pairs of the dimension.
    """

    dimension: str
    left: str
    right: str
    difference: float | None
    low: float | None
    high: float | None
    df: float | None
    p: float | None
    p_corrected: float | None
    n: int
    reason: str | None = None
    over: PairsOver = "documents"


@dataclass(frozen=True, slots=True)
class Variance:
    """What the mixed models of all dimensions say."""

    components: tuple[VarianceComponent, ...] = ()
    reliability: tuple[Reliability, ...] = ()
    contrasts: tuple[Contrast, ...] = ()


def variance_of(ratings: Sequence[Rating]) -> Variance:
    """Fit a mixed model to the ratings of every dimension."""
    components: list[VarianceComponent] = []
    reliability: list[Reliability] = []
    contrasts: list[Contrast] = []
    for columns in columns_by_dimension(ratings).values():
        model = _Model(columns)
        components += model.components()
        reliability += model.reliability()
        contrasts += model.contrasts()
    return Variance(tuple(components), tuple(reliability), tuple(contrasts))


class _Model:
    """The mixed model of one dimension, or why there is none."""

    def __init__(self, columns: RatingColumns) -> None:
        self.dimension = columns.dimension
        self.n = len(columns)
        self.systems = tuple(_first(columns, 1))
        self.data = observations(columns)
        self.terms = identifiable(self.data)
        self.reason = self._reason()
        self.fit: Fit | None = None if self.reason else fit(self.data, self.terms)

    def _reason(self) -> str | None:
        if len(np.unique(self.data.value)) < 2:
            return "all ratings are equal"
        if "annotator" not in self.terms:
            return "there is one annotator, so nothing can be said about others"
        if "document" not in self.terms:
            return "there is one document, so nothing can be said about others"
        parameters = len(self.systems) + len(self.terms) + 1
        if self.n <= parameters + 1:
            return f"{self.n} ratings are too few for a model with {parameters} parameters"
        return None

    def components(self) -> Iterator[VarianceComponent]:
        if self.fit is None:
            yield VarianceComponent(self.dimension, RESIDUAL, None, None, self.n, self.reason)
            return
        variances = {SYSTEM: self._between(), **self.fit.variances}
        if len(self.systems) < 2:
            del variances[SYSTEM]
        total = sum(variances.values())
        for source, variance in variances.items():
            yield VarianceComponent(self.dimension, source, variance, variance / total, self.n)

    def reliability(self) -> Iterator[Reliability]:
        if self.fit is None:
            yield Reliability(self.dimension, 1, None, self.n, self.reason)
            return
        variances = self.fit.variances
        kept = self._between() + variances["document"] + variances.get("document:system", 0.0)
        noise = sum(
            variances.get(source, 0.0)
            for source in ("annotator", "annotator:document", FAVOUR, RESIDUAL)
        )
        for count in ANNOTATORS:
            value = kept / (kept + noise / count) if kept + noise else None
            yield Reliability(self.dimension, count, value, self.n)

    def _between(self) -> float:
        """The variance of the systems' true means: that of the estimates less their error."""
        assert self.fit is not None
        count = len(self.systems)
        if count < 2:
            return 0.0
        error = float(np.trace(self.fit.covariance) - self.fit.covariance.sum() / count)
        return max(float(self.fit.means.var(ddof=1)) - error / (count - 1), 0.0)

    def contrasts(self) -> list[Contrast]:
        if self.fit is None or not 2 <= len(self.systems) <= _MOST_SYSTEMS:
            return []
        linked = _linked(self.data, len(self.systems))
        means = self.fit.means
        rows = []
        for i, j in combinations(np.argsort(-means, kind="stable").tolist(), 2):
            names = (self.dimension, self.systems[i], self.systems[j])
            if linked[i] != linked[j]:
                reason = "no document and no annotator links the two systems"
                rows.append(Contrast(*names, None, None, None, None, None, None, self.n, reason))
                continue
            weights = np.zeros(len(means))
            weights[[i, j]] = 1.0, -1.0
            gap = self.fit.contrast(weights)
            t = stats.t(gap.freedom)
            half = float(t.ppf((1 + CONFIDENCE) / 2)) * gap.error
            p = float(2 * t.sf(abs(gap.estimate) / gap.error)) if gap.error else None
            bounds = (gap.estimate - half, gap.estimate + half)
            rows.append(Contrast(*names, gap.estimate, *bounds, gap.freedom, p, None, self.n))
        corrected = correct([row.p for row in rows], "holm")
        over: PairsOver = "both" if FAVOUR in self.terms else "documents"
        return [
            replace(row, p_corrected=p, over=over) for row, p in zip(rows, corrected, strict=True)
        ]


def observations(columns: RatingColumns) -> Observations:
    """The ratings of a dimension as the model takes them; systems in order of appearance."""
    numbered = [{name: k for k, name in enumerate(_first(columns, part))} for part in (0, 1)]
    document, system = (
        np.array([numbered[part][unit[part]] for unit in columns.unit_names], dtype=np.int64)
        for part in (0, 1)
    )
    return Observations(
        columns.values, system[columns.units], columns.raters, document[columns.units]
    )


def _first(columns: RatingColumns, part: int) -> dict[str, None]:
    """The documents (part 0) or systems (1) of the units, in order of first appearance."""
    return {unit[part]: None for unit in columns.unit_names}


def _linked(data: Observations, systems: int) -> list[int]:
    """The connected part of the design that each system is in, by documents and annotators."""
    documents = int(data.document.max()) + 1
    size = systems + documents + int(data.annotator.max()) + 1
    rows = np.concatenate([data.system, data.system])
    others = np.concatenate([systems + data.document, systems + documents + data.annotator])
    graph = coo_array((np.ones(len(rows)), (rows, others)), shape=(size, size))
    return connected_components(graph, directed=False)[1][:systems].tolist()  # type: ignore[no-any-return]
