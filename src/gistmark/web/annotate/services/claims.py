"""Claims: the next task of an annotator, and allocation up front.

Whoever holds a task gets it again. Else they get an open slot of a batch that they never had, nor
another of its group; `gistmark.judgements.tasks.slots` decides which. When no slot is open for
them, one whose lease has ended is passed on. Machines claim slots of their own
(`services.machines`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext

from gistmark import judgements
from gistmark.errors import UsageError
from gistmark.judgements.tasks.slots import (
    Allocation,
    Slot,
    State,
    Unallocated,
    choose_batch,
    claim,
)
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.services.adaptive import Chooser, Chosen, chooses_adaptively, note_choice
from gistmark.web.annotate.services.capacity import finished, full_pilots, taking_part
from gistmark.web.annotate.services.leases import (
    chunks,
    count_open,
    expired_leases,
    lapse,
    lease_end,
    regain,
)
from gistmark.web.annotate.services.machines import claim_for_machine
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import locked, record
from gistmark.web.campaigns.services.members import knows_answers
from gistmark.web.config.errors import ConflictError, NotAllowedError
from gistmark.web.config.storage.transactions import retried
from gistmark.web.qualification.services.admission import demand_admitted

_STATES = Task.State
_TRIES = 50
"""So often others may be quicker before an annotator is told to try again."""


@dataclass(frozen=True, slots=True)
class Allocated:
    """How many tasks each annotator got, by name, and which slots nobody could be given."""

    tasks: Mapping[str, int]
    unallocated: tuple[Unallocated, ...]


def demand_running(campaign: Campaign) -> None:
    """Refuse what only a running campaign does."""
    if campaign.state == Campaign.State.PAUSED:
        raise ConflictError(
            gettext(
                "The campaign '%(name)s' is paused; what you have begun is kept until it goes on."
            )
            % {"name": campaign.name}
        )
    if campaign.state == Campaign.State.DRAFT:
        raise NotAllowedError(
            gettext("The campaign '%(name)s' has not started yet.") % {"name": campaign.name}
        )
    demand_not_closed(campaign)


def demand_not_closed(campaign: Campaign) -> None:
    """Refuse what ends with the campaign."""
    if campaign.state == Campaign.State.CLOSED:
        raise NotAllowedError(
            gettext("The campaign '%(name)s' is closed.") % {"name": campaign.name}
        )


@retried
def next_task(campaign: Campaign, user: User) -> Task | None:
    """What this annotator should do next; None when nothing is left for them.

    Whoever has not passed the campaign's practice gets no task, but may finish what they opened.
    """
    campaign = _admitted(campaign, user)
    demand_running(campaign)
    held = Task.objects.filter(campaign=campaign, annotator=user, state=_STATES.HELD)
    task = held.order_by("pk").first()
    if task is None or task.opened_at is None:
        demand_admitted(campaign, user)
    if task is not None:
        return task
    if full_pilots([campaign], user) or finished([campaign], user):
        return None
    if user.machine:
        return claim_for_machine(campaign, user)
    pool = _Pool(campaign, user)
    if chooses_adaptively(campaign):
        return _claim_adaptively(pool, campaign, user)
    for _ in range(_TRIES):
        batch = choose_batch(pool, user.username, seed=campaign.seed)
        if batch is None:
            return None
        task = _claim(batch, campaign, user)
        if task is not None:
            return task
    raise ConflictError(gettext("Many people are requesting tasks just now; please try again."))


def _claim_adaptively(pool: _Pool, campaign: Campaign, user: User) -> Task | None:
    """The task that tells most; None once the campaign has stopped, or has none left for them."""
    chooser = Chooser(campaign, user, pool.batches)
    for attempt in range(_TRIES):
        if chooser.stopped:
            return None
        chosen = chooser.choose(attempt)
        batch = pool.expired() if chosen is None else chosen.batch
        if batch is None:
            return None
        task = _claim(batch, campaign, user, chosen)
        if task is not None:
            return task
    raise ConflictError(gettext("Many people are requesting tasks just now; please try again."))


@retried
def allocate(
    campaign: Campaign, users: Collection[User], by: User | None, limit: int | None = None
) -> Allocated:
    """Share the open slots out among annotators of a campaign; `limit` is the most for each.

    What somebody holds or has done counts as load, nobody gets a batch twice, and the seed is the
    campaign's own. An allocated task has no lease: it waits until it is done or released.
    """
    people = {user.username: user for user in users}
    _demand_annotators(campaign, people)
    lock_memberships(campaign, people.values())
    if chooses_adaptively(_now(campaign)):
        raise ConflictError(
            f"The campaign {campaign.name!r} chooses each task when somebody asks for one, so "
            "tasks cannot be allocated up front."
        )
    if limit is not None and limit < 1:
        raise UsageError(f"The limit must be at least 1, but is {limit}.")
    _demand_few(_now(campaign), people.values())
    batches = Batch.objects.select_for_update(no_key=True).filter(campaign=campaign, open__gt=0)
    locked = batches.order_by("pk").in_bulk()
    campaign = Campaign.objects.get(pk=campaign.pk)
    demand_running(campaign)
    allocation = judgements.allocate(
        _slots(campaign, locked), list(people), seed=campaign.seed, limit=limit
    )
    _store(campaign, people, allocation, locked)
    counts = {name: len(slots) for name, slots in allocation.slots.items()}
    record(campaign, by, "allocated", tasks=counts, unallocated=len(allocation.unallocated))
    return Allocated(counts, allocation.unallocated)


def lock_memberships(campaign: Campaign, users: Iterable[User]) -> None:
    """Let these people claim nothing until the transaction ends."""
    rows = Membership.objects.filter(campaign=campaign, user__in=list(users))
    list(rows.select_for_update(no_key=True).order_by("pk"))


def _admitted(campaign: Campaign, user: User) -> Campaign:
    """The campaign as it is now; the lock of the membership keeps two tabs of a person apart."""
    membership = (
        Membership.objects.select_for_update(no_key=True)
        .filter(campaign=campaign, user=user)
        .first()
    )
    if membership is None:
        raise NotAllowedError(
            gettext("You do not take part in '%(name)s'.") % {"name": campaign.name}
        )
    _demand_unknowing(user, membership)
    return _now(campaign)


def demand_unknowing(campaign: Campaign, user: User) -> None:
    """Refuse work by somebody who manages the campaign, or has managed it."""
    membership = Membership.objects.filter(campaign=campaign, user=user).first()
    if membership is not None:
        _demand_unknowing(user, membership)


def _demand_unknowing(user: User, membership: Membership) -> None:
    if knows_answers(user, membership):
        raise NotAllowedError(
            gettext("Managers know the answers to the checks, so they get no tasks.")
        )


def _now(campaign: Campaign) -> Campaign:
    """The campaign as it is now; one in its pilot stays so until the transaction ends."""
    current = Campaign.objects.get(pk=campaign.pk)
    return locked(current) if current.in_pilot else current


def had_by(user: User) -> Q:
    """The batches of which somebody has had the items, or others of the group."""
    mine = Task.objects.filter(annotator=user)
    adjudicated = mine.filter(batch__adjudicates__isnull=False)
    groups = mine.filter(campaign=OuterRef("campaign"), group=OuterRef("group"))
    return (
        Q(pk__in=mine.values("batch"))
        | Q(pk__in=adjudicated.values("batch__adjudicates__batch"))
        | Q(Q(group__isnull=False), Exists(groups))
    )


class _Pool:
    """The batches of a campaign that an annotator may get (`gistmark.judgements.Pool`)."""

    def __init__(self, campaign: Campaign, user: User) -> None:
        self._campaign = campaign
        self.batches = Batch.objects.filter(campaign=campaign).exclude(had_by(user))

    def most_open(self) -> int | None:
        counts = self.batches.filter(open__gt=0).order_by("-open").values_list("open", flat=True)
        return counts.first()

    def count(self, open: int) -> int:
        return self.batches.filter(open=open).count()

    def at(self, open: int, index: int) -> Batch | None:
        batches = self.batches.filter(open=open).order_by("number")
        return batches[index : index + 1].first()

    def expired(self) -> Batch | None:
        leases = expired_leases(self._campaign).filter(batch=OuterRef("pk"))
        return self.batches.filter(Exists(leases)).order_by("number").first()


def _claim(
    batch: Batch, campaign: Campaign, user: User, chosen: Chosen | None = None
) -> Task | None:
    """A slot of the batch; None if others were quicker, and a batch is to be chosen anew.

    The lock of a batch that is not claimed is let go: whoever holds several took them in order.
    """
    with transaction.atomic():
        task = _claim_locked(batch, campaign, user, chosen)
        if task is None:
            transaction.set_rollback(True)
    return task


def _claim_locked(
    batch: Batch, campaign: Campaign, user: User, chosen: Chosen | None
) -> Task | None:
    batch = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if Batch.objects.filter(had_by(user), pk=batch.pk).exists():
        return None
    if not batch.open:
        expired = expired_leases(campaign).filter(batch=batch)
        first = expired.order_by("lease_ends_at", "pk").first()
        if first is None:
            return None
        first.batch, first.campaign = batch, campaign
        lapse(first)
    task = batch.tasks.filter(state=_STATES.OPEN).order_by("pk").first()
    if task is not None:
        task.batch, task.campaign = batch, campaign
        _hold(task, user)
        record(campaign, user, "took", slot=task.slot, **note_choice(batch, chosen))
    return task


def _hold(task: Task, user: User) -> None:
    """Lease an open slot of a locked batch to an annotator."""
    task.state = claim(task.as_slot(), user.username).state
    task.annotator, task.allocated = user, False
    task.claimed_at, task.lease_ends_at = timezone.now(), lease_end(task.campaign)
    task.save(update_fields=["state", "annotator", "allocated", "claimed_at", "lease_ends_at"])
    task.batch.open -= 1
    task.batch.save(update_fields=["open"])


def _demand_annotators(campaign: Campaign, people: Mapping[str, User]) -> None:
    if not people:
        raise UsageError("Name at least one annotator to allocate tasks to.")
    members = Membership.objects.filter(campaign=campaign, role=Membership.Role.ANNOTATOR)
    known = {each.user.username: each for each in members.select_related("user")}
    strangers = sorted(people.keys() - known.keys())
    if strangers:
        names = ", ".join(map(repr, strangers))
        raise ConflictError(f"Not among the annotators of {campaign.name!r}: {names}.")
    machines = sorted(name for name in people if people[name].machine)
    if machines:
        names = ", ".join(map(repr, machines))
        raise ConflictError(
            f"Tasks are allocated to people only; machines claim slots of their own: {names}."
        )
    knowing = sorted(name for name in people if knows_answers(people[name], known[name]))
    if knowing:
        names = ", ".join(map(repr, knowing))
        raise ConflictError(
            "Whoever manages or has managed the campaign or the platform knows the answers to "
            f"its checks and gets no tasks: {names}."
        )


def _demand_few(campaign: Campaign, people: Iterable[User]) -> None:
    """Refuse to allocate the tasks of a pilot to more annotators than it is for."""
    if not campaign.in_pilot:
        return
    count = len(taking_part([campaign])[campaign.pk] | {user.pk for user in people})
    if count > campaign.judges:
        raise ConflictError(
            f"The pilot of {campaign.name!r} is for {campaign.judges} annotators; with those who "
            f"take part already these would be {count}."
        )


def _slots(campaign: Campaign, locked: Collection[int]) -> list[Slot]:
    """The slots as the rules know them; batches share no items, so each may count as one item.

    A lapsed task keeps nobody from getting its batch: they get the task itself back. Where there
    are groups it counts as the others do, since it keeps them from all others of its group. Open
    slots of batches that are not locked are left out: somebody else may be claiming them.
    """
    lapsed = Q(state=_STATES.LAPSED, group__isnull=True)
    tasks = Task.objects.filter(campaign=campaign, machine=False).exclude(lapsed)
    original = Coalesce("batch__adjudicates__batch__number", "batch__number")
    columns = ("batch", "slot", "batch__number", original, "state", "annotator__username", "group")
    rows = tasks.order_by("batch", "pk").values_list(*columns)
    return [
        Slot(slot, number, (str(items),), cast(State, state), name, group=group)
        for batch, slot, number, items, state, name, group in rows.iterator()
        if state != _STATES.OPEN or batch in locked
    ]


def _store(
    campaign: Campaign,
    people: Mapping[str, User],
    allocation: Allocation,
    locked: Mapping[int, Batch],
) -> None:
    """Store the allocation; lapsed tasks come last, because they remove open slots.

    All its slots are of locked batches, so that nobody else can have claimed one.
    """
    waiting = Task.objects.filter(campaign=campaign, state=_STATES.OPEN)
    rows = {slot: (pk, batch) for slot, pk, batch in waiting.values_list("slot", "pk", "batch")}
    lapsed = {
        (task.annotator_id, task.batch_id): task
        for task in Task.objects.filter(
            campaign=campaign, state=_STATES.LAPSED, annotator__in=people.values()
        )
    }
    regained, claimed = [], Counter[int]()
    for name, slots in allocation.slots.items():
        own = [lapsed.get((people[name].pk, rows[slot][1])) for slot in slots]
        regained += [task for task in own if task is not None]
        fresh = [rows[slot] for slot, task in zip(slots, own, strict=True) if task is None]
        claimed.update(batch for _, batch in fresh)
        _hold_all((pk for pk, _ in fresh), people[name])
    count_open(claimed, -1)
    for task in regained:
        batch = locked[task.batch_id]
        batch.refresh_from_db()
        task.batch, task.campaign, task.allocated = batch, campaign, True
        task.save(update_fields=["allocated"])
        regain(task)


def _hold_all(pks: Iterable[int], user: User) -> None:
    for some in chunks(pks):
        held = Task.objects.filter(pk__in=some, state=_STATES.OPEN).update(
            state=_STATES.HELD, annotator=user, allocated=True, claimed_at=timezone.now()
        )
        assert held == len(some), "slots of locked batches stay open"
