"""Sanity checks: whether a finished task can be trusted. They are decided on the server.

After Hardy, Narayan and Vlachos, "HighRES" (2019): the True/False question, the planted summaries
(bad < mediocre < good), no highlights and untouched sliders. Straight lines and haste are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from gistmark.judgements.answers import Answer
from gistmark.judgements.protocol import CHECK_KINDS, CheckKind, Protocol
from gistmark.judgements.tasks import PLANTED_KINDS, Task

FEWEST_ANSWERS = 5
"""Fewer equal answers than this are no sign of straight-lining."""

_THANKS = "Thank you, your work has been received."
_NOT_COUNTED = (
    "Thank you, your work has been received. It does not meet the criteria of this campaign and "
    "will not be counted."
)


@dataclass(frozen=True, slots=True)
class Flag:
    """A check that failed: which, a sentence for the manager, and what follows from it."""

    kind: CheckKind
    reason: str
    severity: Literal["flag", "reject"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks say about a task: it is accepted unless a flag rejects it."""

    flags: tuple[Flag, ...] = ()

    @property
    def accepted(self) -> bool:
        return all(flag.severity == "flag" for flag in self.flags)

    @property
    def for_annotator(self) -> str:
        """What the annotator may be told: neither which check failed nor that there are any."""
        return _THANKS if self.accepted else _NOT_COUNTED


def check(
    protocol: Protocol, task: Task, answer: Answer, *, elapsed: float | None = None
) -> Verdict:
    """The verdict on an answer that was read with `read_answer`.

    `elapsed` is the time that the server measured in seconds. Where the answer has a time too,
    the shorter of the two counts; where there is none, haste cannot be told.

    >>> from gistmark.judgements import Answer, Entry, Task, check, get_protocol
    >>> task = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
    >>> check(get_protocol("overall"), task, Answer(), elapsed=3.5).flags[0].reason
    'The task took 3.5 seconds; the minimum is 20 for each of its items, 20 in all.'
    """
    times = [seconds for seconds in (elapsed, answer.seconds) if seconds is not None]
    timed = replace(answer, seconds=min(times, default=None))
    flags: list[Flag] = []
    for kind in CHECK_KINDS:
        severity = protocol.checks.action(kind)
        if severity != "off":
            reasons = _CHECKS[kind](protocol, task, timed)
            flags += [Flag(kind, reason, severity) for reason in reasons]
    return Verdict(tuple(flags))


def _question(_: Protocol, task: Task, answer: Answer) -> Iterator[str]:
    question = task.question
    if question is not None and answer.reply is not question.answer:
        said = {True: "true", False: "false", None: "not answered"}[answer.reply]
        yield (
            f"The statement {question.statement!r} is {str(question.answer).lower()}, "
            f"but was {'called ' if answer.reply is not None else ''}{said}."
        )


def _planted(protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
    keys = {entry.planted: entry.key for entry in task.entries if entry.planted is not None}
    if not keys:
        return
    for dimension in protocol.dimensions:
        good, mediocre, bad = (_value(answer, keys[kind], dimension.name) for kind in PLANTED_KINDS)
        if None in (good, mediocre, bad) or not bad < mediocre < good:  # type: ignore[operator]
            shown = f"bad {_said(bad)}, mediocre {_said(mediocre)}, good {_said(good)}"
            yield f"The planted summaries are out of order in {dimension.name}: {shown}."


def _untouched(protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
    scales = {each.name: protocol.scale_of(each.name) for each in protocol.dimensions}
    sliders = {name: scale for name, scale in scales.items() if scale.form == "slider"}
    moved = {(move.item, move.control) for move in answer.moves or ()}
    for entry in task.entries:
        still = [
            (entry.key, name) not in moved
            if answer.moves is not None
            else scale.start is not None and _value(answer, entry.key, name) == scale.start
            for name, scale in sliders.items()
        ]
        if still and all(still):
            yield f"No slider of item {entry.key} was moved."


def _no_highlights(_: Protocol, task: Task, answer: Answer) -> Iterator[str]:
    for entry in task.entries:
        found = answer.items.get(entry.key)
        if found is None or not found.highlights:
            yield f"Nothing is highlighted in document {entry.document!r}."


def _straight_line(protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
    """All values of a task the same, or, over at least as many pairs, always the same side.

    Within one pair it is natural that one side wins in every dimension.
    """
    given = [answer.items[entry.key] for entry in task.entries if entry.key in answer.items]
    if protocol.kind == "comparison":
        sides = {choice for each in given for choice in each.choices.values()}
        if len(given) >= FEWEST_ANSWERS and len(sides) == 1:
            yield f"The {sides.pop()} side was chosen every time, in {len(given)} pairs."
        return
    values = [rating.value for each in given for rating in each.ratings.values()]
    if len(values) >= FEWEST_ANSWERS and len(set(values)) == 1:
        yield f"All {len(values)} values of the task are {values[0]}."


def _too_fast(protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
    least = protocol.minimum_seconds * len(task.entries)
    if answer.seconds is not None and answer.seconds < least:
        yield (
            f"The task took {answer.seconds:.1f} seconds; the minimum is "
            f"{protocol.minimum_seconds:g} for each of its items, {least:g} in all."
        )


def _value(answer: Answer, key: str, dimension: str) -> int | None:
    found = answer.items.get(key)
    given = found.ratings.get(dimension) if found is not None else None
    return given.value if given is not None else None


def _said(value: int | None) -> str:
    return "unrated" if value is None else str(value)


_CHECKS: Mapping[CheckKind, Callable[[Protocol, Task, Answer], Iterator[str]]] = {
    "question": _question,
    "planted": _planted,
    "untouched": _untouched,
    "no_highlights": _no_highlights,
    "straight_line": _straight_line,
    "too_fast": _too_fast,
}
