"""Plans: documents and annotators for a study of ratings, with power, width, time and cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from gistmark.analysis.columns import columns_by_dimension
from gistmark.analysis.options import PairsOver
from gistmark.analysis.planning.power import (
    Deviations,
    Method,
    Power,
    power_over_both,
    power_over_documents,
)
from gistmark.analysis.variance.components import MODEL, identifiable, observations
from gistmark.analysis.variance.mixed_model import RESIDUAL, fit
from gistmark.corpus import Corpus, load
from gistmark.errors import UsageError, unknown_name

DOCUMENTS = (10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500)
ANNOTATORS = (2, 3, 4, 5, 7, 10)
ROUGH = 20
"""The standard deviations of a pilot with fewer documents than this are rough."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Every annotator rates every system on every document.

    `width` is that of the interval of a difference, `pairs` the number of pairs of the pilot's
    systems that will probably be told apart, with Bonferroni's correction; `hours` and `cost` are
    None where seconds or a rate are not known.
    """

    documents: int
    annotators: int
    ratings: int
    power: float
    width: float
    pairs: float | None = None
    hours: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Planning:
    """All plans of a grid, the one with the fewest ratings that reaches the power, and warnings."""

    difference: float
    target: float
    over: PairsOver
    systems: int
    deviations: Deviations
    seconds: float | None
    plans: tuple[Plan, ...]
    best: Plan | None
    warnings: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What to do, or that nothing in the grid is enough."""
        goal = f"a difference of {self.difference:g} points with {100 * self.target:g} % power"
        if self.best is None:
            most = max(self.plans, key=lambda each: each.power)
            return (
                f"No plan of the grid is enough to see {goal}: {_people(most.annotators)} on "
                f"{most.documents} documents have {100 * most.power:.0f} %."
            )
        best = self.best
        parts = [f"{_people(best.annotators)} on {best.documents} documents"]
        parts.append(f"{best.ratings:,} ratings")
        if best.hours is not None:
            parts.append(f"about {_rounded(best.hours)} hours")
        if best.cost is not None:
            parts.append(f"at a cost of about {_rounded(best.cost)}")
        return f"To see {goal}: {', '.join(parts)}."


def plan(
    pilot: Corpus | str | Path | None = None,
    *,
    difference: float,
    dimension: str | None = None,
    deviations: Deviations | None = None,
    systems: int | None = None,
    power: float = 0.8,
    level: float = 0.05,
    over: PairsOver = "documents",
    method: Method = "satterthwaite",
    documents: Sequence[int] = DOCUMENTS,
    annotators: Sequence[int] = ANNOTATORS,
    seconds: float | None = None,
    rate: float | None = None,
    seed: int = 0,
) -> Planning:
    """What it takes to see a difference between two systems' mean ratings.

    How far ratings spread is known from a `pilot` (a corpus with ratings) or given as
    `deviations`. `over` says for what the difference should hold: other documents, or both other
    documents and other annotators. `seconds` is the time for one summary, by default the pilot's
    median; `rate` is what an hour of work costs.

    >>> import gistmark
    >>> spread = gistmark.Deviations(summary=0.6, residual=0.8)
    >>> gistmark.plan(difference=0.4, deviations=spread, systems=3, seconds=45, rate=12).sentence
    'To see a difference of 0.4 points with 80 % power: 2 annotators on 80 documents, 480 ratings, \
about 6 hours, at a cost of about 72.'
    """
    _check(difference, power, level, documents, annotators, over)
    known = _Pilot(pilot, dimension) if pilot is not None else None
    if deviations is None:
        if known is None:
            raise UsageError("A plan needs a pilot with ratings, or the spread of ratings.")
        deviations = known.deviations
    count = systems or (known.systems if known else 2)
    time = seconds if seconds is not None else known.seconds if known else None
    gaps = known.gaps if known else None

    def tried(gap: float, d: int, a: int, at: float) -> Power:
        if over == "documents":
            return power_over_documents(deviations, gap, d, a, at)
        return power_over_both(deviations, gap, d, a, at, method=method, seed=seed)

    plans = []
    for d in documents:
        for a in annotators:
            if over == "both" and a < 2:
                continue
            result = tried(difference, d, a, level)
            ratings = count * d * a
            hours = None if time is None else ratings * time / 3600
            cost = None if hours is None or rate is None else hours * rate
            pairs = None
            if gaps is not None and len(gaps):
                pairs = sum(tried(gap, d, a, level / len(gaps)).power for gap in gaps)
            plans.append(Plan(d, a, ratings, result.power, result.width, pairs, hours, cost))
    if not plans:
        raise UsageError("For other annotators too, at least two annotators are needed.")
    enough = [each for each in plans if each.power >= power]
    best = min(enough, key=lambda each: (each.ratings, each.annotators), default=None)
    warnings = (*(known.warnings if known else ()), *_warnings(deviations, over, best))
    return Planning(difference, power, over, count, deviations, time, tuple(plans), best, warnings)


