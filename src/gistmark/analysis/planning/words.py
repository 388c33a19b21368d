"""What a plan says: its goal, what to do, and why it cannot work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gistmark.analysis.findings.words import counted
from gistmark.analysis.planning.power import ChoiceSpread
from gistmark.analysis.studies.options import PairsOver

if TYPE_CHECKING:
    from gistmark.analysis.planning.plans import Kind, Plan, Planning, Spread

_FEW_DOCUMENTS = 20


def goal_of(kind: Kind, difference: float, target: float, scale: float | None) -> str:
    """`a difference of 0.3 points on 5 with 80 % power`."""
    power = f"with {100 * target:g} % power"
    if kind == "choices":
        return f"that a system wins {100 * difference:g} % of the choices {power}"
    on = "" if scale is None else f" on {scale:g}"
    return f"a difference of {difference:g} points{on} {power}"


def planned(planning: Planning) -> str:
    """The best plan in a sentence, or that none of the grid is enough."""
    if planning.best is None:
        most = max(planning.plans, key=lambda each: each.power)
        return (
            f"No plan in the grid is enough to see {planning.goal}: "
            f"{counted(most.annotators, 'annotator')} on {most.documents} documents have "
            f"{100 * most.power:.0f} %."
        )
    return f"To see {planning.goal}: {described(planning.best, planning.kind, planning.currency)}."


def described(plan: Plan, kind: Kind, currency: str = "") -> str:
    """`4 annotators on 60 documents, 960 ratings of 4 systems, about 16 hours, about 210 €`."""
    noun = "ratings of" if kind == "ratings" else "choices between"
    parts = [f"{counted(plan.annotators, 'annotator')} on {plan.documents} documents"]
    parts.append(f"{plan.judgements:,} {noun} {plan.systems} systems")
    if plan.hours is not None:
        parts.append(f"about {rounded(plan.hours)} hours")
    if plan.cost is not None and currency:
        parts.append(f"about {rounded(plan.cost)} {currency}")
    elif plan.cost is not None:
        parts.append(f"at a cost of about {rounded(plan.cost)}")
    return ", ".join(parts)


def usual_warnings(spread: Spread, over: PairsOver, best: Plan | None) -> Iterator[str]:
    """What the best plan takes for granted."""
    if over == "both" and spread.annotator == 0:
        yield (
            "Annotators are assumed not to favour any system (0), so a result holds for other "
            "annotators only if that is true."
        )
    if over == "documents" and spread.annotator > 0:
        yield (
            "The result will hold for other documents with the same annotators; to include other "
            "annotators, plan over both."
        )
    if best is not None and best.annotators == 1:
        yield "With one annotator, nothing is known about agreement, and one taste decides."
    if best is not None and best.documents < _FEW_DOCUMENTS:
        yield (
            f"{best.documents} documents can hardly stand for others: the power is right only if "
            "they are typical."
        )


def reasons_why_not(
    limits: Mapping[int, float], target: float, most: int, available: int | None
) -> Iterator[str]:
    """Why no plan in the grid reaches the power; `limits` has it for unlimited documents."""
    hopeless = [count for count, limit in limits.items() if limit < target]
    if hopeless and len(hopeless) == len(limits):
        yield (
            f"Even with unlimited documents, {counted(max(hopeless), 'annotator')} would have a "
            f"power of {100 * max(limits.values()):.0f} %, because annotators favour systems; only "
            "more annotators help."
        )
        return
    if available is not None and most >= available:
        yield (
            f"Only {available} documents are available; plan for more documents, or for a larger "
            "difference."
        )
        return
    enough = min(count for count in limits if count not in hopeless)
    yield (
        f"{counted(enough, 'annotator')} or more reach the power with more than {most:,} "
        "documents; try larger numbers of documents."
    )


def rests_on(spread: Spread) -> str:
    """The numbers that a plan takes from its pilot, or that were given."""
    if isinstance(spread, ChoiceSpread):
        return (
            f"Correlation of choices about the same two summaries {spread.document:.2g}, of one "
            f"annotator's choices between two systems {spread.annotator:.2g}; ties "
            f"{100 * spread.ties:.0f} %."
        )
    return (
        f"Standard deviations: single summary {spread.summary:.3g}, rest {spread.residual:.3g}, "
        f"annotators who favour a system {spread.annotator:.3g}."
    )


def rounded(value: float) -> str:
    """Two digits are enough for an estimate."""
    if value < 1:
        return f"{value:.1f}"
    digits = max(len(str(int(value))) - 2, 0)
    return f"{round(value, -digits):,.0f}"
