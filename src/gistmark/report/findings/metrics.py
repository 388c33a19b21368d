"""Which metric follows people best, and how surely."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from gistmark.report import words
from gistmark.report.findings.finding import Finding
from gistmark.report.numbers import show_estimate, show_number, show_p
from gistmark.report.raters import against_rest
from gistmark.report.views import View, label, leading
from gistmark.study.records import Correlation, Difference

_SURE = 0.05


def best_metric(view: View) -> Finding:
    """The best metric, and whether it is significantly better than the next."""
    found = view.strongest(view.primary) if view.primary is not None else []
    if found:
        right = [record for record in found if view.oriented(record) > 0]
        return _strongest(view, right) if right else _none_follows(found[0])
    return Finding(
        "Metrics",
        "No metric was compared with people.",
        "That needs both scores and human scores of the same summaries.",
    )


def _none_follows(nearest: Correlation) -> Finding:
    value = show_estimate(nearest.value, nearest.low, nearest.high)
    return Finding(
        "Metrics",
        f"No metric follows people’s {nearest.human}.",
        f"All run the wrong way. {label(nearest.metric, nearest.part)} comes nearest, with "
        f"{words.coefficient(nearest.coefficient)} {value} over {nearest.n:,} summaries.",
    )


def _strongest(view: View, found: Sequence[Correlation]) -> Finding:
    best = found[0]
    name = words.coefficient(best.coefficient)
    value = show_estimate(best.value, best.low, best.high)
    return Finding(
        "Metrics",
        f"{label(best.metric, best.part)} follows people’s {best.human} best.",
        f"{name} {value} over {best.n:,} summaries.{_caveats(view, best)} "
        f"{_runner_up(view, best, found)}",
    )


def _caveats(view: View, best: Correlation) -> str:
    """What a reader may stumble over: a negative sign, or a length that does as well."""
    said = ""
    if (best.value or 0.0) < 0:
        said = " The lower this metric, the better people found the summary."
    plain = [
        record
        for record in view.main_correlations("global", best.coefficient)
        if record.human == best.human
        and view.better(record.metric) == "neither"
        and abs(record.value or 0.0) > view.oriented(best)
    ]
    if plain:
        rival = max(plain, key=lambda record: abs(record.value or 0.0))
        said += (
            f" Mind that {label(rival.metric, rival.part)}, which only describes the summary, "
            f"goes with it more closely still ({show_number(rival.value)})."
        )
    return said


def _runner_up(view: View, best: Correlation, found: Sequence[Correlation]) -> str:
    """How the best metric compares with the best of another kind, by the study's own test."""
    rest = [record for record in found if record.metric != best.metric]
    if not rest:
        return "There is no other metric that follows people at all."
    other = rest[0]
    name = f"{label(other.metric, other.part)} ({show_number(other.value)})"
    test = view.difference(best, other)
    if test is None or (test.p is None and test.p_corrected is None):
        return f"The next is {name}; no test compares the two, so the order may be chance."
    p = test.p if test.p_corrected is None else test.p_corrected
    sure = "significantly" if p is not None and p < _SURE else "not significantly"
    return f"It is {sure} better than the next, {name}: {_tested(test, p)}."


def _tested(test: Difference, p: float | None) -> str:
    name = words.CORRECTIONS.get(test.correction, test.correction)
    corrected = f" after {name} correction" if name and name != "none" else ""
    difference = show_estimate(test.value, test.low, test.high)
    return f"difference {difference}, p {_equals(show_p(p))}{corrected}, by {test.test}"


def metric_against_annotators(view: View) -> Iterator[Finding]:
    """Whether the best metric follows people as a typical annotator does."""
    groups = against_rest(view.study)
    dimension = leading(tuple(groups))
    best = next(iter(view.strongest(dimension)), None) if dimension is not None else None
    if dimension is None or best is None or len(groups[dimension]) < 2 or view.oriented(best) <= 0:
        return
    median = statistics.median(record.value or 0.0 for record in groups[dimension])
    strength = view.oriented(best)
    verdict = "as closely as" if strength >= median else "less closely than"
    yield Finding(
        "Metrics and annotators",
        f"The best metric follows people {verdict} a typical annotator does.",
        f"{dimension}: {label(best.metric, best.part)} reaches {show_number(strength)} with the "
        f"mean of all annotators; the median annotator reaches {show_number(median)} with the "
        "mean of the others. The two are not quite alike: the metric was picked as the best of "
        "many, and an annotator is compared with one person fewer.",
    )


def _equals(p: str) -> str:
    return p.replace("<", "< ") if p.startswith("<") else f"= {p}"
