"""Exports: asked for, watched while they are written beside the requests, and fetched."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import FileResponse, HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router, Schema, Status
from pydantic import AfterValidator, Field, WithJsonSchema

from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, responses
from gistmark.web.config.errors import RETRY_AFTER
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.exports import (
    Choices,
    choices_of,
    download,
    export_of,
    look_at,
    request_export,
)
from gistmark.web.results.models import Export

router = Router()


def _known(name: str) -> str:
    if name not in EXPORTS:
        raise ValueError(f"it is none of {', '.join(EXPORTS)}")
    return name


Undecided = Literal["leave-out", "count"]
Format = Annotated[
    str,
    AfterValidator(_known),
    WithJsonSchema({"type": "string", "enum": list(EXPORTS)}),
]


class ExportWanted(Schema):
    """Whether annotators keep their names, and whether work that does not count is included.

    Work that is flagged and undecided is left out, or counted as accepted work is. Decisions of
    adjudication are a file of their own in a folder; with `adjudicated` they also replace what
    annotators answered. `participants` adds who they are on a crowd market, which is personal data.
    `machines` adds the work of machines, and `machines.csv`, which names them.
    """

    names: bool = False
    rejected: bool = False
    undecided: Undecided = "leave-out"
    adjudicated: bool = False
    participants: bool = False
    machines: bool = False

    def choices(self) -> Choices:
        return Choices(
            names=self.names,
            rejected=self.rejected,
            undecided=self.undecided == "count",
            adjudicated=self.adjudicated,
            participants=self.participants,
            machines=self.machines,
        )


class ExportIn(ExportWanted):
    """An export in one of the formats."""

    format: Format


class WaitedFor(ExportWanted):
    """The same, and how many seconds to wait for the file before a 202."""

    wait: Annotated[float, Field(ge=0, le=60)] = 20.0


class ExportOut(Schema):
    """An export: `done` of `total` submissions are written while it is `running`.

    `file` is the address to fetch it from once it is `ready`; `problem` says why it `failed`.
    """

    id: int
    format: str
    names: bool
    rejected: bool
    undecided: Undecided
    adjudicated: bool
    state: Literal["waiting", "running", "ready", "failed"]
    done: int
    total: int
    problem: str | None
    size: int | None
    requested_at: datetime
    finished_at: datetime | None
    file: str | None


@router.post("/{key}/exports", summary="Ask for an export", response=responses(ExportOut, 202))
def create_export(
    request: HttpRequest, response: HttpResponse, key: Key, wanted: ExportIn
) -> Status[dict[str, Any]]:
    """Have an export written; its progress is at the address in the header `Location`."""
    campaign = managed(request, key)
    found = request_export(campaign, wanted.format, wanted.choices(), wait=0)
    return _accepted(found, response)


@router.get("/{key}/exports", summary="Exports", response=responses(list[ExportOut]))
def list_exports(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """The exports of the last day, the newest first."""
    return [_described(each) for each in managed(request, key).exports.all()]


@router.get("/{key}/exports/{id}", summary="How far an export is", response=responses(ExportOut))
def get_export(request: HttpRequest, key: Key, id: Count) -> dict[str, Any]:
    """Whether an export is ready."""
    return _described(look_at(export_of(managed(request, key), id)))


@router.get("/{key}/exports/{id}/file", summary="Fetch an export", response=responses(None))
def get_export_file(request: HttpRequest, key: Key, id: Count) -> FileResponse:
    """The file of an export that is ready; a folder comes as a ZIP archive."""
    return download(export_of(managed(request, key), id), person(request))


@router.get("/{key}/export/{format}", summary="Export", response=responses(None) | {202: ExportOut})
def export_campaign(
    request: HttpRequest,
    response: HttpResponse,
    key: Key,
    format: Format,
    wanted: Query[WaitedFor],
) -> Any:
    """The work that counts as a file; a folder comes as a ZIP archive.

    Where it takes longer than `wait` seconds, the answer is a 202, and the header `Location` says
    where to see its progress.
    """
    campaign = managed(request, key)
    found = request_export(campaign, format, wanted.choices(), wait=wanted.wait)
    if found.state in (Export.State.READY, Export.State.FAILED):
        return download(found, person(request))
    return _accepted(found, response)


def _accepted(found: Export, response: HttpResponse) -> Status[dict[str, Any]]:
    response.headers["Location"] = _address("get_export", found)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return Status(202, _described(found))


def _address(operation: str, found: Export) -> str:
    return reverse(f"api:{operation}", args=[found.campaign.key, found.pk])


def _described(found: Export) -> dict[str, Any]:
    ready = found.state == Export.State.READY
    chosen = asdict(choices_of(found))
    return chosen | {
        "id": found.pk,
        "format": found.format,
        "undecided": "count" if chosen["undecided"] else "leave-out",
        "state": found.state,
        "done": found.done,
        "total": found.total,
        "problem": found.problem or None,
        "size": found.size if ready else None,
        "requested_at": found.requested_at,
        "finished_at": found.finished_at if ready else None,
        "file": _address("get_export_file", found) if ready else None,
    }
