"""A task as its annotator sees it: assembled once, shown, and saved as a draft while they work."""

from __future__ import annotations

import json
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from gistmark import judgements
from gistmark.errors import UsageError
from gistmark.judgements.answers import Answer, read_answer
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.tasks.slots import Slot, may_change
from gistmark.judgements.tasks.task import assemble, payload, task_from
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Comment, Draft, Submission, Task
from gistmark.web.annotate.outcomes import hidden, shown_state, told
from gistmark.web.annotate.services.claims import demand_not_closed, demand_unknowing
from gistmark.web.annotate.services.leases import (
    find_task,
    lease_end,
    lock_task,
    no_such_task,
    regain,
)
from gistmark.web.campaigns.services.corpora import material_of, planted_of, questions_of, texts_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError, NotFoundError
from gistmark.web.config.storage.transactions import retried

_REMEMBERED = 50
"""Planted summaries of so many earlier tasks are avoided."""
_TRIPLES = 200
"""A triple is sampled among so many; more would only be slower to read."""


class StaleDraftError(ConflictError):
    """The draft was changed elsewhere; `draft` is what is stored."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(
            gettext(
                "This task has been changed in another tab or on another device; what was saved "
                "there is newer."
            )
        )


def task_for(user: User, pk: int) -> Task:
    """A task of this annotator; anybody else's counts as missing."""
    tasks = Task.objects.select_related("campaign", "batch", "annotator")
    task = tasks.filter(pk=pk, annotator=user).first()
    if task is None:
        raise no_such_task(pk, user)
    demand_not_closed(task.campaign)
    return task


def language_of(pk: int, user: User) -> str:
    """The language of the campaign of a task; empty where the annotator has no such task."""
    tasks = Task.objects.filter(pk=pk, annotator=user)
    return tasks.values_list("campaign__language", flat=True).first() or ""


def browser_payload(task: Task) -> dict[str, Any]:
    """What the annotator's browser may know of the task.

    Beside `gistmark.judgements.payload` it has `draft` (what was filled in or submitted last, or
    null), `version` (to be sent back with the next draft), `state`, `editable`, which tells
    whether the answer may still be changed, and the annotator's own `comments`.
    """
    task = open_task(task)
    protocol = protocol_of(task.campaign)
    content = content_of(task)
    documents = {entry.document for entry in content.entries if entry.document is not None}
    shown = payload(content, protocol, material_of(task.campaign, documents))
    answer, version = _latest_answer(task)
    return shown | {
        "task": task.pk,
        "state": _shown_state(task),
        "editable": _may_change(task, protocol),
        "draft": answer,
        "comments": _own_comments(task),
        "version": version,
    }


@retried
def open_task(task: Task) -> Task:
    """The task with its content; assembled now, and the clock started, if it was not yet."""
    if task.content is not None:
        return task
    task = lock_task(task.pk)
    if task.content is None:
        task.content = _assembled(task).to_mapping()
        task.opened_at = timezone.now()
        task.save(update_fields=["content", "opened_at"])
    return task


def content_of(task: Task) -> judgements.Task:
    """The task as the server knows it; one that nobody has opened has no content yet."""
    if task.content is None:
        raise ConflictError(f"Task {task.slot} has not been opened yet.")
    return task_from(task.content)


def save_draft(task: Task, user: User, answer: object, version: int) -> Draft:
    """Save what is filled in so far, on top of the version that the sender has seen.

    A request that is sent again, with the same answer, is not refused. Saving renews the lease,
    and gives a lapsed task its slot back where that is still open. The answer is read before
    anything is locked, since that may take a while.
    """
    task = find_task(task.pk, user)
    protocol = _demand_savable(task, user)
    _, read = answer_to(task, protocol, answer, draft=True)
    return _store_draft(task.pk, user, read.to_mapping(), version)


def _demand_savable(task: Task, user: User) -> Protocol:
    demand_own(task, user)
    demand_not_closed(task.campaign)
    demand_unknowing(task.campaign, user)
    protocol = protocol_of(task.campaign)
    demand_changeable(task, protocol)
    return protocol


