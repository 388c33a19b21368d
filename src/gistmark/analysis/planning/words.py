"""What a plan says: its goal, what to do, and why it cannot work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import floor
from typing import TYPE_CHECKING

from gistmark.analysis.findings.words import counted
from gistmark.analysis.planning.choices import ChoiceSpread
from gistmark.analysis.planning.flips import pairs_of
from gistmark.analysis.studies.options import PairsOver

if TYPE_CHECKING:
    from gistmark.analysis.planning.plans import Kind, Plan, Planning, Spread
    from gistmark.analysis.planning.power import Method, PlanDesign

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
        most = max(planning.plans, key=lambda plan: plan.sure)
        return (
            f"No plan in the grid is enough to see {planning.goal}: "
            f"{counted(most.annotators, 'annotator')} on {most.documents} documents have "
            f"{percent(most.sure)}."
        )
    return f"To see {planning.goal}: {described(planning.best, planning.kind, planning.currency)}."


def described(plan: Plan, kind: Kind, currency: str = "") -> str:
    """`4 annotators on 60 documents, 960 ratings of 4 systems, about 16 hours, about 210 €`."""
    noun = "ratings of" if kind == "ratings" else "choices between"
    parts = [f"{counted(plan.annotators, 'annotator')} on {plan.documents} documents"]
    parts.append(f"{plan.judgements:,} {noun} {plan.systems} systems")
    if plan.hours is not None:
        hours = rounded(plan.hours)
        parts.append(f"about {hours} hour{'s' * (hours != '1')}")
    if plan.cost is not None and currency:
        parts.append(f"about {rounded(plan.cost)} {currency}")
    elif plan.cost is not None:
        parts.append(f"at a cost of about {rounded(plan.cost)}")
    return ", ".join(parts)


def percent(power: float) -> str:
    """A power in percent, never rounded up."""
    return f"{floor(100 * power + 1e-9)} %"


_OVER_BOTH = {
    "flips": "the sign flips over documents and annotators of `gistmark study --pairs-over both`",
    "satterthwaite": "the contrasts of the mixed model, which are in every study,",
    "wald": "the mixed model, by 1.96 standard errors,",
}


def meaning(planning: Planning) -> str:
    """What the power is the power of, and what it supposes of judgements and other systems."""
    counts = sorted({plan.systems for plan in planning.plans})
    both, choices = planning.over == "both", planning.kind == "choices"
    test = _OVER_BOTH[planning.method].rstrip(",") if both else "sign flips over documents"
    level = f"p below {planning.level:g}"
    if both and planning.method == "wald":
        level = "not corrected for other pairs"
    elif counts[0] > 2 or counts[1:]:
        pairs = ""
        if not counts[1:]:
            pairs = f"{pairs_of(counts[0])} "
        level += (
            f" after Holm’s correction among all {pairs}pairs of systems, as if no other pair "
            "differed, which is the hardest case"
        )
    what = "chooses between every two systems" if choices else "judges every system"
    design = f"every annotator {what} about every document"
    if planning.design == "crowd":
        design = "each summary is judged by that many people, drawn anew from a large crowd"
    elif planning.design == "one-per-document":
        design = (
            "an annotator judges one summary of a document, so that it takes that many people for "
            "each system"
        )
    sentences = [
        f"Power is how often a study finds the better of two systems significantly better: {test}, "
        f"{level}.",
        f"It supposes that {design}.",
    ]
    if choices:
        sentences.append(
            "The ranking is by shares of votes or by Bradley-Terry strengths, whichever finds "
            "less; a tie is half a win."
        )
        if counts[-1] > 2:
            sentences.append("Other systems are supposed to stand half-way between the two.")
    error = max(plan.error for plan in planning.plans)
    if error > 0:
        sentences.append(
            f"Powers are simulated, with standard errors of at most {100 * error:.1f} %; a plan is "
            f"enough where two of them less still are {100 * planning.target:g} %."
        )
    return " ".join(sentences)


def usual_warnings(
    spread: Spread, over: PairsOver, best: Plan | None, design: PlanDesign
) -> Iterator[str]:
    """What the best plan takes for granted."""
    if over == "both" and spread.annotator == 0:
        yield (
            "Annotators are assumed not to favour any system (0), so a result holds for other "
            "annotators only if that is true."
        )
    if over == "documents" and spread.annotator > 0 and design != "crowd":
        more = ""
        if not isinstance(spread, ChoiceSpread):
            more = "; to include other annotators, plan over both"
        yield f"The result will hold for other documents with the same annotators{more}."
    if design != "crossed" and not isinstance(spread, ChoiceSpread) and spread.severity == 0:
        yield (
            "Annotators are assumed to be equally strict (0): if they are not, the power is lower."
        )
    if best is not None and best.annotators == 1:
        yield "With one annotator, nothing is known about agreement, and one taste decides."
    if best is not None and best.documents < _FEW_DOCUMENTS:
        yield (
            f"{best.documents} documents can hardly stand for others: the power is right only if "
            "they are typical."
        )


def by_other_test(method: Method, power: float) -> str:
    """What the other test of a study that is over both would find."""
    return (
        f"With this plan {_OVER_BOTH[method]} find the difference with a power of "
        f"{percent(power)} (method {method})."
    )


def reasons_why_not(
    limits: Mapping[int, float],
    target: float,
    most: int,
    systems: int,
    least: int,
    available: int | None,
) -> Iterator[str]:
    """Why no plan in the grid reaches the power.

    `limits` has it for unlimited documents, of which there are at `most` so many in the grid, and
    `least` are needed to find anything.
    """
    if most < least:
        two = "two systems" if systems == 2 else f"two of {systems} systems"
        yield (
            f"With {most} documents no difference between {two} can be significant: {least} or "
            "more are needed."
        )
        return
    hopeless = [count for count, limit in limits.items() if limit < target]
    if hopeless and len(hopeless) == len(limits):
        best = max(limits.values())
        why = "because annotators favour systems"
        if not best:
            why = "as so few cannot speak for others"
        yield (
            f"Even with unlimited documents, {counted(max(hopeless), 'annotator')} would have a "
            f"power of {percent(best)}, {why}; only more annotators help."
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
    strict = f", how strict annotators are {spread.severity:.3g}" if spread.severity else ""
    return (
        f"Standard deviations: single summary {spread.summary:.3g}, rest {spread.residual:.3g}, "
        f"annotators who favour a system {spread.annotator:.3g}{strict}."
    )


def rounded(value: float) -> str:
    """Two digits are enough for an estimate."""
    if value < 1:
        return f"{value:.1f}"
    digits = max(len(str(int(value))) - 2, 0)
    return f"{round(value, -digits):,.0f}"
