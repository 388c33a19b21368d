"""Content units, in two stages.

In the first, annotators write what a document's references say, one fact each. As JSON:

    {"units": [{"text": "The bridge was closed.", "reference": 0}]}

where `reference` is the index of the reference as it is shown, 0 where it is left out. In the
second, they say whether a summary states each unit of its document, by the ids of the units:

    {"presence": {"u1": true, "u2": false}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import FLAG, Count
from gistmark.judgements.content_units import LONGEST_UNIT, MOST_UNITS, duplicates, read_text
from gistmark.judgements.fields import Fields
from gistmark.judgements.questions.base import (
    Faults,
    ItemAnswer,
    Origin,
    QuestionType,
    Reading,
    language_of,
)
from gistmark.records import ContentUnit, Presence
from gistmark.text.content import ALIKE, content_words, overlap, stated_share
from gistmark.text.sentences import sentences
from gistmark.text.words import words

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

_INDEX = Count()
_CLAUSE = 12
"""A simulated annotator cuts a sentence of more words than this at its commas."""

_STATED = 0.6
"""A simulated annotator counts a unit as stated if a summary has this share of its words."""
_WORDS = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class WrittenUnit:
    """One fact, and the index of the reference that it comes from."""

    text: str
    reference: int = 0


@dataclass(frozen=True, slots=True)
class UnitsAnswer(ItemAnswer):
    """The units that were written, in their order; None where nothing has been written yet."""

    units: tuple[WrittenUnit, ...] | None = None

    def parts(self) -> dict[str, Any]:
        if self.units is None:
            return {}
        return {"units": [{"text": unit.text, "reference": unit.reference} for unit in self.units]}


class UnitsQuestion(QuestionType[UnitsAnswer]):
    """What do the references of a document say, fact by fact?"""

    name = "units"
    subject = "document"
    Answer = UnitsAnswer
    table = "units"
    dimensional = False
    completed = True

    def faults(self, protocol: Protocol) -> Faults:
        if "reference" not in protocol.shows:
            yield "shows", "must name 'reference': the units are those of the references"

    def payload(self, protocol: Protocol) -> Mapping[str, Any]:
        return {"longest_unit": LONGEST_UNIT, "most_units": MOST_UNITS}

    def complete(self, entry: Entry, corpus: Corpus) -> Entry:
        """The entry with the names of its references, in the order shown."""
        from gistmark.judgements.tasks.items import Item, other_references

        assert entry.document is not None, "an entry to write units about is a document"
        shown = other_references(corpus, Item(entry.document, entry.systems))
        return replace(entry, references=tuple(each.system for each in shown))

    def shown(self, entry: Entry, corpus: Corpus) -> Mapping[str, Any]:
        return language_of(entry, corpus)

    def read(self, given: Fields, entry: Entry, reading: Reading) -> UnitsAnswer:
        """The units; a draft may have units that are empty or say the same."""
        if not given.has("units"):
            if not reading.draft:
                given.missing("units")
            return UnitsAnswer()
        units = []
        for unit in given.objects("units"):
            text = read_text(unit, draft=reading.draft)
            index = unit.take("reference", _INDEX, 0) or 0
            if entry.references and index >= len(entry.references):
                unit.fault("reference", f"must be an index from 0 to {len(entry.references) - 1}")
            unit.refuse_others()
            units.append(WrittenUnit(text, index))
        for index in range(max(1, len(entry.references))):
            _check_list(given, units, index, reading)
        return UnitsAnswer(tuple(units))

    def records(self, answer: UnitsAnswer, origin: Origin) -> Iterator[ContentUnit]:
        """The units without ids, which are numbered once all units of the document are known."""
        for unit in answer.units or ():
            names = origin.references
            reference = names[unit.reference] if unit.reference < len(names) else None
            yield ContentUnit(
                origin.document, "", unit.text, reference=reference, annotator=origin.annotator
            )

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        units: list[dict[str, Any]] = []
        for index, text in enumerate(item["references"]):
            clauses = list(clauses_of(text, item.get("lang")))
            if person.style == "adversarial":
                clauses = [" ".join(text.split())]
            elif not person.reads:
                clauses = clauses[:1]
            else:
                keep = [person.rng.uniform() >= person.noise for _ in clauses]
                clauses = [
                    each for each, kept in zip(clauses, keep, strict=True) if kept
                ] or clauses
            unlike = [
                each for at, each in enumerate(clauses) if at not in dict(duplicates(clauses))
            ]
            units += [{"text": clause[:LONGEST_UNIT], "reference": index} for clause in unlike]
        return {"units": units[: MOST_UNITS * len(item["references"])]}

    def is_blank(self, answer: UnitsAnswer) -> bool:
        return not answer.units

    def distances(
        self, answer: UnitsAnswer, right: UnitsAnswer, protocol: Protocol, text: str
    ) -> Mapping[str, float]:
        """100 - 100 F1 of the units: 0 where each has a counterpart, 100 where none has one.

        Two units are alike where they share enough words (`gistmark.text.content`).
        """
        if not right.units:
            return {}
        matched = _matched(answer, right)
        total = len(answer.units or ()) + len(right.units)
        return {"": 100 * (total - 2 * matched) / total}

    def usual_tolerance(self, protocol: Protocol) -> float:
        return 50.0

    def wording(self, answer: UnitsAnswer, protocol: Protocol, text: str) -> Mapping[str, str]:
        return {"": "\n".join(f"{n}. {each.text}" for n, each in enumerate(answer.units or (), 1))}


def clauses_of(text: str, lang: str | None = None) -> Iterator[str]:
    """The sentences of a reference, long ones cut at their commas."""
    for sentence in sentences(text, lang):
        pieces = sentence.split(", ") if len(sentence.split()) > _CLAUSE else [sentence]
        yield from (" ".join(each.split()) for each in pieces if words(each) or not each.isascii())


def _check_list(given: Fields, units: list[WrittenUnit], index: int, reading: Reading) -> None:
    """What is wrong with the list of one reference as a whole."""
    own = [(number, each.text) for number, each in enumerate(units) if each.reference == index]
    if len(own) > MOST_UNITS:
        given.fault("units", f"must hold at most {MOST_UNITS} units of a reference")
    if reading.draft:
        return
    if not own:
        given.missing("units", f" a unit of reference {index + 1}")
    for later, first in duplicates([text for _, text in own]):
        number, same = own[later][0], own[first][0]
        given.fault(f"units[{number}].text", f"says the same as units[{same}]")


def _matched(answer: UnitsAnswer, right: UnitsAnswer) -> int:
    """How many units of an answer have a counterpart in the right one, each counted once."""
    left = [content_words(unit.text) for unit in right.units or ()]
    matched = 0
    for bag in (content_words(unit.text) for unit in answer.units or ()):
        best = max(left, key=lambda other: overlap(bag, other), default=None)
        if best is not None and overlap(bag, best) >= ALIKE:
            left.remove(best)
            matched += 1
    return matched


@dataclass(frozen=True, slots=True)
class PresenceAnswer(ItemAnswer):
    """Whether the summary states each unit, by the id of the unit."""

    presence: Mapping[str, bool] = field(default_factory=dict)

    def parts(self) -> dict[str, Any]:
        return {"presence": dict(self.presence)} if self.presence else {}


class PresenceQuestion(QuestionType[PresenceAnswer]):
    """Which content units of its document does a summary state?"""

    name = "presence"
    subject = "summary"
    Answer = PresenceAnswer
    table = "presence"
    agreement = (
        "Agreement is the share of marks (whether a summary states a unit) that most of the others "
        "gave too."
    )
    dimensional = False
    completed = True

    def lacking(self, document: str, corpus: Corpus) -> Iterator[str]:
        if not corpus.units_of(document):
            yield "content units"

    def complete(self, entry: Entry, corpus: Corpus) -> Entry:
        """The entry with the ids of its document's units, in the order of the corpus."""
        units = corpus.units_of(entry.document or "")
        return replace(entry, units=tuple(unit.id for unit in units))

    def shown(self, entry: Entry, corpus: Corpus) -> Mapping[str, Any]:
        """The units in the order of the entry, with their texts; nothing else of them."""
        texts = {unit.id: unit.text for unit in corpus.units_of(entry.document or "")}
        units = [{"id": id, "text": texts[id]} for id in entry.units if id in texts]
        return {"units": units, **language_of(entry, corpus)}

    def read(self, given: Fields, entry: Entry, reading: Reading) -> PresenceAnswer:
        """The marks; if the units are not known, a draft may name any."""
        marks = given.inner("presence")
        ids = marks.names() if reading.draft and not entry.units else entry.units
        read = {id: marks.take(id, FLAG, reading.default) for id in ids}
        marks.refuse_others(ids)
        return PresenceAnswer({id: mark for id, mark in read.items() if mark is not None})

    def records(self, answer: PresenceAnswer, origin: Origin) -> Iterator[Presence]:
        (system,) = origin.systems
        for id, present in answer.presence.items():
            yield Presence(origin.document, id, system, origin.annotator, present, origin.campaign)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        return {
            "presence": {
                unit["id"]: _simulated(unit["text"], item, person) for unit in item["units"]
            }
        }

    def distances(
        self, answer: PresenceAnswer, right: PresenceAnswer, protocol: Protocol, text: str
    ) -> Mapping[str, float]:
        """By unit: 0 where both say the same."""
        return {
            id: 0.0 if answer.presence.get(id) is mark else inf
            for id, mark in right.presence.items()
        }

    def wording(self, answer: PresenceAnswer, protocol: Protocol, text: str) -> Mapping[str, str]:
        return {id: _WORDS[mark] for id, mark in answer.presence.items()}

    def straight_line(self, answers: Sequence[PresenceAnswer], protocol: Protocol) -> str | None:
        """Never a sentence: a summary may well state all units of its document, or none."""
        return None


def _simulated(unit: str, item: Mapping[str, Any], person: SimulatedAnnotator) -> bool:
    if person.style == "adversarial":
        return person.next_habit()
    if not person.reads:
        return bool(person.rng.integers(2))
    share = stated_share(unit, item["summary"], item.get("lang"))
    return share + float(person.rng.normal(0, person.noise)) >= _STATED
