"""Pilots: a few annotators try a campaign out before it starts.

Their work is kept apart until a manager decides: it is kept and the campaign starts with it, or it
is thrown away and the campaign is a draft again. Whoever starts or ends a pilot holds the lock of
the campaign, and whoever ends one that of all its batches too, so that nothing comes in meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Max, Min, QuerySet
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.judgements.tasks.batches import PlannedBatch
from gistmark.judgements.verdicts import is_paid
from gistmark.web.accounts.models import User
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import AdaptiveState, Batch, Draft, Submission, Task
from gistmark.web.annotate.outcomes import verdict_of
from gistmark.web.annotate.services.adaptive import learn_anew
from gistmark.web.annotate.services.capacity import taking_part
from gistmark.web.annotate.services.launch import store_batches
from gistmark.web.annotate.services.leases import balance_all
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import demand_state, locked, move
from gistmark.web.campaigns.services.protocols import outlook
from gistmark.web.config.errors import ConflictError, NotReadyError
from gistmark.web.config.storage.transactions import retried
from gistmark.web.qualification.services.plans import leave_out_practised

MOST_ANNOTATORS = 100
_AT_ONCE = 500
_STATES = Campaign.State


@dataclass(frozen=True, slots=True)
class Pilot:
    """How far a pilot is: who takes part, and what came in; `tasks` are those of one annotator."""

    annotators: int
    begun: int
    tasks: int
    submissions: int
    drafts: int


def pilot_of(campaign: Campaign) -> Pilot:
    """The pilot that runs in a campaign."""
    tasks = Task.objects.filter(campaign=campaign, machine=False)
    return Pilot(
        annotators=campaign.judges,
        begun=_annotators(campaign),
        tasks=campaign.batches.count(),
        submissions=_current(campaign).count(),
        drafts=Draft.objects.filter(task__in=tasks, task__state__in=("held", "lapsed")).count(),
    )


@retried
def start_pilot(
    campaign: Campaign, by: User | None, *, annotators: int, tasks: int | None = None
) -> Campaign:
    """Give out work to so many annotators: the first `tasks` tasks to each, or all."""
    current = locked(campaign)
    demand_state(current, _STATES.DRAFT, "piloted")
    if not 1 <= annotators <= MOST_ANNOTATORS:
        raise UsageError(f"A pilot has 1 to {MOST_ANNOTATORS} annotators, not {annotators}.")
    plan = outlook(current)
    if plan.problems:
        raise NotReadyError(plan.problems)
    most = _most_tasks(plan.batches)
    if tasks is not None and not 1 <= tasks <= most:
        raise UsageError(
            f"A pilot of this campaign has 1 to {most} tasks for each annotator, not {tasks}."
        )
    first = plan.batches[: tasks or most]
    store_batches(current, [replace(each, judges=annotators) for each in first])
    current.pilot_annotators = annotators
    about = {"annotators": annotators, "tasks": tasks or most}
    return move(campaign, current, _STATES.PILOT, "pilot-started", by, **about)


@retried
def keep_pilot(campaign: Campaign, by: User | None) -> Campaign:
    """Start the campaign with the work of its pilot: it counts like any other.

    All other tasks are added, and those of the pilot get the judges that they lack.
    """
    current, batches = _locked_pilot(campaign, "kept")
    plan = outlook(current)
    for batch in batches:
        batch.judges = plan.batches[batch.number - 1].judges
    Batch.objects.bulk_update(batches, ["judges"], batch_size=_AT_ONCE)
    changes = balance_all(batches).values()
    surplus = sum(change.surplus > 0 for change in changes)
    if surplus:
        raise ConflictError(
            f"In {surplus} of the pilot's tasks more annotators work or have worked than the "
            "protocol wants, so the pilot cannot be kept. Reject or release the surplus "
            "work, or throw the pilot away."
        )
    store_batches(current, plan.batches, after=max(batch.number for batch in batches))
    submissions = _current(current).count()
    current.pilot_annotators = None
    current.started_at = timezone.now()
    move(campaign, current, _STATES.RUNNING, "pilot-kept", by, submissions=submissions)
    learn_anew(campaign)
    return campaign


@retried
def discard_pilot(campaign: Campaign, by: User | None, *, submissions: int) -> Campaign:
    """Throw the work of a pilot away; the campaign is a draft again.

    `submissions` is how many the manager has been told of: where more have come in since, nothing
    is thrown away. The audit trail keeps the counts and the completion codes, by which people are
    paid all the same.
    """
    current, _ = _locked_pilot(campaign, "thrown away")
    count = _current(current).count()
    if count != submissions:
        raise ConflictError(
            f"The pilot has {count} submissions by now, not {submissions}. Look at them, then "
            "decide again."
        )
    about = {
        "submissions": count,
        "annotators": _annotators(current),
        "codes": _codes(current),
        **Task.objects.filter(campaign=current).aggregate(first=Min("pk"), last=Max("pk")),
    }
    Submission.objects.filter(task__campaign=current).delete()
    current.decision_groups.all().delete()
    current.batches.all().delete()
    AdaptiveState.objects.filter(campaign=current).delete()
    current.pilot_annotators = None
    move(campaign, current, _STATES.DRAFT, "pilot-discarded", by, **about)
    leave_out_practised(campaign)
    return campaign


def _locked_pilot(campaign: Campaign, verb: str) -> tuple[Campaign, list[Batch]]:
    current = locked(campaign)
    demand_state(current, _STATES.PILOT, verb)
    batches = current.batches.select_for_update(no_key=True).order_by("pk")
    return current, list(batches)


def _most_tasks(batches: Sequence[PlannedBatch]) -> int:
    """How many tasks an annotator of a pilot can do: all, or the first of each group."""
    groups = {batch.group for batch in batches}
    return len(batches) if None in groups else len(groups)


def _annotators(campaign: Campaign) -> int:
    return len(taking_part([campaign])[campaign.pk])


def _current(campaign: Campaign) -> QuerySet[Submission]:
    """What people submitted; the work of machines is kept or thrown away with it."""
    return Submission.objects.filter(task__campaign=campaign, task__machine=False, current=True)


def _codes(campaign: Campaign) -> dict[str, bool]:
    """The completion codes that were given out, and whether they are to be paid.

    The verdict in force says so; work that waits for one, since it is flagged or came late, is
    paid.
    """
    if not campaign.completion_codes:
        return {}
    submissions = _current(campaign).select_related("task").prefetch_related("decisions")
    return {completion_code(each.task_id, campaign): _is_paid(each) for each in submissions}


def _is_paid(submission: Submission) -> bool:
    verdict = verdict_of(submission)
    return verdict is None or is_paid(verdict)
