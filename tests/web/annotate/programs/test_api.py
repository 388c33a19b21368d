"""Machines over the API: added by managers, who get a token for a machine's own tasks."""

from __future__ import annotations

import pytest

from gistmark.web.accounts.models import User
from web.annotate.answering import done
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_a_manager_adds_a_machine_and_it_works_by_its_token():
    campaign = make_campaign(annotators=(ann := make_user(),), judges=1)
    done(campaign, ann)
    manager, base = Caller(campaign.owner), f"/campaigns/{campaign.key}"
    new = {"model": "tiny-judge", "url": "http://localhost:8000/v1", "name": "judge"}
    made = manager.call("POST", f"{base}/machines", new)
    assert made.status_code == 201
    assert (made.json()["name"], made.json()["left"]) == ("judge", 4)
    machine = Caller(None)
    token = manager.call("POST", f"{base}/machines/judge/token", {}).json()["token"]
    machine.headers["Authorization"] = f"Bearer {token}"
    task = machine.call("POST", f"{base}/next", {}).json()["task"]
    assert machine.get(f"/tasks/{task}").json()["kind"] == "rating"
    assert machine.get(f"{base}/submissions").status_code == 403
    done(campaign, User.objects.get(username="judge"))
    (listed,) = manager.get(f"{base}/machines").json()
    assert (listed["done"], listed["left"], listed["signature"]) == (1, 3, "")
    members = {each["name"]: each["machine"] for each in manager.get(f"{base}/members").json()}
    assert (members["judge"], members[ann.username]) == (True, False)
    assert manager.get(f"{base}/submissions").json()["count"] == 1
    (work,) = manager.get(f"{base}/submissions?show=machines").json()["submissions"]
    assert (work["annotator"], work["machine"]) == ("judge", True)


def test_a_machine_that_is_not_there_or_cannot_be_is_one_sentence():
    campaign = make_campaign()
    manager, base = Caller(campaign.owner), f"/campaigns/{campaign.key}/machines"
    assert "has no machine 'x'" in manager.call("POST", f"{base}/x/token", {}).json()["detail"]
    wrong = manager.call("POST", base, {"model": "m", "url": "nowhere"})
    assert (wrong.status_code, "is like http" in wrong.json()["detail"]) == (400, True)
