"""Questions that are answered in one's own words. As JSON: "The second sentence says it twice." """

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from gistmark.corpus.fields import TEXT, Count
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.base import QuestionBlock
from gistmark.judgements.forms.inputs import Setting
from gistmark.judgements.questions.base import Faults, Origin, Reading
from gistmark.records import Response

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

LONGEST = 2_000
"""So many characters, unless a manager says otherwise."""
LONGEST_POSSIBLE = 20_000


@dataclass(frozen=True, kw_only=True)
class TextBlock(QuestionBlock):
    """Free text of `shortest` to `longest` characters (code points), without white space around."""

    type = "text"
    title = "Free text"
    about = "free text, with limits on its length"
    inputs = (
        Setting(
            name="shortest",
            label="Shortest answer, in characters",
            input="count",
            start=0,
            least=0,
        ),
        Setting(
            name="longest",
            label="Longest answer, in characters",
            input="count",
            start=LONGEST,
            least=1,
            most=LONGEST_POSSIBLE,
        ),
    )

    shortest: int = 0
    longest: int = LONGEST

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return {
            "shortest": given.take("shortest", Count(), 0),
            "longest": given.take("longest", Count(least=1), LONGEST),
        }

    def faults(self, protocol: Protocol) -> Faults:
        yield from super().faults(protocol)
        if self.longest > LONGEST_POSSIBLE:
            yield "longest", f"must be at most {LONGEST_POSSIBLE:,}, but is {self.longest:,}"
        if self.shortest > self.longest:
            limit = f"longest ({self.longest:,})"
            yield "shortest", f"must be at most {limit}, but is {self.shortest:,}"

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> str | None:
        """A blank text is not an answer. A draft is kept as it was typed, however long or short."""
        written: str | None = answers.take(self.name, TEXT, None)
        if written is None:
            return None
        if reading.draft:
            return written or None
        text = written.strip()
        count = len(text)
        if not text:
            if self.required:
                answers.missing(self.name)
            return None
        if count < self.shortest:
            what = f"at least {self.shortest:,} characters"
            answers.fault(self.name, f"must have {what}, but has {count:,}")
        elif count > self.longest:
            what = f"at most {self.longest:,} characters"
            answers.fault(self.name, f"must have {what}, but has {count:,}")
        return text

    def records(self, answer: str, origin: Origin) -> Iterator[Response]:
        yield self.response(answer, origin)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> str:
        """A remark that nobody takes for an opinion; hardly a word from careless annotators."""
        text = _opening(item) if person.reads else "ok"
        return text[: self.longest].strip().ljust(self.shortest, ".")

    def distance(self, answer: Any, right: Any) -> float:
        """No text is wrong: a practice only shows the manager's text beside it."""
        return inf if answer is None else 0.0


def _opening(item: Mapping[str, Any]) -> str:
    """A remark on what is judged, with the first words of it."""
    texts = [item.get(name) for name in ("summary", "left", "document")]
    texts += item.get("summaries", ())
    first = next(filter(None, texts), "")
    return f"A simulated remark on “{' '.join(first.split()[:6])}”"
