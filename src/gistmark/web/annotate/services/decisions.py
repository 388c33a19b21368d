"""A manager's decision on submitted work, which overrules the checks."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from gistmark.errors import UsageError
from gistmark.judgements import slots
from gistmark.judgements.slots import Balance
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Decision, Submission
from gistmark.web.annotate.services.leases import balance, lock_task
from gistmark.web.campaigns.services import manages, record
from gistmark.web.config.errors import ConflictError, NotAllowedError

LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision, and a sentence about what followed from it."""

    decision: Decision
    sentence: str


@transaction.atomic
def decide(submission: Submission, manager: User, accepted: bool, reason: str = "") -> Decided:
    """Accept or reject work that was submitted; a rejection needs a reason.

    Rejected work opens a slot for somebody else. Work that is accepted after all takes that slot
    back; if somebody has claimed it by then, both count, and the sentence says so.
    """
    reason = _checked(reason, accepted)
    task = lock_task(submission.task_id)
    if not manages(manager, task.campaign):
        raise NotAllowedError("Only a manager of the campaign decides on its work.")
    current = task.submissions.filter(current=True).first()
    if current is None or current.pk != submission.pk:
        raise ConflictError("The annotator has submitted a newer answer; decide on that one.")
    last = current.decisions.last()
    if last is not None and (last.accepted, last.reason) == (accepted, reason):
        return Decided(last, "This decision had been made already.")
    decision = Decision.objects.create(
        submission=current, manager=manager, accepted=accepted, reason=reason
    )
    task.state = slots.decide(task.as_slot(), accepted=accepted).state
    task.flagged = False
    task.save(update_fields=["state", "flagged"])
    change = balance(task.batch, task.campaign.judges)
    verb = "accepted" if accepted else "rejected"
    record(task.campaign, manager, verb, slot=task.slot, reason=reason)
    return Decided(decision, _sentence(accepted, change))


def _checked(reason: str, accepted: bool) -> str:
    reason = reason.strip()
    if not reason and not accepted:
        raise UsageError("A rejection needs a reason.")
    if len(reason) > LONGEST_REASON or "\x00" in reason:
        raise UsageError(f"A reason is text of at most {LONGEST_REASON} characters.")
    return reason


def _sentence(accepted: bool, change: Balance) -> str:
    if not accepted:
        return "The work is rejected" + (", and its slot is open again." if change.added else ".")
    if change.removed:
        return "The work is accepted; the slot that was open instead is gone."
    if change.surplus:
        return (
            "The work is accepted; somebody else has its slot already, so these items have "
            f"{change.surplus} more than the wanted number of judges."
        )
    return "The work is accepted."
