"""The places of a batch: its lock, and slots that are added or removed so that they suffice.

The lock of a batch is the lock of all its tasks: whoever changes one takes it first. A batch
wants as many slots that count (open, held or done) as the protocol wants judges. Work that is
rejected or lapses leaves one short, and an open slot is added; work that counts after all makes
an open slot needless, and it is removed. Open slots were never anybody's, so nothing is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from django.db.models import F

from gistmark.web.annotate.models import Batch, Task
from gistmark.web.campaigns.errors import NotFoundError

_STATES = Task.State
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Balance:
    """How many open slots were added, how many removed, and how many judges are too many now."""

    added: int = 0
    removed: int = 0
    surplus: int = 0


def lock_task(pk: int) -> Task:
    """The task as it is now, with its batch locked until the transaction ends.

    The batch is locked in a query of its own: what a query reads beside the row that it waits
    for may be stale.
    """
    try:
        batch = Batch.objects.select_for_update(of=("self",), no_key=True).get(tasks__pk=pk)
        task = Task.objects.select_related("campaign").get(pk=pk)
    except (Batch.DoesNotExist, Task.DoesNotExist):
        raise NotFoundError("There is no such task.") from None
    task.batch = batch
    return task


def balance(batch: Batch, judges: int) -> Balance:
    """Add or remove open slots of a locked batch; its count of open ones is brought up to date."""
    tasks = list(batch.tasks.order_by("pk"))
    surplus = sum(task.counts for task in tasks) - judges
    open_ones = [task for task in tasks if task.state == _STATES.OPEN]
    needless = open_ones[len(open_ones) - min(surplus, len(open_ones)) :] if surplus > 0 else []
    Task.objects.filter(pk__in=[task.pk for task in needless]).delete()
    highest = max(int(task.slot.partition(".")[2]) for task in tasks)
    added = Task.objects.bulk_create(
        Task(campaign_id=batch.campaign_id, batch=batch, slot=f"{batch.number}.{copy}")
        for copy in range(highest + 1, highest + 1 - surplus)
    )
    batch.open = len(open_ones) - len(needless) + len(added)
    batch.save(update_fields=["open"])
    return Balance(len(added), len(needless), max(0, surplus - len(needless)))


def count_open(slots: Counter[int], sign: Literal[1, -1]) -> None:
    """Add to (or take off) the counts of open slots, by batch, where many change at once."""
    for count in set(slots.values()):
        for some in chunks(batch for batch, each in slots.items() if each == count):
            Batch.objects.filter(pk__in=some).update(open=F("open") + sign * count)


def chunks(numbers: Iterable[int]) -> Iterator[list[int]]:
    """Numbers in lists short enough for one query."""
    remaining = iter(numbers)
    while some := list(islice(remaining, _AT_ONCE)):
        yield some
