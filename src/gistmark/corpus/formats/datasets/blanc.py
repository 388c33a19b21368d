"""BLANC: its human data, plain and with aspects, and the input of its command line.

Vasilyev, Dharnidharka, Bohannon: Fill in the BLANC: Human-free quality estimation of document
summaries, 2020. A JSON file holds one object or a list of objects of these forms:

    {"text", "summary", "annotators_ids": [...], "scores": [...]}
    {"text", "summary", "map_quality_scores": {"Fluent": {"annotators_ids", "scores"}, ...}}
    {"doc", "summary"}
    {"doc", "summaries": [...]}

Records of equal texts share a document, which has the number of the first of them. The format
names no systems: s1, s2, and so on number the summaries of a document, which are anonymous.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.fields import describe
from gistmark.corpus.files import jsonl
from gistmark.corpus.formats.bundles import (
    first_ratings,
    left_out,
    lost,
    lost_document_details,
    lost_rating_details,
    lost_titles,
)
from gistmark.corpus.formats.draft import Draft
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.errors import Diagnostics, Location
from gistmark.records import Rating, Summary
from gistmark.runtime.files import write_text

PLAIN_DIMENSION = "overall"
"""The dimension of scores that have no name of an aspect in their record."""

_ASPECTS = "map_quality_scores"
_ANONYMOUS = (
    "The format names no systems: s1, s2, … are the order in which the summaries of a text appear, "
    "so the s1 of two texts need not be by the same system."
)
_FIELDS = {"text", "doc", "summary", "summaries", "annotators_ids", "scores", _ASPECTS}


class Blanc:
    """The JSON files of the BLANC project."""

    name = "blanc"
    description = "BLANC's JSON: texts and summaries with annotators' scores, plain or by aspect."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        diagnostics = Diagnostics()
        content, good = jsonl.read_json(source, diagnostics)
        records = content if isinstance(content, list) else [content]
        reading = _Reading(diagnostics)
        for number, record in enumerate(records, start=1) if good else ():
            reading.add(record, number, (f"{source} (record {number})", None))
        if good and not records:
            diagnostics.problem("The list is empty.", (str(source), None))
        partial = bool(diagnostics.problems)
        if not partial:
            diagnostics.note(_ANONYMOUS, (str(source), None))
        return reading.draft.finish(partial=partial, on_duplicate=on_duplicate)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        ratings, repeated = first_ratings(corpus)
        writing = _Writing(ratings)
        documents = {document.id: document.text for document in corpus.documents}
        summaries = [s for s in corpus.summaries if not s.reference and s.document in documents]
        for summary in summaries:
            writing.add(summary, documents[summary.document])
        write_text(target, "[\n" + ",\n".join(map(jsonl.dump, writing.records)) + "\n]\n")
        return (
            *left_out(corpus, "references", "comparisons", "highlights", "questions", "planted"),
            *lost(
                len(documents.keys() - {s.document for s in summaries}), "documents without summary"
            ),
            *lost(corpus.counts()["summaries"] - len(summaries), "summaries of unknown documents"),
            *lost(len(writing.renumbered), "ids of documents, which are numbered instead"),
            *lost(writing.systems, "names of systems, which are numbered instead"),
            *lost(writing.unwritten(), "ratings of summaries that are left out"),
            *repeated,
            *lost_document_details(corpus),
            *lost_titles(corpus),
            *lost_rating_details(corpus),
        )


class _Numbers:
    """Numbers the documents, and the systems of each document, in the order of a file."""

    def __init__(self) -> None:
        self._ids: dict[str, str] = {}
        self._systems: Counter[str] = Counter()

    def next(self, text: str, record: int) -> tuple[str, str]:
        """The document id and the system of the next summary of a text."""
        id = self._ids.setdefault(text, str(record))
        self._systems[id] += 1
        return id, f"s{self._systems[id]}"


class _Reading:
    """Puts the records of a file into a draft."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.draft = Draft(diagnostics)
        self._numbers = _Numbers()
        self._unknown: set[str] = set()

    def add(self, record: object, number: int, location: Location) -> None:
        problem = self.draft.diagnostics.problem
        if not isinstance(record, dict):
            problem(f"A record must be an object, but is {describe(record)}.", location)
            return
        self._note_unknown(record, location)
        text = record.get("text", record.get("doc"))
        if not isinstance(text, str):
            problem(f"The field 'text' (or 'doc') must be text, but is {describe(text)}.", location)
            return
        summaries = record.get("summaries", [record.get("summary")])
        if not isinstance(summaries, list):
            problem(
                f"The field 'summaries' must be a list, but is {describe(summaries)}.", location
            )
            return
        for summary in summaries:
            id, system = self._numbers.next(text, number)
            self.draft.document(location, id, text=text)
            self.draft.summary(location, id, system, summary, anonymous=True)
            for dimension, scores in _dimensions(record):
                self._add_ratings(location, id, system, dimension, scores)

    def _add_ratings(
        self, location: Location, document: str, system: str, dimension: str, scores: object
    ) -> None:
        pair = scores if isinstance(scores, dict) else {}
        annotators, values = pair.get("annotators_ids"), pair.get("scores")
        if not isinstance(annotators, list) or not isinstance(values, list):
            message = f"The scores of {dimension!r} need lists as 'annotators_ids' and 'scores'."
            self.draft.diagnostics.problem(message, location)
            return
        if len(annotators) != len(values):
            counts = f"{len(annotators)} annotators_ids, but {len(values)} scores"
            self.draft.diagnostics.problem(f"For {dimension!r} there are {counts}.", location)
            return
        for annotator, value in zip(annotators, values, strict=True):
            self.draft.add(
                "ratings",
                location,
                document=document,
                system=system,
                annotator=str(annotator) if type(annotator) is int else annotator,
                dimension=dimension,
                value=value,
            )

    def _note_unknown(self, record: Mapping[str, object], location: Location) -> None:
        for name in sorted(record.keys() - _FIELDS - self._unknown):
            self._unknown.add(name)
            self.draft.diagnostics.note(
                f"The field {name!r} is unknown and was left out.", location
            )


