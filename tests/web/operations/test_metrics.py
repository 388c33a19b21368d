"""/metrics: off unless a token is set, readable for Prometheus, and about nobody.

The log in JSON has one line for each request, and nothing that names a person or opens a door.
"""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from gistmark.errors import UsageError
from gistmark.web.accounts.sign_in.credentials import make_password_link, make_token
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.config.environment import token
from gistmark.web.config.server.logs import JsonFormatter
from gistmark.web.config.storage.backups import note_backup
from gistmark.web.outbox.models import Delivery
from web.factories import PASSWORD, make_campaign, make_user
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db
TOKEN = "prometheus-may-look-in-here"
PID = "5f8d6b1c2e3a4b5c6d7e8f90"


@pytest.fixture
def switched_on(settings, tmp_path):
    settings.METRICS_TOKEN = TOKEN
    settings.DATA_FOLDER = tmp_path


def scrape(**options) -> dict[tuple[str, tuple], float]:
    """Every sample by its name and its labels, as Prometheus itself reads them."""
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, **options)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def labels(**given: str) -> tuple:
    return tuple(sorted(given.items()))


def test_there_is_no_such_page_unless_a_token_is_set(admin, log_in):
    for client in (log_in(), log_in(admin)):
        for method in ("get", "post", "put", "delete"):
            assert getattr(client, method)("/metrics").status_code == 404


@pytest.mark.parametrize("sent", ["", "Bearer ", "Bearer wrong", "Bearer é", f"Basic {TOKEN}"])
def test_it_is_for_those_who_send_the_token(sent, switched_on, admin, log_in):
    for client in (log_in(), log_in(admin)):
        answer = client.get("/metrics", headers={"Authorization": sent} if sent else {})
        assert (answer.status_code, "gistmark_" in answer.content.decode()) == (401, False)
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert Client().post("/metrics", headers=right).status_code == 405
    assert Client().head("/metrics", headers=right).status_code == 200


def test_what_is_stored_is_counted(switched_on, admin, settings):
    campaign = worked_campaign(annotators=2, tasks=1)
    make_campaign(running=False)
    note_backup(settings.DATA_FOLDER)
    Delivery.objects.create(kind="mail", title="A mail", state="failed", due_at=timezone.now())
    samples = scrape()
    open_slots = campaign.tasks.filter(state="open").count()
    assert samples["gistmark_submissions", ()] == 2
    assert samples["gistmark_tasks", labels(state="done")] == 2
    assert samples["gistmark_open_slots", ()] == open_slots > 0
    assert samples["gistmark_campaigns", labels(state="draft")] == 1
    assert samples["gistmark_accounts", labels(role="annotator")] >= 2
    assert samples["gistmark_deliveries", labels(state="failed")] == 1
    assert 0 <= samples["gistmark_backup_age_seconds", ()] < 3600


def test_requests_are_counted_by_route_and_never_by_address(switched_on, admin, log_in):
    name = ("gistmark_requests_total", labels(route="campaigns", method="GET", status="200"))
    before = scrape().get(name, 0)
    client = log_in(admin)
    client.get("/campaigns/")
    client.get("/campaigns/?q=quokka")
    client.get("/nowhere-quokka/")
    client.generic("QUOKKA", "/campaigns/")
    samples = scrape()
    assert samples[name] == before + 2
    assert samples["gistmark_request_seconds_count", labels(route="campaigns")] >= 2
    assert "quokka" not in str(samples).lower()


def test_nothing_names_a_person_or_a_campaign(switched_on, log_in):
    owner = make_user("manager", "zebrafinch")
    campaign = make_campaign(owner=owner, name="Narwhal")
    log_in(owner).get(f"/campaigns/{campaign.key}/")
    text = str(scrape())
    for word in ("zebrafinch", "Narwhal", campaign.key):
        assert word not in text


def test_a_prometheus_inside_needs_neither_the_host_name_nor_tls(switched_on, settings, admin):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["rate.example.org"], True
    assert scrape(SERVER_NAME="platform")["gistmark_submissions", ()] == 0


def test_requests_that_the_database_fails_are_counted(switched_on, admin, log_in, monkeypatch):
    def fails(*_, **__):
        raise OperationalError("the database is gone")

    key = ("gistmark_database_errors_total", labels(kind="OperationalError"))
    before = scrape().get(key, 0)
    monkeypatch.setattr("gistmark.web.manage.views.results.dashboard_of", fails)
    client = log_in(admin)
    client.raise_request_exception = False
    address = f"/campaigns/{make_campaign(owner=admin).key}/"
    assert client.get(address).status_code == 503
    assert scrape()[key] == before + 1


def test_a_short_token_is_refused(monkeypatch):
    monkeypatch.setenv("GISTMARK_METRICS_TOKEN", "short")
    with pytest.raises(UsageError, match="24 characters"):
        token("GISTMARK_METRICS_TOKEN")


COUNT = """
import django; django.setup()
from gistmark.web.operations.metrics import count_request
for _ in range(3): count_request("home", "GET", 200, 0.1)
"""
SUM = """
import django; django.setup()
from prometheus_client import generate_latest, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector
registry = CollectorRegistry(); MultiProcessCollector(registry)
print(generate_latest(registry).decode())
"""


def test_any_process_answers_for_all_of_them(tmp_path):
    environment = os.environ | {
        "PROMETHEUS_MULTIPROC_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "gistmark.web.config.settings",
    }
    environment.pop("GISTMARK_DATA", None)
    for script in (COUNT, COUNT, SUM):
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
    (family,) = (
        each
        for each in text_string_to_metric_families(done.stdout)
        if each.name == "gistmark_requests"
    )
    assert [sample.value for sample in family.samples if sample.name.endswith("_total")] == [6.0]


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
