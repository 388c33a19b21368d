"""Answers for tests: what a browser would send."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

from django.db import connection
from django.utils import timezone

from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services import leases, submissions
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload, open_task
from gistmark.web.campaigns.models import Campaign


def whole(payload: dict[str, Any], value: int = 3, reply: bool | None = None) -> dict[str, Any]:
    """A whole answer to a rating task, the same value everywhere."""
    ratings = {each["name"]: {"value": value} for each in payload["dimensions"]}
    answer: dict[str, Any] = {
        "items": {item["key"]: {"ratings": ratings} for item in payload["items"]}
    }
    return answer if reply is None else answer | {"reply": reply}


def claimed(campaign: Campaign, user: User, *, minutes_ago: float = 10) -> Task:
    """The next task of somebody, who opened it a while ago."""
    task = next_task(campaign, user)
    assert task is not None
    open_task(task)
    opened = timezone.now() - timedelta(minutes=minutes_ago)
    Task.objects.filter(pk=task.pk).update(opened_at=opened)
    return Task.objects.select_related("campaign", "batch", "annotator").get(pk=task.pk)


def submit(pk: int, user: User, key: UUID, answer: object) -> Submission:
    """Submit the task of this number, as it is now."""
    return submissions.submit(leases.find_task(pk, user), user, key, answer)


def done(campaign: Campaign, user: User, **said: Any) -> Submission:
    """The next task of somebody, submitted."""
    task = claimed(campaign, user)
    return submit(task.pk, user, uuid4(), whole(browser_payload(task), **said))


def end_lease(task: Task) -> None:
    """As if the time had run out."""
    ended = timezone.now() - timedelta(minutes=1)
    Task.objects.filter(pk=task.pk).update(lease_ends_at=ended)


def slot_states(campaign: Campaign) -> list[str]:
    """All slots with their states, such as `1.1 done`."""
    tasks = Task.objects.filter(campaign=campaign).order_by("batch__number", "pk")
    return [f"{task.slot} {task.state}" for task in tasks]


def assert_sound(campaign: Campaign) -> None:
    """Every batch has as many slots that count as judges are wanted, and knows its open ones."""
    for batch in campaign.batches.all():
        tasks = list(batch.tasks.all())
        counting = sum(task.as_slot().counts for task in tasks)
        wanted = batch.judges
        assert counting >= wanted
        assert batch.open == sum(task.state == "open" for task in tasks)
        if counting > wanted:
            assert not batch.open


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run all calls at the same moment; what is refused is its error."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return call()
        except GistmarkError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
