"""Answers: what an annotator submits for a task, from JSON to the records of a corpus.

As a mapping (JSON from a browser, a draft in a database) an answer is

    {"items": {"1": {"seconds": 12.5, "ratings": {"fluency": {"value": 80}}}},
     "reply": true,
     "seconds": 60.2,
     "moves": [{"at": 3.2, "item": "1", "control": "fluency", "value": 80}]}

where each item has the part of the protocol's question type (`gistmark.judgements.questions`).
`read_answer` turns it into an `Answer` that fits its task and reports everything that is wrong at
once. `export_corpus` turns accepted answers into a corpus, so that an export is a corpus folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import FLAG, NAME, NUMBER, OneOf
from gistmark.judgements.fields import REQUIRED, SECONDS, AnswerError, Fault, Fields
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.questions.base import ItemAnswer, Origin, Reading, Record, Texts
from gistmark.judgements.tasks.task import Entry, Task
from gistmark.records import (
    Comparison,
    Condition,
    ContentUnit,
    ErrorSpan,
    Highlight,
    Presence,
    Rating,
    Response,
)

THRESHOLD = "threshold"
"""The control of a heat map, as the log of moves names it; the others are dimensions."""
MOST_MOVES = 20_000
"""No person makes a longer log of moves."""


@dataclass(frozen=True, slots=True)
class Move:
    """A control that was moved: when (seconds from the start), on which entry, and to what."""

    at: float
    item: str
    control: str
    value: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered in a task, by the key of each entry.

    `moves` is None if the sender keeps no log, so that nothing can be concluded from its absence.
    """

    items: Mapping[str, ItemAnswer] = field(default_factory=dict)
    reply: bool | None = None
    seconds: float | None = None
    moves: tuple[Move, ...] | None = None

    def to_mapping(self) -> dict[str, Any]:
        """The answer as JSON can hold it; `read_answer` reads it back."""
        plain: dict[str, Any] = {
            "items": {key: each.to_mapping() for key, each in self.items.items()}
        }
        plain |= {"reply": self.reply, "seconds": self.seconds}
        if self.moves is not None:
            plain["moves"] = [asdict(move) for move in self.moves]
        return plain


@dataclass(frozen=True, slots=True)
class Result:
    """An accepted answer and its task."""

    task: Task
    answer: Answer


