"""Tasks: what one annotator does in one sitting, as the server knows it.

A task says which entry is planted, which system stands on which side, and the right answer to
the question. None of this may reach the browser; `payload` makes what may.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from gistmark.errors import Problem, UsageError
from gistmark.judgements.items import Item
from gistmark.judgements.protocol import Protocol
from gistmark.judgements.seeds import generator
from gistmark.judgements.slots import Slot
from gistmark.records import About, Planted, Question

PlantedKind = Literal["good", "mediocre", "bad"]
PLANTED_KINDS: tuple[PlantedKind, ...] = get_args(PlantedKind)

_PART: Mapping[About, str] = {"document": "text", "reference": "reference"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One screen of a task: an item, or a planted summary with its text.

    `key` is its place in the task, and all that the browser knows it by. `systems` are in the
    order shown, left before right.
    """

    key: str
    document: str | None
    systems: tuple[str, ...] = ()
    planted: PlantedKind | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A slot as one annotator gets it; `seed` is what its order was drawn with."""

    slot: str
    annotator: str
    seed: int
    entries: tuple[Entry, ...]
    question: Question | None = None

    def to_mapping(self) -> dict[str, Any]:
        """The task as JSON can hold it, to be stored on the server."""
        return asdict(self)

    @property
    def planted_texts(self) -> frozenset[str]:
        """The texts of the planted summaries; to be given as `seen` for the next task."""
        return frozenset(entry.text for entry in self.entries if entry.text is not None)


def task_from(mapping: Mapping[str, Any]) -> Task:
    """The task that `to_mapping` made the mapping of, after JSON or before."""
    entries = (Entry(**{**each, "systems": tuple(each["systems"])}) for each in mapping["entries"])
    question = mapping["question"]
    return Task(
        mapping["slot"],
        mapping["annotator"],
        mapping["seed"],
        tuple(entries),
        None if question is None else Question(**question),
    )


def assemble(
    slot: Slot,
    annotator: str,
    items: Mapping[str, Item],
    protocol: Protocol,
    *,
    seed: int,
    questions: Iterable[Question] = (),
    planted: Sequence[Planted] = (),
    seen: Collection[str] = (),
) -> Task:
    """The task of a slot for one annotator.

    The order of the items, the places of the planted ones, the sides of a pair and the question
    are drawn by the seed, the slot and the annotator, so the same task can be made again.
    `seen` holds texts of planted summaries that the annotator has had; others are preferred.
    """
    members = [items[id] for id in slot.items]
    draw = generator(seed, "task", slot.id, annotator)
    entries = [_entry(item, bool(draw.integers(2))) for item in members]
    if protocol.plants:
        entries += _plant(planted, members, seen, draw.permutation(len(planted)).tolist())
    shuffled = [entries[number] for number in draw.permutation(len(entries))]
    question = None
    if protocol.asks_question:
        fitting = _fitting(questions, members, protocol)
        question = fitting[int(draw.integers(len(fitting)))]
    return Task(
        slot.id,
        annotator,
        seed,
        tuple(replace(entry, key=str(place)) for place, entry in enumerate(shuffled, start=1)),
        question,
    )


def what_lacks(
    items: Iterable[Item],
    protocol: Protocol,
    questions: Iterable[Question] = (),
    planted: Sequence[Planted] = (),
) -> tuple[Problem, ...]:
    """What the checks of a protocol need but do not have, before a campaign can start."""
    problems = []
    if protocol.plants and not planted:
        problems.append(Problem("The protocol plants summaries, but there are none to plant."))
    if protocol.asks_question:
        about = protocol.question_about
        asked = {question.document for question in questions if question.about == about}
        problems += [
            Problem(f"Document {document!r} has no True/False statement about its {_PART[about]}.")
            for document in dict.fromkeys(item.document for item in items)
            if document not in asked
        ]
    return tuple(problems)


def _entry(item: Item, swapped: bool) -> Entry:
    systems = item.systems[::-1] if swapped else item.systems
    return Entry("", item.document, systems)


def _plant(
    planted: Sequence[Planted], members: Sequence[Item], seen: Collection[str], order: list[int]
) -> list[Entry]:
    """The three entries of one triple: of another document, and not seen before, if possible."""
    if not planted:
        raise UsageError("The protocol plants summaries, but there are none to plant.")
    documents = {item.document for item in members}

    def drawback(number: int) -> tuple[bool, bool]:
        triple = planted[number]
        return triple.good in seen or triple.mediocre in seen, triple.document in documents

    chosen = planted[min(order, key=drawback)]
    return [Entry("", chosen.document, (), kind, getattr(chosen, kind)) for kind in PLANTED_KINDS]


def _fitting(
    questions: Iterable[Question], members: Sequence[Item], protocol: Protocol
) -> list[Question]:
    documents = {item.document for item in members}
    about = protocol.question_about
    found = [each for each in questions if each.document in documents and each.about == about]
    if not found:
        names = ", ".join(sorted(map(repr, documents)))
        raise UsageError(f"There is no True/False statement about the {_PART[about]} of {names}.")
    return found
