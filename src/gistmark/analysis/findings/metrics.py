"""Findings about metrics: which follows people best, and what one was worth as a helper."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gistmark.analysis.correlation.differences import turned
from gistmark.analysis.data.measures import DIMENSION, MeasureName, Measures
from gistmark.analysis.findings import words
from gistmark.analysis.findings.headline import headline_score
from gistmark.analysis.findings.words import show_estimate, show_number, show_p
from gistmark.analysis.prediction_powered import Powered
from gistmark.analysis.prediction_powered.sampling import NOT_RANDOM
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.studies.records import (
    AGAINST_REST,
    Agreement,
    Correlation,
    Difference,
    Finding,
    Headline,
)
from gistmark.signature import labelled

_SAME = 1e-9
"""Correlations that differ by less differ by rounding."""


@dataclass(frozen=True)
class MetricEvidence:
    """What is known about metrics and people; `measures` says which way each metric points.

    `permutations` is their number, where differences were tested by permutation.
    """

    headline: Headline
    measures: Measures
    agreement: Sequence[Agreement]
    correlation: Sequence[Correlation]
    differences: Sequence[Difference]
    signatures: Mapping[str, str]
    permutations: int | None = None

    def shown(self, record: Correlation) -> str:
        """A part of a metric with the model behind it, as people see it."""
        return labelled(record.metric, self.signatures.get(record.metric), str(_name(record)))

    @cached_property
    def directions(self) -> Mapping[MeasureName, str]:
        return dict(zip(self.measures.names, self.measures.better, strict=True))

    def strength(self, record: Correlation) -> float:
        """A correlation such that more is better, whichever way the metric points."""
        value = record.value or 0.0
        return -value if self.directions.get(_name(record)) == "lower" else value

    def correlations(self, human: str, level: str, coefficient: str) -> list[Correlation]:
        """The correlations of metrics and lengths with one human score over all summaries."""
        return [
            r
            for r in self.correlation
            if (r.human, r.level, r.coefficient) == (human, level, coefficient)
            and r.part != DIMENSION
            and r.value is not None
            and not r.given
            and not r.subset
        ]

    def judging(self, records: Sequence[Correlation]) -> list[Correlation]:
        """Those of metrics that judge a summary, the closest to people first."""
        chosen = [r for r in records if self.directions.get(_name(r)) in ("higher", "lower")]
        return sorted(chosen, key=lambda record: -self.strength(record))

    def tests(self, record: Correlation) -> list[Difference]:
        """The tested differences at the same level, by the same coefficient."""
        kind = (record.human, record.level, record.coefficient)
        return [d for d in self.differences if (d.human, d.level, d.coefficient) == kind]


def metric_findings(evidence: MetricEvidence) -> Iterator[Finding]:
    """The best metric at every level of the headline, and beside a typical annotator."""
    headline = evidence.headline
    for level in headline.levels if headline.human is not None else ():
        records = evidence.correlations(headline.human or "", level, headline.coefficient)
        ordered = evidence.judging(records)
        if ordered:
            yield _best_metric(evidence, ordered, records)
    yield from _beside_annotators(evidence)


def _best_metric(
    evidence: MetricEvidence, ordered: Sequence[Correlation], records: Sequence[Correlation]
) -> Finding:
    """The best of all parts of all metrics at one level, and how surely it is the best."""
    best, strength = ordered[0], evidence.strength(ordered[0])
    tied = [record for record in ordered if strength - evidence.strength(record) < _SAME]
    rest = ordered[len(tied) :]
    test = _test_against_next(evidence, tied, rest) if rest and strength > 0 else None
    metrics = words.counted(len({record.metric for record in ordered}), "metric")
    detail = [
        f"{words.counted(len(ordered), 'part')} of {metrics} "
        f"{'were' if ordered[1:] else 'was'} compared over {_base(best)}.",
        _lower_is_better(evidence, tied),
        _against_others(evidence, ordered) if strength > 0 and not tied[1:] else "",
        _next(evidence, test, tied, rest) if test is not None else "",
        _lengths(evidence, records, strength),
    ]
    return Finding(
        kind="metrics",
        text=_verdict(evidence, tied),
        detail=" ".join(filter(None, detail)),
        dimension=best.human,
        level=best.level,
        coefficient=best.coefficient,
        name=str(_name(best)),
        value=best.value,
        low=best.low,
        high=best.high,
        p=test.p_corrected if test is not None else None,
        compared=len(ordered),
        n=best.n,
    )


def _verdict(evidence: MetricEvidence, tied: Sequence[Correlation]) -> str:
    """The best part, or those that share the best correlation."""
    best, names = tied[0], words.listed([evidence.shown(record) for record in tied])
    value = show_estimate(best.value, *((None, None) if tied[1:] else (best.low, best.high)))
    if len({evidence.directions[_name(record)] for record in tied}) > 1:
        value = f"{show_number(evidence.strength(best))}, negated where lower is better"
    shown = f"{words.coefficient(best.coefficient)} {value}"
    where = f"At {best.level} level" if best.level != "global" else "Over all summaries"
    if evidence.strength(best) <= 0:
        verb = "are" if tied[1:] else "is"
        return f"{where}, no metric follows people’s {best.human}; {names} {verb} closest: {shown}."
    follows = "follow" if tied[1:] else "follows"
    closely = "most closely, with equal correlations" if tied[1:] else "most closely"
    return f"{where}, {names} {follows} people’s {best.human} {closely}: {shown}."


def _lower_is_better(evidence: MetricEvidence, tied: Sequence[Correlation]) -> str:
    """Which of the best parts are better when lower, if any."""
    names = [evidence.shown(r) for r in tied if evidence.directions[_name(r)] == "lower"]
    if not names:
        return ""
    which = words.listed(names) if tied[1:] else "this metric"
    return f"Lower values of {which} are better."


def _base(record: Correlation) -> str:
    """What the number `n` of a correlation counts."""
    if record.level == "global":
        return f"{record.n:,} summaries"
    return words.counted(record.n, "system" if record.level == "system" else "document")


def _against_others(evidence: MetricEvidence, ordered: Sequence[Correlation]) -> str:
    """How many of the other parts the best one is significantly better than."""
    name, tests = str(_name(ordered[0])), evidence.tests(ordered[0])
    own = [d for d in tests if name in (d.metric, d.other) and d.p is not None]
    others, least = len(own), 1.0 / (1 + (evidence.permutations or math.inf))
    if not others or others < len(ordered) - 1:
        return ""
    if least * len(tests) >= SIGNIFICANT and own[0].correction == "holm":
        return (
            f"With {evidence.permutations:,} permutations, none of {len(tests):,} comparisons can "
            "be significant after correction; --resamples raises their number."
        )
    beaten = sum(
        record.p_corrected is not None and record.p_corrected < SIGNIFICANT
        and ((record.value or 0.0) > 0) == (record.metric == name)
        for record in own
    )  # fmt: skip
    how = f"{own[0].test}, {words.correction(own[0].correction)}, 5 %"
    if others == 1:
        return f"It is {'' if beaten else 'not '}significantly better than the other ({how})."
    if not beaten:
        return f"It is not significantly better than any of the {others:,} others ({how})."
    number = "all" if beaten == others else f"{beaten:,} of the"
    return f"It is significantly better than {number} {others:,} others ({how})."


def _test_against_next(
    evidence: MetricEvidence, tied: Sequence[Correlation], rest: Sequence[Correlation]
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
    tied: Sequence[Correlation],
    rest: Sequence[Correlation],
) -> str:
    other = next(record for record in rest if str(_name(record)) == test.other)
    new = other.metric not in {record.metric for record in tied}
    who = f"{'The best of another metric' if new else 'The next part'} is {evidence.shown(other)}"
    lower = evidence.directions[_name(other)] == "lower"
    value = f"{show_number(other.value)}{', lower is better' if lower else ''}"
    if test.p is None:
        return f"{who} ({value}); {test.reason or 'it was not tested'}."
    gap = show_estimate(test.value, test.low, test.high)
    corrected = "" if test.correction == "none" else " after correction"
    p = show_p(test.p_corrected)
    equals = f"p < {p[1:]}" if p.startswith("<") else f"p = {p}"
    return f"{who} ({value}): difference {gap}, {equals}{corrected}."


def _lengths(evidence: MetricEvidence, records: Sequence[Correlation], strength: float) -> str:
    """A warning where a plain length goes with people more closely than the best metric."""
    plain = [r for r in records if evidence.directions.get(_name(r)) == "neither"]
    rival = max(plain, key=lambda record: abs(record.value or 0.0), default=None)
    if rival is None or abs(rival.value or 0.0) <= strength:
        return ""
    return (
        f"Note that {_name(rival)}, which only describes a summary, correlates more strongly with "
        f"people’s {rival.human} ({show_number(rival.value)})."
    )


def _beside_annotators(evidence: MetricEvidence) -> Iterator[Finding]:
    """The best metric beside a typical annotator, over all summaries."""
    groups: dict[str, list[float]] = {}
    for record in evidence.agreement:
        if record.statistic == AGAINST_REST and record.scope and record.value is not None:
            groups.setdefault(record.dimension, []).append(record.value)
    dimension = headline_score(list(groups), evidence.headline.ratings)
    if dimension is None or len(groups[dimension]) < 2:
        return
    ordered = evidence.judging(evidence.correlations(dimension, "global", "spearman"))
    if not ordered or evidence.strength(ordered[0]) <= 0:
        return
    best, values = ordered[0], groups[dimension]
    strength = evidence.strength(best)
    negated = " (negated, as lower is better)" if best.value != strength else ""
    picked = "the metric was picked as the best, and " if ordered[1:] else ""
    yield Finding(
        kind="annotators",
        text=f"{evidence.shown(best)} reaches a correlation of {show_number(strength)}{negated} "
        f"with the mean of all annotators’ {dimension}; the median annotator reaches "
        f"{show_number(statistics.median(values))} with the mean of the others.",
        detail=f"Spearman over all summaries; {words.counted(len(ordered), 'part')} of metrics "
        f"and {len(values):,} annotators. The two are not strictly comparable: {picked}an "
        "annotator is compared with the mean of one person fewer.",
        by="ratings",
        dimension=dimension,
        level="global",
        coefficient="spearman",
        name=str(_name(best)),
        value=strength,
        compared=len(values),
        n=best.n,
    )


def _name(record: Correlation) -> MeasureName:
    return MeasureName(record.metric, record.part)


def helper_findings(records: Sequence[Powered], human: str | None) -> Iterator[Finding]:
    """One sentence about the means of systems, by the leading human score or else the first.

    Unless the helper is worth a whole document or more for the median system, it does not help.
    """
    names = dict.fromkeys(record.human for record in records)
    chosen = human if human in names else next(iter(names), None)
    means = [r for r in records if r.human == chosen and not r.right and r.saved is not None]
    if not means:
        return
    saved = sorted(r.saved for r in means if r.saved is not None)
    middle = int(statistics.median(saved))
    judged, helper = statistics.median(r.n for r in means), means[0].helper
    yield Finding(
        kind="helper",
        text=(_helps(helper, middle) if middle else _helps_not(helper)) + _but(means),
        detail=_detail(saved, int(judged), str(chosen)),
        by="ratings",
        dimension=str(chosen),
        name=helper,
        value=float(middle),
        compared=len(means),
        n=int(judged),
    )


def _but(means: Sequence[Powered]) -> str:
    """That the judged documents were picked, if the helper's own values say so."""
    cautions = (record.caution or "" for record in means)
    picked = next((text for text in cautions if NOT_RANDOM in text), None)
    return f" But {picked.partition('; ')[0]}." if picked else ""


def _helps(helper: str, saved: int) -> str:
    more = words.counted(saved, "more judged document")
    return f"With {helper}, the interval of a typical system’s mean is as narrow as with {more}."


def _helps_not(helper: str) -> str:
    return f"{helper} does not help: for a typical system it is worth less than one document."


def _detail(saved: Sequence[int], judged: int, human: str) -> str:
    each = words.counted(judged, "document")
    span = f"from {saved[0]:,} to {saved[-1]:,}" if saved[0] < saved[-1] else f"{saved[0]:,}"
    return (
        f"{human}, {words.counted(len(saved), 'system')}: people judged {each} of a typical "
        f"system, and the helper is worth {span} more (PPI++, which takes the judged documents as "
        "a random sample)."
    )
