"""A database from before the three verdicts: what counts, and who is paid, stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from gistmark.judgements import get_protocol, to_mapping
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import DecisionGroup, Submission, Task
from gistmark.web.annotate.outcomes import counting, outcome_of, verdict_of
from gistmark.web.annotate.services.decisions import undo
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.codes import plain
from gistmark.web.crowd.approvals import statuses_of

BEFORE = ("annotate", "0008_adjudication")
WRONG = {"kind": "question", "reason": "It is true.", "severity": "reject"}
LATE = {"kind": "late", "reason": "It came late.", "severity": "reject"}
FAST = {"kind": "too_fast", "reason": "It took 1 second.", "severity": "flag"}

# name: state, flagged, flags, accepted by the checks, and what a manager decided
EARLIER: dict[str, tuple[str, bool, list[Any], bool, bool | None]] = {
    "good": ("done", False, [], True, None),
    "flagged": ("done", True, [FAST], True, None),
    "failed": ("rejected", True, [WRONG], False, None),
    "late": ("rejected", True, [LATE], False, None),
    "late-accepted": ("done", False, [LATE], False, True),
    "late-rejected": ("rejected", False, [LATE], False, False),
    "accepted": ("done", False, [WRONG], False, True),
    "rejected": ("rejected", False, [], True, False),
}
OUTCOMES = {
    "good": "accepted", "flagged": "undecided", "failed": "rejected", "late": "late",
    "late-accepted": "accepted", "late-rejected": "rejected", "accepted": "accepted",
    "rejected": "rejected",
}  # fmt: skip
APPROVALS = {
    "accepted": "approve", "undecided": "undecided", "late": "undecided", "rejected": "reject",
}  # fmt: skip


def write_rows(apps: Any) -> None:
    def make(app: str, model: str, /, **fields: Any) -> Any:
        return apps.get_model(app, model).objects.create(**fields)

    boss = make("accounts", "User", username="boss", role="manager", key="boss")
    protocol = to_mapping(get_protocol("overall"))
    protocol["checks"]["question"] = "reject"
    campaign = make(
        "campaigns", "Campaign", name="Old", state="running", protocol=protocol, owner=boss,
        completion_codes=True,
    )  # fmt: skip
    for number, (name, (state, flagged, flags, accepted, decided)) in enumerate(EARLIER.items(), 1):
        user = make("accounts", "User", username=name, key=name)
        batch = make("annotate", "Batch", campaign=campaign, number=number, open=0)
        task = make(
            "annotate", "Task", campaign=campaign, batch=batch, slot=f"{number}.1", state=state,
            annotator=user, opened_at=timezone.now(), done_at=timezone.now(), flagged=flagged,
        )  # fmt: skip
        sent = make(
            "annotate", "Submission", task=task, annotator=user, key=uuid4(), number=1, answer={},
            flags=flags, accepted=accepted, seconds=30.0,
        )  # fmt: skip
        if decided is not None:
            group = make(
                "annotate", "DecisionGroup", campaign=campaign, manager=boss, accepted=decided,
                count=1,
            )  # fmt: skip
            make(
                "annotate", "Decision", submission=sent, manager=boss, accepted=decided,
                reason="Odd.", group=group,
            )  # fmt: skip


@pytest.fixture(scope="module")
def migrated(django_db_setup, django_db_blocker) -> Iterator[Campaign]:
    """The campaign after the upgrade, which the tests share; the last one empties the tables."""
    with django_db_blocker.unblock():
        try:
            write_rows(MigrationExecutor(connection).migrate([BEFORE]).apps)
        finally:
            to_newest()
        yield Campaign.objects.get(name="Old")
        call_command("flush", interactive=False, verbosity=0)


def to_newest() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.mark.django_db
def test_what_counts_and_who_is_paid_stays_as_it_was(migrated):
    tasks = {each.annotator.username: each for each in Task.objects.select_related("annotator")}
    assert {name: outcome_of(task) for name, task in tasks.items() if task.submitted} == OUTCOMES
    counted = {each.annotator.username for each in counting(migrated)}
    assert counted == {name for name, outcome in OUTCOMES.items() if outcome == "accepted"}
    statuses = statuses_of(migrated)
    codes = {name: plain(completion_code(task.pk, migrated)) for name, task in tasks.items()}
    approvals = {name: statuses[code].decision for name, code in codes.items()}
    assert approvals == {name: APPROVALS[outcome] for name, outcome in OUTCOMES.items()}
    assert migrated.protocol["checks"]["question"] == "reject", "it has started"
    assert set(migrated.batches.values_list("judges", flat=True)) == {migrated.judges}


@pytest.mark.django_db
def test_decisions_from_before_can_be_undone(migrated):
    for group in DecisionGroup.objects.all():
        undo(migrated, group.pk, migrated.owner)
    work = Submission.objects.select_related("task", "annotator")
    verdicts = {each.annotator.username: (verdict_of(each), each.task.state) for each in work}
    assert verdicts == {
        "good": ("counts", "done"),
        "flagged": (None, "done"),
        "failed": ("rejected", "rejected"),
        "late": (None, "late"),
        "late-accepted": (None, "late"),
        "late-rejected": (None, "late"),
        "accepted": ("rejected", "rejected"),
        "rejected": ("counts", "done"),
    }


@pytest.mark.django_db(transaction=True)
def test_the_way_back_forgets_only_who_is_paid(migrated):
    Task.objects.filter(annotator__username="failed").update(state="paid")
    Submission.objects.filter(annotator__username="failed").update(verdict="paid")
    try:
        apps = MigrationExecutor(connection).migrate([BEFORE]).apps
        tasks = apps.get_model("annotate", "Task").objects.select_related("annotator")
        states = {each.annotator.username: each.state for each in tasks}
        sent = apps.get_model("annotate", "Submission").objects.select_related("annotator")
        accepted = {each.annotator.username: each.accepted for each in sent}
    finally:
        to_newest()
    assert states == {name: earlier[0] for name, earlier in EARLIER.items()}
    assert accepted == {name: earlier[3] for name, earlier in EARLIER.items()}
