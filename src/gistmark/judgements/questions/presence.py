"""Content units, stage two: whether a summary states each unit of its document. As JSON:

{"presence": {"u1": true, "u2": false}}

by the ids of the units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import FLAG
from gistmark.judgements.fields import Fields
from gistmark.judgements.questions.base import (
    ItemAnswer,
    Origin,
    QuestionType,
    Reading,
    language_of,
)
from gistmark.records import Presence
from gistmark.text.content import stated_share

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

_STATED = 0.6
"""A simulated annotator takes a unit for stated from this share of its words on."""
_WORDS = {True: "yes", False: "no"}


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
        """The marks; where nobody has said which units there are, a draft may have any."""
        marks = given.inner("presence")
        ids = marks.names() if reading.draft and not entry.units else entry.units
        read = {id: marks.take(id, FLAG, reading.default) for id in ids}
        marks.refuse_others(ids)
        return PresenceAnswer({id: mark for id, mark in read.items() if mark is not None})

    def records(self, answer: PresenceAnswer, origin: Origin) -> Iterator[Presence]:
        (system,) = origin.systems
        for id, present in answer.presence.items():
            yield Presence(origin.document, id, system, origin.annotator, present)

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
        """Never: a summary may well state all units of its document, or none."""
        return None


def _simulated(unit: str, item: Mapping[str, Any], person: SimulatedAnnotator) -> bool:
    if person.style == "adversarial":
        return person.next_habit()
    if not person.reads:
        return bool(person.rng.integers(2))
    share = stated_share(unit, item["summary"], item.get("lang"))
    return share + float(person.rng.normal(0, person.noise)) >= _STATED
