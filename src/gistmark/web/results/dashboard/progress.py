"""How far campaigns and their annotators have come: slots by state, and the time that work takes.

The number of queries is the same however many campaigns and annotators there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date, timedelta

import numpy as np
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.outcomes import by_machines, having, ordinary
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.machines import machines_of

_STATES = Task.State
DAYS = 14


@dataclass(frozen=True, slots=True)
class Progress:
    """Slots by state; of those that are done, `undecided` are flagged and wait for a manager.

    `paid`, `late` and `rejected` work does not count. `flagged` is what no manager has looked at:
    undecided and late work, and what does not count because of a check.
    """

    open: int = 0
    held: int = 0
    done: int = 0
    paid: int = 0
    rejected: int = 0
    late: int = 0
    lapsed: int = 0
    flagged: int = 0
    undecided: int = 0

    @property
    def accepted(self) -> int:
        """How many results count."""
        return self.done - self.undecided

    @property
    def uncounted(self) -> int:
        """How many results were submitted and do not count."""
        return self.paid + self.late + self.rejected

    @property
    def wanted(self) -> int:
        """How many results there will be."""
        return self.open + self.held + self.done


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who takes part, with what they have and have done."""

    name: str
    role: str
    active: bool
    progress: Progress
    machine: bool = False

    @property
    def given(self) -> int:
        """Everything that was ever given to them and not given up."""
        return self.progress.held + self.progress.done + self.progress.uncounted


def progress_of(campaigns: Iterable[Campaign]) -> dict[int, Progress]:
    """The progress of each campaign by its number; one without slots has none of anything."""
    wanted = [campaign.pk for campaign in campaigns]
    counts = _by("campaign", Task.objects.filter(campaign__in=wanted))
    return {pk: counts.get(pk, Progress()) for pk in wanted}


def members_of(campaign: Campaign) -> tuple[Member, ...]:
    """Everybody who takes part, managers first, then people, then machines, with their counts."""
    given = Task.objects.filter(campaign=campaign, annotator__isnull=False)
    counts = _by("annotator", given) | _by("annotator", given, by_machines())
    memberships = Membership.objects.filter(campaign=campaign).select_related("user")
    return tuple(
        Member(
            each.user.username,
            each.role,
            each.user.is_active,
            counts.get(each.user_id, Progress()),
            each.user.machine,
        )
        for each in memberships.order_by("-role", "user__machine", "user__username")
    )


def _by(field: str, tasks: QuerySet[Task], which: Q | None = None) -> dict[int, Progress]:
    """The counts of some tasks of people, or `which`, by the campaign or the annotator."""
    counts = {state.value: Count("pk", filter=Q(state=state)) for state in _STATES}
    counts["undecided"] = Count("pk", filter=having("undecided"))
    # Last: from then on the name means the count, and no longer the column.
    counts["flagged"] = Count("pk", filter=Q(flagged=True))
    names = [each.name for each in fields(Progress)]
    rows = (
        tasks.filter(ordinary() if which is None else which)
        .order_by()
        .values(field)
        .annotate(**counts)
        .values_list(field, *names)
    )
    return {key: Progress(*numbers) for key, *numbers in rows}


@dataclass(frozen=True, slots=True)
class AnnotatorWork:
    """The work of one annotator: tasks by what became of them, and the time that they took.

    `done` are accepted and `undecided` ones; `to_review` are all that wait for a manager.
    `seconds` is the sum over everything submitted. `agreement` is with the rest of the annotators,
    or None where it is not known or not defined.
    """

    name: str
    done: int
    paid: int
    late: int
    rejected: int
    held: int
    to_review: int
    undecided: int
    seconds: float
    agreement: float | None

    @property
    def accepted(self) -> int:
        return self.done - self.undecided

    @property
    def submitted(self) -> int:
        return self.done + self.paid + self.late + self.rejected

    @property
    def seconds_each(self) -> float | None:
        """The mean time of a task that was submitted."""
        return self.seconds / self.submitted if self.submitted else None


