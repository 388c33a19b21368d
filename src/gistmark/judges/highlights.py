"""Highlights by machines: what a system extracts, what content units say, what a judge finds.

Hardy, Narayan and Vlachos, "HighRES" (2019), section 7, leave automatic highlights to future work.
A machine marks at most K words of a document, as each of their annotators does, and is listed among
the corpus' machines, so that nothing mixes its highlights with people's. It never sees those.

- A system marks the sentences that its summary of K words takes.
- Content units mark, the heaviest first, the shortest stretch with a unit's words in the sentence
  that has most of them.
- A judge rates how important each sentence is, and marks the most important ones.

What does not fit into the rest of the budget is left out; where nothing fits, the beginning of the
first is marked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from gistmark._version import __version__
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements.highlights import BudgetError, Marker, Sheet
from gistmark.judgements.protocols.protocol import Dimension, Scale
from gistmark.judges.judge import Passage, Prompt, machine_name
from gistmark.judges.metric import JudgeMetric
from gistmark.judges.prompts import Texts, rating_prompt
from gistmark.judges.run import judged
from gistmark.metrics.batch import Item
from gistmark.metrics.lexical.hrouge import PAPER_BUDGET
from gistmark.metrics.metric import Need
from gistmark.records import ContentUnit, Document, Highlight, Machine
from gistmark.scoring.run import Progress
from gistmark.signature import Signature
from gistmark.summarizers.extractive.selection import sentences_of
from gistmark.summarizers.run import chosen_systems, in_language, summarize
from gistmark.summarizers.summaries import Failure
from gistmark.summarizers.summarizer import Limit, Sentence, Summarizer
from gistmark.text.content import ALIKE, contained, content_words
from gistmark.text.words import Span

UNITS = machine_name("units")
NO_SENTENCES = "the document has no sentences"
_NO_SPANS = "the system did not say which sentences it took"
_NO_UNITS = "the document has no content units"
_NO_MATCH = f"no sentence has {ALIKE:.0%} of the words of a content unit"


@dataclass(frozen=True)
class MachineHighlights:
    """What machines highlighted, and why some of them highlighted nothing in a document."""

    highlights: tuple[Highlight, ...] = ()
    machines: tuple[Machine, ...] = ()
    failures: tuple[Failure, ...] = ()

    def __add__(self, other: MachineHighlights) -> MachineHighlights:
        return MachineHighlights(
            self.highlights + other.highlights,
            self.machines + other.machines,
            self.failures + other.failures,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The machines as they are called among the annotators."""
        return tuple(machine.annotator for machine in self.machines)

    def added_to(self, corpus: Corpus, *, alone: bool = False) -> Corpus:
        """The corpus with these highlights in place of earlier ones of the same machines.

        `alone` leaves out all other highlights, so that heat maps show these.
        """
        names = set(self.names)
        others = () if alone else corpus.highlights
        return replace(
            corpus,
            highlights=(*(h for h in others if h.annotator not in names), *self.highlights),
            machines=(
                *(m for m in corpus.machines if m.annotator not in names),
                *self.machines,
            ),
        )


def highlight_by_systems(
    corpus: Corpus,
    systems: Sequence[str] | str | Mapping[str, Summarizer] = "default",
    budget: int = PAPER_BUDGET,
    *,
    lang: str | None = None,
    progress: Progress | None = None,
) -> MachineHighlights:
    """What each extractive system takes for a summary of `budget` words, as its highlights."""
    by_name = chosen_systems(systems)
    refuse_writers(by_name)
    refuse_people(corpus, map(machine_name, by_name))
    hidden = replace(corpus, highlights=())
    result = summarize(hidden, by_name, Limit(None, words=budget), lang=lang, progress=progress)
    failures = [
        replace(failure, system=machine_name(failure.system)) for failure in result.failures
    ]
    highlights: list[Highlight] = []
    for record in result:
        name = machine_name(record.system)
        spans = [(sentence.start, sentence.end) for sentence in record.outcome.sentences]
        if not spans:
            failures.append(Failure(record.document, name, record.outcome.note or _NO_SPANS))
        highlights += _highlights(corpus.document(record.document), name, spans, budget)
    machines = [Machine(machine_name(name), name, text) for name, text in result.signatures.items()]
    return MachineHighlights(tuple(highlights), tuple(machines), tuple(failures))


