"""Which system is best, and whether it can be told apart from the next."""

from __future__ import annotations

from collections.abc import Sequence

from gistmark.report.findings.finding import Finding, sentence
from gistmark.report.numbers import show_interval, show_number
from gistmark.report.views import View, leading
from gistmark.study.records import Rank

_EVIDENCE = {"ratings": "ratings", "comparisons": "pairwise choices"}


def best_system(view: View) -> Finding:
    """The best system by people, with its interval and its cluster."""
    for by in ("ratings", "comparisons"):
        dimension = leading(view.ranked_dimensions(by))
        records = view.ranks(by, dimension) if dimension is not None else []
        if records and records[0].value is not None:
            return _winner(records, by)
    return Finding(
        "Systems",
        "People did not rank these systems.",
        "There are no ratings or pairwise choices that tell them apart.",
    )


def _winner(records: list[Rank], by: str) -> Finding:
    best = records[0]
    value = show_number(best.value)
    interval = show_interval(best.low, best.high)
    bounds = f", 95 % interval {interval}" if interval else ""
    return Finding(
        "Systems",
        f"{best.system} is the best system by people’s {_EVIDENCE[by]} of {best.dimension}.",
        f"{sentence(best.method)}: {value}{bounds}, n = {best.n:,}. {_company(records)}",
    )


def _company(records: list[Rank]) -> str:
    """Whether the best system can be told apart from the others."""
    best, rest = records[0], records[1:]
    if not rest:
        return "It is the only system."
    if best.cluster is None:
        return "Whether the difference to the next is beyond chance was not tested."
    mates = [record.system for record in rest if record.cluster == best.cluster]
    if mates:
        return f"It cannot be told apart from {_listed(mates)}: they share the first cluster."
    following = rest[0]
    return (
        "It stands alone in the first cluster; the next is "
        f"{following.system} at {show_number(following.value)}."
    )


def _listed(names: Sequence[str], most: int = 5) -> str:
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
