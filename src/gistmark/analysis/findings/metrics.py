"""Findings about metrics: which follows people best, and what one was worth as a helper."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gistmark.analysis.agreement.coefficients.splits import beside_annotators
from gistmark.analysis.correlation.coefficients import MOST_PERMUTED
from gistmark.analysis.correlation.differences import turned
from gistmark.analysis.correlation.ordering import Ordering
from gistmark.analysis.data.columns import columns_by_dimension
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.findings import words
from gistmark.analysis.findings.headline import headline_score
from gistmark.analysis.findings.words import show_estimate, show_number, show_p
from gistmark.analysis.prediction_powered import Powered
from gistmark.analysis.prediction_powered.sampling import NOT_RANDOM
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.resampling.bootstrap import FEWEST_SYSTEMS
from gistmark.analysis.studies.records import Difference, Finding, Headline, Strength
from gistmark.records import Rating
from gistmark.signature import labelled

_SAME = 1e-9
"""Correlations that differ by less differ by rounding."""


@dataclass(frozen=True)
class MetricEvidence:
    """What is known about metrics and people; `measures` says which way each metric points.

    `ordering` orders the measures by a human score, level and coefficient. `permutations` is their
    number, where differences were tested by permutation.
    """

    headline: Headline
    measures: Measures
    ratings: Sequence[Rating]
    ordering: Callable[[str, str, str], Ordering]
    differences: Sequence[Difference]
    signatures: Mapping[str, str]
    permutations: int | None = None

    def shown(self, record: Strength) -> str:
        """A part of a metric with the model behind it, as people see it."""
        return labelled(record.metric, self.signatures.get(record.metric), str(_name(record)))

    @cached_property
    def directions(self) -> Mapping[MeasureName, str]:
        return dict(zip(self.measures.names, self.measures.better, strict=True))

    def lower(self, record: Strength) -> bool:
        """Whether less is better, so that the strength is the correlation negated."""
        return self.directions.get(_name(record)) == "lower"

    def value(self, record: Strength) -> float:
        """The correlation as it is."""
        return -record.strength if self.lower(record) else record.strength

    def bounds(self, record: Strength) -> tuple[float | None, float | None]:
        """The bounds of the correlation as it is."""
        if record.low is None or record.high is None or not self.lower(record):
            return record.low, record.high
        return -record.high, -record.low

    def tests(self, record: Strength) -> list[Difference]:
        """The tested differences at the same level, by the same coefficient."""
        kind = (record.human, record.level, record.coefficient)
        return [d for d in self.differences if (d.human, d.level, d.coefficient) == kind]


def metric_findings(evidence: MetricEvidence) -> Iterator[Finding]:
    """The best metric at every level of the headline, and beside a typical annotator."""
    headline = evidence.headline
    for level in headline.levels if headline.human is not None else ():
        ordering = evidence.ordering(headline.human or "", level, headline.coefficient)
        if ordering.judging:
            yield _best_metric(evidence, ordering)
    yield from _beside_annotators(evidence)


def _best_metric(evidence: MetricEvidence, ordering: Ordering) -> Finding:
    """The best of all parts of all metrics at one level, and how surely it is the best."""
    ordered, proven = ordering.judging, ordering.leader is not None
    best, ahead = ordered[ordering.leader or 0], ordered[: ordering.leader or 0]
    tied = [r for r in ordered[len(ahead) :] if best.strength - r.strength < _SAME]
    rest = ordered[len(ahead) + len(tied) :]
    test = _test_against_next(evidence, tied, rest) if rest and proven else None
    metrics = words.counted(len({record.metric for record in ordered}), "metric")
    low, high = evidence.bounds(best) if ordering.general else (None, None)
    detail = [
        f"{words.counted(len(ordered), 'part')} of {metrics} "
        f"{'were' if ordered[1:] else 'was'} compared over {_base(best)}.",
        _left_out(ordering),
        "The interval is corrected for the choice of the best part."
        if low is not None and ordered[1:]
        else "",
        _ahead(evidence, ahead),
        _lower_is_better(evidence, tied),
        _against_others(evidence, best, len(ordered) - 1) if proven and not tied[1:] else "",
        _next(evidence, test, tied, rest) if test is not None else "",
        _length(ordering),
    ]
    return Finding(
        kind="metrics",
        text=_verdict(evidence, ordering, tied),
        detail=" ".join(filter(None, detail)),
        dimension=best.human,
        level=best.level,
        coefficient=best.coefficient,
        name=str(_name(best)),
        value=evidence.value(best),
        low=low,
        high=high,
        p=test.p_corrected if test is not None else None,
        compared=len(ordered),
        n=best.n,
    )


def _verdict(evidence: MetricEvidence, ordering: Ordering, tied: Sequence[Strength]) -> str:
    """What can be said of the best part, or of those that share the best correlation."""
    best, names = tied[0], words.listed([evidence.shown(record) for record in tied])
    bounds = evidence.bounds(best) if ordering.general else (None, None)
    value = show_estimate(evidence.value(best), *bounds)
    if len({evidence.lower(record) for record in tied}) > 1:
        bounds = (best.low, best.high) if ordering.general else (None, None)
        value = f"{show_estimate(best.strength, *bounds)}, negated where lower is better"
    shown = f"{words.coefficient(best.coefficient)} {value}"
    if not ordering.general:
        return _among_few(ordering, names, shown, several=bool(tied[1:]))
    where = f"At {best.level} level" if best.level != "global" else "Over all summaries"
    if best.level == "global" and ordering.scope == "documents of this system":
        where = "Over all summaries of this system"
    if ordering.leader is None:
        verb = "are" if tied[1:] else "is"
        return (
            f"{where}, no metric can be shown to follow people’s {best.human}; {names} {verb} "
            f"closest: {shown}."
        )
    follows = "follow" if tied[1:] else "follows"
    closely = "most closely, with equal correlations" if tied[1:] else "most closely"
    closely += " of those that can be shown to" if ordering.leader else ""
    return f"{where}, {names} {follows} people’s {best.human} {closely}: {shown}."


def _among_few(ordering: Ordering, names: str, shown: str, *, several: bool) -> str:
    """What holds for these systems alone."""
    best, p = ordering.judging[0], ordering.p[0]
    level = "" if best.level == "global" else f"{best.level}-level "
    over = " over all summaries" if best.level == "global" else ""
    exact = f" (exact p {show_p(p)})" if p is not None and best.n <= MOST_PERMUTED else ""
    why = "the interval is over documents alone, which says nothing about other systems"
    if ordering.systems < FEWEST_SYSTEMS:
        few = words.number(ordering.systems)
        why = f"{few} systems are too few to say which metric follows people"
    return (
        f"Among these {ordering.systems} systems, {names} {'have' if several else 'has'} the "
        f"highest {level}correlation{over} with people’s {best.human}: {shown}{exact}; {why}."
    )


def _ahead(evidence: MetricEvidence, ahead: Sequence[Strength]) -> str:
    """The parts with a higher correlation, which is too unsure to be shown."""
    values = [
        f"{evidence.shown(record)} "
        f"({show_estimate(evidence.value(record), *evidence.bounds(record))})"
        for record in ahead
    ]
    return f"Closer, but not shown to follow people: {words.listed(values)}." if values else ""


def _left_out(ordering: Ordering) -> str:
    """The parts that cannot be compared with the others, by reason."""
    groups: dict[str, list[str]] = {}
    for name, why in ordering.left_out:
        groups.setdefault(why, []).append(str(name))
    sentences = []
    for why, names in groups.items():
        if names[1:]:
            why = why.replace("was scored", "were scored")
            why = why.replace("differs between", "differ between")
        sentences.append(f"Left out: {words.listed(names)}, which {why}.")
    return " ".join(sentences)


def _lower_is_better(evidence: MetricEvidence, tied: Sequence[Strength]) -> str:
    """Which of the best parts are better when lower, if any."""
    names = [evidence.shown(record) for record in tied if evidence.lower(record)]
    if not names:
        return ""
    which = words.listed(names) if tied[1:] else "this metric"
    return f"Lower values of {which} are better."


def _base(record: Strength) -> str:
    """What the number `n` of a correlation counts."""
    if record.level == "global":
        return f"{record.n:,} summaries"
    return words.counted(record.n, "system" if record.level == "system" else "document")


def _against_others(evidence: MetricEvidence, best: Strength, rivals: int) -> str:
    """How many of the other parts the best one is significantly better than."""
    name, tests = str(_name(best)), evidence.tests(best)
    against = [d for d in tests if name in (d.metric, d.other) and d.p is not None]
    others, least = len(against), 1.0 / (1 + (evidence.permutations or math.inf))
    if not others or others < rivals:
        return ""
    if least * len(tests) >= SIGNIFICANT and against[0].correction == "holm":
        return (
            f"With {evidence.permutations:,} permutations, none of {len(tests):,} comparisons can "
            "be significant after correction; --resamples raises their number."
        )
    beaten = sum(
        record.p_corrected is not None and record.p_corrected < SIGNIFICANT
        and ((record.value or 0.0) > 0) == (record.metric == name)
        for record in against
    )  # fmt: skip
    how = f"{against[0].test}, {words.correction(against[0].correction)}, 5 %"
    it = "Among these systems, it is" if against[0].over.endswith("these systems") else "It is"
    if others == 1:
        return f"{it} {'' if beaten else 'not '}significantly better than the other ({how})."
    if not beaten:
        return f"{it} not significantly better than any of the {others:,} others ({how})."
    number = "all" if beaten == others else f"{beaten:,} of the"
    return f"{it} significantly better than {number} {others:,} others ({how})."


def _test_against_next(
    evidence: MetricEvidence, tied: Sequence[Strength], rest: Sequence[Strength]
) -> Difference | None:
    """The test between the best part and the best of another metric, else the next part."""
    metrics = {record.metric for record in tied}
    others = [record for record in rest if record.metric not in metrics] or rest
    one, other = str(_name(tied[0])), str(_name(others[0]))
    for record in evidence.tests(tied[0]):
        if (record.metric, record.other) == (one, other):
            return record
        if (record.metric, record.other) == (other, one):
            return turned(record)
    return None


def _next(
    evidence: MetricEvidence,
    test: Difference,
    tied: Sequence[Strength],
    rest: Sequence[Strength],
) -> str:
    other = next(record for record in rest if str(_name(record)) == test.other)
    new = other.metric not in {record.metric for record in tied}
    who = f"{'The best of another metric' if new else 'The next part'} is {evidence.shown(other)}"
    lower = ", lower is better" if evidence.lower(other) else ""
    value = f"{show_number(evidence.value(other))}{lower}"
    if test.p is None:
        return f"{who} ({value}); {test.reason or 'it was not tested'}."
    gap = show_estimate(test.value, test.low, test.high)
    corrected = "" if test.correction == "none" else " after correction"
    p = show_p(test.p_corrected)
    equals = f"p < {p[1:]}" if p.startswith("<") else f"p = {p}"
    return f"{who} ({value}): difference {gap}, {equals}{corrected}."


def _length(ordering: Ordering) -> str:
    """A warning where a plain length goes with people more closely than the best metric."""
    rival = ordering.length
    if rival is None:
        return ""
    return (
        f"Note that {_name(rival)}, which only describes a summary, correlates more strongly with "
        f"people’s {rival.human} ({show_number(rival.strength)})."
    )


def _beside_annotators(evidence: MetricEvidence) -> Iterator[Finding]:
    """The best metric beside a typical annotator, both against the mean of the other annotators.

    Nothing is said where no metric can be shown to follow people.
    """
    columns = columns_by_dimension(evidence.ratings)
    several = [name for name, column in columns.items() if len(column.rater_names) > 1]
    dimension = headline_score(several, evidence.headline.ratings)
    if dimension is None or dimension not in several:
        return
    ordering = evidence.ordering(dimension, "global", "spearman")
    if ordering.leader is None:
        return
    best = ordering.judging[ordering.leader]
    row = evidence.measures.names.index(_name(best))
    scores = evidence.measures.at(columns[dimension].unit_names, oriented=True)[row]
    beside = beside_annotators(columns[dimension], scores)
    if len(beside) < 2:
        return
    person, metric = (statistics.median(side) for side in zip(*beside, strict=True))
    negated = " (negated, as lower is better)" if evidence.lower(best) else ""
    parts = words.counted(len(ordering.judging), "part")
    picked = ", but the metric was picked as the best" if ordering.judging[1:] else ""
    yield Finding(
        kind="annotators",
        text=f"{evidence.shown(best)} reaches a correlation of {show_number(metric)}"
        f"{negated} with the mean {dimension} of all annotators but one; the median annotator "
        f"reaches {show_number(person)} with the same means.",
        detail=f"Medians of Spearman over all summaries; {parts} of metrics and {len(beside):,} "
        "annotators. Each annotator was left out in turn: both are compared with the same means on "
        f"the same summaries{picked}.",
        by="ratings",
        dimension=dimension,
        level="global",
        coefficient="spearman",
        name=str(_name(best)),
        value=metric,
        compared=len(beside),
        n=best.n,
    )


def _name(record: Strength) -> MeasureName:
    return MeasureName(record.metric, record.part)


def helper_findings(records: Sequence[Powered], human: str | None) -> Iterator[Finding]:
    """One sentence about the means of systems, by the leading human score or else the first.

    Unless the helper is worth a whole document or more for the median system, it does not help.
    """
    names = dict.fromkeys(record.human for record in records)
    dimension = human if human in names else next(iter(names), None)
    means = [r for r in records if r.human == dimension and not r.right and r.saved is not None]
    if not means:
        return
    saved = sorted(r.saved for r in means if r.saved is not None)
    middle, judged = int(statistics.median(saved)), int(statistics.median(r.n for r in means))
    helper, more = means[0].helper, words.counted(middle, "more judged document")
    text = f"With {helper}, the interval of a typical system’s mean is as narrow as with {more}."
    if not middle:
        text = f"{helper} does not help: for a typical system it is worth less than one document."
    cautions = (record.caution or "" for record in means)
    picked = next((caution for caution in cautions if NOT_RANDOM in caution), None)
    if picked:
        text += f" But {picked.partition('; ')[0]}."
    span = f"from {saved[0]:,} to {saved[-1]:,}" if saved[0] < saved[-1] else f"{saved[0]:,}"
    yield Finding(
        kind="helper",
        text=text,
        detail=f"{dimension}, {words.counted(len(saved), 'system')}: people judged "
        f"{words.counted(judged, 'document')} of a typical system, and the helper is worth {span} "
        "more (PPI++, which takes the judged documents as a random sample).",
        by="ratings",
        dimension=str(dimension),
        name=helper,
        value=float(middle),
        compared=len(means),
        n=judged,
    )
