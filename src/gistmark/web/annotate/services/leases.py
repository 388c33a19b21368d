"""Slots and leases: the lock of a batch, and tasks that are released or lapse.

The lock of a batch is the lock of all its tasks: whoever changes one takes it first. What becomes
of a slot, and how many slots a batch needs, is decided in `gistmark.judgements.tasks.slots`. A task
that was opened stays with its annotator, with the draft, when it is released or its lease ends; an
open slot is added for it. So nothing that somebody has begun is lost, and what they submit late
still finds its task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Literal

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from gistmark.errors import GistmarkError
from gistmark.judgements.tasks import slots
from gistmark.judgements.tasks.slots import Balance
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.services.machines import demand_releasable
from gistmark.web.campaigns.models import Campaign, Event
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.members import manages
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from gistmark.web.config.storage.transactions import retried

_STATES = Task.State
_AT_ONCE = 500
"""So many rows are changed by one query."""
_NAMED = 100
"""So many slots are named in the audit trail when many are released at once."""
_UNCLAIMED: Mapping[str, Any] = {
    "state": _STATES.OPEN,
    "annotator": None,
    "allocated": False,
    "claimed_at": None,
    "lease_ends_at": None,
}


def no_such_task(pk: int, user: User) -> GistmarkError:
    """The error for a task that somebody does not have, or has no longer."""
    discarded = Event.objects.filter(
        verb="pilot-discarded", campaign__memberships__user=user
    ).values_list("about__first", "about__last")
    if any(first <= pk <= last for first, last in discarded):
        return ConflictError(
            gettext(
                "This task was part of a pilot that has ended, and its work was not kept. Nothing "
                "on this page can be saved any more."
            )
        )
    return NotFoundError(gettext("You have no such task."))


def find_task(pk: int, user: User) -> Task:
    """The task as it is now, not locked: what is found out about it may change."""
    task = Task.objects.select_related("campaign", "batch").filter(pk=pk).first()
    if task is None:
        raise no_such_task(pk, user)
    return task


def lock_task(pk: int, user: User | None = None) -> Task:
    """The task as it is now, with its batch locked until the transaction ends.

    `user` is who works on it, so that the error for a task that is gone can say why.

    The batch is locked in a query of its own: what a query reads beside the row that it waits
    for may be stale.
    """
    try:
        batch = Batch.objects.select_for_update(of=("self",), no_key=True).get(tasks__pk=pk)
        task = Task.objects.select_related("campaign").get(pk=pk)
    except (Batch.DoesNotExist, Task.DoesNotExist):
        if user is not None:
            raise no_such_task(pk, user) from None
        raise NotFoundError(gettext("There is no such task.")) from None
    task.batch = batch
    return task


def balance(batch: Batch) -> Balance:
    """Add or remove open slots of a locked batch; its count of open ones is brought up to date."""
    return balance_all([batch])[batch.pk]


def balance_all(batches: Collection[Batch]) -> dict[int, Balance]:
    """The same for many batches with a few queries; what changed comes by the batch's number."""
    tasks: dict[int, list[Task]] = {batch.pk: [] for batch in batches}
    known = {batch.pk: batch for batch in batches}
    own = Task.objects.filter(batch__in=list(tasks), machine=False)
    rows = own.order_by("pk").defer("content")
    for task in rows:
        task.batch = known[task.batch_id]
        tasks[task.batch_id].append(task)
    changes = {
        pk: slots.balance([task.as_slot() for task in members], known[pk].judges)
        for pk, members in tasks.items()
    }
    removed = {(pk, slot.id) for pk, change in changes.items() for slot in change.removed}
    needless = [task.pk for task in rows if (task.batch_id, task.slot) in removed]
    for some in chunks(needless):
        Task.objects.filter(pk__in=some).delete()
    Task.objects.bulk_create(
        Task(campaign_id=known[pk].campaign_id, batch=known[pk], slot=slot.id, group=slot.group)
        for pk, change in changes.items()
        for slot in change.added
    )
    for pk, change in changes.items():
        were_open = sum(task.state == _STATES.OPEN for task in tasks[pk])
        known[pk].open = were_open + len(change.added) - len(change.removed)
    Batch.objects.bulk_update(batches, ["open"], batch_size=_AT_ONCE)
    return changes


def count_open(changes: Counter[int], sign: Literal[1, -1]) -> None:
    """Add to (or take off) the counts of open slots, by batch, where many change at once."""
    for count in set(changes.values()):
        for some in chunks(batch for batch, each in changes.items() if each == count):
            Batch.objects.filter(pk__in=some).update(open=F("open") + sign * count)


