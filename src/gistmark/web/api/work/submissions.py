"""Submissions: the work of a campaign, and what its managers decide on it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from gistmark.errors import UsageError
from gistmark.judgements.verdicts import Verdict
from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.outcomes import outcome_of, verdict_of
from gistmark.web.annotate.services.decisions import DecidedMany, decide, decide_many, undo
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, Name, Page, Text, responses
from gistmark.web.campaigns.models import Campaign
from gistmark.web.results.review import WorkFilter, submission_of, submissions_of

router = Router()
Show = Literal["all", "to-review", "undecided", "accepted", "paid", "late", "rejected", "machines"]
MOST_DECIDED = 20_000


class WantedWork(Schema):
    """Which submissions are meant; what is empty filters nothing.

    `check` is the name of a check that flagged the work; `text` occurs in the name or the title of
    a document, or in a summary that was judged; `comments` is "yes" for only work with comments or
    reports of problems. Work of machines is listed with `show` as "machines", and only then.
    """

    show: Show = "all"
    annotator: Name = ""
    check: Name = ""
    text: Name = ""
    comments: Literal["", "yes"] = ""


class Wanted(Page, WantedWork):
    """Which submissions to list."""


class DecisionOut(Schema):
    """A manager's decision; `at` is the older name of `created_at`.

    `accepted` is whether the verdict is that the work counts.
    """

    manager: str
    verdict: Verdict
    accepted: bool
    reason: str
    created_at: datetime
    at: datetime
    undone: bool


class SubmissionOut(Schema):
    """A submission with what the checks said, and what became of it.

    `verdict` is the one in force: the work counts, does not count but is paid, or is rejected; null
    where it waits for a manager. `outcome` says why it does: accepted, undecided (flagged, and no
    manager has decided), paid, late (its slot was somebody else's by then) or rejected. `accepted`
    is whether it counts. `to_review` is whether a check flagged it and no manager has decided.
    `completion_code` is what the annotator was given, if the campaign gives any. The annotator is a
    `machine` or a person.
    """

    id: int
    slot: str
    annotator: str
    machine: bool
    received_at: datetime
    seconds: float | None
    verdict: Verdict | None
    outcome: str | None
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
    """The verdict, and the reason, which a rejection needs.

    In place of the verdict, `accepted` can say that the work counts (true) or is rejected (false).
    """

    verdict: Verdict | None = None
    accepted: bool | None = None
    reason: Text = ""

    def read_verdict(self) -> Verdict:
        """The one verdict that was sent."""
        if (self.verdict is None) == (self.accepted is None):
            raise UsageError("Send either the verdict or whether the work is accepted.")
        return self.verdict or ("counts" if self.accepted else "rejected")


class DecidedOut(Schema):
    """What followed from the decision."""

    message: str


class ManyDecisions(Decision):
    """A decision on many: on the submissions that are listed, or on all that match a filter."""

    submissions: Annotated[list[Count], Field(max_length=MOST_DECIDED)] | None = None
    filter: WantedWork | None = None


class LeftAloneOut(Schema):
    """Work that was left as it was, and why."""

    slot: str
    annotator: str
    reason: str


class ManyDecidedOut(Schema):
    """What followed: how many were decided on, and `group`, by which this can be undone.

    The group is null where nothing was decided.
    """

    message: str
    group: int | None
    count: int
    left_alone: list[LeftAloneOut]


@router.get("/{key}/submissions", response=responses(SubmissionsOut), summary="List the work")
def list_submissions(request: HttpRequest, key: Key, wanted: Query[Wanted]) -> dict[str, Any]:
    """The work of a campaign: what a check flagged first, then the newest."""
    campaign = managed(request, key)
    rows = submissions_of(campaign, _filter(wanted))
    related = rows.select_related("task", "annotator").prefetch_related("decisions__manager")
    part = related[wanted.offset : wanted.offset + wanted.limit]
    return {"submissions": [_shown(each, campaign) for each in part], "count": rows.count()}


@router.post(
    "/{key}/submissions/{int:id}/decision",
    response=responses(DecidedOut),
    summary="Decide",
)
def decide_on(request: HttpRequest, key: Key, id: int, decision: Decision) -> dict[str, str]:
    """Decide on a submission, which overrules its checks."""
    submission = submission_of(managed(request, key), id)
    decided = decide(submission, person(request), decision.read_verdict(), decision.reason)
    return {"message": decided.sentence}


@router.post(
    "/{key}/submissions/decisions",
    response=responses(ManyDecidedOut),
    summary="Decide on many",
)
def decide_on_many(request: HttpRequest, key: Key, decisions: ManyDecisions) -> dict[str, Any]:
    """Decide on many submissions at once, with one reason; what could not be decided is named."""
    campaign = managed(request, key)
    if (decisions.submissions is None) == (decisions.filter is None):
        raise UsageError("Name either the submissions to decide on or a filter for them.")
    numbers: list[int] = decisions.submissions or []
    if decisions.filter is not None:
        rows = submissions_of(campaign, _filter(decisions.filter))
        numbers = list(rows.values_list("pk", flat=True))
    verdict, reason = decisions.read_verdict(), decisions.reason
    return _many(decide_many(campaign, numbers, person(request), verdict, reason))


@router.post(
    "/{key}/decisions/{int:id}/undo", response=responses(ManyDecidedOut), summary="Undo decisions"
)
def undo_decisions(request: HttpRequest, key: Key, id: int) -> dict[str, Any]:
    """Undo the decisions of one group; each task is again as it was before them."""
    return _many(undo(managed(request, key), id, person(request)))


def _filter(wanted: WantedWork) -> WorkFilter:
    return WorkFilter(wanted.show, wanted.annotator, wanted.check, wanted.text, wanted.comments)


def _many(many: DecidedMany) -> dict[str, Any]:
    return {
        "message": many.sentence,
        "group": None if many.group is None else many.group.pk,
        "count": len(many.decisions),
        "left_alone": [asdict(each) for each in many.left_alone],
    }


def _shown(submission: Submission, campaign: Campaign) -> dict[str, Any]:
    return {
        "id": submission.pk,
        "slot": submission.task.slot,
        "annotator": submission.annotator.username,
        "machine": submission.task.machine,
        "received_at": submission.received_at,
        "seconds": submission.seconds,
        "verdict": verdict_of(submission),
        "outcome": outcome_of(submission.task),
        "accepted": outcome_of(submission.task) == "accepted",
        "to_review": submission.task.flagged,
        "completion_code": shown_code(submission.task, campaign),
        "reasons": [flag["reason"] for flag in submission.flags],
        "answer": submission.answer,
        "decisions": [
            {
                "manager": each.manager.username,
                "verdict": each.verdict,
                "accepted": each.verdict == "counts",
                "reason": each.reason,
                "created_at": each.created_at,
                "at": each.created_at,
                "undone": each.undone,
            }
            for each in submission.decisions.all()
        ],
    }
