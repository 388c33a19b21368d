"""Tasks: what annotators do, page and programs alike, from consent to comments.

Consent is what a campaign asks its people to agree to. Comments are what annotators say about tasks
and items; managers list them.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.views.decorators.cache import never_cache
from ninja import Query, Router, Schema, Status
from ninja.decorators import decorate_view

from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.outcomes import shown_state, told
from gistmark.web.annotate.services import claims, drafts, leases, submissions
from gistmark.web.annotate.services import comments as comments_service
from gistmark.web.api.access import joined, managed, person
from gistmark.web.api.schemas import Count, Key, Name, Page, Text, responses
from gistmark.web.campaigns.services import consents, protocols
from gistmark.web.campaigns.services.consents import demand_consent
from gistmark.web.interface.languages import use_language
from gistmark.web.qualification.services.admission import demand_admitted

consent = Router()
router = Router()
comments = Router()


class ConsentOut(Schema):
    """The text to agree to, which may be empty, its version, and whether you agreed to it."""

    text: str
    version: str
    given: bool


class ConsentIn(Schema):
    """The version of the text that was read; if it is no longer the current one, that is refused.

    Without a version it is the current one.
    """

    version: Name | None = None


@consent.get("/{key}/consent", response=responses(ConsentOut), summary="Read the terms")
def get_consent(request: HttpRequest, key: Key) -> dict[str, Any]:
    """What the campaign asks you to agree to before your first task."""
    campaign = joined(request, key)
    return {
        "text": protocols.protocol_of(campaign).consent,
        "version": consents.consent_version(campaign),
        "given": consents.consented(campaign, person(request)),
    }


@consent.post("/{key}/consent", response=responses(None, 204), summary="Accept the terms")
def give_consent(request: HttpRequest, key: Key, read: ConsentIn | None = None) -> Status[None]:
    """Say that you have read and accept what the campaign says about itself."""
    version = None if read is None else read.version
    consents.give_consent(joined(request, key), person(request), version=version)
    return Status(204, None)


class TaskOut(Schema):
    """A task of yours; one that is submitted has a completion code if the campaign gives any.

    `taken_at` is the older name of `claimed_at`.
    """

    id: int
    campaign: str
    state: str
    claimed_at: datetime | None
    taken_at: datetime | None
    done_at: datetime | None
    completion_code: str | None


class NextOut(Schema):
    """The task to do next; null where nothing is left for you."""

    task: int | None


class Draft(Schema):
    """What is filled in so far, and the version that it builds on."""

    answer: dict[str, Any]
    version: Count


class SavedOut(Schema):
    """The version to send with the next draft."""

    version: int
    saved_at: datetime


class NewSubmission(Schema):
    """A whole answer, and a key of your choice: the same one twice is the same submission."""

    answer: dict[str, Any]
    key: UUID


class ReceivedOut(Schema):
    """What became of it, as far as an annotator is told, and the task's completion code."""

    message: str
    completion_code: str | None


class Why(Schema):
    """Why a task is given back: one of time, language, unclear, broken, upsetting and other."""

    reason: Name = ""
    text: Text = ""


@router.post("/campaigns/{key}/next", response=responses(NextOut), summary="Claim the next task")
def next_task(request: HttpRequest, key: Key) -> dict[str, int | None]:
    """The task that you hold, else a new one."""
    campaign, user = joined(request, key), person(request)
    demand_consent(campaign, user)
    task = claims.next_task(campaign, user)
    return {"task": None if task is None else task.pk}


@router.get("/tasks", response=responses(list[TaskOut]), summary="List my tasks")
def list_tasks(request: HttpRequest, page: Query[Page]) -> list[dict[str, Any]]:
    """All tasks that you have or had, the latest first."""
    mine = told(Task.objects.filter(annotator=person(request))).select_related("campaign")
    listed = mine.defer("content").order_by("-claimed_at", "-pk")
    return [
        {
            "id": each.pk,
            "campaign": each.campaign.key,
            "state": shown_state(each, is_told=getattr(each, "is_told", False)),
            "claimed_at": each.claimed_at,
            "taken_at": each.claimed_at,
            "done_at": each.done_at,
            "completion_code": shown_code(each, each.campaign),
        }
        for each in listed[page.offset : page.offset + page.limit]
    ]