def annotators_of(
    campaign: Campaign, agreement: Mapping[str, float | None] | None = None
) -> list[AnnotatorWork]:
    """The people who annotate or have annotated, those with most work first."""
    times = _times(campaign)
    rows = [
        AnnotatorWork(
            name=member.name,
            done=member.progress.done,
            paid=member.progress.paid,
            late=member.progress.late,
            rejected=member.progress.rejected,
            held=member.progress.held,
            to_review=member.progress.flagged,
            undecided=member.progress.undecided,
            seconds=times.get(member.name) or 0.0,
            agreement=(agreement or {}).get(member.name),
        )
        for member in members_of(campaign)
        if not member.machine and (member.role == Membership.Role.ANNOTATOR or member.given)
    ]
    return sorted(rows, key=lambda each: (-each.submitted, -each.held, each.name))


@dataclass(frozen=True, slots=True)
class MachineWork:
    """A machine, and what became of its tasks; of those that are done, some wait for a manager.

    What it gave back, because its model could not answer, is lapsed.
    """

    name: str
    model: str
    url: str
    signature: str
    active: bool
    progress: Progress
    left: int

    @property
    def total(self) -> int:
        """How many tasks there are for it."""
        return self.progress.done + self.progress.uncounted + self.progress.lapsed + self.left


def machine_work(campaign: Campaign) -> list[MachineWork]:
    """The machines of a campaign in the order in which they came; three queries, or one."""
    machines = list(machines_of(campaign))
    if not machines:
        return []
    counts = _by("annotator", Task.objects.filter(campaign=campaign), by_machines())
    batches = campaign.batches.filter(adjudicates=None).count()
    known = {each.pk: counts.get(each.membership.user_id, Progress()) for each in machines}
    return [
        MachineWork(
            each.membership.user.username,
            each.model,
            each.url,
            each.signature,
            each.membership.user.is_active,
            known[each.pk],
            batches - known[each.pk].done - known[each.pk].uncounted - known[each.pk].lapsed,
        )
        for each in machines
    ]


def _submissions(campaign: Campaign) -> QuerySet[Submission]:
    rows = Submission.objects.filter(ordinary("task__"), task__campaign=campaign, current=True)
    return rows.order_by()


def _times(campaign: Campaign) -> dict[str, float | None]:
    submissions = _submissions(campaign)
    sums = submissions.values("annotator__username").annotate(total=Sum("seconds"))
    return dict(sums.values_list("annotator__username", "total"))


@dataclass(frozen=True, slots=True)
class Day:
    """How many tasks were submitted on a day; `percent` is of the busiest day shown."""

    day: date
    count: int
    percent: float


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of accepted tasks: the quartiles and the sum; None where nothing is accepted.

    `days` are the last two weeks, with everything that was submitted, accepted or not.
    """

    n: int
    low: float | None
    median: float | None
    high: float | None
    total: float
    days: tuple[Day, ...]

    def left(self, slots: int) -> float | None:
        """The seconds that so many more tasks will take, if each takes the median."""
        return None if self.median is None else self.median * slots


def timings_of(campaign: Campaign) -> Timings:
    """The timings of a campaign, in two queries."""
    submissions = _submissions(campaign)
    accepted = submissions.filter(having("accepted", prefix="task__"))
    times = [seconds for seconds in accepted.values_list("seconds", flat=True) if seconds]
    low, median, high = np.percentile(times, (25, 50, 75)).tolist() if times else (None,) * 3
    by_day = submissions.annotate(day=TruncDate("received_at")).values_list("day")
    received = Counter(dict(by_day.annotate(count=Count("pk"))))
    return Timings(len(times), low, median, high, sum(times), _days(received))


def _days(received: Counter[date]) -> tuple[Day, ...]:
    today = timezone.localdate()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    most = max((received[day] for day in days), default=0)
    return tuple(
        Day(day, received[day], 100 * received[day] / most if most else 0.0) for day in days
    )
