"""Plans: documents, annotators and systems of a study, with power, width, time and cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from scipy.special import expit, logit

from gistmark.analysis.planning.choices import ChoiceSpread, check_share, choice_power
from gistmark.analysis.planning.flips import Power, least_documents, pairs_of
from gistmark.analysis.planning.pilots import ChoicePilot, Pilot, RatingPilot
from gistmark.analysis.planning.power import (
    Deviations,
    Method,
    PlanDesign,
    mixed_model_power,
    power_over_both,
    power_over_documents,
)
from gistmark.analysis.planning.words import (
    by_other_test,
    goal_of,
    meaning,
    percent,
    planned,
    reasons_why_not,
    usual_warnings,
)
from gistmark.analysis.studies.options import PairsOver
from gistmark.corpus import Corpus, load
from gistmark.errors import UsageError, unknown_name

DOCUMENTS = (10, 20, 30, 40, 60, 80, 100, 150, 200, 300, 500)
ANNOTATORS = (2, 3, 4, 5, 7, 10)
ANNOTATORS_OF_BOTH = (3, 5, 7, 10, 15, 20, 30)
"""Fewer cannot speak for others."""
UNLIMITED = 10**7
MOST_CELLS = 5_000

Kind = Literal["ratings", "choices"]
Spread = Deviations | ChoiceSpread


@dataclass(frozen=True, slots=True)
class Plan:
    """Every annotator judges every system (or every two systems) on every document.

    `power` is how often the study finds the better one of two systems better, after correction
    among all pairs, and `error` its standard error where it was simulated. `width` is that of the
    95 % interval of a difference, or of a share of choices; None where documents are too few for
    one. `pairs` is the number of pairs of systems that will probably be told apart and
    `distinguishable` the number of groups of systems that will be: of the pilot's systems, or of
    systems that are all one difference apart. `hours` and `cost` are None where seconds or a rate
    are not known.
    """

    documents: int
    annotators: int
    systems: int
    judgements: int
    power: float
    width: float | None
    pairs: float
    distinguishable: float
    hours: float | None = None
    cost: float | None = None
    error: float = 0.0

    @property
    def sure(self) -> float:
        """The power less two of its standard errors: what is promised."""
        return max(self.power - 2 * self.error, 0.0)


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
    level: float = 0.05
    method: Method = "satterthwaite"
    design: PlanDesign = "crossed"

    @property
    def goal(self) -> str:
        """What the study should see, in words."""
        return goal_of(self.kind, self.difference, self.target, self.scale)

    @property
    def sentence(self) -> str:
        """What to do, or that nothing in the grid is enough."""
        return planned(self)

    @property
    def meaning(self) -> str:
        """What the power is the power of, and what it supposes."""
        return meaning(self)


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
    annotators: Sequence[int] | None = None,
    available: int | None = None,
    seconds: float | None = None,
    rate: float | None = None,
    currency: str = "",
    scale: float | None = None,
    design: PlanDesign = "crossed",
    seed: int = 0,
) -> Planning:
    """Plan a study that sees a difference between two systems, corrected among all pairs.

    For ratings it is a `difference` of mean ratings in points; for pairwise choices the `share` of
    choices, above 0.5, that the better system wins. How much judgements vary is estimated from a
    `pilot` (a corpus with ratings or comparisons), or given as `deviations` of ratings or `spread`
    of choices. `over` says what the result should hold for: other documents, or both other
    documents and other annotators. Those are tested by the mixed model of a study, or by another
    `method`: sign flips over documents and annotators. Every annotator judges every system about
    every document, unless the `design` is another: each summary is rated by that many people of a
    `crowd`, or by that many of annotators who get `one-per-document`.
    `available` is how many documents there are at most, `seconds` the time for one summary or
    choice, by default the pilot's median, and `rate` what an hour of work costs in `currency`;
    `scale` is the highest rating, for the sentence.

    >>> import gistmark
    >>> sizes = gistmark.Deviations(summary=0.6, residual=0.8)
    >>> gistmark.plan(difference=0.4, deviations=sizes, systems=3, seconds=45, rate=12).sentence
    'To see a difference of 0.4 points with 80 % power: 2 annotators on 100 documents, 600 \
ratings of 3 systems, about 8 hours, at a cost of about 90.'
    >>> gistmark.plan(share=0.6, systems=3, currency="€", seconds=30, rate=12).sentence
    'To see that a system wins 60 % of the choices with 80 % power: 3 annotators on 80 documents, \
720 choices between 3 systems, about 6 hours, about 72 €.'
    """
    kind, gap = _kind(difference, share)
    _check(kind, power, level, over, method, design)
    if annotators is None:
        annotators = ANNOTATORS_OF_BOTH if over == "both" else ANNOTATORS
    grid = _grid(documents, annotators, available, over)
    learnt: Pilot | None = None
    if pilot is not None:
        corpus = (load(pilot) if isinstance(pilot, str | Path) else pilot).by_people()
        learnt = (RatingPilot if kind == "ratings" else ChoicePilot)(corpus, dimension)
    judging = _spread(kind, learnt, deviations, spread)
    if isinstance(judging, ChoiceSpread):
        check_share(gap, judging)
    counts = _systems(systems, learnt)
    if len(grid) * len(counts) > MOST_CELLS:
        raise UsageError(f"The grid has more than {MOST_CELLS:,} plans; name fewer numbers.")
    time = seconds if seconds is not None else learnt.seconds if learnt else None
    trials = _Trials(gap, level, judging, over, method, design, seed, learnt, time, rate)
    plans = tuple(trials.plan(d, a, count) for count in counts for d, a in grid)
    enough = [plan for plan in plans if plan.sure >= power]
    best = min(enough, key=lambda plan: (plan.judgements, plan.annotators), default=None)
    warnings = [*(learnt.warnings if learnt else ()), *usual_warnings(judging, over, best, design)]
    if over == "both":
        most = best or max(plans, key=lambda tried: tried.sure)
        other: Method = "satterthwaite" if method == "flips" else "flips"
        warnings.append(by_other_test(other, replace(trials, method=other).power(most).power))
    if best is None:
        limits, largest = trials.limits(grid, counts[0]), max(d for d, _ in grid)
        least = least_documents(level, counts[0]) if over == "documents" else 0
        warnings += reasons_why_not(limits, power, largest, counts[0], least, available)
    elif learnt is not None and judging == learnt.spread:
        less = percent(replace(trials, spread=learnt.wider).power(best).power)
        warnings.append(f"{learnt.uncertainty}; with these the plan has a power of {less}.")
    return Planning(
        kind, gap, power, over, judging, time, plans, best, tuple(warnings), currency, scale,
        level, method, design,
    )  # fmt: skip


@dataclass(frozen=True)
class _Trials:
    """What all plans of a grid are tried for, and what a judgement takes."""

    gap: float
    level: float
    spread: Spread
    over: PairsOver
    method: Method
    design: PlanDesign
    seed: int
    pilot: Pilot | None
    seconds: float | None
    rate: float | None

    def plan(self, documents: int, annotators: int, systems: int) -> Plan:
        """The plan of this size, with its power."""
        size = (documents, annotators, systems)
        result = self._tried(self.gap, *size)
        choices = isinstance(self.spread, ChoiceSpread)
        in_pairs = pairs_of(systems)
        judgements = (in_pairs if choices else systems) * documents * annotators
        hours = None if self.seconds is None else judgements * self.seconds / 3600
        cost = None if hours is None or self.rate is None else hours * self.rate

        @cache
        def pair_power(gap: float) -> float:
            if gap <= 0:
                return 0.0
            return self._tried(float(expit(gap)) if choices else gap, *size).power

        # Systems stand as in a pilot of as many, else all one difference apart.
        step = float(logit(self.gap)) if choices else self.gap
        positions = [float(step * k) for k in range(systems)][::-1]
        if self.pilot is not None and self.pilot.systems == systems:
            positions = self.pilot.positions.tolist()
        pairs = sum(pair_power(round(a - b, 9)) for a, b in combinations(positions, 2))
        groups = 1 + sum(pair_power(round(a - b, 9)) for a, b in pairwise(positions))
        return Plan(
            *size, judgements, result.power, result.width, pairs, groups, hours, cost, result.error
        )

    def power(self, plan: Plan) -> Power:
        """The power of a plan under these suppositions."""
        return self._tried(self.gap, plan.documents, plan.annotators, plan.systems)

    def limits(self, grid: Sequence[tuple[int, int]], systems: int) -> dict[int, float]:
        """The power that more and more documents approach, by numbers of annotators."""
        return {a: self._tried(self.gap, UNLIMITED, a, systems).power for _, a in grid}

    def _tried(self, gap: float, documents: int, annotators: int, systems: int) -> Power:
        spread, level, seed = self.spread, self.level, self.seed
        size = (documents, annotators)
        if isinstance(spread, ChoiceSpread):
            return choice_power(spread, gap, *size, systems, level, like=self.gap, seed=seed)
        if self.over == "documents":
            return power_over_documents(
                spread, gap, *size, level, systems=systems, design=self.design, seed=seed
            )
        if self.method == "flips":
            return power_over_both(spread, gap, *size, level, systems=systems, seed=seed)
        # The paper's test is that of two systems, which nothing corrects.
        corrected = level / pairs_of(systems) if self.method == "satterthwaite" else level
        return mixed_model_power(
            spread, gap, *size, corrected, systems=systems, method=self.method, seed=seed
        )


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


def _spread(
    kind: Kind, pilot: Pilot | None, deviations: Deviations | None, spread: ChoiceSpread | None
) -> Spread:
    typed = spread if kind == "choices" else deviations
    if typed is not None:
        return typed
    if pilot is not None:
        return pilot.spread
    if kind == "choices":
        return ChoiceSpread()
    raise UsageError("A plan needs a pilot with ratings, or the spread of ratings.")


def _systems(systems: int | Sequence[int] | None, pilot: Pilot | None) -> tuple[int, ...]:
    counts = systems if isinstance(systems, Sequence) else (systems,) if systems else ()
    result = tuple(dict.fromkeys(counts)) or (pilot.systems if pilot else 2,)
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
        documents = sorted({min(size, available) for size in documents})
    grid = [(d, a) for d in documents for a in annotators if over == "documents" or a > 1]
    if not grid:
        raise UsageError("To plan for other annotators too, at least two annotators are needed.")
    return grid


def _check(
    kind: Kind, power: float, level: float, over: PairsOver, method: Method, design: PlanDesign
) -> None:
    """Refuse levels that are none, and what no test of a study is for."""
    for name, value in (("power", power), ("level", level)):
        if not 0 < value < 1:
            raise UsageError(f"The {name} must be between 0 and 1, but is {value:g}.")
    if over not in ("documents", "both"):
        raise unknown_name("kind of generality", over, ["documents", "both"])
    if method not in get_args(Method):
        raise unknown_name("method", method, get_args(Method))
    if over == "both" and kind == "choices":
        raise UsageError(
            "A study tests pairwise choices over documents only, so nothing can be promised over "
            "both; how far annotators favour systems counts over documents too."
        )
    if design not in get_args(PlanDesign):
        raise unknown_name("design", design, get_args(PlanDesign))
    if design != "crossed" and (over == "both" or kind == "choices"):
        raise UsageError(f"The design {design!r} is planned for ratings, and over documents only.")
