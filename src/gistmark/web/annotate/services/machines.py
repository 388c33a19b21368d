"""Tasks of machines: slots beside those of people, which they never take.

A machine judges a batch as one more annotator of it. Its slot is made when it claims the batch, so
people find as many open ones as without it; it has no lease, and the machine gets it again until it
has submitted it. Batches that people have worked on come first: on these it can be compared with
them.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from gistmark.judgements.tasks.slots import SUBMITTED
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.annotate.outcomes import ordinary
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import ConflictError


def claim_for_machine(campaign: Campaign, user: User) -> Task | None:
    """The next task of a machine; None where it has had every batch.

    Whoever calls this holds the lock of the machine's membership, so that two runs of it do not
    claim the same batch.
    """
    batch = _remaining(campaign, user).first()
    if batch is None:
        return None
    Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    task = Task.objects.create(
        campaign=campaign,
        batch=batch,
        slot=f"{batch.number}.m{user.pk}",
        state=Task.State.HELD,
        annotator=user,
        claimed_at=timezone.now(),
        machine=True,
    )
    record(campaign, user, "took", slot=task.slot)
    return task


def batches_left(campaign: Campaign, user: User) -> int:
    """How many tasks a machine has yet to do: the one it holds, and those it has never had."""
    held = Task.objects.filter(campaign=campaign, annotator=user, state=Task.State.HELD)
    return held.count() + _remaining(campaign, user).count()


def demand_releasable(task: Task, by: User | None) -> None:
    """Refuse to release the task of a machine: it keeps nobody from anything.

    Only the machine itself gives one back that it has opened and cannot answer; it gets others.
    """
    if not task.machine:
        return
    if by is None or by.pk != task.annotator_id or task.opened_at is None:
        raise ConflictError(
            f"Task {task.slot} is a machine's: it takes nobody's slot, and stays with the machine."
        )


def _remaining(campaign: Campaign, user: User) -> QuerySet[Batch]:
    """The batches that a machine has never had, in the order in which it gets them."""
    mine = Task.objects.filter(batch=OuterRef("pk"), annotator=user)
    worked = Task.objects.filter(ordinary(), batch=OuterRef("pk"), state__in=SUBMITTED)
    own = Batch.objects.filter(~Exists(mine), campaign=campaign, adjudicates=None)
    return own.annotate(worked=Exists(worked)).order_by("-worked", "number")
