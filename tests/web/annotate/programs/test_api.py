"""Machines over the API: added by managers, who get a token for a machine's own tasks."""

from __future__ import annotations

import pytest

from gistmark.web.accounts.models import AuditEntry, User
from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.machines import add_machine
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
    token = manager.call("POST", f"{base}/machines/judge/tokens", {}).json()["token"]
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
    assert "has no machine 'x'" in manager.call("POST", f"{base}/x/tokens", {}).json()["detail"]
    wrong = manager.call("POST", base, {"model": "m", "url": "nowhere"})
    assert (wrong.status_code, "is like http" in wrong.json()["detail"]) == (400, True)


def machine_caller(manager: Caller, base: str, name: str = "judge") -> tuple[Caller, int]:
    """Somebody with a new token of a machine, and the token's id."""
    made = manager.call("POST", f"{base}/machines/{name}/tokens", {}).json()
    caller = Caller(None)
    caller.headers["Authorization"] = f"Bearer {made['token']}"
    return caller, made["id"]


def machine_campaign() -> tuple[Campaign, Caller, str]:
    campaign = make_campaign()
    add_machine(campaign, model="tiny-judge", name="judge")
    return campaign, Caller(campaign.owner), f"/campaigns/{campaign.key}"


def test_tokens_are_listed_without_their_secret_and_a_revoked_one_opens_nothing():
    campaign, manager, base = machine_campaign()
    machine, id = machine_caller(manager, base)
    other, _ = machine_caller(manager, base)
    assert machine.get(f"{base}/machine").status_code == 200
    listed = manager.get(f"{base}/machines/judge/tokens").json()
    assert {each["name"] for each in listed} == {f"made by {campaign.owner.username}"}
    assert {frozenset(each) for each in listed} == {
        frozenset({"id", "name", "created_at", "used_at", "ends_at"})
    }
    assert manager.call("DELETE", f"{base}/machines/judge/tokens/{id}").status_code == 204
    assert machine.get(f"{base}/machine").status_code == 401
    assert other.get(f"{base}/machine").status_code == 200
    again = manager.call("DELETE", f"{base}/machines/judge/tokens/{id}")
    assert (again.status_code, "revoked already" in again.json()["detail"]) == (404, True)
    trail = AuditEntry.objects.filter(name="judge", verb__startswith="token-")
    assert set(trail.values_list("verb", "by")) == {
        ("token-made", campaign.owner.username),
        ("token-revoked", campaign.owner.username),
    }
    verbs = set(campaign.events.values_list("verb", flat=True))
    assert {"machine-token-made", "machine-token-revoked"} <= verbs


def test_a_token_of_one_machine_cannot_be_revoked_as_anothers():
    campaign, manager, base = machine_campaign()
    add_machine(campaign, model="large-judge", name="other")
    machine, id = machine_caller(manager, base)
    wrong = manager.call("DELETE", f"{base}/machines/other/tokens/{id}")
    assert wrong.status_code == 404
    assert machine.get(f"{base}/machine").status_code == 200


def test_a_machine_says_which_model_it_is_and_how_it_is_asked():
    campaign, manager, base = machine_campaign()
    machine, _ = machine_caller(manager, base)
    shown = machine.get(f"{base}/machine").json()
    assert (shown["name"], shown["model"], shown["left"]) == ("judge", "tiny-judge", 4)
    assert (shown["campaign"], shown["state"], shown["gives_work"]) == (
        campaign.name, "running", True,
    )  # fmt: skip
    assert (shown["kind"], shown["blocks"]) == ("rating", [])
    changed = machine.call("PATCH", f"{base}/machine", {"model": "other", "signature": "judge|v:1"})
    assert (changed.json()["model"], changed.json()["signature"]) == ("other", "judge|v:1")
    for signature in ("judge|v:1", "judge|v:2", "judge|v:1"):
        reply = machine.call("PATCH", f"{base}/machine", {"signature": signature})
    assert reply.json()["signature"] == "judge|v:1; judge|v:2"
    assert manager.get(f"{base}/machines").json()[0]["signature"] == "judge|v:1; judge|v:2"
    done(campaign, User.objects.get(username="judge"))
    refused = machine.call("PATCH", f"{base}/machine", {"model": "tiny-judge"})
    assert (refused.status_code, "has judged as" in refused.json()["detail"]) == (400, True)
    assert manager.get(f"{base}/machines").json()[0]["model"] == "other"


def test_signatures_do_not_grow_without_end():
    _, manager, base = machine_campaign()
    machine, _ = machine_caller(manager, base)
    sent = [
        machine.call("PATCH", f"{base}/machine", {"signature": f"{number}" * 900}).status_code
        for number in range(10, 20)
    ]
    assert sent[:2] == [422, 422]  # one alone is too long, with 1,800 characters
    sent = [
        machine.call("PATCH", f"{base}/machine", {"signature": f"{number:0900}"}).status_code
        for number in range(12)
    ]
    assert sent == [200] * 11 + [400]  # 11 * 900 + 10 * 2 = 9,920 of 10,000 characters


@pytest.mark.parametrize("scope", ["all", "read", "tasks"])
def test_people_are_no_machines_whatever_their_token(scope: str):
    campaign = make_campaign(annotators=(ann := make_user(),))
    for user in (ann, campaign.owner, make_user("admin")):
        caller = Caller(None)
        caller.headers["Authorization"] = f"Bearer {make_token(user, 'own', scope=scope).secret}"
        for method in ("GET", "PATCH"):
            reply = caller.call(method, f"/campaigns/{campaign.key}/machine", {"model": "x"})
            assert reply.status_code == 403
    stranger = Caller(make_user())
    assert stranger.get(f"/campaigns/{campaign.key}/machine").status_code == 404


def test_a_machine_knows_nothing_of_another_campaign_and_makes_no_tokens():
    _, manager, base = machine_campaign()
    other = make_campaign()
    machine, id = machine_caller(manager, base)
    for method in ("GET", "PATCH"):
        assert machine.call(method, f"/campaigns/{other.key}/machine", {}).status_code == 404
    for method, path in (
        ("GET", "/machines/judge/tokens"),
        ("POST", "/machines/judge/tokens"),
        ("DELETE", f"/machines/judge/tokens/{id}"),
        ("GET", ""),
    ):
        assert machine.call(method, f"{base}{path}", {}).status_code == 403
