"""The log in JSON: one line for each request, and nothing that names a person or opens a door."""

from __future__ import annotations

import io
import json
import logging

import pytest
from django.test import Client

from gistmark.web.accounts.sign_in.credentials import make_password_link, make_token
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.config.server.logs import JsonFormatter
from web.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db
PID = "5f8d6b1c2e3a4b5c6d7e8f90"


@pytest.fixture
def written():
    """What the log says, with requests in it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    requests = logging.getLogger("gistmark.requests")
    level = requests.level
    root = logging.getLogger()
    root.addHandler(handler)
    requests.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    requests.setLevel(level)
    root.removeHandler(handler)


def test_a_request_is_a_line_with_its_route_status_and_role(written, admin, log_in):
    answer = log_in(admin).get("/campaigns/?q=secret")
    (line,) = written()
    assert line.pop("time").endswith("+00:00")
    assert line.pop("ms") >= 0
    assert line == {
        "level": "info",
        "logger": "gistmark.requests",
        "message": "request",
        "request": answer.headers["X-Request-ID"],
        "method": "GET",
        "route": "campaigns",
        "status": 200,
        "role": "admin",
    }


def test_visitors_and_programs_have_a_role_too(written, admin, log_in):
    log_in().get("/log-in/")
    secret = make_token(admin, "mine").secret
    Client().get("/api/campaigns", headers={"Authorization": f"Bearer {secret}"})
    log_in().get("/nowhere/")
    assert [(line["route"], line["role"]) for line in written()] == [
        ("log-in", "visitor"),
        ("api:list_campaigns", "admin"),
        ("none", "visitor"),
    ]


def test_addresses_are_noted_only_where_that_is_wanted(written, admin, settings, log_in):
    log_in().get("/log-in/", REMOTE_ADDR="203.0.113.9")
    settings.LOG_ADDRESSES = True
    log_in().get("/log-in/", REMOTE_ADDR="203.0.113.9")
    assert [line.get("address") for line in written()] == [None, "203.0.113.9"]


def test_no_name_no_secret_and_no_participant_is_written(written, admin, log_in, monkeypatch):
    person = make_user("manager", "zebrafinch")
    campaign = make_campaign(owner=person)
    invitation = make_invitation(by=admin, campaign=campaign).secret
    link = make_password_link(by=admin, user=person).secret
    token = make_token(person, "mine").secret
    client = log_in()
    client.get(f"/join/{invitation}/")
    client.post(f"/join/{invitation}/", {"username": "narwhal", "password1": "x", "password2": "y"})
    client.get(f"/password/{link}/")
    client.post("/log-in/", {"username": "zebrafinch", "password": PASSWORD + "quokka"})
    client.get(f"/crowd/none/?PROLIFIC_PID={PID}&STUDY_ID=s&SESSION_ID=t")
    client.get("/campaigns/?q=zebrafinch")
    client.get("/api/campaigns", headers={"Authorization": f"Bearer {token}"})
    client.get("/api/campaigns?q=zebrafinch", headers={"Authorization": "Bearer gm_forged"})
    client.get("/campaigns/", headers={"Host": "zebrafinch.example.org"})
    client.get(f"/zebrafinch/{PID}/")

    def fails(*_, **__):
        raise RuntimeError(f"zebrafinch came with {token}")

    monkeypatch.setattr("gistmark.web.manage.views.results.dashboard_of", fails)
    owner = log_in(person)
    owner.raise_request_exception = False
    assert owner.get(f"/campaigns/{campaign.key}/?who=zebrafinch").status_code == 500
    lines = written()
    text = json.dumps(lines)
    for word in ("zebrafinch", "narwhal", "quokka", PID, invitation, link, token, campaign.key):
        assert word not in text, word
    (broken,) = (line for line in lines if line.get("error") == "RuntimeError")
    assert broken["at"][-1].endswith(" fails")
    assert broken["request"]
    assert len(lines) >= 12
