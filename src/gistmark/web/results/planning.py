"""Plans of a campaign: what to judge, from the work of a campaign or typed numbers, and a chart."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import TYPE_CHECKING, Literal

from gistmark.errors import UsageError
from gistmark.web.annotate.services.launch import documents_to_plan
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign, Summary
from gistmark.web.campaigns.services.protocols import protocol_of

if TYPE_CHECKING:
    from gistmark.analysis.planning import Plan, Planning
    from gistmark.analysis.planning.power import PlanDesign

Kind = Literal["ratings", "choices"]
LINES = 6
"""So many colours the chart has."""
WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 12, 40


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked: a difference to see, and what is known of judgements and their cost.

    `pilot` is a campaign whose work says how far judgements spread; without one the numbers do.
    """

    kind: Kind
    target: float
    pilot: Campaign | None = None
    first: float | None = None
    second: float | None = None
    annotator: float = 0.0
    power: float = 0.8
    both: bool = False
    seconds: float | None = None
    rate: float | None = None
    currency: str = ""
    severity: float = 0.0


def usual_kind(campaign: Campaign) -> Kind:
    """What a campaign's protocol collects."""
    return "choices" if campaign.protocol["kind"] == "comparison" else "ratings"


def _design(campaign: Campaign) -> PlanDesign:
    """Who rates what: every batch has annotators of its own, as if they were drawn anew."""
    one = protocol_of(campaign).one_per_document_and_annotator
    return "one-per-document" if one else "crowd"


def planning_of(campaign: Campaign, wanted: Wanted) -> Planning:
    """The plans for a campaign's corpus and systems."""
    from gistmark.analysis.planning import ChoiceSpread, Deviations, plan

    ratings = wanted.kind == "ratings"
    if wanted.pilot is None and ratings and (wanted.first is None or wanted.second is None):
        raise UsageError(
            "Choose a campaign to learn from, or type how far ratings spread: the standard "
            "deviation of single summaries, and that of the rest."
        )
    first, second = wanted.first or 0.0, wanted.second or 0.0
    typed = wanted.pilot is None
    return plan(
        None if wanted.pilot is None else exported_corpus(wanted.pilot),
        difference=wanted.target if ratings else None,
        share=None if ratings else wanted.target,
        deviations=(
            Deviations(first, second, wanted.annotator, wanted.severity)
            if typed and ratings else None
        ),
        spread=ChoiceSpread(first, wanted.annotator, second) if typed and not ratings else None,
        systems=_systems(campaign), available=documents_to_plan(campaign),
        power=wanted.power, over="both" if wanted.both else "documents",
        seconds=wanted.seconds, rate=wanted.rate, currency=wanted.currency,
        scale=_scale(campaign) if ratings else None,
        design=_design(campaign) if ratings and not wanted.both else "crossed",
    )  # fmt: skip


def _systems(campaign: Campaign) -> int:
    written = Summary.objects.filter(document__campaign=campaign, reference=False)
    count = written.values("system").distinct().count()
    if count < 2:
        raise UsageError("The corpus has fewer than two systems, so there is nothing to compare.")
    return count


def _scale(campaign: Campaign) -> float | None:
    protocol = protocol_of(campaign)
    tops = {protocol.scale_of(each.name).high for each in protocol.dimensions} if (
        protocol.scaled and protocol.dimensions) else set()  # fmt: skip
    return float(tops.pop()) if len(tops) == 1 else None


@dataclass(frozen=True, slots=True)
class Line:
    """The plans of one number of annotators, as points of the chart."""

    annotators: int
    colour: int
    points: str
    dots: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis."""

    at: str
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Power against cost, hours or judgements (`axis`), on a logarithmic scale."""

    axis: str
    lines: tuple[Line, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    target: str
    best: tuple[str, str] | None


def chart_of(planning: Planning) -> Chart:
    """Where lines, ticks and the best plan stand in a picture of WIDTH × HEIGHT."""
    prices = [_price(each) for each in planning.plans]
    low, high = log10(min(prices)), log10(max(prices))
    width = (high - low) or 1.0

    def x(price: float) -> str:
        return f"{_LEFT + (log10(price) - low) / width * (WIDTH - _LEFT - _RIGHT):.1f}"

    def y(power: float) -> str:
        return f"{_TOP + (1 - power) * (HEIGHT - _TOP - _BOTTOM):.1f}"

    lines = []
    for index, annotators in enumerate(sorted({each.annotators for each in planning.plans})):
        own = sorted((p for p in planning.plans if p.annotators == annotators), key=_price)
        dots = tuple((x(_price(each)), y(each.power)) for each in own)
        points = " ".join(f"{one},{other}" for one, other in dots)
        lines.append(Line(annotators, index % LINES + 1, points, dots))
    marks = [10.0**k * step for k in range(-2, 12) for step in (1, 2, 5)]
    across = tuple(Tick(x(m), f"{m:,g}") for m in marks if min(prices) <= m <= max(prices))
    best = planning.best
    return Chart(
        _axis(planning), tuple(lines), across[:: max(1, len(across) // 7)],
        tuple(Tick(y(share / 100), f"{share} %") for share in (0, 20, 40, 60, 80, 100)),
        y(planning.target), None if best is None else (x(_price(best)), y(best.power)),
    )  # fmt: skip


def _price(plan: Plan) -> float:
    """What a plan costs, in money, else in hours, else in judgements."""
    return next((each for each in (plan.cost, plan.hours) if each), float(plan.judgements))


def _axis(planning: Planning) -> str:
    first = planning.plans[0]
    if first.cost:
        return f"Cost in {planning.currency}" if planning.currency else "Cost"
    return "Hours of work" if first.hours else f"Number of {planning.kind}"
