"""Campaigns: listing, making, changing, starting and ending them, and their checks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import File, Form, Query, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import Field

from gistmark.corpus import load, sample_folder
from gistmark.judgements.protocols.own import starting_protocol
from gistmark.web.annotate.services.launch import copy_campaign as copy_whole
from gistmark.web.annotate.services.launch import start
from gistmark.web.annotate.services.pilots import discard_pilot, keep_pilot, start_pilot
from gistmark.web.annotate.services.submissions import with_highlights_of
from gistmark.web.api.access import managed, manager, person
from gistmark.web.api.schemas import MOST, Count, Key, Name, Page, responses
from gistmark.web.campaigns.models import Campaign, Planted, Question
from gistmark.web.campaigns.services import archive, campaigns, protocols, uploads
from gistmark.web.campaigns.services import checks as checks_service
from gistmark.web.campaigns.services.markets import market_warnings
from gistmark.web.campaigns.services.members import campaigns_known_to, campaigns_managed_by

router = Router()
checks = Router()
Ids = Annotated[list[Count], Field(max_length=MOST)]
_ACTIONS = {
    "start": start,
    "keep-pilot": keep_pilot,
    "pause": campaigns.pause,
    "resume": campaigns.resume,
    "close": campaigns.close,
    "archive": archive.archive,
    "restore": archive.restore,
}


class CampaignOut(Schema):
    """A campaign as all who take part in it may know it.

    `made_at` is the older name of `created_at`.
    """

    key: str
    name: str
    state: str
    protocol: str
    created_at: datetime
    made_at: datetime
    archived: bool
    manages: bool


class CampaignDetails(CampaignOut):
    """A campaign as its managers know it; `problems` keep a draft from starting.

    `warnings` say which settings a crowd market would forbid, where it does not recruit on one.
    `pilot_annotators` is how many a pilot that runs is for; `previous` is the key of the campaign
    that this one is a new version of.
    """

    owner: str
    judges: int
    pilot_annotators: int | None
    lease_minutes: int
    registration_open: bool
    completion_codes: bool
    language: str
    retention_days: int | None
    started_at: datetime | None
    closed_at: datetime | None
    previous: str | None
    problems: list[str]
    warnings: list[str]


class NewCampaign(Schema):
    """A name and the name of a preset protocol, or `form` for an empty form.

    `highlights_of` is the key of a campaign whose accepted highlights become the heat maps.
    """

    name: Name
    protocol: Name = "overall"
    highlights_of: Name = ""


class Settings(Schema):
    """Settings that may change after the start; what is left out stays.

    `language` is that of the annotators' pages; empty for what each browser asks for. Annotators
    are erased `retention_days` after the end of the campaign; 0 keeps them for good.
    """

    name: Name | None = None
    lease_minutes: Count | None = None
    registration_open: bool | None = None
    completion_codes: bool | None = None
    language: Name | None = None
    retention_days: Count | None = None


class Action(Schema):
    """A step in the life of a campaign.

    A `pilot` has a number of `annotators`, and the first `tasks` tasks or all. `discard-pilot`
    needs the number of `submissions` that the caller knows of, and is refused where there are more
    or fewer.
    """

    action: Literal[
        "start",
        "pilot",
        "keep-pilot",
        "discard-pilot",
        "pause",
        "resume",
        "close",
        "archive",
        "restore",
    ]
    annotators: Count = 2
    tasks: Count | None = None
    submissions: Count = 0


class Copy(Schema):
    """The name of a copy."""

    name: Name


class Listed(Schema):
    """Whether archived campaigns are listed too."""

    archived: bool = False


class QuestionOut(Schema):
    """A True/False statement with its answer; it counts once it is approved."""

    id: int
    document: str
    statement: str
    answer: bool
    about: str
    generated: bool
    approved: bool


class PlantedOut(Schema):
    """Three planted summaries; they count once they are approved."""

    id: int
    document: str | None
    good: str
    mediocre: str
    bad: str
    generated: bool
    approved: bool


class ChecksOut(Schema):
    """A page of statements and planted triples, and how many there are in all."""

    questions: list[QuestionOut]
    planted: list[PlantedOut]
    question_count: int
    planted_count: int


class GeneratedOut(Schema):
    """How much was made, and what could not be made."""

    questions: int
    planted: int
    problems: list[str]


class Approval(Schema):
    """What to approve, by id; without any id, everything that waits is approved."""

    questions: Ids = Field(default_factory=list)
    planted: Ids = Field(default_factory=list)


class ApprovedOut(Schema):
    """How many statements and triples were approved."""

    approved: int


@router.get("", response=responses(list[CampaignOut]), summary="List my campaigns")
def list_campaigns(request: HttpRequest, listed: Query[Listed]) -> list[dict[str, Any]]:
    """The campaigns that you manage or take part in, newest first."""
    user = person(request)
    known = campaigns_known_to(user).order_by("-created_at", "-pk")
    if not listed.archived:
        known = known.filter(archived_at=None)
    managed_keys = set(campaigns_managed_by(user).values_list("key", flat=True))
    return [_shown(each, manages=each.key in managed_keys) for each in known]


@router.post("", response=responses(CampaignDetails, 201), summary="Make a campaign")
def create_campaign(
    request: HttpRequest, new: Form[NewCampaign], corpus: File[UploadedFile | None] = None
) -> Status[dict[str, Any]]:
    """A draft of a campaign.

    `corpus` is a ZIP archive of a corpus folder, or a single file; without it the bundled sample
    is used.
    """
    owner = manager(request)
    material = (
        load(sample_folder())
        if corpus is None
        else uploads.read_upload(corpus.name or "", corpus.chunks())
    )
    if new.highlights_of:
        material = with_highlights_of(material, managed(request, new.highlights_of))
    made = campaigns.create_campaign(
        owner=owner, name=new.name, protocol=starting_protocol(new.protocol), corpus=material
    )
    return Status(201, details(made))


@router.get("/{key}", response=responses(CampaignDetails), summary="Look at a campaign")
def get_campaign(request: HttpRequest, key: Key) -> dict[str, Any]:
    """All settings of a campaign, and what keeps it from starting."""
    return details(managed(request, key))


@router.patch("/{key}", response=responses(CampaignDetails), summary="Change the settings")
def change_campaign(request: HttpRequest, key: Key, settings: Settings) -> dict[str, Any]:
    """Change the name, the lease, who may register, or whether there are completion codes."""
    campaign = managed(request, key)
    campaigns.change_settings(campaign, person(request), **settings.dict(exclude_unset=True))
    return details(campaign)


@router.delete("/{key}", response=responses(None, 204), summary="Delete a draft")
def delete_campaign(request: HttpRequest, key: Key) -> Status[None]:
    """Delete a campaign that has not started, with its corpus and its checks."""
    archive.delete_draft(managed(request, key))
    return Status(204, None)


@router.post("/{key}/copies", response=responses(CampaignDetails, 201), summary="Copy a campaign")
def copy_campaign(request: HttpRequest, key: Key, new: Copy) -> Status[dict[str, Any]]:
    """Make a draft with the settings, the protocol, the corpus and the checks of this one."""
    made = copy_whole(managed(request, key), new.name, person(request))
    return Status(201, details(made))


@router.post("/{key}/state", response=responses(CampaignDetails), summary="Start, pause or close")
def change_state(request: HttpRequest, key: Key, step: Action) -> dict[str, Any]:
    """Start a draft or its pilot, end that, pause and resume, close for good; archive."""
    campaign, user = managed(request, key), person(request)
    if step.action == "pilot":
        start_pilot(campaign, user, annotators=step.annotators, tasks=step.tasks)
    elif step.action == "discard-pilot":
        discard_pilot(campaign, user, submissions=step.submissions)
    else:
        _ACTIONS[step.action](campaign, user)
    return details(campaign)


@checks.get("/{key}/checks", response=responses(ChecksOut), summary="List the checks")
def list_checks(request: HttpRequest, key: Key, page: Query[Page]) -> dict[str, Any]:
    """Statements and planted summaries with everything that decides them; for managers."""
    campaign = managed(request, key)
    part = slice(page.offset, page.offset + page.limit)
    return {
        "questions": [
            _shown_check(each) for each in campaign.questions.select_related("document")[part]
        ],
        "planted": [
            _shown_check(each) for each in campaign.planted.select_related("document")[part]
        ],
        "question_count": campaign.questions.count(),
        "planted_count": campaign.planted.count(),
    }


@checks.post("/{key}/checks/generate", response=responses(GeneratedOut), summary="Generate checks")
def generate_checks(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Make what the protocol needs and the corpus does not have; it waits for approval."""
    made = checks_service.generate_checks(managed(request, key), person(request))
    problems = list(map(str, made.problems))
    return {"questions": made.questions, "planted": made.planted, "problems": problems}