@retried
def _store_draft(pk: int, user: User, kept: dict[str, Any], version: int) -> Draft:
    task = lock_task(pk, user)
    _demand_savable(task, user)
    draft = Draft.objects.filter(task=task).first() or Draft(task=task)
    if draft.version != version:
        if draft.version == version + 1 and draft.answer == kept:
            return draft
        raise StaleDraftError(draft)
    draft.answer, draft.version = kept, version + 1
    draft.save()
    _renew(task)
    return draft


def answer_to(
    task: Task, protocol: Protocol, sent: object, *, draft: bool = False
) -> tuple[judgements.Task, Answer]:
    """The content of a task and the answer to it; an `AnswerError` has all that is wrong."""
    if "\\u0000" in json.dumps(sent, default=repr):
        raise UsageError(gettext("An answer must not have NUL characters (U+0000)."))
    content = content_of(task)
    documents = [entry.document or "" for entry in content.entries]
    texts = texts_of(task.campaign, protocol, documents)
    return content, read_answer(sent, protocol, content, texts=texts, draft=draft)


def demand_own(task: Task, user: User) -> None:
    """Refuse work on somebody else's task."""
    if task.annotator_id != user.pk:
        raise NotFoundError(gettext("You have no such task."))


def demand_changeable(task: Task, protocol: Protocol) -> None:
    """Refuse changes to what was submitted, unless the protocol lets annotators correct it."""
    if _may_change(task, protocol):
        return
    if protocol.editable:
        raise ConflictError(gettext("This task has been submitted and cannot be changed any more."))
    raise ConflictError(gettext("This task has been submitted already."))


def _may_change(task: Task, protocol: Protocol) -> bool:
    """Whether the answer may still change: not once its annotator knows that it does not count."""
    if hidden(task) and _shown_state(task) == task.state:
        return False
    return may_change(task.as_slot(), protocol)


def _shown_state(task: Task) -> str:
    if not hidden(task):
        return task.state
    row = told(Task.objects.filter(pk=task.pk)).first()
    return shown_state(task, is_told=getattr(row, "is_told", False))


def _renew(task: Task) -> None:
    if task.state == Task.State.HELD and not task.allocated and not task.machine:
        task.lease_ends_at = lease_end(task.campaign)
        task.save(update_fields=["lease_ends_at"])
    elif not task.released:
        regain(task)


def _assembled(task: Task) -> judgements.Task:
    if task.annotator is None:
        raise ConflictError(f"Nobody has claimed task {task.slot}.")
    campaign, items = task.campaign, task.batch.read_items()
    protocol = protocol_of(campaign)
    documents = [item.document for item in items]
    questions = questions_of(campaign, documents) if protocol.asks_question else ()
    completed = protocol.question_type.completed
    return assemble(
        Slot(
            task.slot,
            task.batch.number,
            tuple(item.id for item in items),
            dimension=task.batch.dimension,
        ),
        task.annotator.username,
        {item.id: item for item in items},
        protocol,
        seed=campaign.seed,
        questions=questions,
        planted=planted_of(campaign)[:_TRIPLES] if protocol.plants else (),
        seen=_seen(task) if protocol.plants else (),
        corpus=material_of(campaign, documents) if completed else None,
    )


def _seen(task: Task) -> frozenset[str]:
    """The planted texts of this annotator's earlier tasks."""
    earlier = Task.objects.filter(
        campaign=task.campaign, annotator=task.annotator, opened_at__isnull=False
    ).order_by("-opened_at")[:_REMEMBERED]
    return frozenset().union(*(content_of(each).planted_texts for each in earlier))


def _latest_answer(task: Task) -> tuple[dict[str, Any] | None, int]:
    """The newer of draft and submission, and the version of the draft."""
    draft = Draft.objects.filter(task=task).first()
    sent = Submission.objects.filter(task=task, current=True).first()
    version = 0 if draft is None else draft.version
    if sent is not None and (draft is None or draft.saved_at <= sent.received_at):
        return sent.answer, version
    return (None, 0) if draft is None else (draft.answer, version)


def _own_comments(task: Task) -> list[dict[str, str]]:
    """What the task's annotator has said about it, the oldest first."""
    mine = Comment.objects.filter(task=task, annotator=task.annotator_id).order_by("pk")
    said = mine.exclude(kind=Comment.Kind.RELEASE)
    return [{"item": each.item, "kind": each.kind, "text": each.text} for each in said]
