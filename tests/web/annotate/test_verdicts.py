"""What the checks said is told to nobody who could learn their answers from it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services import browser_payload, decide, submit
from gistmark.web.campaigns.services import close, give_consent
from web.annotate.answering import claimed, slot_states, whole
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def make(**changes):
    """A campaign that rejects wrong answers to its statement, all of which are true."""
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
def test_rejected_work_looks_like_any_other_to_its_annotator(editable: bool):
    campaign, (ann, bea) = make(editable=editable)
    right, seen = answered(campaign, ann, True)
    wrong, also_seen = answered(campaign, bea, False)
    states = [Task.objects.get(pk=task.pk).state for task in (right, wrong)]
    assert states == ["done", "rejected"]
    assert seen == also_seen


def test_what_changes_after_a_rejection_does_not_count():
    campaign, (ann, _) = make(editable=True)
    task = claimed(campaign, ann)
    for reply in (False, True):
        sent = whole(browser_payload(task), value=50, reply=reply)
        submission = submit(task.pk, ann, uuid4(), sent)
    assert not submission.accepted
    assert [flag["kind"] for flag in submission.flags] == ["rejected_before"]
    assert f"{task.slot} rejected" in slot_states(campaign)


@pytest.mark.parametrize("end", ["decision", "close"])
def test_it_is_told_once_a_manager_has_decided_or_the_campaign_is_closed(end: str):
    campaign, (ann, _) = make()
    task = claimed(campaign, ann)
    sent = whole(browser_payload(task), value=50, reply=False)
    submission = submit(task.pk, ann, uuid4(), sent)
    caller = Caller(ann)
    assert [each["state"] for each in caller.get("/tasks").json()] == ["done"]
    if end == "decision":
        decide(submission, campaign.owner, False, "It is wrong.")
    else:
        close(campaign, None)
    assert [each["state"] for each in caller.get("/tasks").json()] == ["rejected"]
    caller.client.force_login(ann)
    assert "not counted" in caller.client.get("/work/").text
