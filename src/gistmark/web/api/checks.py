"""The checks of a campaign: True/False statements and planted summaries."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from gistmark.web.api.asking import managed, person
from gistmark.web.api.fields import MOST, Count, Key, Page, responses
from gistmark.web.campaigns import services
from gistmark.web.campaigns.models import Planted, Question

router = Router()
Ids = Annotated[list[Count], Field(max_length=MOST)]


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
    """A page of both, and how many there are in all."""

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
    """What to approve, by id; nothing at all approves everything that waits."""

    questions: Ids = Field(default_factory=list)
    planted: Ids = Field(default_factory=list)


class ApprovedOut(Schema):
    """How many statements and triples were approved."""

    approved: int


@router.get("/{key}/checks", response=responses(ChecksOut), summary="List the checks")
def list_checks(request: HttpRequest, key: Key, page: Query[Page]) -> dict[str, Any]:
    """Statements and planted summaries with everything that decides them; for managers."""
    campaign = managed(request, key)
    part = slice(page.offset, page.offset + page.limit)
    return {
        "questions": [_shown(each) for each in campaign.questions.select_related("document")[part]],
        "planted": [_shown(each) for each in campaign.planted.select_related("document")[part]],
        "question_count": campaign.questions.count(),
        "planted_count": campaign.planted.count(),
    }


@router.post("/{key}/checks/generate", response=responses(GeneratedOut), summary="Generate checks")
def generate_checks(request: HttpRequest, key: Key) -> dict[str, Any]:
    """Make what the protocol needs and the corpus does not have; it waits for approval."""
    made = services.generate_checks(managed(request, key), person(request))
    problems = list(map(str, made.problems))
    return {"questions": made.questions, "planted": made.planted, "problems": problems}


@router.post("/{key}/checks/approve", response=responses(ApprovedOut), summary="Approve checks")
def approve_checks(request: HttpRequest, key: Key, approval: Approval) -> dict[str, int]:
    """Let generated checks count."""
    campaign, user = managed(request, key), person(request)
    if not approval.questions and not approval.planted:
        return {"approved": services.approve_all(campaign, user)}
    chosen: list[Question | Planted] = [
        *(services.question_of(campaign, pk) for pk in approval.questions),
        *(services.triple_of(campaign, pk) for pk in approval.planted),
    ]
    for check in chosen:
        services.approve(check, user)
    return {"approved": len(chosen)}


def _shown(check: Question | Planted) -> dict[str, Any]:
    """A check as the API shows it, with the name of its document."""
    named = {field.name: getattr(check, field.name) for field in check._meta.fields}
    return named | {"document": check.document.name if check.document else None}