@router.get("/tasks/{int:id}", response=responses(dict[str, Any]), summary="Open a task")
@decorate_view(never_cache)
def open_task(request: HttpRequest, id: int) -> dict[str, Any]:
    """What is asked and shown, and what you have filled in; the clock starts the first time."""
    return drafts.browser_payload(_mine(request, id))


@router.put("/tasks/{int:id}/draft", response=responses(SavedOut), summary="Save a draft")
def save_draft(request: HttpRequest, id: int, draft: Draft) -> dict[str, Any]:
    """Save what is filled in so far; a newer draft of another device is not overwritten (409)."""
    task = _mine(request, id)
    saved = drafts.save_draft(task, person(request), draft.answer, draft.version)
    return {"version": saved.version, "saved_at": saved.saved_at}


@router.post("/tasks/{int:id}/submit", response=responses(ReceivedOut), summary="Submit")
def submit_task(request: HttpRequest, id: int, sent: NewSubmission) -> dict[str, str | None]:
    """Submit a whole answer. Sending it again with the same key is harmless."""
    user = person(request)
    use_language(request, "")
    task = leases.find_task(id, user)
    if task.annotator_id == user.pk:
        use_language(request, task.campaign.language)
    submission = submissions.submit(task, user, sent.key, sent.answer)
    task = submission.task
    return {
        "message": submissions.reply_to(submission),
        "completion_code": shown_code(task, task.campaign),
    }


@router.post("/tasks/{int:id}/release", response=responses(None, 204), summary="Give back")
def release_task(request: HttpRequest, id: int, why: Why | None = None) -> Status[None]:
    """Give a task back, with a reason if you like; what you did on it is kept."""
    user, given = person(request), why or Why()
    task = drafts.task_for(user, id)
    use_language(request, task.campaign.language)
    comments_service.give_back(task, user, reason=given.reason, text=given.text)
    return Status(204, None)


def _mine(request: HttpRequest, id: int) -> Task:
    user = person(request)
    task = drafts.task_for(user, id)
    use_language(request, task.campaign.language)
    demand_consent(task.campaign, user)
    if task.opened_at is None:
        demand_admitted(task.campaign, user)
    return task


class NewComment(Schema):
    """What you say, and a key of your choice: the same one twice is the same comment.

    `item` is the key of an item of the task; without it the comment is about the whole task.
    """

    key: UUID
    text: Text
    item: Name = ""
    kind: Literal["comment", "problem"] = "comment"


class StoredOut(Schema):
    """When the comment was stored."""

    created_at: datetime


class CommentOut(Schema):
    """A comment; `about` names the document and systems of its item, or is empty.

    `kind` is `release` where a task was given back, and `reason` says why.
    """

    id: int
    slot: str
    annotator: str
    item: str
    about: str
    kind: str
    reason: str
    text: str
    created_at: datetime


class CommentsOut(Schema):
    """A page of comments, and how many there are in all."""

    comments: list[CommentOut]
    count: int


@router.post("/tasks/{int:id}/comments", response=responses(StoredOut), summary="Comment")
def comment_on_task(request: HttpRequest, id: int, sent: NewComment) -> dict[str, Any]:
    """Say something about your task or an item of it; the answer stays as it is."""
    user = person(request)
    use_language(request, drafts.language_of(id, user))
    stored = comments_service.add_comment(
        drafts.task_for(user, id), user, sent.key, text=sent.text, item=sent.item, kind=sent.kind
    )
    return {"created_at": stored.created_at}


@comments.get("/{key}/comments", response=responses(CommentsOut), summary="List the comments")
def list_comments(request: HttpRequest, key: Key, page: Query[Page]) -> dict[str, Any]:
    """What annotators say about their tasks, and why they gave some back; the newest first."""
    said = comments_service.comments_of(managed(request, key))
    part = said[page.offset : page.offset + page.limit]
    listed = [
        {
            "id": each.pk,
            "slot": each.task.slot,
            "annotator": each.annotator.username,
            **{name: getattr(each, name) for name in ("item", "about", "kind", "reason", "text")},
            "created_at": each.created_at,
        }
        for each in part
    ]
    return {"comments": listed, "count": said.count()}
