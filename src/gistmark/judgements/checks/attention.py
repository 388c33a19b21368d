"""The attention checks.

After Hardy, Narayan and Vlachos, "HighRES" (2019): the True/False question, the planted summaries
(bad < mediocre < good), no highlights and untouched sliders. The checks for straight lines and
haste were added here. What depends on the form of the answers is left to the question type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import ClassVar

from gistmark.judgements.answers import Answer
from gistmark.judgements.checks import CHECKS, get_check
from gistmark.judgements.checks.base import Check, CheckResult, Flag
from gistmark.judgements.checks.markets import within_rules
from gistmark.judgements.forms.form import FormAnswer, instructed_questions
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.task import PLANTED_KINDS, Task
from gistmark.judgements.verdicts import Verdict


def check(
    protocol: Protocol,
    task: Task,
    answer: Answer,
    *,
    elapsed: float | None = None,
    failures_needed: int | Callable[[], int] = 1,
    machine: bool = False,
) -> CheckResult:
    """The result of the checks for an answer that was read with `read_answer`.

    `elapsed` is the time that the server measured in seconds. Where the answer has a time too, the
    shorter of the two counts; where there is none, haste cannot be detected. Where fewer
    instructions than `failures_needed` were missed, none of them rejects: the work is paid. A
    `machine` gets all checks except those of a person's hands and time.

    >>> from gistmark.judgements import Answer, Entry, Task, check, get_protocol
    >>> task = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
    >>> check(get_protocol("overall"), task, Answer(), elapsed=3.5).flags[0].reason
    'The task took 3.5 seconds; the minimum is 20 for each of its items, 20 in all.'
    """
    protocol = protocol.limited_to(task.dimension)
    times = [seconds for seconds in (elapsed, answer.seconds) if seconds is not None]
    timed = replace(answer, seconds=min(times, default=None))
    flags: list[Flag] = []
    for name in CHECKS:
        severity = protocol.checks[name]
        if severity != "off" and not (machine and get_check(name).of_people):
            with CHECKS.naming_plugin(name):
                reasons = get_check(name).reasons(protocol, task, timed)
                flags += [Flag(name, reason, severity) for reason in reasons]
    return CheckResult(within_rules(flags, failures_needed))


class StatementCheck(Check):
    """A True/False statement at the end, about what was read."""

    about = "a True/False question at the end must be answered correctly"

    def misfit(self, protocol: Protocol) -> str | None:
        if protocol.shows_document or "reference" in protocol.shows:
            return None
        return "must be off: neither a document nor a reference is shown"

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        question = task.question
        if question is not None and answer.reply is not question.answer:
            reply = {True: "called true", False: "called false", None: "not answered"}
            yield (
                f"The statement {question.statement!r} is {str(question.answer).lower()}, "
                f"but was {reply[answer.reply]}."
            )


class PlantedCheck(Check):
    """Three planted summaries whose order is known."""

    about = "three planted summaries must be rated bad < mediocre < good"

    def misfit(self, protocol: Protocol) -> str | None:
        if not protocol.question_type.plantable:
            return "must be off: only summaries that are rated can be planted"
        return "must be off where more than the summary is shown" if protocol.shows else None

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        keys = {entry.planted: entry.key for entry in task.entries if entry.planted is not None}
        if not keys:
            return
        values = {kind: _values(protocol, answer, keys[kind]) for kind in PLANTED_KINDS}
        for dimension in protocol.dimensions:
            good, mediocre, bad = (values[kind].get(dimension.name) for kind in PLANTED_KINDS)
            if None in (good, mediocre, bad) or not bad < mediocre < good:  # type: ignore[operator]
                order = f"bad {_shown(bad)}, mediocre {_shown(mediocre)}, good {_shown(good)}"
                yield f"The planted summaries are out of order in {dimension.name}: {order}."


class InstructionCheck(Check):
    """Questions of a form whose own text says what to choose.

    A form that leaves this check out has it as a flag, so that a question that becomes an attention
    check is checked at once. Without such a question there is nothing to check.
    """

    about = "questions that say what to choose must be answered so"
    at_most: ClassVar[Verdict] = "rejected"

    def misfit(self, protocol: Protocol) -> str | None:
        composed = protocol.question_type.composed
        return (
            None if composed else "must be off: only a form has questions that say what to choose"
        )

    def demand(self, protocol: Protocol) -> str | None:
        names = [question.name for question in instructed_questions(protocol.blocks)]
        if not names:
            return None
        return f"must be flag, paid or reject: {names[0]!r} is an attention check, not data"

    def applies(self, protocol: Protocol) -> bool:
        return bool(instructed_questions(protocol.blocks))

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        for entry in task.entries:
            given = answer.items.get(entry.key)
            answers = given.answers if isinstance(given, FormAnswer) else {}
            for question in instructed_questions(protocol.blocks):
                chosen = answers.get(question.name)
                if chosen is not None and question.meets(chosen):
                    continue
                what = "nothing" if chosen is None else repr(question.wording(chosen))
                yield (
                    f"The question {question.name!r} of item {entry.key} says to choose "
                    f"{str(question.expected)!r}, but {what} was chosen."
                )


class UntouchedCheck(Check):
    """Sliders that were left where they stood."""

    about = "the sliders of an item must have been moved"
    of_people = True

    def misfit(self, protocol: Protocol) -> str | None:
        sliders = protocol.question_type.sliders(protocol)
        return None if sliders else "must be off: the protocol has no slider"

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        sliders = protocol.question_type.sliders(protocol)
        moved = {(move.item, move.control) for move in answer.moves or ()}
        for entry in task.entries:
            values = _values(protocol, answer, entry.key)
            still = [
                (entry.key, name) not in moved
                if answer.moves is not None
                else scale.start is not None and values.get(name) == scale.start
                for name, scale in sliders.items()
            ]
            if still and all(still):
                yield f"No slider of item {entry.key} was moved."


class BlankCheck(Check):
    """Documents in which nothing is marked."""

    about = "something must be highlighted"

    def misfit(self, protocol: Protocol) -> str | None:
        blank = protocol.question_type.may_be_blank
        return None if blank else f"must be off in a {protocol.kind} protocol"

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        for entry in task.entries:
            given = answer.items.get(entry.key)
            if given is None or protocol.question_type.is_blank(given):
                yield f"Nothing is highlighted in document {entry.document!r}."


class StraightLineCheck(Check):
    """The same answer throughout a task."""

    about = "not all answers of a task may be the same"

    def misfit(self, protocol: Protocol) -> str | None:
        dimensional = protocol.question_type.dimensional
        return None if dimensional else f"must be off in a {protocol.kind} protocol"

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        given = [answer.items[entry.key] for entry in task.entries if entry.key in answer.items]
        if sentence := protocol.question_type.straight_line(given, protocol):
            yield sentence


class HasteCheck(Check):
    """Less time than reading takes."""

    about = "the work must take the minimum time"
    of_people = True

    def misfit(self, protocol: Protocol) -> str | None:
        return None if protocol.minimum_seconds else "must be off, or minimum_seconds above 0"

    def applies(self, protocol: Protocol) -> bool:
        return True  # the minimum time is one of the usual settings

    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        least = protocol.minimum_seconds * len(task.entries)
        if answer.seconds is not None and answer.seconds < least:
            yield (
                f"The task took {answer.seconds:.1f} seconds; the minimum is "
                f"{protocol.minimum_seconds:g} for each of its items, {least:g} in all."
            )


def _values(protocol: Protocol, answer: Answer, key: str) -> dict[str, int]:
    given = answer.items.get(key)
    return {} if given is None else dict(protocol.question_type.values(given, protocol))


def _shown(value: int | None) -> str:
    return "unrated" if value is None else str(value)
