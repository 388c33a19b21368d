"""Questions about two summaries side by side: which is better, and by how much. As JSON:

{"choice": "left", "strength": 2}

`strength` is there where the question has names for it, 1 being the weakest, and where there is a
preference: "tie" has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from gistmark.corpus.fields import FLAG, Count, OneOf, Wording
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.base import Plain, QuestionBlock
from gistmark.judgements.forms.inputs import Setting
from gistmark.judgements.protocols.protocol import Dimension
from gistmark.judgements.questions.base import Faults, Origin, Reading
from gistmark.records import Comparison

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

FEWEST_STRENGTHS, MOST_STRENGTHS = 2, 4
TIE = "tie"
_EQUAL = 0.03
"""Simulated annotators see no difference below this one in quality."""


@dataclass(frozen=True, kw_only=True)
class PairwiseBlock(QuestionBlock):
    """The better of two summaries.

    With `ties`, "no difference" is an answer. `strength` names how much better one is, from the
    weakest preference to the strongest, where that is asked.
    """

    type = "pairwise"
    title = "Comparison of two"
    about = "the better of two summaries, with or without “no difference” and by how much"
    subjects = ("pair",)
    table = "comparisons"
    inputs = (
        Setting(name="ties", label="Offer “no difference” too", input="flag", start=False),
        Setting(
            name="strength",
            label="How much better",
            input="texts",
            help="Names from the weakest preference to the strongest, such as slightly, clearly.",
            optional=True,
            least=FEWEST_STRENGTHS,
            most=MOST_STRENGTHS,
        ),
    )

    ties: bool = False
    strength: tuple[str, ...] | None = None

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        names = given.members("strength", Wording())
        return {
            "ties": given.take("ties", FLAG, False),
            "strength": names if given.has("strength") else None,
        }

    @property
    def dimension(self) -> Dimension:
        return Dimension(self.name, self.question, self.guidance)

    def faults(self, protocol: Protocol) -> Faults:
        yield from super().faults(protocol)
        if self.strength is None:
            return
        count = len(self.strength)
        if not FEWEST_STRENGTHS <= count <= MOST_STRENGTHS:
            allowed = f"{FEWEST_STRENGTHS} to {MOST_STRENGTHS}"
            yield "strength", f"must hold {allowed} names or be left out, but holds {count}"
        if len(set(self.strength)) < count:
            yield "strength", "must not hold a name twice"

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> dict[str, Any] | None:
        if not answers.has(self.name):
            return None
        given = answers.inner(self.name)
        read = {"choice": given.take("choice", OneOf(self._choices), reading.default)}
        if self.strength is not None and read["choice"] == TIE:
            if given.has("strength"):
                given.fault("strength", "must be left out: there is no difference")
            given.take("strength", Count(), None)
        elif self.strength is not None:
            read["strength"] = given.take("strength", Count(least=1), reading.default)
            if (read["strength"] or 0) > len(self.strength):
                limits = f"1 to {len(self.strength)}"
                given.fault("strength", f"must be {limits}, but is {read['strength']}")
        given.refuse_others()
        return {part: value for part, value in read.items() if value is not None} or None

    def records(self, answer: Mapping[str, Any], origin: Origin) -> Iterator[Comparison]:
        left, right = origin.systems
        yield Comparison(
            origin.document, left, right, origin.annotator, self.name, answer["choice"],
            answer.get("strength"), origin.campaign,
        )  # fmt: skip

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        left, right = (person.level(item[side], self.name) for side in ("left", "right"))
        if person.style == "adversarial":
            left, right = (1.0, 0.0) if person.next_habit() else (0.0, 1.0)
        if self.ties and abs(left - right) < _EQUAL:
            return {"choice": TIE}
        answer: dict[str, Any] = {"choice": "left" if left >= right else "right"}
        if self.strength is not None:
            steps = len(self.strength)
            answer["strength"] = min(1 + int(abs(left - right) * 2 * steps), steps)
        return answer

    @property
    def _choices(self) -> tuple[str, ...]:
        return ("left", "right", TIE) if self.ties else ("left", "right")

    def condition_values(self) -> tuple[Plain, ...]:
        return self._choices

    def selected(self, answer: Mapping[str, Any]) -> tuple[Plain, ...]:
        return (answer["choice"],) if "choice" in answer else ()

    def reordered(self, answer: Mapping[str, Any], positions: Sequence[int]) -> Mapping[str, Any]:
        other = {"left": "right", "right": "left"}
        if positions[0] == 0 or answer.get("choice") not in other:
            return answer
        return {**answer, "choice": other[answer["choice"]]}

    def distance(self, answer: Any, right: Any) -> float:
        """Steps of strength on the same side; the other side is never right."""
        if answer is None or answer.get("choice") != right.get("choice"):
            return inf
        strengths = answer.get("strength"), right.get("strength")
        return 0.0 if None in strengths else float(abs(strengths[0] - strengths[1]))

    def wording(self, answer: Mapping[str, Any]) -> str:
        choice, strength = answer.get("choice", ""), answer.get("strength")
        if self.strength is None or strength is None:
            return str(choice)
        return f"{choice} ({self.strength[strength - 1]})"
