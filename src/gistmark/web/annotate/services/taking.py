"""Taking work: the next task of an annotator.

Whoever holds a task gets it again. Else they get an open slot of a batch that they never had,
where the fewest results are in sight: as the slots that count are as many as judges are wanted,
that is where most slots are open (`gistmark.judgements.choose_slot`, without reading every slot).
When no slot is open for them, the place of a lease that has ended is passed on.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from gistmark.judgements.seeds import generator
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.services.leases import ended_leases, lapse, lease_end
from gistmark.web.campaigns.errors import ConflictError, NotAllowedError
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services import record

_STATES = Task.State
_TRIES = 50
"""So often others may be quicker before an annotator is told to try again."""


@transaction.atomic
def next_task(campaign: Campaign, user: User) -> Task | None:
    """What this annotator should do next; None when nothing is left for them."""
    campaign = _admitted(campaign, user)
    demand_running(campaign)
    held = Task.objects.filter(campaign=campaign, annotator=user, state=_STATES.HELD)
    task = held.order_by("pk").first()
    if task is not None:
        return task
    for _ in range(_TRIES):
        batch = _choose(campaign, user)
        if batch is None:
            return None
        task = _take(batch, campaign, user)
        if task is not None:
            return task
    raise ConflictError("Many people are asking for tasks just now; please try again.")


def demand_running(campaign: Campaign) -> None:
    """Refuse what only a running campaign does."""
    if campaign.state == Campaign.State.PAUSED:
        raise ConflictError(
            f"The campaign {campaign.name!r} is paused; what you have begun is kept until it "
            "goes on."
        )
    if campaign.state == Campaign.State.DRAFT:
        raise NotAllowedError(f"The campaign {campaign.name!r} has not started yet.")
    demand_not_closed(campaign)


def demand_not_closed(campaign: Campaign) -> None:
    """Refuse what ends with the campaign."""
    if campaign.state == Campaign.State.CLOSED:
        raise NotAllowedError(f"The campaign {campaign.name!r} is closed.")


def _admitted(campaign: Campaign, user: User) -> Campaign:
    """The campaign as it is now; the lock of the membership keeps two tabs of a person apart."""
    membership = (
        Membership.objects.select_for_update(no_key=True)
        .filter(campaign=campaign, user=user)
        .first()
    )
    if membership is None:
        raise NotAllowedError(f"You do not take part in {campaign.name!r}.")
    if membership.role != Membership.Role.ANNOTATOR:
        raise NotAllowedError("Managers know the answers to the checks, so they get no tasks.")
    return Campaign.objects.get(pk=campaign.pk)


def _choose(campaign: Campaign, user: User) -> Batch | None:
    """A batch with most slots open, drawn by the seed, else one with a lease that has ended."""
    mine = Task.objects.filter(batch=OuterRef("pk"), annotator=user)
    free = Batch.objects.filter(~Exists(mine), campaign=campaign)
    most = free.filter(open__gt=0).order_by("-open").values_list("open", flat=True).first()
    if most is None:
        ended = ended_leases(campaign).filter(batch=OuterRef("pk"))
        return free.filter(Exists(ended)).order_by("number").first()
    best = free.filter(open=most).order_by("number")
    count = best.count()
    draw = generator(campaign.seed, "next", user.username, most, count)
    place = int(draw.integers(count)) if count else 0
    found = [*best[place : place + 1], *best[:1]]
    return found[0] if found else _choose(campaign, user)


def _take(batch: Batch, campaign: Campaign, user: User) -> Task | None:
    """A slot of the batch; None if others were quicker, and a batch is to be chosen anew."""
    batch = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if batch.tasks.filter(annotator=user).exists():
        return None
    if not batch.open:
        ended = ended_leases(campaign).filter(batch=batch).order_by("lease_ends_at", "pk").first()
        if ended is None:
            return None
        ended.batch, ended.campaign = batch, campaign
        lapse(ended)
    task = batch.tasks.filter(state=_STATES.OPEN).order_by("pk").first()
    if task is not None:
        task.batch, task.campaign = batch, campaign
        hold(task, user, allocated=False)
        record(campaign, user, "took", slot=task.slot)
    return task


def hold(task: Task, user: User, *, allocated: bool) -> None:
    """Give an open slot of a locked batch to an annotator."""
    task.state, task.annotator, task.allocated = _STATES.HELD, user, allocated
    task.taken_at = timezone.now()
    task.lease_ends_at = None if allocated else lease_end(task.campaign)
    task.save(update_fields=["state", "annotator", "allocated", "taken_at", "lease_ends_at"])
    task.batch.open -= 1
    task.batch.save(update_fields=["open"])
