"""How a visit ends, and the completion code that the participant takes back to the market.

Whoever does not agree, misunderstands the study twice or fails the practice goes back at once.
Whoever has done their tasks has completed the visit. Work that is done after the market has given
the place to somebody else is kept, as too late; whoever finds nothing left to do is too late as
well.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from gistmark.judgements.tasks.practice import Stage
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.capacity import submitted_by
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.consents import consented
from gistmark.web.crowd.markets import get_market
from gistmark.web.crowd.models import Visit
from gistmark.web.crowd.settings import Outcome
from gistmark.web.qualification.services.admission import admission

_ENDED_BEFORE_WORK: dict[Stage, Outcome] = {
    "misunderstood": "failed_comprehension",
    "failed": "screened_out",
    "unqualified": "screened_out",
    "withdrawn": "screened_out",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """What a participant takes back: a code, and the address that takes it along, if any."""

    outcome: Outcome
    code: str
    address: str


def outcome_for(
    stage: Stage, *, submitted: int, wanted: int, left: bool, gone: bool
) -> Outcome | None:
    """How a visit ends as things are; None while there is something to do.

    `submitted` of `wanted` tasks are done, `left` says whether there may be another one for them,
    and `gone` whether the market has given the place to somebody else.
    """
    if stage in _ENDED_BEFORE_WORK and not submitted:
        return _ENDED_BEFORE_WORK[stage]
    if submitted < wanted and (stage in ("comprehension", "practice") or left):
        return None
    return "too_late" if gone or not submitted else "completed"


def visit_of(user: User, campaign: Campaign, preferred: object = None) -> Visit | None:
    """The visit that somebody is on: the one that this browser came by, else the latest."""
    visits = (
        Visit.objects.filter(participant__user=user, recruitment__campaign=campaign)
        .select_related("recruitment__campaign", "participant__user")
        .order_by("-arrived_at", "-pk")
    )
    latest = list(visits)
    return next((each for each in latest if each.pk == preferred), latest[0] if latest else None)


def settle(visit: Visit) -> Task | None:
    """End a visit where it has come to its end; else give the task that comes next, if any.

    None without an outcome means that the participant has to agree, answer questions or practise
    first.
    """
    campaign, user = visit.recruitment.campaign, visit.participant.user
    if visit.outcome or not consented(campaign, user):
        return None
    stage = admission(campaign, user).stage
    task = None
    outcome = _outcome_now(visit, stage, left=stage == "ready")
    if outcome is None and stage == "ready":
        closed = campaign.state == Campaign.State.CLOSED
        task = None if closed else next_task(campaign, user)
        outcome = _outcome_now(visit, stage, left=task is not None)
    if outcome is not None:
        end_visit(visit, outcome)
    return task


def decline(visit: Visit) -> None:
    """End the visit of somebody who does not agree; what they did before counts for them."""
    if not visit.outcome:
        end_visit(visit, "completed" if done_in(visit).exists() else "no_consent")


@transaction.atomic
def end_visit(visit: Visit, outcome: Outcome) -> Visit:
    """Note how a visit ended, once and for all; no more tasks are given out in it."""
    current = Visit.objects.select_for_update(of=("self",)).get(pk=visit.pk)
    if not current.outcome:
        current.outcome, current.ended_at = outcome, timezone.now()
        current.save(update_fields=["outcome", "ended_at"])
        campaign, user = visit.recruitment.campaign, visit.participant.user
        submitted = submitted_by(user).filter(campaign=campaign).count()
        Membership.objects.filter(campaign=campaign, user=user).update(most_tasks=submitted)
        record(campaign, user, "visit-ended", outcome=outcome)
    visit.outcome, visit.ended_at = current.outcome, current.ended_at
    return visit


def show_ending(visit: Visit) -> Ending:
    """The code of a visit that has ended; when it was first shown is noted."""
    assert visit.outcome, "a visit that goes on has no code yet"
    if visit.code_shown_at is None:
        visit.code_shown_at = timezone.now()
        visit.save(update_fields=["code_shown_at"])
    return ending_of(visit)


def ending_of(visit: Visit) -> Ending:
    """What the participant of a visit that has ended takes back to the market."""
    recruitment = visit.recruitment
    outcome: Outcome = visit.outcome  # type: ignore[assignment]
    code = recruitment.codes[outcome]
    address = get_market(recruitment.market).return_address(
        recruitment.read_settings(), outcome, code=code, session=visit.session
    )
    return Ending(outcome, code, address)


def done_in(visit: Visit) -> QuerySet[Task]:
    """The tasks that a participant has submitted for this visit.

    It is what they submitted since they last completed one: work on a place that they gave up
    counts for the next.
    """
    own = submitted_by(visit.participant.user).filter(campaign=visit.recruitment.campaign)
    completed = visit.participant.visits.filter(
        recruitment__campaign=visit.recruitment.campaign, outcome="completed"
    )
    last = completed.exclude(pk=visit.pk).order_by("-ended_at").first()
    if last is None:
        return own
    return own.filter(submissions__number=1, submissions__received_at__gt=last.ended_at)


def _outcome_now(visit: Visit, stage: Stage, *, left: bool) -> Outcome | None:
    recruitment = visit.recruitment
    return outcome_for(
        stage,
        submitted=done_in(visit).count(),
        wanted=recruitment.read_settings().tasks_per_participant,
        left=left,
        gone=visit.status in get_market(recruitment.market).gone,
    )
