"""Plans: documents, annotators and systems of a study, with power, width, time and cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal

import numpy as np
from scipy.special import expit, logit

from gistmark.analysis.planning.pilots import Pilot, choice_pilot, rating_pilot
from gistmark.analysis.planning.power import (
    ChoiceSpread,
    Deviations,
    Method,
    Power,
    choice_power,
    power_over_both,
    power_over_documents,
)
from gistmark.analysis.planning.words import goal_of, planned, reasons_why_not, usual_warnings
from gistmark.analysis.studies.options import PairsOver
from gistmark.corpus import Corpus
from gistmark.errors import UsageError, unknown_name

DOCUMENTS = (10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500)
ANNOTATORS = (2, 3, 4, 5, 7, 10)
MOST_CELLS = 5_000

Kind = Literal["ratings", "choices"]
Spread = Deviations | ChoiceSpread
Tried = Callable[[float, int, int, int, float], Power]
"""The power for a gap, a number of documents, annotators and systems, and a level."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Every annotator judges every system (or every two systems) on every document.

    `width` is that of the interval of a difference, or of a share of choices; `pairs` the number of
    pairs of systems that will probably be told apart and `distinguishable` the number of groups of
    systems that will be, both with Bonferroni's correction: of the pilot's systems, or of systems
    that are all one difference apart. `hours` and `cost` are None where seconds or a rate are not
    known.
    """

    documents: int
    annotators: int
    systems: int
    judgements: int
    power: float
    width: float
    pairs: float
    distinguishable: float
    hours: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Planning:
    """All plans of a grid, the cheapest that reaches the power, and warnings.

    `difference` is in points, or the share of choices that the better system wins.
    """

    kind: Kind
    difference: float
    target: float
    over: PairsOver
    spread: Spread
    seconds: float | None
    plans: tuple[Plan, ...]
    best: Plan | None
    warnings: tuple[str, ...]
    currency: str = ""
    scale: float | None = None

    @property
    def goal(self) -> str:
        """What the study should see, in words."""
        return goal_of(self.kind, self.difference, self.target, self.scale)

    @property
    def sentence(self) -> str:
        """What to do, or that nothing in the grid is enough."""
        return planned(self)


def plan(
    pilot: Corpus | str | Path | None = None,
    *,
    difference: float | None = None,
    share: float | None = None,
    dimension: str | None = None,
    deviations: Deviations | None = None,
    spread: ChoiceSpread | None = None,
    systems: int | Sequence[int] | None = None,
    power: float = 0.8,
    level: float = 0.05,
    over: PairsOver = "documents",
    method: Method = "satterthwaite",
    documents: Sequence[int] = DOCUMENTS,
    annotators: Sequence[int] = ANNOTATORS,
    available: int | None = None,
    seconds: float | None = None,
    rate: float | None = None,
    currency: str = "",
    scale: float | None = None,
    seed: int = 0,
) -> Planning:
    """Plan a study that sees a difference between two systems.

    For ratings it is a `difference` of mean ratings in points; for pairwise choices the `share` of
    choices, above 0.5, that the better system wins. How much judgements vary is estimated from a
    `pilot` (a corpus with ratings or comparisons), or given as `deviations` of ratings or `spread`
    of choices. `over` says what the result should hold for: other documents, or both other
    documents and other annotators. `available` is how many documents there are at most, `seconds`
    the time for one summary or choice, by default the pilot's median, and `rate` what an hour of
    work costs in `currency`; `scale` is the highest rating, for the sentence.

    >>> import gistmark
    >>> sizes = gistmark.Deviations(summary=0.6, residual=0.8)
    >>> gistmark.plan(difference=0.4, deviations=sizes, systems=3, seconds=45, rate=12).sentence
    'To see a difference of 0.4 points with 80 % power: 2 annotators on 80 documents, 480 ratings \
of 3 systems, about 6 hours, at a cost of about 72.'
    >>> gistmark.plan(share=0.6, systems=3, currency="€", seconds=30, rate=12).sentence
    'To see that a system wins 60 % of the choices with 80 % power: 2 annotators on 80 documents, \
480 choices between 3 systems, about 4 hours, about 48 €.'
    """
    kind, gap = _kind(difference, share)
    grid = _grid(documents, annotators, available, over)
    _check(power, level, over)
    known = _pilot(kind, pilot, dimension)
    chosen = _spread(kind, known, deviations, spread)
    counts = _systems(systems, known)
    _check_size(grid, counts)
    time = seconds if seconds is not None else known.seconds if known else None
    trials = _Trials(kind, gap, level, _tried(chosen, over, method, seed), known, time, rate)
    plans = tuple(trials.plan(d, a, count) for count in counts for d, a in grid)
    best = _cheapest(plans, power)
    warnings = [*(known.warnings if known else ()), *usual_warnings(chosen, over, best)]
    if best is None:
        limits = {a: trials.limit(a, counts[0]) for _, a in grid}
        warnings += reasons_why_not(limits, power, max(d for d, _ in grid), available)
    return Planning(
        kind, gap, power, over, chosen, time, plans, best, tuple(warnings), currency, scale
    )


@dataclass(frozen=True)
class _Trials:
    """What all plans of a grid are tried for, and what a judgement takes."""

    kind: Kind
    gap: float
    level: float
    tried: Tried
    known: Pilot | None
    seconds: float | None
    rate: float | None

    def plan(self, documents: int, annotators: int, systems: int) -> Plan:
        """The plan of this size, with its power."""
        size = (documents, annotators, systems)
        result = self.tried(self.gap, *size, self.level)
        in_pairs = systems * (systems - 1) // 2
        judgements = (systems if self.kind == "ratings" else in_pairs) * documents * annotators
        hours = None if self.seconds is None else judgements * self.seconds / 3600
        cost = None if hours is None or self.rate is None else hours * self.rate
        corrected = self.level / max(in_pairs, 1)

        def pair_power(high: float, low: float) -> float:
            apart = high - low if self.kind == "ratings" else float(expit(high - low))
            return self.tried(apart, *size, corrected).power

        positions = self._positions(systems)
        powers = {pair: pair_power(*pair) for pair in set(combinations(positions, 2))}
        pairs = sum(powers[pair] for pair in combinations(positions, 2))
        groups = 1 + sum(powers[pair] for pair in pairwise(positions))
        return Plan(*size, judgements, result.power, result.width, pairs, groups, hours, cost)

    def limit(self, annotators: int, systems: int) -> float:
        """The power that more and more documents approach."""
        return self.tried(self.gap, 10**7, annotators, systems, self.level).power

    def _positions(self, systems: int) -> tuple[float, ...]:
        """Where systems stand: as in a pilot of as many, else all one difference apart."""
        if self.known is not None and self.known.systems == systems:
            return tuple(self.known.positions.tolist())
        step = self.gap if self.kind == "ratings" else float(logit(self.gap))
        return tuple(float(step * k) for k in range(systems))[::-1]


def _tried(spread: Spread, over: PairsOver, method: Method, seed: int) -> Tried:
    kept: dict[tuple[float, ...], Power] = {}

    def tried(gap: float, d: int, a: int, systems: int, level: float) -> Power:
        key = (round(gap, 9), d, a, systems, level)
        if key not in kept:
            kept[key] = computed(gap, d, a, systems, level)
        return kept[key]

    def computed(gap: float, d: int, a: int, systems: int, level: float) -> Power:
        if isinstance(spread, ChoiceSpread):
            return choice_power(spread, gap, d, a, systems, level, over=over)
        if over == "documents":
            return power_over_documents(spread, gap, d, a, level)
        return power_over_both(spread, gap, d, a, level, systems=systems, method=method, seed=seed)

    return tried


def _kind(difference: float | None, share: float | None) -> tuple[Kind, float]:
    if (difference is None) == (share is None):
        raise UsageError(
            "Give either a difference (for ratings) or a share (for pairwise choices)."
        )
    if difference is not None:
        if not 0 < difference < np.inf:
            raise UsageError(f"The difference must be a number above 0, but is {difference:g}.")
        return "ratings", difference
    assert share is not None
    if not 0.5 < share < 1:
        raise UsageError(f"The share of choices must be between 0.5 and 1, but is {share:g}.")
    return "choices", share


def _pilot(kind: Kind, pilot: Corpus | str | Path | None, dimension: str | None) -> Pilot | None:
    if pilot is None:
        return None
    return (rating_pilot if kind == "ratings" else choice_pilot)(pilot, dimension)


def _spread(
    kind: Kind, known: Pilot | None, deviations: Deviations | None, spread: ChoiceSpread | None
) -> Spread:
    if kind == "choices":
        return spread or (known.spread if known else ChoiceSpread())  # type: ignore[attr-defined]
    if deviations is None and known is None:
        raise UsageError("A plan needs a pilot with ratings, or the spread of ratings.")
    return deviations or known.deviations  # type: ignore[union-attr]


def _systems(systems: int | Sequence[int] | None, known: Pilot | None) -> tuple[int, ...]:
    counts = systems if isinstance(systems, Sequence) else (systems,) if systems else ()
    result = tuple(dict.fromkeys(counts)) or (known.systems if known else 2,)
    if min(result) < 2:
        raise UsageError("A plan compares systems: it needs at least two.")
    return result


def _grid(
    documents: Sequence[int], annotators: Sequence[int], available: int | None, over: PairsOver
) -> list[tuple[int, int]]:
    """Documents × annotators, with no more documents than there are."""
    if min(documents, default=0) < 2 or (available is not None and available < 2):
        raise UsageError("A plan needs at least two documents.")
    if min(annotators, default=0) < 1:
        raise UsageError("A plan needs at least one annotator.")
    if available is not None:
        documents = sorted({min(each, available) for each in documents})
    grid = [(d, a) for d in documents for a in annotators if over == "documents" or a > 1]
    if not grid:
        raise UsageError("To plan for other annotators too, at least two annotators are needed.")
    return grid


def _check_size(grid: Sequence[tuple[int, int]], counts: Sequence[int]) -> None:
    if len(grid) * len(counts) > MOST_CELLS:
        raise UsageError(f"The grid has more than {MOST_CELLS:,} plans; name fewer numbers.")


def _cheapest(plans: Sequence[Plan], power: float) -> Plan | None:
    """The plan with the fewest judgements among those with enough power."""
    enough = [each for each in plans if each.power >= power]
    return min(enough, key=lambda each: (each.judgements, each.annotators), default=None)


def _check(power: float, level: float, over: PairsOver) -> None:
    for name, value in (("power", power), ("level", level)):
        if not 0 < value < 1:
            raise UsageError(f"The {name} must be between 0 and 1, but is {value:g}.")
    if over not in ("documents", "both"):
        raise unknown_name("kind of generality", over, ["documents", "both"])