@checks.post("/{key}/checks/approve", response=responses(ApprovedOut), summary="Approve checks")
def approve_checks(request: HttpRequest, key: Key, approval: Approval) -> dict[str, int]:
    """Let generated checks count."""
    campaign, user = managed(request, key), person(request)
    if not approval.questions and not approval.planted:
        return {"approved": checks_service.approve_all(campaign, user)}
    chosen: list[Question | Planted] = [
        *(checks_service.question_of(campaign, pk) for pk in approval.questions),
        *(checks_service.triple_of(campaign, pk) for pk in approval.planted),
    ]
    for check in chosen:
        checks_service.approve(check, user)
    return {"approved": len(chosen)}


def _shown(campaign: Campaign, *, manages: bool) -> dict[str, Any]:
    return {
        "key": campaign.key,
        "name": campaign.name,
        "state": campaign.state,
        "protocol": campaign.protocol["name"],
        "created_at": campaign.created_at,
        "made_at": campaign.created_at,
        "archived": campaign.archived_at is not None,
        "manages": manages,
    }


def details(campaign: Campaign) -> dict[str, Any]:
    """A campaign as its managers know it."""
    draft = campaign.state == Campaign.State.DRAFT
    return _shown(campaign, manages=True) | {
        "owner": campaign.owner.username,
        "judges": campaign.protocol["judges"],
        "pilot_annotators": campaign.pilot_annotators,
        "lease_minutes": campaign.lease_minutes,
        "registration_open": campaign.registration_open,
        "completion_codes": campaign.completion_codes,
        "language": campaign.language,
        "retention_days": campaign.retention_days,
        "started_at": campaign.started_at,
        "closed_at": campaign.closed_at,
        "previous": None if campaign.previous is None else campaign.previous.key,
        "problems": list(map(str, protocols.readiness(campaign))) if draft else [],
        "warnings": list(market_warnings(protocols.protocol_of(campaign), campaign)),
    }


def _shown_check(check: Question | Planted) -> dict[str, Any]:
    """A check as the API shows it, with the name of its document."""
    named = {field.name: getattr(check, field.name) for field in check._meta.fields}
    return named | {"document": check.document.name if check.document else None}
