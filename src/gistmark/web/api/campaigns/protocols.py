"""Protocols as a designer works on them: types of blocks, checking, saving, versions; and previews.

A preview is a task of a campaign in any state, and what would become of an answer to it.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Body, Header, Router, Schema, Status
from pydantic import Field

from gistmark.judgements.fields import ProtocolError
from gistmark.judgements.forms import block_types, values_of
from gistmark.judgements.protocols.settings import protocol_from, to_mapping
from gistmark.web.annotate.services import launch
from gistmark.web.annotate.services import previews as previews_service
from gistmark.web.annotate.services.previews import Fate
from gistmark.web.api.access import managed, manager, person
from gistmark.web.api.campaigns.campaigns import CampaignDetails, details
from gistmark.web.api.schemas import Key, Name, responses
from gistmark.web.campaigns.services import protocols
from gistmark.web.interface.languages import use_language

previews = Router()
router = Router()
campaigns = Router()
Protocol = Annotated[dict[str, Any], Field(description="A protocol as JSON, with every setting.")]
IfMatch = Annotated[str | None, Header(alias="If-Match")]


class PreviewEntry(Schema):
    """What managers know of an item: its document, its systems as shown, whether it is planted."""

    key: str
    document: str | None
    systems: list[str]
    planted: str | None


class PreviewOut(Schema):
    """A task: `task` is what an annotator gets, `entries` and `answer` what only managers know.

    `answer` is the right answer to the statement at the end; `lacking` was left out of the task.
    """

    number: int
    count: int
    lacking: list[str]
    entries: list[PreviewEntry]
    answer: bool | None
    task: dict[str, Any]


class PreviewAnswer(Schema):
    """A whole answer."""

    answer: dict[str, Any]


class OutcomeOut(Schema):
    """What would become of an answer; `message` is what its annotator would read."""

    outcome: Fate
    sentence: str
    reasons: list[str]
    message: str


@previews.get(
    "/{key}/preview/{int:number}", response=responses(PreviewOut), summary="Preview a task"
)
def get_preview(request: HttpRequest, key: Key, number: int) -> dict[str, Any]:
    """Task `number`, from 1, as an annotator would get it, with what only managers know."""
    return shown_preview(
        previews_service.preview_task(managed(request, key), person(request), number)
    )


def shown_preview(previewed: previews_service.PreviewedTask) -> dict[str, Any]:
    """A previewed task as the API shows it."""
    seen = previewed.preview
    return {
        "number": seen.number,
        "count": seen.count,
        "lacking": list(seen.lacking),
        "entries": [asdict(entry) for entry in seen.task.entries],
        "answer": None if seen.task.question is None else seen.task.question.answer,
        "task": previewed.payload,
    }


@previews.post(
    "/{key}/preview/{int:number}", response=responses(OutcomeOut), summary="Check a preview"
)
def check_preview(
    request: HttpRequest, key: Key, number: int, sent: PreviewAnswer
) -> dict[str, Any]:
    """What would become of an answer to a previewed task; nothing is stored."""
    campaign = managed(request, key)
    use_language(request, campaign.language)
    return asdict(previews_service.check_preview(campaign, person(request), number, sent.answer))


class BlockType(Schema):
    """A type of block: what it is, what can be set, and what a new one looks like (`starts`)."""

    type: str
    title: str
    about: str
    asks: bool
    subjects: list[str]
    settings: list[dict[str, Any]]
    starts: list[dict[str, Any]]


class FaultOut(Schema):
    """What is wrong: the field, such as `blocks[3].scale.high`, and a sentence about it."""

    field: str
    message: str
    kind: str


class CheckedProtocol(Schema):
    """Everything that is wrong with a protocol; where nothing is, the protocol with all settings.

    `values` are, for each block, the values that a condition of a later question can name.
    """

    faults: list[FaultOut]
    protocol: dict[str, Any] | None
    values: list[list[str | int]]


class Design(Schema):
    """A protocol to preview."""

    protocol: Protocol


class DesignAnswer(Design):
    """A whole answer under a protocol that need not be saved."""

    answer: dict[str, Any]


class SpreadOut(Schema):
    """The smallest, the mean and the largest of some numbers."""

    least: int
    mean: float
    most: int


class LayoutOut(Schema):
    """Who judges what, in numbers, and in sentences; `designs` are settings of the protocol.

    `meetings` is in how many tasks two systems come together. What depends on the number of
    annotators is for `annotators` people who do equally much, and null where fewer take part than
    are needed: `repeats` is the share of somebody's documents of which they will judge two or more
    items.
    """

    designs: list[str]
    items: int
    tasks: int
    items_per_task: SpreadOut
    judges: SpreadOut
    judges_by_system: dict[str, SpreadOut]
    meetings: SpreadOut | None
    annotators_needed: int
    annotators: int
    documents_per_annotator: float | None
    repeats: float | None
    sentences: list[str]


class Version(Schema):
    """The name of a new version; without one, that of the campaign with the next number."""

    name: Name = ""


@router.get("/block-types", response=responses(list[BlockType]), summary="List types of blocks")
def list_block_types(request: HttpRequest) -> list[dict[str, Any]]:
    """What a form can be composed of, with the settings of each type."""
    manager(request)
    return block_types()


@router.post("/protocols/check", response=responses(CheckedProtocol), summary="Check a protocol")
def check_protocol(request: HttpRequest, protocol: Body[dict[str, Any]]) -> dict[str, Any]:
    """Everything that is wrong with a protocol; nothing is stored."""
    manager(request)
    blocks = protocol.get("blocks")
    values = [list(values_of(each)) for each in blocks] if isinstance(blocks, list) else []
    try:
        return {"faults": [], "protocol": to_mapping(protocol_from(protocol)), "values": values}
    except ProtocolError as error:
        return {"faults": list(map(asdict, error.faults)), "protocol": None, "values": values}


@campaigns.get("/{key}/protocol", response=responses(dict[str, Any]), summary="Read the protocol")
def get_protocol_of(request: HttpRequest, response: HttpResponse, key: Key) -> dict[str, Any]:
    """Every setting of the protocol; the header `ETag` is its revision."""
    campaign = managed(request, key)
    protocol: dict[str, Any] = campaign.protocol
    response.headers["ETag"] = f'"{protocols.revision_of(campaign)}"'
    return protocol


@campaigns.get(
    "/{key}/design", response=responses(LayoutOut | None), summary="Tell who judges what"
)
def get_design(request: HttpRequest, key: Key) -> dict[str, Any] | None:
    """What the design of a campaign comes to, or would come to; null where there are no tasks."""
    layout = launch.layout_in(managed(request, key))
    return None if layout is None else layout.to_mapping()


@campaigns.put("/{key}/protocol", response=responses(dict[str, Any]), summary="Set the protocol")
def set_protocol(
    request: HttpRequest,
    response: HttpResponse,
    key: Key,
    protocol: Body[dict[str, Any]],
    if_match: IfMatch = None,
) -> dict[str, Any]:
    """Give a draft another protocol.

    With the revision in the header `If-Match`, only where nobody has changed it since (else 409).
    Where something is wrong, `faults` has all of it by field, such as `blocks[3].scale.high`.
    """
    campaign = managed(request, key)
    revision = None if if_match is None else if_match.strip('"')
    protocols.replace_protocol(campaign, protocol, person(request), revision=revision)
    return get_protocol_of(request, response, key)


@campaigns.patch(
    "/{key}/protocol", response=responses(dict[str, Any]), summary="Change the protocol"
)
def change_protocol(
    request: HttpRequest, response: HttpResponse, key: Key, changes: Body[dict[str, Any]]
) -> dict[str, Any]:
    """Change some settings of a draft's protocol; the others stay."""
    protocols.change_protocol(managed(request, key), changes, person(request))
    return get_protocol_of(request, response, key)


