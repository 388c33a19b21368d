"""Reviewing what participants of Prolific did: approve, ask for a return, or reject.

Approving pays. Rejecting is for the few reasons that the market allows
(`gistmark.judgements.checks.markets`); everything else is refused with the rule. All of it stands
in the audit trail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.judgements.checks.base import Flag
from gistmark.judgements.checks.markets import attention_failures, is_too_fast, rejection_fault
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.outcomes import verdict_of
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.crowd.outcomes import done_in
from gistmark.web.crowd.prolific.accounts import market_for
from gistmark.web.crowd.prolific.client import MarketError
from gistmark.web.crowd.prolific.sync import sync

Suggestion = Literal["approve", "decide", "return", "reject", ""]
LEAST_MESSAGE = 100
LONGEST_MESSAGE = 3000
APPROVABLE = ("AWAITING REVIEW", "TIMED-OUT")
_RETURNABLE = ("ACTIVE", "AWAITING REVIEW")


@dataclass(frozen=True, slots=True)
class VisitWork:
    """A visit with the work that was done in it.

    `verdicts` counts tasks by verdict, undecided ones too. `failures` are the attention checks that
    failed. `fault` says why the market forbids to reject it, and is None where it allows that.
    """

    visit: Visit
    verdicts: dict[str, int]
    seconds: float
    failures: int
    too_fast: bool
    fault: str | None

    @property
    def name(self) -> str:
        return self.visit.participant.user.username

    @property
    def tasks(self) -> int:
        return sum(self.verdicts.values())

    @property
    def minutes(self) -> float:
        return self.seconds / 60

    @property
    def is_open(self) -> bool:
        """Whether anything can still be done about it."""
        return self.visit.status in (*APPROVABLE, *_RETURNABLE)

    @property
    def suggestion(self) -> Suggestion:
        """What the verdicts on the work come to; nothing where nothing is to be done."""
        if self.visit.status not in APPROVABLE or self.visit.review:
            return ""
        if self.verdicts.get("undecided"):
            return "decide"
        if self.visit.outcome != "completed" and not self.tasks:
            return "return" if self.visit.status in _RETURNABLE else ""
        if self.verdicts.get("rejected") and self.fault is None:
            return "reject"
        return "approve"


def work_of(recruitment: Recruitment) -> list[VisitWork]:
    """All visits of a study that the market knows, with their work."""
    visits = list(
        recruitment.visits.exclude(status="").select_related(
            "participant__user", "recruitment__campaign"
        )
    )
    work = {visit.pk: _submissions(visit) for visit in visits}
    seconds = {pk: sum(each.seconds or 0 for each in some) for pk, some in work.items()}
    finished = [seconds[v.pk] for v in visits if v.outcome == "completed" and seconds[v.pk]]
    return [_worked(visit, work[visit.pk], seconds[visit.pk], finished) for visit in visits]


def _worked(
    visit: Visit, submissions: Sequence[Submission], seconds: float, times: Sequence[float]
) -> VisitWork:
    flags = [Flag(**flag) for each in submissions for flag in each.flags]
    failures = attention_failures(flags)
    minutes = visit.recruitment.read_settings().minutes
    timed = seconds or None
    return VisitWork(
        visit=visit,
        verdicts=dict(Counter(verdict_of(each) or "undecided" for each in submissions)),
        seconds=seconds,
        failures=failures,
        too_fast=timed is not None and is_too_fast(timed, times),
        fault=rejection_fault(failures=failures, minutes=minutes, seconds=timed, times=times),
    )


def _submissions(visit: Visit) -> list[Submission]:
    tasks = done_in(visit)
    current = Submission.objects.filter(task__in=tasks, current=True)
    return list(current.select_related("task").defer("answer", "task__content"))


def approve(recruitment: Recruitment, visits: Sequence[Visit], by: User | None) -> int:
    """Approve submissions, which pays each participant the reward; returns how many.

    Who is approved already is left out, so nobody is paid twice.
    """
    market = market_for(recruitment)
    chosen = [_current(visit) for visit in visits]
    for visit in chosen:
        if visit.status != "APPROVED":
            _demand_status(visit, APPROVABLE, "approved")
    todo = [visit for visit in chosen if visit.status != "APPROVED"]
    if not todo:
        raise ConflictError("All of these are approved already; nothing was paid again.")
    market.approve([visit.session for visit in todo])
    _note(todo, Visit.Review.APPROVE, by)
    _look_again(recruitment)
    return len(todo)


def reject(work: VisitWork, message: str, by: User | None) -> None:
    """Reject a submission, so that it is not paid, if the market's rules allow that."""
    visit = _current(work.visit)
    market = market_for(visit.recruitment)
    _demand_status(visit, ("AWAITING REVIEW",), "rejected")
    if work.fault is not None:
        raise ConflictError(work.fault)
    message = _checked_message(message)
    category = "FAILED_CHECK" if work.failures else "TOO_QUICKLY"
    market.reject(visit.session, category, message)
    _note([visit], Visit.Review.REJECT, by, category=category)
    _look_again(visit.recruitment)


