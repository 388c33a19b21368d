"""Annotators' work: the next task, its content, drafts, handing in, giving back."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from gistmark.web.accounts.models import User
from gistmark.web.annotate import services
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.overview import consented
from gistmark.web.api.asking import joined, person
from gistmark.web.api.fields import Count, Key, Page, responses
from gistmark.web.campaigns.errors import NotAllowedError
from gistmark.web.campaigns.models import Campaign
from gistmark.web.crowd.codes import shown_code

router = Router()
_TERMS = "Read and accept first what the campaign says about itself."


class TaskOut(Schema):
    """A task of yours; one that is handed in has a completion code if the campaign gives any."""

    id: int
    campaign: str
    state: str
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


class HandedIn(Schema):
    """A whole answer, and a key that you draw: the same one twice is the same submission."""

    answer: dict[str, Any]
    key: UUID


class ReceivedOut(Schema):
    """What became of it, as far as an annotator is told, and the task's completion code."""

    message: str
    completion_code: str | None


@router.post("/campaigns/{key}/next", response=responses(NextOut), summary="Take the next task")
def next_task(request: HttpRequest, key: Key) -> dict[str, int | None]:
    """The task that you hold, else a new one."""
    campaign, user = joined(request, key), person(request)
    _demand_consent(campaign, user)
    task = services.next_task(campaign, user)
    return {"task": None if task is None else task.pk}


@router.get("/tasks", response=responses(list[TaskOut]), summary="List my tasks")
def list_tasks(request: HttpRequest, page: Query[Page]) -> list[dict[str, Any]]:
    """All tasks that you have or had, the latest first."""
    mine = Task.objects.filter(annotator=person(request)).select_related("campaign")
    listed = mine.defer("content").order_by("-taken_at", "-pk")
    return [
        {
            "id": each.pk,
            "campaign": each.campaign.key,
            "state": each.state,
            "taken_at": each.taken_at,
            "done_at": each.done_at,
            "completion_code": shown_code(each, each.campaign),
        }
        for each in listed[page.offset : page.offset + page.limit]
    ]


@router.get("/tasks/{int:id}", response=responses(dict[str, Any]), summary="Open a task")
def open_task(request: HttpRequest, id: int) -> dict[str, Any]:
    """What is asked and shown, and what you have filled in; the clock starts the first time."""
    return services.browser_payload(_mine(request, id))


@router.put("/tasks/{int:id}/draft", response=responses(SavedOut), summary="Save a draft")
def save_draft(request: HttpRequest, id: int, draft: Draft) -> dict[str, Any]:
    """Save what is filled in so far; a newer draft of another device is not overwritten (409)."""
    task = _mine(request, id)
    saved = services.save_draft(task, person(request), draft.answer, draft.version)
    return {"version": saved.version, "saved_at": saved.saved_at}


@router.post("/tasks/{int:id}/submit", response=responses(ReceivedOut), summary="Hand in")
def submit_task(request: HttpRequest, id: int, sent: HandedIn) -> dict[str, str | None]:
    """Hand in a whole answer. Sending it again with the same key is harmless."""
    submission = services.hand_in(id, person(request), sent.key, sent.answer)
    task = submission.task
    return {
        "message": services.reply_to(submission),
        "completion_code": shown_code(task, task.campaign),
    }


@router.post("/tasks/{int:id}/release", response=responses(None, 204), summary="Give back")
def release_task(request: HttpRequest, id: int) -> Status[None]:
    """Give a task back; what you did on it is kept."""
    user = person(request)
    services.release(services.task_for(user, id), user)
    return Status(204, None)


def _mine(request: HttpRequest, id: int) -> Task:
    user = person(request)
    task = services.task_for(user, id)
    _demand_consent(task.campaign, user)
    return task


def _demand_consent(campaign: Campaign, user: User) -> None:
    if not consented(campaign, user):
        raise NotAllowedError(_TERMS)
