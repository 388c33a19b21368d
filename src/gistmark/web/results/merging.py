"""Merging content units: what several annotators wrote about a document becomes one list.

A manager merges document by document, in a campaign whose annotators write units; what comes of it
is stored as the units of the document, and a second campaign asks which of them each summary
states. In a draft of that second kind, the units can still be changed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from django.db.models import Count, QuerySet

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements.content_units import MergedUnit, numbered, propose_merged, read_merged
from gistmark.judgements.fields import AnswerError, Fault, Fields
from gistmark.judgements.protocols import get_protocol
from gistmark.records import ContentUnit
from gistmark.text.written import as_written
from gistmark.web.accounts.models import User
from gistmark.web.annotate.outcomes import counting
from gistmark.web.campaigns.models import Campaign, Document, Unit
from gistmark.web.campaigns.services.campaigns import create_campaign, locked, locked_draft, record
from gistmark.web.campaigns.services.corpora import material_of, store_units
from gistmark.web.campaigns.services.protocols import drop_misfits, protocol_of
from gistmark.web.config.errors import ConflictError, NotFoundError
from gistmark.web.config.storage.transactions import retried

WRITING, MARKING = "units", "presence"
"""The question types of the two stages."""
SECOND_STAGE = "content-units-presence"


@dataclass(frozen=True, slots=True)
class Written:
    """What one annotator wrote about a document; ids name the submission and a number in it."""

    annotator: str
    units: tuple[ContentUnit, ...]


@dataclass(frozen=True, slots=True)
class DocumentStatus:
    """How far the units of a document are: so many annotators, so many units before and after."""

    document: Document
    annotators: int
    written: int
    merged: int


@dataclass(frozen=True, slots=True)
class DocumentUnits:
    """The units of a document: as annotators wrote them, and merged, where somebody did that.

    `proposed` is how they could be merged; `version` tells whether the merged ones have changed.
    """

    document: Document
    references: tuple[tuple[str, str], ...]
    written: tuple[Written, ...]
    merged: tuple[MergedUnit, ...]
    proposed: tuple[MergedUnit, ...]

    @property
    def version(self) -> str:
        parts = [[unit.id, unit.text, unit.weight, unit.sources] for unit in self.merged]
        return sha256(json.dumps(parts).encode()).hexdigest()[:16]


def has_units(campaign: Campaign) -> bool:
    """Whether content units are written or marked in a campaign."""
    return campaign.protocol["kind"] in (WRITING, MARKING)


def merging_status(campaign: Campaign) -> list[DocumentStatus]:
    """The documents of a campaign in their order, with how far their units are."""
    _demand_units(campaign)
    written = _written(campaign)
    rows = _documents(campaign).annotate(merged=Count("units")).defer("texts")
    return [
        DocumentStatus(
            row,
            len(written.get(row.name, ())),
            sum(len(each.units) for each in written.get(row.name, ())),
            row.merged,
        )
        for row in rows
    ]


def document_units(campaign: Campaign, position: int) -> DocumentUnits:
    """The units of the document at this position of the corpus."""
    _demand_units(campaign)
    document = _documents(campaign).filter(position=position).first()
    if document is None:
        raise NotFoundError("The campaign has no such document.")
    written = tuple(_written(campaign, [document.name]).get(document.name, ()))
    every = [unit for each in written for unit in each.units]
    return DocumentUnits(
        document=document,
        references=tuple(
            (each.system, as_written(each.text).text)
            for each in document.summaries.filter(reference=True)
        ),
        written=written,
        merged=tuple(
            MergedUnit(each.text, each.weight, tuple(each.sources), each.name)
            for each in document.units.all()
        ),
        proposed=tuple(propose_merged(every, document.lang)),
    )


@retried
def save_units(
    campaign: Campaign, position: int, by: User | None, sent: object, version: str | None = None
) -> DocumentUnits:
    """Store the merged units of a document in place of those that it had.

    `sent` is a list of objects (`gistmark.judgements.content_units.read_merged`); an `AnswerError`
    has all that is wrong with it. `version` is what the sender has seen.
    """
    current = _locked(campaign)
    before = document_units(current, position)
    if version is not None and version != before.version:
        raise ConflictError(
            "The units of this document were saved by somebody else in the meantime. Load the page "
            "again to see them."
        )
    merged = _read(sent, before)
    references = {unit.id: unit.reference for each in before.written for unit in each.units}
    kept = {each.name: each.reference for each in before.document.units.all()}
    units = [
        ContentUnit(
            before.document.name,
            each.id or "",
            each.text,
            each.weight,
            _reference(each, references) or kept.get(each.id or ""),
        )
        for each in merged
    ]
    before.document.units.all().delete()
    sources = {(before.document.name, each.id or ""): list(each.sources) for each in merged}
    store_units({before.document.name: before.document}, units, sources)
    drop_misfits(current, protocol_of(current))
    record(campaign, by, "units-merged", document=before.document.name, units=len(units))
    return document_units(current, position)


@retried
def merge_as_proposed(campaign: Campaign, by: User | None) -> int:
    """Store the proposed units of every document that has none; how many documents that were."""
    stored = 0
    for status in merging_status(campaign):
        if status.written and not status.merged:
            proposed = document_units(campaign, status.document.position).proposed
            sent = [
                {"text": each.text, "weight": each.weight, "sources": list(each.sources)}
                for each in proposed
            ]
            save_units(campaign, status.document.position, by, sent)
            stored += 1
    return stored


@retried
def make_second_stage(campaign: Campaign, by: User, name: str) -> Campaign:
    """A draft that asks which of the merged units each summary of the same corpus states."""
    if campaign.protocol["kind"] != WRITING:
        raise ConflictError(
            f"The campaign {campaign.name!r} is not one in which content units are written."
        )
    corpus = material_of(campaign)
    if not corpus.units:
        raise ConflictError("No document has merged units yet; merge those of at least one.")
    stage = create_campaign(owner=by, name=name, protocol=get_protocol(SECOND_STAGE), corpus=corpus)
    stage.language, stage.lease_minutes = campaign.language, campaign.lease_minutes
    stage.save(update_fields=["language", "lease_minutes"])
    record(campaign, by, "second-stage", name=stage.name)
    return stage


def with_merged_units(corpus: Corpus, campaign: Campaign) -> Corpus:
    """The results of a campaign for a new one: with the merged units, where units were written."""
    if campaign.protocol["kind"] != WRITING:
        return corpus
    return replace(corpus, units=material_of(campaign).units or corpus.units)


def merged_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """The merged units of a campaign in which units are written, as lines of `units.jsonl`."""
    if campaign.protocol["kind"] != WRITING:
        return
    rows = Unit.objects.filter(document__campaign=campaign).select_related("document")
    for each in rows.order_by("document__position", "position"):
        row = {"document": each.document.name, "id": each.name, "text": each.text}
        known = {"weight": each.weight, "reference": each.reference}
        yield row | {name: value for name, value in known.items() if value is not None}


def _read(sent: object, before: DocumentUnits) -> list[MergedUnit]:
    if "\\u0000" in json.dumps(sent, default=repr):
        raise UsageError("Content units must not have NUL characters (U+0000).")
    faults: list[Fault] = []
    written = {unit.id for each in before.written for unit in each.units}
    merged = read_merged(Fields({"units": sent}, faults), "units", written)
    if faults:
        raise AnswerError(faults)
    return numbered(merged)


def _reference(unit: MergedUnit, references: dict[str, str | None]) -> str | None:
    """The reference that all sources of a unit come from; None where there are several."""
    named = {references.get(source) for source in unit.sources}
    return named.pop() if len(named) == 1 else None


def _written(
    campaign: Campaign, documents: Collection[str] | None = None
) -> dict[str, list[Written]]:
    """What was written in accepted work, by document and then by annotator."""
    if campaign.protocol["kind"] != WRITING:
        return {}
    columns = ("pk", "annotator__username", "answer", "task__content")
    rows = counting(campaign).order_by("annotator__username", "pk").values_list(*columns)
    written: dict[str, list[Written]] = defaultdict(list)
    for pk, annotator, answer, content in rows.iterator():
        for entry in content["entries"]:
            if documents is not None and entry["document"] not in documents:
                continue
            given = answer["items"].get(entry["key"], {}).get("units", ())
            units = tuple(
                ContentUnit(
                    entry["document"],
                    f"{pk}.{number}",
                    unit["text"],
                    reference=_named(entry.get("references", ()), unit["reference"]),
                    annotator=annotator,
                )
                for number, unit in enumerate(given, start=1)
            )
            if units:
                written[entry["document"]].append(Written(annotator, units))
    return written


def _named(references: Collection[str], index: int) -> str | None:
    return list(references)[index] if index < len(references) else None


def _documents(campaign: Campaign) -> QuerySet[Document]:
    return campaign.documents.filter(texts__isnull=False)


def _demand_units(campaign: Campaign) -> None:
    if not has_units(campaign):
        raise ConflictError(f"The campaign {campaign.name!r} is not about content units.")


def _locked(campaign: Campaign) -> Campaign:
    """The campaign, locked; where units are marked, only a draft's may change."""
    _demand_units(campaign)
    return locked(campaign) if campaign.protocol["kind"] == WRITING else locked_draft(campaign)