def request_return(visit: Visit, reason: str, by: User | None) -> None:
    """Ask a participant to return the submission: not paid, and not held against them."""
    visit = _current(visit)
    market = market_for(visit.recruitment)
    _demand_status(visit, _RETURNABLE, "returned")
    if visit.review == Visit.Review.RETURN:
        raise ConflictError("This participant was asked to return the submission before.")
    reason = " ".join(reason.split())
    if not reason or len(reason) > LONGEST_MESSAGE:
        raise UsageError(f"Give a reason of 1 to {LONGEST_MESSAGE:,} characters for the return.")
    market.request_return(visit.session, [reason])
    _note([visit], Visit.Review.RETURN, by)


def draft_rejection(work: VisitWork) -> str:
    """A message to somebody whose work is rejected, to be changed by the manager.

    It names the rule and gives no answer away.
    """
    if work.failures:
        times = "one question" if work.failures == 1 else f"{work.failures} questions"
        why = (
            f"In this study {times} stated explicitly which answer to choose, and another "
            "answer was chosen. Such questions show whether the instructions are being read."
        )
    else:
        why = (
            "You finished this study in much less time than reading its texts takes: more than "
            "three standard deviations less than the other participants on average."
        )
    return f"{why} We are therefore not able to use your work. Please write to us if this is wrong."


def draft_return(work: VisitWork) -> str:
    """Why somebody should return a submission, to be changed by the manager."""
    if work.visit.arrived_at is None:
        return "We have no record that you opened the study, so there is nothing to approve."
    if not work.tasks:
        return "We have no finished work of yours for this study, so there is nothing to approve."
    request = "Please return the submission; that does not count against you."
    if work.visit.outcome == "completed":
        return request
    return f"Not all of the study was finished. {request}"


def find_work(recruitment: Recruitment, name: str) -> VisitWork:
    """The latest visit of a participant, by the pseudonym."""
    fitting = [each for each in work_of(recruitment) if each.name == name]
    if not fitting:
        raise UsageError(f"No participant of this study that Prolific knows is called {name!r}.")
    return fitting[-1]


def _current(visit: Visit) -> Visit:
    visits = Visit.objects.select_related("participant__user", "recruitment__campaign")
    return visits.select_related("recruitment__account").get(pk=visit.pk)


def _demand_status(visit: Visit, allowed: Sequence[str], verb: str) -> None:
    if visit.status not in allowed:
        status = visit.status or "unknown to Prolific"
        raise ConflictError(
            f"The submission of {visit.participant.user.username} is {status} and cannot be "
            f"{verb}: only one that is {' or '.join(allowed)} can."
        )


def _checked_message(message: str) -> str:
    message = message.strip()
    if not LEAST_MESSAGE <= len(message) <= LONGEST_MESSAGE:
        raise UsageError(
            f"Prolific requires a message of at least {LEAST_MESSAGE} characters for a rejection, "
            f"and at most {LONGEST_MESSAGE:,} are allowed here; this one has {len(message)}."
        )
    return message


@transaction.atomic
def _note(visits: Sequence[Visit], review: str, by: User | None, **about: str) -> None:
    """Store and record what the market was told."""
    keys = [visit.pk for visit in visits]
    Visit.objects.filter(pk__in=keys).update(review=review, reviewed_at=timezone.now())
    names = [visit.participant.user.username for visit in visits]
    recruitment = visits[0].recruitment
    record(
        recruitment.campaign,
        by,
        f"submission-{review}",
        recruitment=recruitment.key,
        count=len(names),
        people=names[:100],
        **about,
    )


def _look_again(recruitment: Recruitment) -> None:
    """Learn what the market made of it; where it does not answer now, the next poll does."""
    with suppress(MarketError):
        sync(recruitment)