class _Pilot:
    """What the ratings of a pilot say about one dimension."""

    def __init__(self, corpus: Corpus | str | Path, dimension: str | None) -> None:
        loaded = load(corpus) if isinstance(corpus, str | Path) else corpus
        groups = columns_by_dimension(loaded.ratings)
        if not groups:
            raise UsageError("The pilot has no ratings, so nothing can be planned from it.")
        if dimension is not None and dimension not in groups:
            raise unknown_name("dimension in the pilot", dimension, list(groups))
        self.dimension = dimension or next(iter(groups))
        columns = groups[self.dimension]
        self.data = observations(columns)
        self.systems = int(self.data.system.max()) + 1
        terms = identifiable(self.data, (*MODEL, "annotator:system"))
        parameters = self.systems + len(terms) + 1
        if len(columns) <= parameters + 1 or len(np.unique(self.data.value)) < 2:
            raise UsageError(
                f"The pilot's {len(columns)} ratings of {self.dimension!r} are too few or too "
                "equal to say how far ratings spread; give the standard deviations instead."
            )
        self.fit = fit(self.data, terms)
        self.terms = terms
        self.seconds = _seconds(loaded)

    @property
    def deviations(self) -> Deviations:
        sizes = {name: float(np.sqrt(value)) for name, value in self.fit.variances.items()}
        summary, annotator = sizes.get("document:system", 0.0), sizes.get("annotator:system", 0.0)
        return Deviations(summary, sizes[RESIDUAL], annotator)

    @property
    def gaps(self) -> list[float]:
        return [abs(float(one - other)) for one, other in combinations(self.fit.means, 2)]

    @property
    def warnings(self) -> list[str]:
        documents, annotators = (
            len(np.unique(each)) for each in (self.data.document, self.data.annotator)
        )
        warnings = []
        if documents < ROUGH:
            warnings.append(
                f"The pilot has {documents} documents: how far ratings spread is known only "
                "roughly."
            )
        if "document:system" not in self.terms:
            warnings.append(
                "In the pilot no summary was rated twice, so what is special to a summary cannot "
                "be told from the rest: plans with several annotators look better than they are."
            )
        if annotators < 5 and "annotator:system" in self.terms:
            warnings.append(
                f"The pilot has {annotators} annotators: whether annotators favour systems is "
                "known only roughly."
            )
        return warnings


def _seconds(corpus: Corpus) -> float | None:
    """The median time that one annotator took for one summary, all dimensions together."""
    times: dict[tuple[str, str, str], float] = {}
    for rating in corpus.ratings:
        if rating.seconds is not None:
            key = (rating.document, rating.system, rating.annotator)
            times[key] = times.get(key, 0.0) + rating.seconds
    return float(np.median(list(times.values()))) if times else None


def _warnings(spread: Deviations, over: PairsOver, best: Plan | None) -> list[str]:
    warnings = []
    if over == "both" and spread.annotator == 0:
        warnings.append(
            "Annotators are taken to favour no system (standard deviation 0), so a result holds "
            "for other annotators only if that is true."
        )
    if over == "documents" and spread.annotator > 0:
        warnings.append(
            "The result will hold for other documents with the same annotators; for other "
            "annotators too, plan over both."
        )
    if best is not None and over == "documents" and best.annotators == 1:
        warnings.append(
            "With one annotator nothing is known about agreement, and their taste decides."
        )
    return warnings


def _check(
    difference: float, power: float, level: float, documents: Sequence[int],
    annotators: Sequence[int], over: PairsOver,
) -> None:  # fmt: skip
    if not 0 < difference < np.inf:
        raise UsageError(f"The difference must be a number above 0, but is {difference:g}.")
    for name, value in (("power", power), ("level", level)):
        if not 0 < value < 1:
            raise UsageError(f"The {name} must be between 0 and 1, but is {value:g}.")
    if min(documents, default=0) < 2:
        raise UsageError("A plan needs at least two documents.")
    if min(annotators, default=0) < 1:
        raise UsageError("A plan needs at least one annotator.")
    if over not in ("documents", "both"):
        raise unknown_name("kind of generality", over, ["documents", "both"])


def _people(count: int) -> str:
    return "1 annotator" if count == 1 else f"{count} annotators"


def _rounded(value: float) -> str:
    """Two digits are enough for an estimate."""
    if value < 1:
        return f"{value:.1f}"
    digits = max(len(str(int(value))) - 2, 0)
    return f"{round(value, -digits):,.0f}"
