"""A running campaign of the version before the tasks' fields were renamed, and how it goes on.

The rows are those that version cc44f1e wrote, inserted with the models of its migrations: a running
campaign with tasks that are claimed, drafted, submitted, flagged, rejected, lapsed and decided on.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

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


def go_on() -> dict[str, Any]:
    """What people meet in a database that has been brought up to date, step by step."""
    from gistmark.web.accounts.models import User
    from gistmark.web.annotate.models import Decision, Submission, Task
    from gistmark.web.annotate.services.claims import next_task
    from gistmark.web.annotate.services.decisions import decide
    from gistmark.web.annotate.services.drafts import browser_payload, save_draft, task_for
    from gistmark.web.campaigns.models import Campaign
    from web.annotate.answering import assert_sound, submit, whole

    campaign = Campaign.objects.get(name="Old")
    tasks = Task.objects.filter(campaign=campaign)
    ann, bob, boss = (User.objects.get(username=name) for name in ("ann", "bob", "boss"))
    decision = Decision.objects.get(submission__task__campaign=campaign)
    assert_sound(campaign)
    told: dict[str, Any] = {
        "decision": [decision.reason, decision.verdict, decision.manager.username],
        "decided": decision.created_at is not None,
        "claimed": sorted({str(each.claimed_at) for each in tasks.exclude(state="open")}),
        "flagged": tasks.get(slot="2.1").flagged,
        "before": _ratings(campaign),
    }
    drafted = next_task(campaign, bob)
    payload = browser_payload(task_for(bob, drafted.pk))
    told["drafted"] = [drafted.slot, payload["version"], payload["items"][0]["summary"]]
    told["draft"] = payload["draft"]
    told["saved"] = save_draft(drafted, bob, whole(payload, value=2), version=3).version
    told["submitted"] = submit(drafted.pk, bob, uuid4(), whole(payload, value=2)).verdict

    claimed = next_task(campaign, bob)
    payload = browser_payload(claimed)
    told["next"] = [claimed.batch.number, claimed.slot]
    told["shown"] = payload["items"][0]["document"] is not None
    submit(claimed.pk, bob, uuid4(), whole(payload))

    lapsed = tasks.get(slot="3.1")
    told["late"] = submit(lapsed.pk, ann, uuid4(), whole(browser_payload(lapsed))).verdict
    overruled = Submission.objects.get(task__campaign=campaign, task__slot="2.2")
    told["overruled"] = decide(overruled, boss, "counts").sentence
    assert_sound(campaign)
    return told | {"after": _ratings(campaign)}


def _ratings(campaign: Any) -> list[list[Any]]:
    from gistmark.web.annotate.services.submissions import exported_corpus

    ratings = exported_corpus(campaign, undecided=True).ratings
    return [[each.document, each.annotator, each.value] for each in ratings]
