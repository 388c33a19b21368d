"""Tasks: what one annotator does in one sitting, as the server knows it and as the browser gets it.

A `Task` says which entry is planted, which system stands on which side, and the right answer to
the question. None of this may reach the browser. `payload` makes what may: the texts to judge and
what is asked, but never names of systems, ids of items or documents, which entry is planted, or the
answer to the question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from gistmark.corpus.corpus import Corpus
from gistmark.errors import Problem, UsageError
from gistmark.judgements.highlights import heat_map
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.protocols.settings import to_mapping
from gistmark.judgements.tasks.items import Item, other_references, titles
from gistmark.judgements.tasks.slots import Slot
from gistmark.records import About, Document, Planted, Question
from gistmark.runtime.seeds import generator
from gistmark.text.markable import markable_words
from gistmark.text.words import Span
from gistmark.text.written import as_written, written_summary

PlantedKind = Literal["good", "mediocre", "bad"]
MarkedBy = Literal["people", "program", "programs", "both"]
PLANTED_KINDS: tuple[PlantedKind, ...] = get_args(PlantedKind)

_PART: Mapping[About, str] = {"document": "text", "reference": "reference"}
_SETTINGS = (
    "kind",
    "shows",
    "dimensions",
    "scale",
    "confidence",
    "weight",
    "budget",
    "instructions",
    "example",
    "one_dimension_per_screen",
)
"""The settings that an annotator may know; the checks are not among them."""
_TUPLES = ("systems", "units", "references")
"""The fields of an entry that are lists in JSON."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One screen of a task: an item, or a planted summary with its text.

    `key` is its number in the task, and all that the browser knows it by. `systems` are in the
    order shown, left before right. So are the ids of content `units` to mark and the names of
    `references` to write units of, where the question type has any.
    """

    key: str
    document: str | None
    systems: tuple[str, ...] = ()
    planted: PlantedKind | None = None
    text: str | None = None
    units: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A slot as one annotator gets it; `seed` is the seed of its order.

    `dimension` is the only one that it asks, where tasks ask one.
    """

    slot: str
    annotator: str
    seed: int
    entries: tuple[Entry, ...]
    question: Question | None = None
    dimension: str = ""

    def to_mapping(self) -> dict[str, Any]:
        """The task as JSON can hold it, to be stored on the server."""
        return asdict(self)

    @property
    def planted_texts(self) -> frozenset[str]:
        """The texts of the planted summaries; to be given as `seen` for the next task."""
        return frozenset(entry.text for entry in self.entries if entry.text is not None)


def task_from(mapping: Mapping[str, Any]) -> Task:
    """The task that `to_mapping` made the mapping of, after JSON or before."""
    entries = (
        Entry(**{**entry, **{name: tuple(entry.get(name, ())) for name in _TUPLES}})
        for entry in mapping["entries"]
    )
    question = mapping["question"]
    return Task(
        mapping["slot"],
        mapping["annotator"],
        mapping["seed"],
        tuple(entries),
        None if question is None else Question(**question),
        mapping.get("dimension", ""),
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
    corpus: Corpus | None = None,
) -> Task:
    """The task of a slot for one annotator.

    The order of the items, the positions of the planted ones, the sides of a pair and the question
    are sampled by the seed, the slot and the annotator, so the same task can be made again.
    `seen` holds texts of planted summaries that the annotator has had; others are preferred.
    `corpus` is for question types whose entries are completed from it.
    """
    members = [items[id] for id in slot.items]
    rng = generator(seed, "task", slot.id, annotator)
    entries = [_entry(item, rng) for item in members]
    if protocol.plants:
        entries += _plant(planted, members, seen, rng.permutation(len(planted)).tolist())
    shuffled = [entries[index] for index in rng.permutation(len(entries))]
    question = None
    if protocol.asks_question:
        fitting = _fitting(questions, members, protocol)
        question = fitting[int(rng.integers(len(fitting)))]
    task = Task(
        slot.id,
        annotator,
        seed,
        tuple(replace(entry, key=str(number)) for number, entry in enumerate(shuffled, start=1)),
        question,
        slot.dimension,
    )
    return task if corpus is None else completed(task, protocol, corpus)


