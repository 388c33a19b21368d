"""Allocation up front: the open slots shared out among chosen annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from django.db import transaction
from django.utils import timezone

from gistmark import judgements
from gistmark.errors import UsageError
from gistmark.judgements import Allocation, Slot, Unallocated
from gistmark.judgements.slots import State
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.services.leases import regain
from gistmark.web.annotate.services.places import chunks, count_open
from gistmark.web.annotate.services.taking import demand_running
from gistmark.web.campaigns.errors import ConflictError
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services import record

_STATES = Task.State


@dataclass(frozen=True, slots=True)
class Allocated:
    """How many tasks each annotator got, by name, and which slots nobody could be given."""

    tasks: Mapping[str, int]
    unallocated: tuple[Unallocated, ...]


@transaction.atomic
def allocate(
    campaign: Campaign, users: Iterable[User], by: User | None, limit: int | None = None
) -> Allocated:
    """Share the open slots out among annotators of a campaign; `limit` is the most for each.

    What somebody holds or has done counts as load, nobody gets a batch twice, and the draw is
    the campaign's own. An allocated task has no lease: it waits until it is done or released.
    """
    people = {user.username: user for user in users}
    _demand_annotators(campaign, people)
    if limit is not None and limit < 1:
        raise UsageError(f"The limit must be at least 1, but is {limit}.")
    batches = Batch.objects.select_for_update(no_key=True).filter(campaign=campaign, open__gt=0)
    locked = batches.order_by("pk").in_bulk()
    campaign = Campaign.objects.get(pk=campaign.pk)
    demand_running(campaign)
    found = judgements.allocate(_slots(campaign), list(people), seed=campaign.seed, limit=limit)
    _give(campaign, people, found, locked)
    counts = {name: len(slots) for name, slots in found.slots.items()}
    record(campaign, by, "allocated", tasks=counts, unallocated=len(found.unallocated))
    return Allocated(counts, found.unallocated)


def _demand_annotators(campaign: Campaign, people: Mapping[str, User]) -> None:
    if not people:
        raise UsageError("Name at least one annotator to allocate tasks to.")
    known = Membership.objects.filter(campaign=campaign, role=Membership.Role.ANNOTATOR)
    strangers = sorted(people.keys() - set(known.values_list("user__username", flat=True)))
    if strangers:
        names = ", ".join(map(repr, strangers))
        raise ConflictError(f"Not among the annotators of {campaign.name!r}: {names}.")


def _slots(campaign: Campaign) -> list[Slot]:
    """The slots as the rules know them; batches share no items, so each may count as one item.

    A lapsed task keeps nobody from getting its batch: they get the task itself back.
    """
    tasks = Task.objects.filter(campaign=campaign).exclude(state=_STATES.LAPSED)
    columns = ("slot", "batch__number", "state", "annotator__username")
    rows = tasks.order_by("batch", "pk").values_list(*columns)
    return [
        Slot(slot, number, (str(number),), cast(State, state), name)
        for slot, number, state, name in rows.iterator()
    ]


def _give(
    campaign: Campaign,
    people: Mapping[str, User],
    found: Allocation,
    locked: Mapping[int, Batch],
) -> None:
    """Store the allocation; lapsed tasks come last, because they remove open slots."""
    opened = Task.objects.filter(campaign=campaign, state=_STATES.OPEN)
    places = {slot: (pk, batch) for slot, pk, batch in opened.values_list("slot", "pk", "batch")}
    lapsed = {
        (task.annotator_id, task.batch_id): task
        for task in Task.objects.filter(
            campaign=campaign, state=_STATES.LAPSED, annotator__in=people.values()
        )
    }
    given_back, taken = [], Counter[int]()
    for name, slots in found.slots.items():
        own = [lapsed.get((people[name].pk, places[slot][1])) for slot in slots]
        given_back += [task for task in own if task is not None]
        fresh = [places[slot] for slot, task in zip(slots, own, strict=True) if task is None]
        taken.update(batch for _, batch in fresh)
        _hold_all((pk for pk, _ in fresh), people[name])
    count_open(taken, -1)
    for task in given_back:
        batch = locked[task.batch_id]
        batch.refresh_from_db()
        task.batch, task.campaign, task.allocated = batch, campaign, True
        task.save(update_fields=["allocated"])
        regain(task)


def _hold_all(pks: Iterable[int], user: User) -> None:
    for some in chunks(pks):
        Task.objects.filter(pk__in=some).update(
            state=_STATES.HELD, annotator=user, allocated=True, taken_at=timezone.now()
        )
