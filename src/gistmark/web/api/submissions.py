"""The work that was handed in, and the manager's decisions on it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema

from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.services import decide
from gistmark.web.api.asking import managed, person
from gistmark.web.api.fields import Key, Name, Page, Text, responses
from gistmark.web.campaigns.models import Campaign
from gistmark.web.crowd.codes import shown_code
from gistmark.web.results.review import handed_in, submission_of

router = Router()


class Wanted(Page):
    """Which submissions to list."""

    show: Literal["all", "to-review", "accepted", "rejected"] = "all"
    annotator: Name = ""


class DecisionOut(Schema):
    """A manager's word."""

    manager: str
    accepted: bool
    reason: str
    at: datetime


class SubmissionOut(Schema):
    """A submission with what the checks said; `accepted` is whether it counts now.

    `completion_code` is what the annotator was given, if the campaign gives any.
    """

    id: int
    slot: str
    annotator: str
    received_at: datetime
    seconds: float | None
    accepted: bool
    to_review: bool
    completion_code: str | None
    reasons: list[str]
    answer: dict[str, Any]
    decisions: list[DecisionOut]


class SubmissionsOut(Schema):
    """A page of submissions, and how many there are in all."""

    submissions: list[SubmissionOut]
    count: int


class Decision(Schema):
    """Accept, or reject with a reason."""

    accepted: bool
    reason: Text = ""


class DecidedOut(Schema):
    """What followed from the decision."""

    message: str


@router.get("/{key}/submissions", response=responses(SubmissionsOut), summary="List the work")
def list_submissions(request: HttpRequest, key: Key, wanted: Query[Wanted]) -> dict[str, Any]:
    """The work of a campaign: what waits for you first, then the newest."""
    campaign = managed(request, key)
    found = handed_in(campaign, wanted.show, wanted.annotator or None)
    part = found[wanted.offset : wanted.offset + wanted.limit]
    return {"submissions": [_shown(each, campaign) for each in part], "count": found.count()}


@router.post(
    "/{key}/submissions/{int:id}/decision",
    response=responses(DecidedOut),
    summary="Accept or reject",
)
def decide_on(request: HttpRequest, key: Key, id: int, decision: Decision) -> dict[str, str]:
    """Decide on a submission, over what the checks said."""
    submission = submission_of(managed(request, key), id)
    decided = decide(submission, person(request), decision.accepted, decision.reason)
    return {"message": decided.sentence}


def _shown(submission: Submission, campaign: Campaign) -> dict[str, Any]:
    return {
        "id": submission.pk,
        "slot": submission.task.slot,
        "annotator": submission.annotator.username,
        "received_at": submission.received_at,
        "seconds": submission.seconds,
        "accepted": submission.task.state == "done",
        "to_review": submission.task.flagged,
        "completion_code": shown_code(submission.task, campaign),
        "reasons": [flag["reason"] for flag in submission.flags],
        "answer": submission.answer,
        "decisions": [
            {
                "manager": each.manager.username,
                "accepted": each.accepted,
                "reason": each.reason,
                "at": each.at,
            }
            for each in submission.decisions.all()
        ],
    }