def completed(task: Task, protocol: Protocol, corpus: Corpus) -> Task:
    """The task with what the question type takes from the corpus, such as ids of content units.

    Content units come in the order of the corpus, or shuffled for each item and annotator.
    """
    question_type = protocol.question_type
    if not question_type.completed:
        return task
    entries = [
        entry if entry.document is None or entry.planted else question_type.complete(entry, corpus)
        for entry in task.entries
    ]
    if protocol.order == "shuffled":
        entries = [_shuffled_units(entry, task) for entry in entries]
    return replace(task, entries=tuple(entries))


def what_lacks(
    items: Iterable[Item],
    protocol: Protocol,
    questions: Iterable[Question] = (),
    planted: Sequence[Planted] = (),
) -> tuple[Problem, ...]:
    """What a protocol and its checks need but lack, before a campaign can start."""
    problems = []
    if protocol.question_type.composed and not protocol.question_type.controls(protocol):
        problems.append(Problem("The form asks nothing yet; it needs at least one question."))
    if protocol.plants and not planted:
        problems.append(Problem("The protocol plants summaries, but there are none to plant."))
    if protocol.asks_question:
        about = protocol.question_about
        covered = {question.document for question in questions if question.about == about}
        problems += [
            Problem(f"Document {document!r} has no True/False statement about its {_PART[about]}.")
            for document in dict.fromkeys(item.document for item in items)
            if document not in covered
        ]
    return tuple(problems)


def payload(task: Task, protocol: Protocol, corpus: Corpus) -> dict[str, Any]:
    """The task as JSON for the browser.

    `items` come in the order to show. Each has a `key`, what the protocol shows (`title`,
    `document` with `heat`, `steps` and `marked_by` for a heat map, `references`), and what is
    judged: `summary`, `left` and `right`, or `summaries`. A document that is marked comes with the
    spans of its `words` in characters (code points), and `uncounted`, the indices of those that use
    up no budget.
    A summary that is marked comes with `summary_words`, which count in the stored text, and with
    `summary_shown_words` where `summary`, as it was written, differs from that.
    Where a tokenised document can be shown as it was written, `shown` is how, and `shown_words` are
    the spans of the same words there; what is marked still counts in `document`.
    `kind` names the question type, and so the ES module that builds its controls. `question` is a
    statement or null. `dimensions` are those that the task asks.
    """
    protocol = protocol.limited_to(task.dimension)
    settings = to_mapping(protocol)
    texts = {(summary.document, summary.system): summary.text for summary in corpus.summaries}
    known = titles(corpus) if "title" in protocol.shows else {}
    return {
        **{name: settings[name] for name in _SETTINGS},
        **protocol.question_type.payload(protocol),
        "items": [
            {
                "key": entry.key,
                **_beside(entry, protocol, corpus, known),
                **_judged(entry, protocol, texts, corpus),
                **protocol.question_type.item_payload(entry, task, protocol),
                **protocol.question_type.shown(entry, corpus),
            }
            for entry in task.entries
        ],
        "question": None if task.question is None else task.question.statement,
    }


def _entry(item: Item, rng: np.random.Generator) -> Entry:
    """An item with its summaries in the order to show."""
    if len(item.systems) > 2:
        order = rng.permutation(len(item.systems)).tolist()
        return Entry("", item.document, tuple(item.systems[index] for index in order))
    swapped = bool(rng.integers(2))
    return Entry("", item.document, item.systems[::-1] if swapped else item.systems)


def _shuffled_units(entry: Entry, task: Task) -> Entry:
    names = (entry.document or "", *entry.systems)
    rng = generator(task.seed, "units", task.annotator, *names)
    return replace(entry, units=tuple(entry.units[i] for i in rng.permutation(len(entry.units))))


