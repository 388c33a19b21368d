"""`Corpus`: documents, summaries and what people said about them, in memory."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from itertools import chain
from typing import TypeVar

from gistmark.errors import Problem, UsageError
from gistmark.records import (
    Comparison,
    Condition,
    ContentUnit,
    Document,
    ErrorSpan,
    Highlight,
    Machine,
    Planted,
    Presence,
    Question,
    Rating,
    Response,
    Sampled,
    Summary,
    Turn,
)

Member = TypeVar("Member", Summary, Highlight, ContentUnit)
_JUDGEMENTS = (
    "ratings", "comparisons", "highlights", "units", "presence", "spans", "responses", "sequence",
    "machines",
)  # fmt: skip
"""The records that an annotator makes, and the list of machines."""
_ABOUT_DOCUMENTS = (
    "summaries", "ratings", "comparisons", "highlights", "questions", "planted", "units",
    "presence", "spans", "responses", "sampling", "sequence",
)  # fmt: skip
"""The records that name a document."""
_REFERENCE = re.compile(r"reference(?:-([1-9][0-9]*))?")


@dataclass(frozen=True, repr=False)
class Corpus:
    """Everything that one corpus folder holds, as tuples of records in the order of the files.

    References are among `summaries`, with `reference=True`. `notes` are harmless oddities that
    were found on reading (a left-out column, a byte order mark); they do not count when two
    corpora are compared. A corpus that `load` returned has been checked; one that was put
    together by hand is checked when it is saved.
    """

    documents: tuple[Document, ...] = ()
    summaries: tuple[Summary, ...] = ()
    ratings: tuple[Rating, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    questions: tuple[Question, ...] = ()
    planted: tuple[Planted, ...] = ()
    units: tuple[ContentUnit, ...] = ()
    presence: tuple[Presence, ...] = ()
    spans: tuple[ErrorSpan, ...] = ()
    responses: tuple[Response, ...] = ()
    sampling: tuple[Sampled, ...] = ()
    sequence: tuple[Turn, ...] = ()
    machines: tuple[Machine, ...] = ()
    conditions: tuple[Condition, ...] = ()
    notes: tuple[Problem, ...] = field(default=(), compare=False)

    @cached_property
    def document_ids(self) -> tuple[str, ...]:
        """The ids of the documents, then of those known from summaries only, in file order."""
        with_text = (document.id for document in self.documents)
        with_summary = (summary.document for summary in self.summaries)
        return tuple(dict.fromkeys(chain(with_text, with_summary)))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems in the order of their first summary; references are not systems here."""
        return tuple(dict.fromkeys(s.system for s in self.summaries if not s.reference))

    @cached_property
    def anonymous_systems(self) -> frozenset[str]:
        """Systems whose name is only an order of appearance in all of their summaries.

        Such names distinguish the summaries of one document; the same name in another document may
        be another system.
        """
        real_names = {s.system for s in self.summaries if not s.reference and not s.anonymous}
        return frozenset(self.systems) - real_names

    @cached_property
    def references(self) -> Mapping[str, tuple[Summary, ...]]:
        """The references of each document that has any, by document id."""
        return _group_by_document(s for s in self.summaries if s.reference)

    @cached_property
    def machine_names(self) -> frozenset[str]:
        """The annotators that are machines; what they say is never mixed with what people say."""
        return frozenset(machine.annotator for machine in self.machines)

    def document(self, id: str) -> Document:
        """The document of this id."""
        try:
            return self._documents[id]
        except KeyError:
            raise _unknown_document_error(id, len(self.documents)) from None

    def highlights_of(self, id: str) -> tuple[Highlight, ...]:
        """The highlights of one document; none is an empty tuple."""
        return self._highlights.get(id, ())

    def units_of(self, id: str) -> tuple[ContentUnit, ...]:
        """The content units of one document; none is an empty tuple."""
        return self._units.get(id, ())

    def only(self, ids: Iterable[str]) -> Corpus:
        """The corpus of these documents alone, with every record about them."""
        document_ids = set(ids)
        for unknown in sorted(document_ids.difference(self.document_ids)):
            raise _unknown_document_error(unknown, len(self.document_ids))
        records_about_them = {
            kind: tuple(record for record in getattr(self, kind) if record.document in document_ids)
            for kind in _ABOUT_DOCUMENTS
        }
        documents = tuple(document for document in self.documents if document.id in document_ids)
        return replace(self, documents=documents, **records_about_them)

    def by_people(self) -> Corpus:
        """The corpus without what machines said about it; the same object if there are none."""
        return self.split(self.machine_names)[0] if self.machines else self

    def split(self, annotators: Collection[str]) -> tuple[Corpus, Corpus]:
        """Two corpora: one without what these annotators said, and one with only what they said."""
        without_them, only_them = (
            {
                kind: tuple(
                    record
                    for record in getattr(self, kind)
                    if (record.annotator in annotators) is by_them
                )
                for kind in _JUDGEMENTS
            }
            for by_them in (False, True)
        )
        return replace(self, **without_them), replace(self, **only_them)

    def with_summaries(self, summaries: Iterable[Summary]) -> Corpus:
        """A corpus with these summaries too; one of a known document and system is replaced."""
        merged = {(s.document, s.system): s for s in self.summaries}
        merged.update({(s.document, s.system): s for s in summaries})
        return replace(self, summaries=tuple(merged.values()))

    def counts(self) -> dict[str, int]:
        """The number of records of each kind; references are counted separately."""
        references = sum(map(len, self.references.values()))
        return {
            "documents": len(self.documents),
            "systems": len(self.systems),
            "summaries": len(self.summaries) - references,
            "references": references,
            "ratings": len(self.ratings),
            "comparisons": len(self.comparisons),
            "highlights": len(self.highlights),
            "questions": len(self.questions),
            "planted": len(self.planted),
            "content units": len(self.units),
            "presence marks": len(self.presence),
            "error annotations": len(self.spans),
            "answers": len(self.responses),
            "sampled documents": len(self.sampling),
            "turns": len(self.sequence),
            "machines": len(self.machines),
            "conditions": len(self.conditions),
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}={count:,}" for name, count in self.counts().items() if count)
        return f"<Corpus {counts}>" if counts else "<Corpus, empty>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{name}</th><td>{count:,}</td></tr>"
            for name, count in self.counts().items()
            if count
        )
        names = escape(", ".join(self.systems[:12])) + (" …" if len(self.systems) > 12 else "")
        caption = f"<caption>Corpus{': ' + names if names else ''}</caption>"
        return f"<table>{caption}{rows}</table>"

    @cached_property
    def _documents(self) -> dict[str, Document]:
        return {document.id: document for document in self.documents}

    @cached_property
    def _units(self) -> dict[str, tuple[ContentUnit, ...]]:
        return _group_by_document(self.units)

    @cached_property
    def _highlights(self) -> dict[str, tuple[Highlight, ...]]:
        return _group_by_document(self.highlights)


def reference_name(number: int) -> str:
    """The system name of a document's first, second, ... reference where a format has none."""
    return "reference" if number == 1 else f"reference-{number}"


def reference_number(name: str) -> int | None:
    """The number of a reference from its name by `reference_name`; None for other names."""
    match = _REFERENCE.fullmatch(name)
    if match is None:
        return None
    number = int(match[1] or 1)
    return number if reference_name(number) == name else None


def _unknown_document_error(id: str, count: int) -> UsageError:
    return UsageError(f"There is no document {id!r} among the {count} of this corpus.")


def _group_by_document(records: Iterable[Member]) -> dict[str, tuple[Member, ...]]:
    groups: dict[str, list[Member]] = {}
    for record in records:
        groups.setdefault(record.document, []).append(record)
    return {document: tuple(members) for document, members in groups.items()}