def highlight_by_units(
    corpus: Corpus, budget: int = PAPER_BUDGET, *, lang: str | None = None
) -> MachineHighlights:
    """Where a document says what its content units say, the heaviest units first.

    A unit whose content words are for the most part in no sentence marks nothing.
    """
    refuse_people(corpus, [UNITS])
    corpus = corpus if lang is None else in_language(corpus, lang)
    highlights: list[Highlight] = []
    failures = []
    for document in corpus.documents:
        units = corpus.units_of(document.id)
        spans = _stretches(document, units)
        if not spans:
            failures.append(Failure(document.id, UNITS, _NO_MATCH if units else _NO_UNITS))
        highlights += _highlights(document, UNITS, spans, budget)
    signature = Signature("highlight-units", __version__, {"budget": str(budget)})
    machine = Machine(UNITS, signature=str(signature))
    return _of_machine(highlights, machine, failures)


def highlight_by_judge(
    corpus: Corpus,
    metric: SentenceMetric,
    budget: int = PAPER_BUDGET,
    *,
    cache: bool | str | Path = True,
    progress: Progress | None = None,
) -> MachineHighlights:
    """The sentences that a judge holds most important; of equally important ones the first."""
    name = machine_name(f"{metric.label}-highlights")
    refuse_people(corpus, [name])
    sentences, items = sentence_items(corpus)
    (settled,), (values,) = judged([metric], items, cache, progress, "sentences")
    rated: dict[str, list[tuple[float, Span]]] = defaultdict(list)
    reasons: dict[str, str] = {}
    for row, (id, sentence) in enumerate(sentences):
        if row in values.reasons:
            reasons.setdefault(id, values.reasons[row])
        else:
            span = sentence.start, sentence.end
            rated[id].append((float(values.values[row, 0]), span))
    highlights: list[Highlight] = []
    failures = []
    for document in corpus.documents:
        ordered = sorted(rated[document.id], key=lambda pair: -pair[0])
        if document.id in reasons or not ordered:
            why = reasons.get(document.id, NO_SENTENCES)
            failures.append(Failure(document.id, name, why))
            continue
        highlights += _highlights(document, name, [span for _, span in ordered], budget)
    signature = Signature.parse(settled.signature).with_fields({"budget": str(budget)})
    machine = Machine(name, metric.label, str(signature))
    return _of_machine(highlights, machine, failures)


def sentence_items(corpus: Corpus) -> tuple[list[tuple[str, Sentence]], list[Item]]:
    """Every sentence with its document's id, and as a judge is shown it."""
    both = [
        ((document.id, sentence), Item(sentence.text, document=document.text))
        for document in corpus.documents
        for sentence in sentences_of(document)
    ]
    return [sentence for sentence, _ in both], [item for _, item in both]


class SentenceMetric(JudgeMetric):
    """How important a judge holds a sentence, which stands as the summary, of its document."""

    family = "judge-sentence"
    about = "How important a language model holds a sentence of a document, from 1 to 5."

    @cached_property
    def dimension(self) -> Dimension:
        return Dimension(
            "importance",
            "Somebody may highlight only a few words of the document, so that others can see what "
            "a good summary of it must say. How important is it to highlight the sentence?",
        )

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})

    @property
    def shown(self) -> tuple[str, ...]:
        return ("document",)

    def prompt(self, texts: Texts) -> Prompt:
        labels = ("not important", "most important")
        prompt = rating_prompt(self.dimension, Scale("points", 1, 5, labels), texts)
        document = Passage("Document", texts.document or "", may_be_cut=True)
        return replace(prompt, passages=(document, Passage("Sentence", texts.summary)))

    def _shown(self) -> dict[str, str]:
        return {**super()._shown(), "protocol": "highlight", "shows": "document"}


