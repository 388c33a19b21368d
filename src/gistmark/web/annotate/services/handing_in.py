"""Handing in: stored once whatever happens, and decided by the checks on the server.

Work that fails is kept and flagged with the reason, and its place opens again. Work that comes
after its place has gone to somebody else is kept too, flagged as late, for the manager to decide.
"""

from __future__ import annotations

from dataclasses import asdict
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from gistmark.judgements import Answer, Flag, Protocol, Verdict, check
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.answering import answer_to
from gistmark.web.annotate.services.leases import regain
from gistmark.web.annotate.services.places import balance, lock_task
from gistmark.web.annotate.services.taking import demand_running
from gistmark.web.campaigns.errors import ConflictError, NotFoundError
from gistmark.web.campaigns.services import protocol_of, record

LATE = "late"
_STATES = Task.State
_LATE_FLAG = {
    "kind": LATE,
    "reason": "It came after the time had run out and somebody else had been given its place.",
    "severity": "reject",
}
_LATE_REPLY = (
    "Thank you, your work has been received. It came after its time had run out, when somebody "
    "else had been given its place; the manager of the campaign decides whether it counts."
)


def submit(task: Task, user: User, key: UUID, answer: object) -> Submission:
    """Hand in a task, or change what was handed in where the protocol lets one.

    The same key again gives the same submission again and stores nothing. The answer must be
    whole: an `AnswerError` says all that is missing or wrong, and nothing is stored then.
    """
    return hand_in(task.pk, user, key, answer)


@transaction.atomic
def hand_in(pk: int, user: User, key: UUID, answer: object) -> Submission:
    """The same for a task of which only the number is known: the quickest way.

    That somebody has accepted the campaign's terms need not be asked again: a task that can be
    handed in was opened, and nobody opens one before.
    """
    task = lock_task(pk)
    demand_own(task, user)
    earlier = list(task.submissions.all()) if task.handed_in else []
    for submission in earlier:
        if submission.key == key:
            return submission
    demand_running(task.campaign)
    protocol = protocol_of(task.campaign)
    demand_unsettled(task, protocol)
    content, read = answer_to(task, protocol, answer)
    seconds = _seconds(task, read)
    verdict = check(protocol, content, read, elapsed=seconds)
    late = task.state == _STATES.LAPSED and not regain(task)
    if earlier:
        task.submissions.filter(current=True).update(current=False)
    submission = Submission.objects.create(
        task=task,
        annotator=user,
        key=key,
        number=len(earlier) + 1,
        answer=read.to_mapping(),
        flags=[*([_LATE_FLAG] if late else []), *map(asdict, verdict.flags)],
        accepted=verdict.accepted and not late,
        seconds=seconds,
    )
    _settle(task, submission)
    verb = "edited" if earlier else "submitted"
    record(task.campaign, user, verb, slot=task.slot, accepted=submission.accepted)
    return submission


def reply_to(submission: Submission) -> str:
    """What the annotator is told: neither which check failed nor that there are any."""
    if any(flag["kind"] == LATE for flag in submission.flags):
        return _LATE_REPLY
    return Verdict(tuple(Flag(**flag) for flag in submission.flags)).for_annotator


def demand_own(task: Task, user: User) -> None:
    """Refuse work on somebody else's task."""
    if task.annotator_id != user.pk:
        raise NotFoundError("You have no such task.")


def demand_unsettled(task: Task, protocol: Protocol) -> None:
    """Refuse changes to what was handed in, unless the protocol lets one correct oneself.

    Work that was rejected stays as it is: its place is somebody else's, and whoever may try again
    until the checks are content has not been checked.
    """
    if task.state == _STATES.REJECTED:
        raise ConflictError("This task has been handed in and cannot be changed any more.")
    if task.state == _STATES.DONE and not protocol.editable:
        raise ConflictError("This task has been handed in already.")


def _settle(task: Task, submission: Submission) -> None:
    """Bring the task, and the places of its batch, in line with what the checks said."""
    task.state = _STATES.DONE if submission.accepted else _STATES.REJECTED
    task.done_at = submission.received_at
    task.flagged = bool(submission.flags)
    task.save(update_fields=["state", "done_at", "flagged"])
    if not submission.accepted:
        balance(task.batch, task.campaign.judges)


def _seconds(task: Task, answer: Answer) -> float:
    """The time that the work took: as the browser counted it, but not more than has passed."""
    assert task.opened_at is not None, "a task that has a content was opened"
    passed = (timezone.now() - task.opened_at).total_seconds()
    return passed if answer.seconds is None else min(passed, answer.seconds)