@campaigns.post(
    "/{key}/protocol/blocks", response=responses(dict[str, Any]), summary="Edit as blocks"
)
def set_blocks(request: HttpRequest, response: HttpResponse, key: Key) -> dict[str, Any]:
    """Turn the protocol of a draft into the equivalent form, and return that."""
    protocols.edit_as_blocks(managed(request, key), person(request))
    return get_protocol_of(request, response, key)


@campaigns.post(
    "/{key}/protocol/preview/{int:number}",
    response=responses(PreviewOut),
    summary="Preview a design",
)
def preview_design(request: HttpRequest, key: Key, number: int, sent: Design) -> dict[str, Any]:
    """Task `number` under a form that need not be saved; invalid blocks are left out."""
    campaign, user = managed(request, key), person(request)
    return shown_preview(
        previews_service.preview_task(campaign, user, number, design=sent.protocol)
    )


@campaigns.post(
    "/{key}/protocol/preview/{int:number}/answer",
    response=responses(OutcomeOut),
    summary="Check an answer to a design",
)
def check_design_preview(
    request: HttpRequest, key: Key, number: int, sent: DesignAnswer
) -> dict[str, Any]:
    """What would become of an answer under a form that need not be saved; nothing is stored."""
    campaign, user = managed(request, key), person(request)
    use_language(request, campaign.language)
    checked = previews_service.check_preview(
        campaign, user, number, sent.answer, design=sent.protocol
    )
    return asdict(checked)


@campaigns.post("/{key}/versions", response=responses(CampaignDetails, 201), summary="New version")
def make_version(request: HttpRequest, key: Key, new: Version) -> Status[dict[str, Any]]:
    """Make a draft with the settings and the protocol of a campaign, whose protocol can change."""
    return Status(
        201, details(launch.new_version(managed(request, key), person(request), new.name))
    )