def _of_machine(
    highlights: Sequence[Highlight], machine: Machine, failures: Sequence[Failure]
) -> MachineHighlights:
    """The highlights of one machine; one that highlighted nothing is no annotator."""
    machines = (machine,) if highlights else ()
    return MachineHighlights(tuple(highlights), machines, tuple(failures))


def refuse_writers(systems: Mapping[str, Summarizer]) -> None:
    """Refuse systems that write sentences of their own, which mark none of the document."""
    writers = [name for name, system in systems.items() if not system.extractive]
    if writers:
        raise UsageError(
            f"Only systems that take sentences as they are can highlight, not {', '.join(writers)};"
            " the group extractive has all of them."
        )


def refuse_people(corpus: Corpus, names: Iterable[str]) -> None:
    """Refuse the name of an annotator that the corpus does not call a machine."""
    people = {mark.annotator for mark in corpus.highlights} - corpus.machine_names
    taken = sorted(people.intersection(names))
    if taken:
        raise UsageError(
            f"The corpus has highlights of {', '.join(taken)}, which machines.csv does not name "
            "as a machine."
        )


def _highlights(
    document: Document, annotator: str, spans: Sequence[Span], budget: int
) -> Iterator[Highlight]:
    """The spans that fit into the budget, best first, in the order of the text."""
    for start, end in sorted(_within(Sheet(document.text, budget), spans)):
        yield Highlight(document.id, annotator, start, end, budget)


def _within(sheet: Sheet, spans: Sequence[Span]) -> tuple[Span, ...]:
    marker = Marker(sheet)
    for start, end in spans:
        try:
            marker.add(start, end)
        except BudgetError:
            continue
    marks = marker.sheet().marks
    return marks or tuple(_beginning(sheet, *span) for span in spans[:1])


def _beginning(sheet: Sheet, start: int, end: int) -> Span:
    """The first words of a span that is longer than the whole budget."""
    inside = [
        span
        for number, span in enumerate(sheet.spans)
        if number in sheet.markable.counting and start <= span[0] and span[1] <= end
    ]
    return start, inside[sheet.budget - 1][1]


def _stretches(document: Document, units: Sequence[ContentUnit]) -> list[Span]:
    """Where the document states each unit, those of the heaviest units first."""
    sentences = [
        (sentence, content_words(sentence.text, document.lang))
        for sentence in sentences_of(document)
    ]
    stretches: list[tuple[float, float, Span]] = []
    for unit in units:
        wanted = content_words(unit.text, document.lang)
        shares = [contained(wanted, words) for _, words in sentences]
        share = max(shares, default=0.0)
        if share >= ALIKE:
            sentence = sentences[shares.index(share)][0]
            stretch = _shortest(document, sentence, wanted)
            stretches.append((unit.weight, share, stretch))
    ordered = sorted(stretches, key=lambda stretch: (-stretch[0], -stretch[1]))
    return [span for _, _, span in ordered]


def _shortest(document: Document, sentence: Sentence, wanted: frozenset[str]) -> Span:
    """The shortest stretch of the sentence with all the wanted words that are in it."""
    matches = [
        (start, end, words)
        for start, end in Sheet(sentence.text, 1).spans
        if (words := content_words(sentence.text[start:end], document.lang) & wanted)
    ]
    everything = frozenset[str]().union(*(words for _, _, words in matches))
    stretches = [
        (matches[first][0], matches[last][1])
        for first in range(len(matches))
        for last in range(first, len(matches))
        if everything
        == frozenset[str]().union(*(words for _, _, words in matches[first : last + 1]))
    ]
    if not stretches:
        return sentence.start, sentence.end
    start, end = min(stretches, key=lambda span: span[1] - span[0])
    return sentence.start + start, sentence.start + end
