"""Content units: what annotators wrote, merging it, and the campaign in which it is marked."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Key, Name, Page, responses
from gistmark.web.results.merging import (
    DocumentUnits,
    document_units,
    make_second_stage,
    merging_status,
    save_units,
)

router = Router()


class UnitsStatusOut(Schema):
    """A document: how many annotators wrote units, how many they wrote, how many are merged."""

    document: str
    position: int
    annotators: int
    written: int
    merged: int


class UnitsStatusesOut(Schema):
    """A page of documents in the order of the corpus, and how many there are in all."""

    items: list[UnitsStatusOut]
    count: int


class WrittenUnitOut(Schema):
    """A unit that an annotator wrote; its id is what `sources` name."""

    id: str
    text: str
    reference: str | None
    annotator: str | None


class MergedUnitOut(Schema):
    """A merged unit; `id` is null where it is only proposed."""

    id: str | None
    text: str
    weight: float
    sources: list[str]


class DocumentUnitsOut(Schema):
    """The units of a document; `proposed` is how those that were written could be merged."""

    document: str
    position: int
    version: str
    written: list[WrittenUnitOut]
    merged: list[MergedUnitOut]
    proposed: list[MergedUnitOut]


class MergedUnits(Schema):
    """The merged units of a document, each with `text`, `weight`, `sources` and, if it has, `id`.

    With the `version` that you have seen, nothing is stored where somebody saved in between.
    """

    units: list[dict[str, Any]]
    version: str | None = None


class SecondStage(Schema):
    """The name of the new campaign."""

    name: Name


class SecondStageOut(Schema):
    """The draft in which summaries are marked."""

    key: str
    name: str


@router.get("/{key}/units", response=responses(UnitsStatusesOut), summary="Content units")
def list_units(request: HttpRequest, key: Key, page: Query[Page]) -> dict[str, Any]:
    """The documents of a campaign that is about content units, and how far each is."""
    every = merging_status(managed(request, key))
    items = [
        {
            "document": each.document.name,
            "position": each.document.position,
            "annotators": each.annotators,
            "written": each.written,
            "merged": each.merged,
        }
        for each in every[page.offset : page.offset + page.limit]
    ]
    return {"items": items, "count": len(every)}


@router.get(
    "/{key}/units/{int:position}",
    response=responses(DocumentUnitsOut),
    summary="Units of a document",
)
def units_of_document(request: HttpRequest, key: Key, position: int) -> dict[str, Any]:
    """The units of one document as they were written, merged, and as they could be merged."""
    return _shown(document_units(managed(request, key), position))


@router.put(
    "/{key}/units/{int:position}", response=responses(DocumentUnitsOut), summary="Merge units"
)
def merge_units(
    request: HttpRequest, key: Key, position: int, merged: MergedUnits
) -> dict[str, Any]:
    """Store the merged units of a document in place of those that it had."""
    campaign, user = managed(request, key), person(request)
    return _shown(save_units(campaign, position, user, merged.units, merged.version))


@router.post(
    "/{key}/units/second-stage",
    response=responses(SecondStageOut, 201),
    summary="Make the second stage",
)
def second_stage(request: HttpRequest, key: Key, new: SecondStage) -> Status[dict[str, str]]:
    """Make a draft that asks which of the merged units each summary states."""
    stage = make_second_stage(managed(request, key), person(request), new.name)
    return Status(201, {"key": stage.key, "name": stage.name})


def _shown(units: DocumentUnits) -> dict[str, Any]:
    return {
        "document": units.document.name,
        "position": units.document.position,
        "version": units.version,
        "written": [asdict(unit) for each in units.written for unit in each.units],
        "merged": [asdict(each) for each in units.merged],
        "proposed": [asdict(each) for each in units.proposed],
    }
