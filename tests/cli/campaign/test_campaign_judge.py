"""`gistmark campaign judge`: a model behind a server does the tasks of a campaign."""

from __future__ import annotations

import json

import pytest

from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Machine
from judges.server import JudgeServer, error, running
from web.annotate.answering import done
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch):
    for name in ("URL", "MODEL", "KEY"):
        monkeypatch.delenv(f"GISTMARK_JUDGE_{name}", raising=False)
    with running(JudgeServer(quality=lambda text: 0.9 if "sys1" in text else 0.1)) as server:
        yield server


def test_a_run_tells_what_it_will_ask_is_resumed_and_is_in_the_export(run, server, tmp_path):
    campaign = make_campaign(annotators=(ann := make_user(),), judges=1)
    done(campaign, ann)
    judge = ("--judge-url", server.url, "--judge-model", "tiny", "--yes")
    first = run("campaign", "judge", campaign.key, *judge, "--tasks", 1)
    name = Machine.objects.get().membership.user.username
    assert (first.status, first.out) == (0, f"{name} submitted 1 task; left: 3.\n")
    assert "The judge is asked 1 question: 1 request" in first.err
    again = run("campaign", "judge", campaign.key, "--name", name, "--yes", "--json")
    report = json.loads(again.out)
    assert (report["submitted"], report["left"], report["stopped"]) == (3, 0, None)
    assert report["signature"].startswith("judge|v:")
    assert (
        run("campaign", "judge", campaign.key, *judge).out
        == f"{name} submitted 0 tasks; left: 0.\n"
    )
    target = tmp_path / "export"
    assert run("campaign", "export", campaign.key, target, "--with-machines").status == 0
    assert "machine-1,tiny,judge|v:" in (target / "machines.csv").read_text()
    single = run("campaign", "export", campaign.key, tmp_path / "a.csv", "--format", "csv",
                 "--with-machines")  # fmt: skip
    assert (single.status, "needs a folder" in single.err) == (2, True)


def test_without_yes_nothing_is_asked_but_what_the_server_offers(run, server):
    campaign = make_campaign()
    outcome = run("campaign", "judge", campaign.key, "--judge-url", server.url,
                  "--judge-model", "tiny")  # fmt: skip
    assert (outcome.status, "--yes" in outcome.err) == (2, True)
    assert not server.judged
    assert not Task.objects.filter(machine=True, state="done")


def test_a_server_that_refuses_is_one_sentence_and_no_machine_is_made(run, server):
    server.script = lambda number, body: error(401, "Incorrect API key")
    outcome = run("campaign", "judge", make_campaign().key, "--judge-url", server.url,
                  "--judge-model", "tiny", "--yes")  # fmt: skip
    assert outcome.status == 1
    assert len(outcome.err.strip().splitlines()) == 1
    assert not Machine.objects.exists()


def test_a_protocol_that_a_machine_cannot_do_is_refused_before_the_server_is_asked(run, server):
    outcome = run("campaign", "judge", make_campaign("highlight").key, "--judge-url", server.url,
                  "--judge-model", "tiny", "--yes")  # fmt: skip
    assert (outcome.status, "A machine cannot do tasks" in outcome.err) == (2, True)
    assert not server.seen
