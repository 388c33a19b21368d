"""Checks across the rows of answers.csv: a ranking is complete, one summary is best, one worst."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from gistmark.corpus.schemas.schema import Parsed
from gistmark.errors import Diagnostics, Location
from gistmark.records import Response

Rows = list[tuple[Response, Location]]


def check_answers(responses: Parsed[Response], diagnostics: Diagnostics) -> None:
    """A problem for each question of two types and each answer that contradicts itself."""
    rows = list(zip(responses.records, responses.locations, strict=True))
    _check_types(rows, diagnostics)
    for members in _group_by_answer(rows):
        first, location = members[0]
        check = _CHECKS.get(first.type)
        if check is not None and not responses.partial:
            for fault in check([record for record, _ in members]):
                diagnostics.problem(f"{fault} ({_describe_answer(first)}).", location)


def _check_types(rows: Rows, diagnostics: Diagnostics) -> None:
    """A question has one type in a campaign."""
    types: dict[tuple[str | None, str], str] = {}
    reported: set[tuple[str | None, str]] = set()
    for record, location in rows:
        key = (record.campaign, record.question)
        if types.setdefault(key, record.type) != record.type and key not in reported:
            reported.add(key)
            diagnostics.problem(
                f"The question {record.question!r} has the type {record.type!r} here, but "
                f"has {types[key]!r} in an earlier row.",
                location,
            )


def _group_by_answer(rows: Rows) -> Iterator[Rows]:
    """The rows of one annotator's answer to one question about one item."""
    groups: dict[tuple[str | None, ...], Rows] = {}
    for record, location in rows:
        if record.type in _CHECKS:
            groups.setdefault(_answer_key(record), []).append((record, location))
    yield from groups.values()


def _answer_key(record: Response) -> tuple[str | None, ...]:
    """What the rows of one answer share; only a set has one answer in rows of several systems."""
    system = record.system if record.type == "choices" else None
    return (
        record.document, record.item, system, record.annotator, record.question, record.campaign
    )  # fmt: skip


def _ranking_faults(records: list[Response]) -> Iterator[str]:
    yield from _size_faults(records, "The ranking")
    ranked = {record.system for record in records}
    expected_systems = records[0].systems if records[0].item else ()
    for system in expected_systems:
        if system not in ranked:
            yield f"The ranking leaves out {system!r}, which was shown"


def _best_worst_faults(records: list[Response]) -> Iterator[str]:
    yield from _size_faults(records, "The best-worst choice")
    counts = Counter(record.value for record in records)
    for word in ("best", "worst"):
        if counts[word] != 1:
            number = "no summary is" if not counts[word] else f"{counts[word]} summaries are"
            yield f"One summary must be {word}, but {number}"


def _size_faults(records: list[Response], noun: str) -> Iterator[str]:
    if len({*records[0].systems, *(record.system for record in records)}) < 2:
        yield f"{noun} has one summary only"


def _choices_faults(records: list[Response]) -> Iterator[str]:
    if len(records) > 1 and any(not record.value for record in records):
        yield "A row says that no option was chosen, but another row has one"


_CHECKS: dict[str, Callable[[list[Response]], Iterator[str]]] = {
    "ranking": _ranking_faults,
    "best-worst": _best_worst_faults,
    "choices": _choices_faults,
}


def _describe_answer(record: Response) -> str:
    return (
        f"question {record.question!r} about document {record.document!r}, "
        f"annotator {record.annotator!r}"
    )
