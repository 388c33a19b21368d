"""What the checks said is told to nobody who could learn their answers from it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from gistmark.judgements import Verdict
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.outcomes import verdict_of
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.consents import give_consent
from web.annotate.answering import claimed, slot_states, submit, whole
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def make(**changes):
    """A campaign that does not count wrong answers to its statement, all of which are true."""
    people = (make_user(), make_user())
    campaign = make_campaign("content-document", annotators=people, judges=2, **changes)
    for user in people:
        give_consent(campaign, user)
    return campaign, people


def answered(campaign, user, reply: bool) -> tuple[Task, dict]:
    """A task submitted with this reply, and everything that its annotator gets to see of it."""
    task = claimed(campaign, user)
    sent = whole(browser_payload(task), value=50, reply=reply)
    caller = Caller(user)
    received = caller.post(f"/tasks/{task.pk}/submit", {"key": str(uuid4()), "answer": sent})
    opened = caller.get(f"/tasks/{task.pk}").json()
    again = caller.post(f"/tasks/{task.pk}/submit", {"key": str(uuid4()), "answer": sent})
    caller.client.force_login(user)
    listed = caller.get("/tasks").json()[0]
    draft = {"answer": sent, "version": opened["version"]}
    saved = caller.call("PUT", f"/tasks/{task.pk}/draft", draft)
    return task, {
        "reply": (received.status_code, received.json()),
        "opened": (opened["state"], opened["editable"]),
        "again": (again.status_code, again.json()),
        "listed": listed["state"],
        "saved": (saved.status_code, saved.json().get("detail")),
        "page": "not counted" in caller.client.get("/work/").text,
        "task": caller.client.get(f"/tasks/{task.pk}/").status_code,
    }


@pytest.mark.parametrize("editable", [True, False])
@pytest.mark.parametrize(("action", "state"), [("paid", "paid"), ("reject", "rejected")])
def test_work_that_does_not_count_looks_like_any_other(action: str, state: str, editable: bool):
    campaign, (ann, bea) = make(editable=editable, checks={"question": action})
    right, seen = answered(campaign, ann, True)
    wrong, also_seen = answered(campaign, bea, False)
    states = [Task.objects.get(pk=task.pk).state for task in (right, wrong)]
    assert states == ["done", state]
    assert seen == also_seen


@pytest.mark.parametrize(("action", "verdict"), [("paid", "paid"), ("reject", "rejected")])
def test_what_changes_after_work_does_not_count_does_not_either(action: str, verdict: str):
    campaign, (ann, _) = make(editable=True, checks={"question": action})
    task = claimed(campaign, ann)
    for reply in (False, True):
        sent = whole(browser_payload(task), value=50, reply=reply)
        submission = submit(task.pk, ann, uuid4(), sent)
    assert submission.verdict == verdict_of(submission) == verdict
    assert [flag["kind"] for flag in submission.flags] == ["rejected_before"]
    assert f"{task.slot} {verdict}" in slot_states(campaign)


@pytest.mark.parametrize(
    ("decision", "told", "at_the_end"),
    [
        (None, "done", "paid"),
        ("paid", "done", "paid"),
        ("rejected", "rejected", "rejected"),
        ("counts", "done", "done"),
    ],
)
def test_a_rejection_is_told_at_once_and_that_work_is_only_paid_at_the_end(
    decision: Verdict | None, told: str, at_the_end: str
):
    campaign, (ann, _) = make()
    task = claimed(campaign, ann)
    sent = whole(browser_payload(task), value=50, reply=False)
    submission = submit(task.pk, ann, uuid4(), sent)
    caller = Caller(ann)
    assert [each["state"] for each in caller.get("/tasks").json()] == ["done"]
    if decision is not None:
        decide(submission, campaign.owner, decision, "It is wrong.")
    caller.client.force_login(ann)
    assert [each["state"] for each in caller.get("/tasks").json()] == [told]
    assert ("not counted" in caller.client.get("/work/").text) == (told != "done")
    close(campaign, None)
    assert [each["state"] for each in caller.get("/tasks").json()] == [at_the_end]
    assert ("not counted" in caller.client.get("/work/").text) == (at_the_end != "done")