def _plant(
    planted: Sequence[Planted], members: Sequence[Item], seen: Collection[str], order: list[int]
) -> list[Entry]:
    """The three entries of one triple: if possible, of another document and not seen before."""
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
    fitting = [each for each in questions if each.document in documents and each.about == about]
    if not fitting:
        names = ", ".join(sorted(map(repr, documents)))
        raise UsageError(f"There is no True/False statement about the {_PART[about]} of {names}.")
    return fitting


def _judged(
    entry: Entry, protocol: Protocol, texts: Mapping[tuple[str, str], str], corpus: Corpus
) -> dict[str, Any]:
    """The summaries themselves; a planted one looks like any other."""
    if entry.planted is not None:
        beside = corpus.documents[0].text if corpus.documents else None
        return _summary(entry.text or "", beside, protocol)
    assert entry.document is not None, "only a planted entry may have no document"
    source = next((each.text for each in corpus.documents if each.id == entry.document), None)
    stored = [texts[entry.document, system] for system in entry.systems]
    if protocol.subject == "summary":
        return _summary(stored[0], source, protocol)
    judged = [written_summary(text, source).text for text in stored]
    if protocol.subject == "set":
        return {"summaries": judged}
    return dict(zip(("left", "right"), judged, strict=False))


def _summary(stored: str, source: str | None, protocol: Protocol) -> dict[str, Any]:
    """A summary, with its words where they are marked."""
    written = written_summary(stored, source)
    if "summary" not in protocol.needs:
        return {"summary": written.text}
    spans = markable_words(stored).spans
    shown = [list(written.to_shown(*span)) for span in spans] if written.text != stored else None
    return {
        "summary": written.text,
        "summary_words": [list(span) for span in spans],
        **({} if shown is None else {"summary_shown_words": shown}),
    }


def _beside(
    entry: Entry, protocol: Protocol, corpus: Corpus, known: Mapping[str, str]
) -> dict[str, Any]:
    """What is shown besides the summaries; nothing for a planted one."""
    if entry.planted is not None or entry.document is None:
        return {}
    shown: dict[str, Any] = {}
    if "title" in protocol.shows:
        title = known.get(entry.document)
        shown["title"] = None if title is None else as_written(title).text
    if "reference" in protocol.shows:
        item = Item(entry.document, entry.systems)
        references = other_references(corpus, item)
        shown["references"] = [as_written(reference.text).text for reference in references]
    if protocol.shows_document:
        document = corpus.document(entry.document)
        shown |= {"document": document.text, "lang": document.lang}
        shown |= _words_of(document, protocol, corpus)
    return shown


def _marked_by(annotators: Collection[str], corpus: Corpus) -> MarkedBy:
    """Whose marks a heat map shows, without a name."""
    programs = corpus.machine_names.intersection(annotators)
    if programs and len(programs) < len(annotators):
        return "both"
    if not programs:
        return "people"
    return "program" if len(programs) == 1 else "programs"


def _words_of(document: Document, protocol: Protocol, corpus: Corpus) -> dict[str, Any]:
    """The words of a document that are marked or coloured, and the text as it was written."""
    words: dict[str, Any] = {}
    spans: Sequence[Span] = ()
    if "document" in protocol.needs:
        markable = markable_words(document.text)
        spans = markable.spans
        words["words"] = [list(span) for span in spans]
        words["uncounted"] = sorted(set(range(len(spans))) - markable.counting)
    if "heat-map" in protocol.shows:
        highlights = corpus.highlights_of(document.id)
        heat = heat_map(document.text, highlights)
        spans = [(word.start, word.end) for word in heat.words]
        words |= {"heat": [asdict(word) for word in heat.words], "steps": list(heat.steps)}
        words["marked_by"] = _marked_by({mark.annotator for mark in highlights}, corpus)
    written = as_written(document.text)
    if written.text != document.text:
        words["shown"] = written.text
        words["shown_words"] = [list(written.to_shown(*span)) for span in spans]
    return words
