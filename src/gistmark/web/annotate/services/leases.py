"""Giving tasks up: released by somebody, or lapsed because a lease has ended.

A task that was never opened simply becomes an open slot again. One that was opened stays with its
annotator, with the draft, as lapsed; an open slot is added in its place. So nothing that somebody
has begun is lost, and what they hand in late still finds its task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.services.places import balance, chunks, count_open, lock_task
from gistmark.web.campaigns.errors import ConflictError, NotAllowedError
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import manages, record

_STATES = Task.State
_NAMED = 100
"""So many slots are named in the audit trail when many are given up at once."""
_NOBODYS: Mapping[str, Any] = {
    "state": _STATES.OPEN,
    "annotator": None,
    "allocated": False,
    "taken_at": None,
    "lease_ends_at": None,
}


def lease_end(campaign: Campaign) -> datetime:
    """When a lease that begins or is renewed now will end."""
    return timezone.now() + timedelta(minutes=campaign.lease_minutes)


@transaction.atomic
def release(task: Task, by: User | None) -> Task:
    """Give a held task up: its annotator does so, or a manager."""
    current = lock_task(task.pk)
    if by is not None and by.pk != current.annotator_id and not manages(by, current.campaign):
        raise NotAllowedError("Only its annotator or a manager can release a task.")
    if current.state != _STATES.HELD:
        raise ConflictError(
            f"Task {current.slot} is {current.state} and cannot be released: only a task that is "
            "held can."
        )
    holder = _holder(current)
    _give_up(current, ended=False)
    record(current.campaign, by, "released", slot=current.slot, annotator=holder)
    return current


@transaction.atomic
def release_of(campaign: Campaign, users: Iterable[User], by: User | None) -> int:
    """Release everything that these annotators hold; tells how many tasks that were."""
    held = Task.objects.filter(campaign=campaign, state=_STATES.HELD, annotator__in=list(users))
    return _give_all_up(campaign, held, by, "released", ended=False)


@transaction.atomic
def release_expired(campaign: Campaign, by: User | None = None) -> int:
    """Open the places of all held tasks whose lease has ended; tells how many there were."""
    return _give_all_up(campaign, ended_leases(campaign), by, "lapsed", ended=True)


def ended_leases(campaign: Campaign) -> QuerySet[Task]:
    """The held tasks whose place may be given to others."""
    return Task.objects.filter(
        campaign=campaign, state=_STATES.HELD, lease_ends_at__lt=timezone.now()
    )


def lapse(task: Task) -> None:
    """Let the lease of a task of a locked batch end, and open its place."""
    holder = _holder(task)
    _give_up(task, ended=True)
    record(task.campaign, None, "lapsed", slot=task.slot, annotator=holder)


def regain(task: Task) -> bool:
    """Give a lapsed task of a locked batch its place back, if one is still open."""
    if task.state != _STATES.LAPSED or not task.batch.open:
        return False
    task.state = _STATES.HELD
    task.lease_ends_at = None if task.allocated else lease_end(task.campaign)
    task.save(update_fields=["state", "lease_ends_at"])
    balance(task.batch, task.campaign.judges)
    record(task.campaign, task.annotator, "regained", slot=task.slot)
    return True


def _give_all_up(
    campaign: Campaign, tasks: QuerySet[Task], by: User | None, verb: str, *, ended: bool
) -> int:
    """Give up those of the tasks that are still so once their batches are locked."""
    batches = Batch.objects.filter(pk__in=tasks.values("batch"))
    locked = batches.select_for_update(no_key=True).order_by("pk").in_bulk()
    found = [task for task in tasks.order_by("pk") if task.batch_id in locked]
    _open_again([task for task in found if task.opened_at is None])
    for task in found:
        if task.opened_at is not None:
            task.batch, task.campaign = locked[task.batch_id], campaign
            _give_up(task, ended=ended)
    if found:
        slots = [task.slot for task in found[:_NAMED]]
        record(campaign, by, verb, count=len(found), slots=slots)
    return len(found)


def _open_again(tasks: list[Task]) -> None:
    """Make slots that nobody has opened anybody's again, many at once."""
    for some in chunks([task.pk for task in tasks]):
        Task.objects.filter(pk__in=some).update(**_NOBODYS)
    count_open(Counter(task.batch_id for task in tasks), 1)


def _give_up(task: Task, *, ended: bool) -> None:
    if task.opened_at is None:
        for name, value in _NOBODYS.items():
            setattr(task, name, value)
    else:
        task.state = _STATES.LAPSED
        task.lease_ends_at = task.lease_ends_at if ended else None
    task.save()
    balance(task.batch, task.campaign.judges)


def _holder(task: Task) -> str | None:
    return task.annotator.username if task.annotator is not None else None