def chunks(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Numbers in lists short enough for one query."""
    remaining = iter(numbers)
    while some := list(islice(remaining, _AT_ONCE)):
        yield some


def lease_end(campaign: Campaign) -> datetime:
    """When a lease that begins or is renewed now will end."""
    return timezone.now() + timedelta(minutes=campaign.lease_minutes)


def expired_leases(campaign: Campaign) -> QuerySet[Task]:
    """The held tasks whose slot may be given to others."""
    return Task.objects.filter(
        campaign=campaign, state=_STATES.HELD, lease_ends_at__lt=timezone.now()
    )


@retried
def release(task: Task, by: User | None) -> Task:
    """Release a held task: its annotator gives it back, or a manager takes it."""
    current = lock_task(task.pk)
    if by is not None and by.pk != current.annotator_id and not manages(by, current.campaign):
        raise NotAllowedError(gettext("Only its annotator or a manager can release a task."))
    demand_releasable(current, by)
    if current.state != _STATES.HELD:
        if by is not None and by.pk == current.annotator_id:
            raise ConflictError(
                gettext("This task was submitted or given back already; you no longer hold it.")
            )
        raise ConflictError(
            f"Task {current.slot} is {current.state} and cannot be released: only a task that is "
            "held can."
        )
    holder = _holder(current)
    _release(current, expired=False)
    record(current.campaign, by, "released", slot=current.slot, annotator=holder)
    return current


@retried
def release_of(campaign: Campaign, users: Collection[User], by: User | None) -> int:
    """Release everything that these annotators hold; returns the number of tasks."""
    held = Task.objects.filter(
        campaign=campaign, state=_STATES.HELD, annotator__in=list(users), machine=False
    )
    return _release_all(campaign, held, by, "released", expired=False)


@retried
def release_expired(campaign: Campaign, by: User | None = None) -> int:
    """Release all held tasks whose lease has ended; returns the number of tasks."""
    return _release_all(campaign, expired_leases(campaign), by, "lapsed", expired=True)


def lapse(task: Task) -> None:
    """End the lease of a task of a locked batch, and open its slot."""
    holder = _holder(task)
    _release(task, expired=True)
    record(task.campaign, None, "lapsed", slot=task.slot, annotator=holder)


def regain(task: Task) -> bool:
    """Give a lapsed task of a locked batch its slot back, if one is still open.

    A machine has a slot of its own, which it loses when it gives the task back.
    """
    if task.machine:
        return False
    held = slots.regain(task.as_slot(), open_slots=task.batch.open)
    if held is None:
        return False
    task.state = held.state
    task.lease_ends_at = None if task.allocated else lease_end(task.campaign)
    task.save(update_fields=["state", "lease_ends_at"])
    balance(task.batch)
    record(task.campaign, task.annotator, "regained", slot=task.slot)
    return True


def _release_all(
    campaign: Campaign, tasks: QuerySet[Task], by: User | None, verb: str, *, expired: bool
) -> int:
    """Release those of the tasks that are still held once their batches are locked."""
    batches = Batch.objects.filter(pk__in=tasks.values("batch"))
    locked = batches.select_for_update(no_key=True).order_by("pk").in_bulk()
    held = [task for task in tasks.order_by("pk") if task.batch_id in locked]
    campaign = Campaign.objects.get(pk=campaign.pk)
    _open_again([task for task in held if task.opened_at is None])
    for task in held:
        if task.opened_at is not None:
            task.batch, task.campaign = locked[task.batch_id], campaign
            _release(task, expired=expired)
    if held:
        named = [task.slot for task in held[:_NAMED]]
        record(campaign, by, verb, count=len(held), slots=named)
    return len(held)


def _open_again(tasks: list[Task]) -> None:
    """Open slots again that nobody has opened, many at once."""
    for some in chunks([task.pk for task in tasks]):
        Task.objects.filter(pk__in=some).update(**_UNCLAIMED)
    count_open(Counter(task.batch_id for task in tasks), 1)


def _release(task: Task, *, expired: bool) -> None:
    released = slots.release(task.as_slot())
    if released.state == "open":
        for name, value in _UNCLAIMED.items():
            setattr(task, name, value)
    else:
        task.state = released.state
        task.lease_ends_at = task.lease_ends_at if expired else None
    task.save()
    balance(task.batch)


def _holder(task: Task) -> str | None:
    return task.annotator.username if task.annotator is not None else None
