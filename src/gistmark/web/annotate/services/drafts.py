"""Drafts: what is filled in so far, saved as one works and never deleted."""

from __future__ import annotations

from django.db import transaction

from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Draft, Task
from gistmark.web.annotate.services.answering import answer_to
from gistmark.web.annotate.services.handing_in import demand_own, demand_unsettled
from gistmark.web.annotate.services.leases import lease_end, regain
from gistmark.web.annotate.services.places import lock_task
from gistmark.web.annotate.services.taking import demand_not_closed
from gistmark.web.campaigns.errors import ConflictError
from gistmark.web.campaigns.services import protocol_of


class StaleDraftError(ConflictError):
    """The draft was changed elsewhere; `draft` is what is stored."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        super().__init__(
            "This task has been changed in another tab or on another device; what was saved "
            "there is newer."
        )


@transaction.atomic
def save_draft(task: Task, user: User, answer: object, version: int) -> Draft:
    """Save what is filled in so far, on top of the version that the sender has seen.

    A request that is sent again, with the same answer, is not refused. Saving renews the lease,
    and gives a lapsed task its place back where that is still open.
    """
    task = lock_task(task.pk)
    demand_own(task, user)
    demand_not_closed(task.campaign)
    protocol = protocol_of(task.campaign)
    demand_unsettled(task, protocol)
    _, read = answer_to(task, protocol, answer, draft=True)
    kept = read.to_mapping()
    draft = Draft.objects.filter(task=task).first() or Draft(task=task)
    if draft.version != version:
        if draft.version == version + 1 and draft.answer == kept:
            return draft
        raise StaleDraftError(draft)
    draft.answer, draft.version = kept, version + 1
    draft.save()
    _renew(task)
    return draft


def _renew(task: Task) -> None:
    if task.state == Task.State.HELD and not task.allocated:
        task.lease_ends_at = lease_end(task.campaign)
        task.save(update_fields=["lease_ends_at"])
    elif not task.given_back:
        regain(task)
