"""How fast a campaign goes: when its work will end, how long an item takes, and what an hour earns.

Nothing is said where there is too little to say it from. Two queries, whatever the size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from django.db.models import Case, Count, When
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.judgements.tasks.task import PLANTED_KINDS
from gistmark.web.annotate.models import BatchItem, Submission, Task
from gistmark.web.annotate.outcomes import having
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.protocols import protocol_of

WINDOW = 7
"""The pace is that of so many days at most."""
FEWEST_TASKS = 5
FURTHEST = 365
MOST_RATE = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Forecast:
    """When the tasks that are left will be done, at a pace of `per_day` in the last `days` days.

    `end` is None where that is more than a year away.
    """

    per_day: float
    days: float
    end: date | None


@dataclass(frozen=True, slots=True)
class Pay:
    """What annotators earn in an hour of work at a rate for each task; quartiles over them."""

    rate: Decimal
    low: float
    median: float
    high: float
    annotators: int


@dataclass(frozen=True, slots=True)
class Pace:
    """The times of all submitted work, to forecast and to reckon from.

    `item_seconds` is the median over accepted tasks of the time for each item, planted included.
    `annotators` has for each the number of submitted tasks that are not rejected, and the seconds
    that all of theirs took.
    """

    received: tuple[datetime, ...]
    item_seconds: float | None
    annotators: tuple[tuple[int, float], ...]

    def forecast(self, left: int, now: datetime) -> Forecast | None:
        """When `left` more tasks will be done; None where there is too little to go by.

        The pace is that of the last week, or since the first submission where that is later; there
        have to be a day and five tasks.
        """
        since = now - timedelta(days=WINDOW)
        recent = [at for at in self.received if at >= since]
        if not left or len(recent) < FEWEST_TASKS:
            return None
        begun = min(self.received)
        days = (now - max(since, begun)) / timedelta(days=1)
        if days < 1:
            return None
        per_day = len(recent) / days
        ahead = left / per_day
        end = timezone.localdate(now + timedelta(days=ahead)) if ahead <= FURTHEST else None
        return Forecast(per_day, days, end)

    def pay(self, rate: Decimal) -> Pay | None:
        """What an hour earns if all work is paid but what is rejected; None before any is timed."""
        hourly = [float(rate) * count * 3600 / seconds for count, seconds in self.annotators]
        if not hourly:
            return None
        low, median, high = np.percentile(hourly, (25, 50, 75)).tolist()
        return Pay(rate, low, median, high, len(hourly))


def pace_of(campaign: Campaign) -> Pace:
    """The pace of a campaign."""
    current = Submission.objects.filter(task__campaign=campaign, current=True)
    submissions = current.filter(task__machine=False).order_by()
    accepted = Case(When(having("accepted", prefix="task__"), then=True), default=False)
    columns = ("seconds", "received_at", "task__state", "annotator_id", "task__batch_id")
    rows = list(submissions.values_list(*columns, accepted))
    sizes = dict(
        BatchItem.objects.filter(batch__campaign=campaign)
        .order_by()
        .values_list("batch_id")
        .annotate(count=Count("pk"))
    )
    planted = len(PLANTED_KINDS) if protocol_of(campaign).plants else 0
    each = [row[0] / (sizes[row[4]] + planted) for row in rows if row[0] and row[5]]
    return Pace(
        received=tuple(row[1] for row in rows if row[2] == Task.State.DONE),
        item_seconds=float(np.median(each)) if each else None,
        annotators=_by_annotator(rows),
    )


def read_rate(given: str) -> Decimal | None:
    """A rate as a manager types it, with a point or a comma; None where nothing is typed."""
    typed = given.strip().replace(",", ".")
    if not typed:
        return None
    try:
        rate = Decimal(typed)
    except InvalidOperation:
        rate = Decimal(-1)
    if not rate.is_finite() or not 0 < rate <= MOST_RATE:
        raise UsageError(
            f"A rate is a number above 0 and up to {MOST_RATE:,}, such as 0.50, not {given[:40]!r}."
        )
    return rate


def _by_annotator(rows: Sequence[tuple[Any, ...]]) -> tuple[tuple[int, float], ...]:
    paid: Counter[int] = Counter()
    times: Counter[int] = Counter()
    for seconds, _, state, annotator, *_ in rows:
        if seconds:
            paid[annotator] += state != Task.State.REJECTED
            times[annotator] += seconds
    return tuple((paid[annotator], seconds) for annotator, seconds in times.items())
