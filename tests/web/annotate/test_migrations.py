"""A database of the version before the tasks' fields were renamed goes on where it was.

The rows are those that version cc44f1e wrote, inserted with the models of its migrations: a running
campaign with tasks that are claimed, drafted, submitted, flagged, rejected, lapsed and decided on.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Decision, Submission, Task
from gistmark.web.annotate.services import (
    browser_payload,
    decide,
    exported_corpus,
    next_task,
    save_draft,
    submit,
    task_for,
)
from gistmark.web.campaigns.models import Campaign
from web.annotate.answering import assert_sound, whole

pytestmark = pytest.mark.django_db(transaction=True)

EARLIER = [
    ("accounts", "0002_initial"),
    ("campaigns", "0002_completion_codes"),
    ("annotate", "0001_initial"),
    ("results", "0001_initial"),
]
THEN = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
PROTOCOL = {
    "name": "overall",
    "kind": "rating",
    "about": "Grade a summary as a whole from 0 to 4 beside its document (BLANC).",
    "shows": ["document"],
    "dimensions": [
        {"name": "overall", "question": "How good is it?", "guidance": "", "scale": None}
    ],
    "scale": {
        "form": "points", "low": 0, "high": 4, "start": None,
        "labels": ["very bad", "bad", "OK", "good", "very good"],
    },
    "confidence": None,
    "weight": None,
    "budget": None,
    "judges": 2,
    "items_per_task": 1,
    "minimum_seconds": 20.0,
    "checks": {
        "question": "off", "planted": "off", "untouched": "off", "no_highlights": "off",
        "straight_line": "off", "too_fast": "flag",
    },
    "consent": "Fine?",
    "instructions": "Read the document, then the summary.",
    "example": "",
    "several_of_a_document": False,
    "judge_references": False,
    "editable": False,
    "one_dimension_per_screen": False,
}  # fmt: skip
FLAG = {"kind": "too_fast", "reason": "It took 5 seconds.", "severity": "flag"}


def answer(value: int) -> dict[str, Any]:
    rating = {"value": value, "confidence": None, "weight": None}
    item = {"seconds": None, "ratings": {"overall": rating}}
    return {"items": {"1": item}, "reply": None, "seconds": None}


class Earlier:
    """Writes rows as version cc44f1e did; `apps` are its models."""

    def __init__(self, apps: Any) -> None:
        self.models = {
            name: apps.get_model(app, name)
            for app, name in (
                ("accounts", "User"), ("campaigns", "Campaign"), ("campaigns", "Membership"),
                ("campaigns", "Document"), ("campaigns", "Summary"), ("annotate", "Batch"),
                ("annotate", "Task"), ("annotate", "Draft"), ("annotate", "Submission"),
                ("annotate", "Decision"),
            )
        }  # fmt: skip
        self.boss = self.make("User", username="boss", role="manager")
        self.ann, self.bob = (self.make("User", username=name) for name in ("ann", "bob"))
        self.campaign = self.make(
            "Campaign", name="Old", key="0123456789", state="running", protocol=PROTOCOL,
            seed=7, owner=self.boss, code_key="0" * 32,
        )  # fmt: skip
        for user in (self.ann, self.bob):
            self.make(
                "Membership", campaign=self.campaign, user=user, role="annotator", consented_at=THEN
            )

    def make(self, model: str, /, **fields: Any) -> Any:
        return self.models[model].objects.create(**fields)

    def batch(self, number: int, *states: tuple[str, Any]) -> list[Any]:
        """A batch about a document of its own, with slots in these states of these people."""
        name = f"d{number}"
        self.make(
            "Document", campaign=self.campaign, name=name, place=number, texts=[f"Text of {name}."]
        )
        self.make(
            "Summary", campaign=self.campaign, document=name, system="sys", place=number,
            text=f"Summary of {name}.",
        )  # fmt: skip
        count = sum(state == "open" for state, _ in states)
        batch = self.make(
            "Batch", campaign=self.campaign, number=number, items=[[name, "sys"]], open=count
        )
        return [
            self.task(batch, copy, name, state, user)
            for copy, (state, user) in enumerate(states, start=1)
        ]

    def task(self, batch: Any, copy: int, document: str, state: str, user: Any) -> Any:
        slot = f"{batch.number}.{copy}"
        if user is None:
            return self.make("Task", campaign=self.campaign, batch=batch, slot=slot)
        entry = {
            "key": "1", "document": document, "systems": ["sys"], "planted": None, "text": None,
        }  # fmt: skip
        content = {
            "slot": slot, "annotator": user.username, "seed": 7, "entries": [entry],
            "question": None,
        }  # fmt: skip
        return self.make(
            "Task", campaign=self.campaign, batch=batch, slot=slot, state=state, annotator=user,
            content=content, taken_at=THEN, opened_at=THEN,
            lease_ends_at=timezone.now() + timedelta(hours=1),
            done_at=THEN if state in ("done", "rejected") else None,
        )  # fmt: skip

    def submission(self, task: Any, value: int, *, accepted: bool, flags: tuple[Any, ...]) -> Any:
        return self.make(
            "Submission", task=task, annotator=task.annotator, key=uuid4(), number=1,
            answer=answer(value), flags=list(flags), accepted=accepted, seconds=30.0,
        )  # fmt: skip


def write_rows(apps: Any) -> None:
    earlier = Earlier(apps)
    ann, bob = earlier.ann, earlier.bob
    (submitted, drafted) = earlier.batch(1, ("done", ann), ("held", bob))
    earlier.submission(submitted, 4, accepted=True, flags=())
    earlier.make("Draft", task=drafted, answer=answer(1), version=3)
    (flagged, rejected, _) = earlier.batch(2, ("done", ann), ("rejected", bob), ("open", None))
    earlier.submission(flagged, 3, accepted=True, flags=(FLAG,))
    flagged.flagged = True
    flagged.save()
    decided = earlier.submission(rejected, 0, accepted=True, flags=())
    earlier.make(
        "Decision", submission=decided, manager=earlier.boss, accepted=False, reason="Odd."
    )
    earlier.batch(3, ("lapsed", ann), ("open", None), ("open", None))
    earlier.batch(4, ("held", ann), ("open", None))


@pytest.fixture
def migrated() -> Campaign:
    """The campaign after the upgrade; the tables of other tests are as they were."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    try:
        executor.migrate(EARLIER)
        write_rows(executor.loader.project_state(EARLIER).apps)
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(newest)
    return Campaign.objects.get(name="Old")


