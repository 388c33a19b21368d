"""Reading an answer: from a mapping that anybody may have sent to an `Answer` that fits its task.

Everything that is wrong is told at once. A draft may be incomplete, but what it has must be
right; what is handed in must be whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gistmark.corpus.fields import FLAG, NAME, NUMBER, Count, Kind, OneOf
from gistmark.errors import UsageError
from gistmark.judgements.answers import THRESHOLD, Answer, Given, ItemAnswer, Move
from gistmark.judgements.faults import AnswerError, Fault
from gistmark.judgements.fields import REQUIRED, SECONDS, Fields
from gistmark.judgements.highlighting import Sheet
from gistmark.judgements.protocol import Protocol
from gistmark.judgements.scales import Scale
from gistmark.judgements.tasks import Entry, Task
from gistmark.records import Choice
from gistmark.text.words import Span

MOST_MOVES = 20_000
"""A longer log of moves is not a person's."""

_CHOICE = OneOf(("left", "right"))
_OFFSET = Count()


def read_answer(
    mapping: object,
    protocol: Protocol,
    task: Task,
    *,
    texts: Mapping[str, str] | None = None,
    draft: bool = False,
) -> Answer:
    """The answer to a task; an `AnswerError` has everything that is wrong with it.

    `texts` are the documents' texts by id; only a highlight protocol needs them. Highlights come
    back snapped to words.

    >>> from gistmark.judgements import Entry, Task, get_protocol, read_answer
    >>> task = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
    >>> sent = {"items": {"1": {"ratings": {"overall": {"value": 7}}}}}
    >>> read_answer(sent, get_protocol("overall"), task)
    Traceback (most recent call last):
    gistmark.judgements.faults.AnswerError: The field 'items.1.ratings.overall.value' must be a \
whole number from 0 to 4, but is the number 7.
    """
    faults: list[Fault] = []
    given = Fields(mapping, faults)
    reader = _Reader(protocol, texts or {}, draft)
    items = given.inner("items")
    read = {entry.key: reader.item(items, entry) for entry in task.entries}
    items.refuse_others(tuple(entry.key for entry in task.entries))
    wanted = REQUIRED if task.question is not None and not draft else None
    reply = given.take("reply", FLAG, wanted)
    if reply is not None and task.question is None:
        given.fault("reply", "must be left out: the task has no question")
    answer = Answer(
        read, reply, given.take("seconds", SECONDS, None), _moves(given, task, protocol)
    )
    given.refuse_others()
    if faults:
        raise AnswerError(faults)
    return answer


class _Reader:
    """Reads the entries of one task."""

    def __init__(self, protocol: Protocol, texts: Mapping[str, str], draft: bool) -> None:
        self.protocol = protocol
        self.texts = texts
        self.wanted = None if draft else REQUIRED
        self.draft = draft

    def item(self, items: Fields, entry: Entry) -> ItemAnswer:
        if not items.has(entry.key):
            if not self.draft:
                items.fault(entry.key, "is missing")
            return ItemAnswer()
        given = items.inner(entry.key)
        kind = self.protocol.kind
        ratings = self._ratings(given) if kind == "rating" else {}
        choices = self._choices(given) if kind == "comparison" else {}
        highlights = self._highlights(given, entry) if kind == "highlight" else None
        seconds = given.take("seconds", SECONDS, None)
        given.refuse_others()
        return ItemAnswer(ratings, choices, highlights, seconds)

    def _ratings(self, given: Fields) -> dict[str, Given]:
        ratings = given.inner("ratings")
        read = {}
        for dimension in self.protocol.dimensions:
            if not ratings.has(dimension.name):
                if not self.draft:
                    ratings.fault(dimension.name, "is missing")
                continue
            read[dimension.name] = self._rating(ratings.inner(dimension.name), dimension.name)
        ratings.refuse_others(self._names())
        return read

    def _rating(self, given: Fields, name: str) -> Given:
        scales = {
            "value": self.protocol.scale_of(name),
            "confidence": self.protocol.confidence,
            "weight": self.protocol.weight,
        }
        read = {
            part: given.take(part, _OnScale(scale), self.wanted)
            for part, scale in scales.items()
            if scale is not None
        }
        given.refuse_others()
        return Given(**read)

    def _choices(self, given: Fields) -> dict[str, Choice]:
        choices = given.inner("choices")
        read = {name: choices.take(name, _CHOICE, self.wanted) for name in self._names()}
        choices.refuse_others(self._names())
        return {name: choice for name, choice in read.items() if choice is not None}

    def _highlights(self, given: Fields, entry: Entry) -> tuple[Span, ...] | None:
        if not given.has("highlights"):
            if not self.draft:
                given.fault("highlights", "is missing; a list without marks is allowed")
            return None
        assert entry.document is not None, "an entry to highlight is a document"
        assert self.protocol.budget is not None, "a highlight protocol has a budget"
        sheet = Sheet(self.texts[entry.document], self.protocol.budget)
        for mark in given.objects("highlights"):
            start, end = mark.take("start", _OFFSET), mark.take("end", _OFFSET)
            mark.refuse_others()
            if start is None or end is None:
                continue
            try:
                sheet = sheet.add(start, end)
            except UsageError as error:
                mark.faults.append(Fault(mark.path, f"{mark.path}: {error}"))
        return sheet.marks

    def _names(self) -> tuple[str, ...]:
        return tuple(dimension.name for dimension in self.protocol.dimensions)


class _OnScale(Kind):
    """A whole number on a scale."""

    def __init__(self, scale: Scale) -> None:
        self.scale = scale
        self.expected = f"a whole number from {scale}"

    def value(self, value: object) -> int:
        number = NUMBER.value(value)
        if not number.is_integer() or int(number) not in self.scale:
            raise self.wrong(value)
        return int(number)


def _moves(given: Fields, task: Task, protocol: Protocol) -> tuple[Move, ...] | None:
    """The log of moves; None where there is none."""
    there = given.has("moves")
    controls = [dimension.name for dimension in protocol.dimensions]
    if "heat-map" in protocol.shows:
        controls.append(THRESHOLD)
    kinds: dict[str, Any] = {
        "at": SECONDS,
        "item": OneOf(tuple(entry.key for entry in task.entries)),
        "control": OneOf(tuple(controls)) if controls else NAME,
        "value": NUMBER,
    }
    read = []
    for number, move in enumerate(given.objects("moves")):
        if number >= MOST_MOVES:
            given.fault("moves", f"must hold at most {MOST_MOVES} moves")
            break
        values = {name: move.take(name, kind) for name, kind in kinds.items()}
        move.refuse_others()
        read.append(Move(**values))
    return tuple(read) if there else None
