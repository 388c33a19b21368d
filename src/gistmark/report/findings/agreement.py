"""How far annotators agree, read in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmark.report import words
from gistmark.report.findings.finding import Finding, sentence
from gistmark.report.numbers import show_estimate, show_number
from gistmark.report.views import View, leading
from gistmark.study.records import Agreement

_CAVEAT = (
    "The bounds 0.8 and 0.667 of Krippendorff’s alpha are custom, not law. Alpha falls when nearly "
    "all values are the same, and it is about single judgements: means over several annotators "
    "are steadier than it suggests. Opinions about texts may differ without anybody being wrong."
)
_SIDED = "symmetric"
_SUBJECTS = {
    "ratings": "ratings",
    "comparisons": "pairwise choices",
    "highlights": "highlights",
}


def agreement_findings(view: View) -> Iterator[Finding]:
    """A reading of alpha for each kind of judgement, and how to take it."""
    whole = [r for r in view.study.agreement if not r.scope and r.value is not None]
    alphas = [record for record in whole if "alpha" in record.statistic.lower()]
    for subject, noun in _SUBJECTS.items():
        found = _telling([record for record in alphas if record.subject == subject])
        main = leading(tuple(record.dimension for record in found))
        chosen = next((record for record in found if record.dimension == main), None)
        if chosen is not None:
            yield _reading(chosen, found, noun)
    if alphas:
        yield Finding("How to read agreement", "Low agreement is not the last word.", _CAVEAT)
    else:
        yield Finding(
            "Agreement",
            "How far annotators agree is not known.",
            "That needs at least two annotators who judged the same summaries.",
        )


def _telling(records: list[Agreement]) -> list[Agreement]:
    """For each dimension the alpha that suits the data: free of sides, else with an interval."""
    best: dict[str, Agreement] = {}
    for record in sorted(records, key=lambda r: (_SIDED not in r.statistic, r.low is None)):
        best.setdefault(record.dimension, record)
    return [best[dimension] for dimension in dict.fromkeys(r.dimension for r in records)]


def _reading(record: Agreement, found: Sequence[Agreement], noun: str) -> Finding:
    values = [other.value for other in found if other.value is not None]
    low, high = show_number(min(values)), show_number(max(values))
    spread = f" Over all dimensions it runs from {low} to {high}." if low != high else ""
    degree, meaning = _degree(record.value or 0.0)
    return Finding(
        "Agreement",
        f"Annotators agree {degree} in their {noun}"
        + (f" of {record.dimension}." if record.dimension else "."),
        f"{sentence(words.statistic(record.statistic))}: "
        f"{show_estimate(record.value, record.low, record.high)} (0 is chance, 1 is full "
        f"agreement). {meaning}{spread}",
    )


def _degree(alpha: float) -> tuple[str, str]:
    """Krippendorff's customary reading of his alpha (Content Analysis, 2004, chapter 11)."""
    if alpha >= 0.8:
        return "well", "By custom, 0.8 and more is reliable."
    if alpha >= 0.667:
        return "fairly", "By custom, 0.667 to 0.8 allows tentative conclusions."
    if alpha >= 0.4:
        return (
            "moderately",
            "That is below the customary 0.667: a single judgement says little, means may do.",
        )
    if alpha > 0.1:
        return (
            "weakly",
            "That is usual for opinions about texts, and too little to trust one judge.",
        )
    return "hardly more than by chance", "Conclusions from these judgements stand on weak ground."