@dataclass(frozen=True, slots=True)
class Judgements:
    """What people answered, as records."""

    ratings: tuple[Rating, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    responses: tuple[Response, ...] = ()
    spans: tuple[ErrorSpan, ...] = ()
    units: tuple[ContentUnit, ...] = ()
    presence: tuple[Presence, ...] = ()


def read_answer(
    mapping: object,
    protocol: Protocol,
    task: Task,
    *,
    texts: Texts | None = None,
    draft: bool = False,
) -> Answer:
    """The answer to a task; an `AnswerError` has everything that is wrong with it.

    A draft may be incomplete, but what it has must be right. `texts` are those that answers mark;
    only some protocols need them (`protocol.needs`).

    >>> from gistmark.judgements import Entry, Task, get_protocol, read_answer
    >>> task = Task("1.1", "ann", 1, (Entry("1", "bridge", ("lead",)),))
    >>> sent = {"items": {"1": {"ratings": {"overall": {"value": 7}}}}}
    >>> read_answer(sent, get_protocol("overall"), task)
    Traceback (most recent call last):
    gistmark.judgements.fields.AnswerError: The field 'items.1.ratings.overall.value' must be a \
whole number from 0 to 4, but is the number 7.
    """
    protocol = protocol.limited_to(task.dimension)
    faults: list[Fault] = []
    given = Fields(mapping, faults)
    reading = Reading(protocol, draft, texts or Texts())
    items = given.inner("items")
    read = {entry.key: _read_item(items, entry, reading) for entry in task.entries}
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


def judgements_from(
    results: Iterable[Result], protocol: Protocol, *, campaign: str | None = None
) -> Judgements:
    """The records of accepted answers, in their order; planted summaries leave none."""
    return Judgements(**by_kind(records_from(results, protocol, campaign=campaign)))


def records_from(
    results: Iterable[Result], protocol: Protocol, *, campaign: str | None = None
) -> Iterator[Record]:
    """The same records one after the other, for callers that cannot hold all of them."""
    return _numbered(
        record for result in results for record in _records(result, protocol, campaign=campaign)
    )


_KINDS: Mapping[str, Any] = {
    "ratings": Rating,
    "comparisons": Comparison,
    "highlights": Highlight,
    "responses": Response,
    "spans": ErrorSpan,
    "units": ContentUnit,
    "presence": Presence,
}
"""The fields of `Judgements`, which a corpus has too, and the records that each holds."""
_NAMES: Mapping[type, str] = {kind: name for name, kind in _KINDS.items()}


def export_corpus(
    corpus: Corpus,
    results: Iterable[Result],
    protocol: Protocol,
    *,
    campaign: str | None = None,
) -> Corpus:
    """The corpus with the judgements of this campaign only.

    Highlights that were shown as a heat map stay, because the ratings rest on them, and so do
    content units, unless the campaign is about writing some. A campaign that has a name has its
    condition there.
    """
    records = records_from(results, protocol, campaign=campaign)
    beside = without_judgements(corpus, protocol)
    if campaign is not None:
        beside = replace(beside, conditions=(condition_of(protocol, campaign),))
    return with_records(beside, records)


def without_judgements(corpus: Corpus, protocol: Protocol) -> Corpus:
    """What an export has besides the judgements of its campaign, under this protocol."""
    shown = corpus.highlights if "heat-map" in protocol.shows else ()
    units = () if protocol.kind == "units" else corpus.units
    machines = corpus.machines if shown else ()
    nothing: dict[str, Any] = dict.fromkeys(_KINDS, ())
    others = {"highlights": shown, "units": units, "machines": machines}
    return replace(corpus, **nothing | others)


def condition_of(protocol: Protocol, campaign: str) -> Condition:
    """Under which condition a campaign with this protocol judges."""
    scales = {dimension.scale or protocol.scale for dimension in protocol.dimensions}
    scale = scales.pop() if protocol.scaled and len(scales) == 1 else None
    return Condition(
        campaign,
        protocol.name,
        ", ".join(protocol.shows) or None,
        protocol.judges,
        None if scale is None else scale.low,
        None if scale is None else scale.high,
    )


def with_records(corpus: Corpus, records: Iterable[Record]) -> Corpus:
    """The corpus with further judgements, after those of their kind that it has."""
    further = by_kind(records)
    return replace(corpus, **{name: getattr(corpus, name) + each for name, each in further.items()})


def by_kind(records: Iterable[Record]) -> dict[str, tuple[Any, ...]]:
    """Records by the field of `Judgements`, and of a corpus, that they belong in."""
    kinds: dict[str, list[Record]] = {name: [] for name in _KINDS}
    for record in records:
        kinds[_NAMES[type(record)]].append(record)
    return {name: tuple(each) for name, each in kinds.items()}


def _read_item(items: Fields, entry: Entry, reading: Reading) -> ItemAnswer:
    question_type = reading.protocol.question_type
    if not items.has(entry.key):
        if not reading.draft:
            items.missing(entry.key)
        empty: ItemAnswer = question_type.Answer()
        return empty
    given = items.inner(entry.key)
    answer: ItemAnswer = question_type.read(given, entry, reading)
    answer = replace(answer, seconds=given.take("seconds", SECONDS, None))
    given.refuse_others()
    return answer


def _moves(given: Fields, task: Task, protocol: Protocol) -> tuple[Move, ...] | None:
    """The log of moves; None where there is none."""
    controls = [*protocol.question_type.controls(protocol)]
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
    return tuple(read) if given.has("moves") else None


def _records(result: Result, protocol: Protocol, *, campaign: str | None) -> Iterator[Record]:
    for entry in result.task.entries:
        given = result.answer.items.get(entry.key)
        if entry.planted is not None or entry.document is None or given is None:
            continue
        origin = Origin(
            entry.document, entry.systems, result.task.annotator, protocol, campaign,
            references=entry.references,
        )  # fmt: skip
        yield from protocol.question_type.records(given, origin)


def _numbered(records: Iterable[Record]) -> Iterator[Record]:
    """The records, with the content units that people wrote about each document as u1, u2, ..."""
    counts: Counter[str] = Counter()
    for record in records:
        if isinstance(record, ContentUnit):
            counts[record.document] += 1
            yield replace(record, id=f"u{counts[record.document]}")
        else:
            yield record
