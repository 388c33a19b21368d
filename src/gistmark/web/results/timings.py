"""How long the work takes: seconds per task, and how much comes in each day."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from django.utils import timezone

from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign

DAYS = 14


@dataclass(frozen=True, slots=True)
class Day:
    """How many tasks were handed in on a day; `percent` is of the busiest day shown."""

    day: date
    count: int
    percent: float


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of accepted tasks: the quartiles and the sum; None where nothing is accepted.

    `days` are the last two weeks, with everything that was handed in, accepted or not.
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
    """The timings of a campaign, in one query."""
    handed_in = Submission.objects.filter(task__campaign=campaign, current=True).order_by()
    rows = list(handed_in.values_list("seconds", "received_at", "task__state"))
    times = [seconds for seconds, _, state in rows if state == Task.State.DONE and seconds]
    low, median, high = np.percentile(times, (25, 50, 75)).tolist() if times else (None,) * 3
    received = Counter(timezone.localdate(at) for _, at, _ in rows)
    return Timings(len(times), low, median, high, sum(times), _days(received))


def _days(received: Counter[date]) -> tuple[Day, ...]:
    today = timezone.localdate()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    most = max((received[day] for day in days), default=0)
    return tuple(
        Day(day, received[day], 100 * received[day] / most if most else 0.0) for day in days
    )
