"""Highlights: the words of a document that a good summary has to say, within a budget. As JSON:

{"highlights": [{"start": 0, "end": 12}]}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmark.corpus.fields import Count
from gistmark.errors import UsageError
from gistmark.judgements.fields import Fault, FaultKind, Fields
from gistmark.judgements.highlights import BudgetError, Marker, Sheet
from gistmark.judgements.questions.base import Faults, ItemAnswer, Origin, QuestionType, Reading
from gistmark.records import Highlight
from gistmark.text.folding import STOP_WORDS
from gistmark.text.markable import markable_words
from gistmark.text.sentences import sentence_spans
from gistmark.text.words import Span, words
from gistmark.text.written import as_written

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

_OFFSET = Count()
MOST_MARKS = 5_000
"""No person makes more marks on one document."""


@dataclass(frozen=True, slots=True)
class HighlightAnswer(ItemAnswer):
    """The marks on a document, in characters.

    None where the document has not been looked at, and empty where nothing is marked.
    """

    highlights: tuple[Span, ...] | None = None

    def parts(self) -> dict[str, Any]:
        if self.highlights is None:
            return {}
        return {"highlights": [{"start": start, "end": end} for start, end in self.highlights]}


class HighlightQuestion(QuestionType[HighlightAnswer]):
    """Which words of a document matter?"""

    name = "highlight"
    subject = "document"
    table = "highlights"
    Answer = HighlightAnswer
    agreement = (
        "Agreement is the F1 on highlighted words with each of the others, as a mean over "
        "documents."
    )
    dimensional = False
    budgeted = True
    needs_texts = True
    may_be_blank = True

    def faults(self, protocol: Protocol) -> Faults:
        if protocol.budget is None:
            yield "budget", "must be the number of words that may be highlighted, at least 1"
        if "document" not in protocol.shows:
            yield "shows", "must name 'document' in a highlight protocol"
        if "reference" in protocol.shows:
            yield "shows", "must not name 'reference': it would tell what to highlight"

    def read(self, given: Fields, entry: Entry, reading: Reading) -> HighlightAnswer:
        """The marks, snapped to words."""
        if not given.has("highlights"):
            if not reading.draft:
                given.missing("highlights", "; a list without marks is allowed")
            return HighlightAnswer()
        assert entry.document is not None, "an entry to highlight is a document"
        protocol = reading.protocol
        assert protocol.budget is not None, "a highlight protocol has a budget"
        marker = Marker(Sheet(reading.texts.documents[entry.document], protocol.budget))
        for mark in given.objects("highlights", MOST_MARKS):
            start, end = mark.take("start", _OFFSET), mark.take("end", _OFFSET)
            mark.refuse_others()
            if start is None or end is None:
                continue
            try:
                marker.add(start, end)
            except UsageError as error:
                kind: FaultKind = "budget" if isinstance(error, BudgetError) else "wrong"
                mark.note(Fault(mark.path, f"{mark.path}: {error}", kind))
        return HighlightAnswer(marker.sheet().marks)

    def records(self, answer: HighlightAnswer, origin: Origin) -> Iterator[Highlight]:
        """Overlapping marks stay as they were made; metrics and agreement count a word once."""
        for start, end in answer.highlights or ():
            yield Highlight(
                origin.document, origin.annotator, start, end, origin.protocol.budget,
                origin.campaign,
            )  # fmt: skip

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, Any]:
        text, budget = item["document"], person.task["budget"]
        if person.style in ("adversarial", "scripted"):
            marks = first_marks(text, budget)
        elif person.style == "careless":
            marks = stray_marks(text, min(budget, int(person.rng.integers(4))), person.rng)
        else:
            marks = central_marks(text, budget, person.rng, noise=person.noise)
        return {"highlights": [{"start": start, "end": end} for start, end in marks]}

    def is_blank(self, answer: HighlightAnswer) -> bool:
        return not answer.highlights

    def distances(
        self, answer: HighlightAnswer, right: HighlightAnswer, protocol: Protocol, text: str
    ) -> Mapping[str, float]:
        """100 - 100 F1 of the marked words: 0 where they are the same, 100 where none is."""
        expected, given = _marked(right, text), _marked(answer, text)
        if not expected:
            return {}
        total = len(expected) + len(given)
        return {"": 100 * (total - 2 * len(expected & given)) / total}

    def tolerance_label(self, protocol: Protocol) -> str | None:
        return "By how many percent the marked words may differ (100 - F1)"

    def usual_tolerance(self, protocol: Protocol) -> float:
        return 50.0

    def wording(
        self,
        answer: HighlightAnswer,
        protocol: Protocol,
        text: str,
    ) -> Mapping[str, str]:
        written = as_written(text)
        spans = [written.to_shown(*mark) for mark in sorted(answer.highlights or ())]
        return {"": " … ".join(written.text[start:end] for start, end in spans)}


def _marked(answer: HighlightAnswer, text: str) -> frozenset[int]:
    """The indices of the words that an answer marks."""
    return Sheet(text, len(text), answer.highlights or ()).words()


def central_marks(
    text: str, budget: int, rng: np.random.Generator, *, noise: float
) -> tuple[Span, ...]:
    """The beginnings of the sentences whose words the text uses most, up to the budget.

    Earlier sentences are preferred a little; `noise` is how far one may be misjudged.
    """
    spans = sentence_spans(text)
    counts = Counter(word for word in words(text) if word not in STOP_WORDS)
    worth = []
    for number, (start, end) in enumerate(spans):
        own = [counts[word] for word in words(text[start:end]) if word not in STOP_WORDS]
        mean = sum(own) / len(own) / max(counts.values()) if own else 0.0
        worth.append(mean - 0.2 * number / len(spans) + float(rng.normal(0, noise)))
    marks: list[Span] = []
    left = budget
    for number in sorted(range(len(spans)), key=lambda number: -worth[number]):
        start, end = spans[number]
        inside = _countable(text[start:end])[: min(left, 12)]
        if not inside:
            break
        marks.append((start + inside[0][0], start + inside[-1][1]))
        left -= len(inside)
    return tuple(marks)


def first_marks(text: str, budget: int) -> tuple[Span, ...]:
    """One mark over the first words."""
    spans = _countable(text)[:budget]
    return ((spans[0][0], spans[-1][1]),) if spans else ()


def stray_marks(text: str, count: int, rng: np.random.Generator) -> tuple[Span, ...]:
    """Single words from anywhere."""
    spans = _countable(text)
    return tuple(spans[index] for index in rng.permutation(len(spans))[:count].tolist())


def _countable(text: str) -> list[Span]:
    words = markable_words(text)
    return [words.spans[index] for index in sorted(words.counting)]