def test_a_running_campaign_goes_on_after_the_upgrade(migrated):
    ann, bob = (User.objects.get(username=name) for name in ("ann", "bob"))
    decision = Decision.objects.get()
    assert (decision.reason, decision.verdict, decision.manager.username) == (
        "Odd.", "rejected", "boss",
    )  # fmt: skip
    assert decision.created_at is not None
    assert set(Task.objects.exclude(state="open").values_list("claimed_at", flat=True)) == {THEN}
    assert Task.objects.get(slot="2.1").flagged
    assert_sound(migrated)

    before = exported_corpus(migrated, undecided=True).ratings
    assert [(each.document, each.annotator, each.value) for each in before] == [
        ("d1", "ann", 4), ("d2", "ann", 3),
    ]  # fmt: skip

    drafted = next_task(migrated, bob)
    assert drafted.slot == "1.2"
    payload = browser_payload(task_for(bob, drafted.pk))
    assert (payload["draft"], payload["version"]) == (answer(1), 3)
    assert payload["items"][0]["summary"] == "Summary of d1."
    assert save_draft(drafted, bob, whole(payload, value=2), version=3).version == 4
    assert submit(drafted.pk, bob, uuid4(), whole(payload, value=2)).verdict == "counts"

    claimed = next_task(migrated, bob)
    assert (claimed.batch.number, claimed.slot) in [(3, "3.2"), (4, "4.2")]
    assert browser_payload(claimed)["items"][0]["document"] is not None
    submit(claimed.pk, bob, uuid4(), whole(browser_payload(claimed)))

    lapsed = Task.objects.get(slot="3.1")
    sent = submit(lapsed.pk, ann, uuid4(), whole(browser_payload(lapsed)))
    assert sent.verdict == "counts"
    overruled = Submission.objects.get(task__slot="2.2")
    assert "accepted" in decide(overruled, User.objects.get(username="boss"), "counts").sentence
    assert_sound(migrated)
    after = exported_corpus(migrated, undecided=True).ratings
    assert {(each.document, each.annotator, each.value) for each in after} > {
        ("d1", "ann", 4), ("d2", "ann", 3), ("d1", "bob", 2), ("d2", "bob", 0), ("d3", "ann", 3),
    }  # fmt: skip
    assert len(after) == 6
