"""Adjudications in an export: as a file of their own, and in place of what annotators said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from gistmark.judgements.answers import Judgements, Result, judgements_from, read_answer
from gistmark.judgements.questions.base import Record
from gistmark.judgements.tasks.task import Entry
from gistmark.judgements.tasks.task import Task as Content
from gistmark.records import (
    Comparison,
    ContentUnit,
    ErrorSpan,
    Highlight,
    Presence,
    Rating,
    Response,
)
from gistmark.web.annotate.models import Adjudication
from gistmark.web.annotate.services.adjudications import KEY, adjudications_of
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import texts_of
from gistmark.web.campaigns.services.protocols import protocol_of

ADJUDICATED = "adjudicated"
"""Who judged in the export, where a decision stands in place of what annotators said."""


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """What was decided, and so whether a judgement of an annotator still stands.

    A decision takes the place of the ratings, choices or answers to the same question about the
    same item, of marks of the same content unit, of all errors marked in the same summary, and of
    all highlights of the same document.
    """

    decided: Judgements
    subjects: frozenset[Subject]
    documents: frozenset[str]
    """Those whose highlights were decided."""

    def keeps(self, record: Record) -> bool:
        """Whether nothing was decided about what the record says."""
        if isinstance(record, Highlight):
            return record.document not in self.documents
        return isinstance(record, ContentUnit) or _subject(record) not in self.subjects

    def records(self) -> Iterator[Record]:
        """The decisions as records, kind by kind."""
        for field in fields(Judgements):
            yield from getattr(self.decided, field.name)


def adjudicated(campaign: Campaign) -> Adjudicated:
    """The decisions of a campaign that hold."""
    results = [result for _, result in _results(campaign)]
    protocol = protocol_of(campaign)
    decided = judgements_from(results, protocol, campaign=campaign.label)
    marked: frozenset[str] = frozenset()
    if protocol.question_type.tables(protocol) == ("highlights",):
        named = (result.task.entries[0].document for result in results)
        marked = frozenset(name for name in named if name is not None)
    else:
        decided = replace(decided, highlights=())
    decided = replace(decided, units=())
    return Adjudicated(decided, frozenset(map(_subject, _values(decided))), marked)


def adjudication_rows(campaign: Campaign, names: dict[str, str]) -> Iterator[dict[str, Any]]:
    """A row for each decision that holds: of a rating or a choice, or of a document's highlights.

    `names` turns usernames into what the files say.
    """
    protocol = protocol_of(campaign)
    for each, result in _results(campaign):
        made = judgements_from([result], protocol)
        about = {
            "by": _author(each, names),
            "delegated": each.delegated,
            "created": each.created_at.isoformat(timespec="seconds"),
            "note": each.note or None,
        }
        for record in _values(made):
            fields = asdict(record)
            unknown = ("annotator", "seconds", "campaign")
            yield {name: fields[name] for name in fields if name not in unknown} | about
        if "highlights" in each.answer:
            marks = [{"start": mark.start, "end": mark.end} for mark in made.highlights]
            yield {"document": each.item.document.name, "highlights": marks} | about


def _results(campaign: Campaign) -> list[tuple[Adjudication, Result]]:
    """The decisions that hold, each as the answer to a task about its item alone."""
    decided = list(adjudications_of(campaign).values())
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol, [each.item.document.name for each in decided])
    results = []
    for each in decided:
        entry = Entry(KEY, each.item.document.name, tuple(each.systems))
        task = Content("", ADJUDICATED, 0, (entry,))
        sent = {"items": {KEY: each.answer}}
        answer = read_answer(sent, protocol, task, texts=texts, draft=True)
        results.append((each, Result(task, answer)))
    return results


_VALUES = ("ratings", "comparisons", "responses", "spans", "presence")
"""The judgements that a decision replaces one by one."""
Value = Rating | Comparison | Response | ErrorSpan | Presence
Subject = tuple[str, frozenset[str], str]


def _values(made: Judgements) -> list[Value]:
    return [each for name in _VALUES for each in getattr(made, name)]


def _author(adjudication: Adjudication, names: dict[str, str]) -> str:
    """Who decided; where annotators go by pseudonyms, a manager has no name at all."""
    name = adjudication.by.username
    if names and not adjudication.delegated:
        return "manager"
    return names.get(name, name)


def _subject(record: Value) -> Subject:
    """What a judgement is about, whatever side a system stood on."""
    if isinstance(record, Response):
        return record.document, frozenset(record.systems), record.question
    if isinstance(record, ErrorSpan):
        return record.document, frozenset([record.system]), ""
    if isinstance(record, Presence):
        return record.document, frozenset([record.system]), record.unit
    if isinstance(record, Rating):
        return record.document, frozenset([record.system]), record.dimension
    return record.document, frozenset([record.left, record.right]), record.dimension