class _Writing:
    """Makes BLANC's records of a corpus, and counts what they cannot hold."""

    def __init__(self, ratings: Sequence[Rating]) -> None:
        self.records: list[dict[str, object]] = []
        self.renumbered: set[str] = set()
        self.systems = 0
        self._numbers = _Numbers()
        self._plain = {rating.dimension for rating in ratings} <= {PLAIN_DIMENSION}
        self._ratings: dict[tuple[str, str], list[Rating]] = defaultdict(list)
        for rating in ratings:
            self._ratings[rating.document, rating.system].append(rating)

    def add(self, summary: Summary, text: str) -> None:
        id, system = self._numbers.next(text, len(self.records) + 1)
        if id != summary.document:
            self.renumbered.add(summary.document)
        self.systems += system != summary.system or not summary.anonymous
        ratings = self._ratings.pop((summary.document, summary.system), [])
        self.records.append({"text": text, "summary": summary.text, **self._scores(ratings)})

    def unwritten(self) -> int:
        """The number of ratings whose summary was not written."""
        return sum(map(len, self._ratings.values()))

    def _scores(self, ratings: Sequence[Rating]) -> dict[str, object]:
        scores_by_dimension: dict[str, dict[str, list[object]]] = {}
        for rating in ratings:
            empty: dict[str, list[object]] = {"annotators_ids": [], "scores": []}
            scores = scores_by_dimension.setdefault(rating.dimension, empty)
            scores["annotators_ids"].append(_annotator_id(rating.annotator))
            scores["scores"].append(jsonl.plain(rating.value))
        if self._plain:
            return dict(scores_by_dimension.get(PLAIN_DIMENSION, {}))
        return {_ASPECTS: scores_by_dimension}


def _dimensions(record: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    if "scores" in record or "annotators_ids" in record:
        yield PLAIN_DIMENSION, record
    aspects = record.get(_ASPECTS)
    if isinstance(aspects, dict):
        yield from aspects.items()
    elif aspects is not None:
        yield _ASPECTS, aspects


def _annotator_id(annotator: str) -> str | int:
    """An annotator's id, as a number if it is written like one."""
    is_number = annotator.isascii() and annotator.isdigit() and len(annotator) < 16
    return int(annotator) if is_number and str(int(annotator)) == annotator else annotator


FORMAT = Blanc()
