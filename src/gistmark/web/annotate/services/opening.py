"""Opening a task: what it consists of is drawn once, and what may be known is shown."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from gistmark import judgements
from gistmark.judgements import Slot, assemble, payload, task_from
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Draft, Submission, Task
from gistmark.web.annotate.services.places import lock_task
from gistmark.web.annotate.services.taking import demand_not_closed
from gistmark.web.campaigns.errors import ConflictError, NotFoundError
from gistmark.web.campaigns.services import material_of, planted_of, protocol_of, questions_of

_REMEMBERED = 50
"""Planted summaries of so many earlier tasks are avoided."""
_TRIPLES = 200
"""A triple is drawn among so many; more would only be slower to read."""


def task_for(user: User, pk: int) -> Task:
    """A task of this annotator; anybody else's is as good as none."""
    tasks = Task.objects.select_related("campaign", "batch", "annotator")
    task = tasks.filter(pk=pk, annotator=user).first()
    if task is None:
        raise NotFoundError("You have no such task.")
    demand_not_closed(task.campaign)
    return task


def browser_payload(task: Task) -> dict[str, Any]:
    """What the annotator's browser may know of the task.

    Beside `gistmark.judgements.payload` it has `draft` (what was filled in or handed in last, or
    null), `version` (to be sent back with the next draft), `state`, and `editable`, which tells
    whether the answer may still be changed.
    """
    task = opened(task)
    protocol = protocol_of(task.campaign)
    content = content_of(task)
    documents = {entry.document for entry in content.entries if entry.document is not None}
    shown = payload(content, protocol, material_of(task.campaign, documents))
    answer, version = _filled_in(task)
    editable = not task.handed_in or (protocol.editable and task.state == Task.State.DONE)
    return shown | {
        "task": task.pk,
        "state": task.state,
        "editable": editable,
        "draft": answer,
        "version": version,
    }


def content_of(task: Task) -> judgements.Task:
    """The task as the server knows it; one that nobody has opened has no content yet."""
    if task.content is None:
        raise ConflictError(f"Task {task.slot} has not been opened yet.")
    return task_from(task.content)


@transaction.atomic
def opened(task: Task) -> Task:
    """The task with its content; drawn now, and the clock started, if it was not yet."""
    if task.content is not None:
        return task
    task = lock_task(task.pk)
    if task.content is None:
        task.content = _drawn(task).to_mapping()
        task.opened_at = timezone.now()
        task.save(update_fields=["content", "opened_at"])
    return task


def _drawn(task: Task) -> judgements.Task:
    if task.annotator is None:
        raise ConflictError(f"Task {task.slot} is nobody's.")
    campaign, items = task.campaign, task.batch.read_items()
    protocol = protocol_of(campaign)
    documents = [item.document for item in items]
    asked = questions_of(campaign, documents) if protocol.asks_question else ()
    return assemble(
        Slot(task.slot, task.batch.number, tuple(item.id for item in items)),
        task.annotator.username,
        {item.id: item for item in items},
        protocol,
        seed=campaign.seed,
        questions=asked,
        planted=planted_of(campaign)[:_TRIPLES] if protocol.plants else (),
        seen=_seen(task) if protocol.plants else (),
    )


def _seen(task: Task) -> frozenset[str]:
    """The planted texts of this annotator's earlier tasks."""
    earlier = Task.objects.filter(
        campaign=task.campaign, annotator=task.annotator, opened_at__isnull=False
    ).order_by("-opened_at")[:_REMEMBERED]
    return frozenset().union(*(content_of(each).planted_texts for each in earlier))


def _filled_in(task: Task) -> tuple[dict[str, Any] | None, int]:
    """The newer of draft and submission, and the version of the draft."""
    draft = Draft.objects.filter(task=task).first()
    sent = Submission.objects.filter(task=task, current=True).first()
    version = 0 if draft is None else draft.version
    if sent is not None and (draft is None or draft.saved_at <= sent.received_at):
        return sent.answer, version
    return (None, 0) if draft is None else (draft.answer, version)
