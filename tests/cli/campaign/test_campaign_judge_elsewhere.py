"""`gistmark campaign judge --url`: a model judges from a machine that has nothing of the platform.

The platform is a running server; the command knows its address and a token.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from zipfile import ZipFile

import pytest

from cli.conftest import Outcome
from gistmark.corpus import load
from gistmark.judgements import configured, starting_protocol
from gistmark.judges.campaign.client import TRIES
from gistmark.runtime import http
from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import close, create_campaign, pause
from gistmark.web.campaigns.services.machines import add_machine, make_machine_token, tokens_of
from gistmark.web.results.exports import Choices, export_to
from judges.campaign.gateway import Fate, Gateway, standing
from judges.server import JudgeServer, Reply, running
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db(transaction=True)

ALONE = """
import sys
WEB = "cryptography django ninja pydantic gunicorn prometheus_client psycopg jwt segno whitenoise"
for name in WEB.split():
    sys.modules[name] = None  # what comes with the extra `web`: whatever imports it fails
from gistmark.cli.main import main
main(sys.argv[1:])
"""
Stand = Callable[..., Gateway]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a pause, and no environment names a judge or a token."""
    monkeypatch.setattr(http, "PAUSE", 0.001)
    for name in ("JUDGE_URL", "JUDGE_MODEL", "JUDGE_KEY", "MACHINE_TOKEN"):
        monkeypatch.delenv(f"GISTMARK_{name}", raising=False)


@pytest.fixture
def judge() -> Iterator[JudgeServer]:
    with running(JudgeServer(quality=lambda text: 0.9 if "sys1" in text else 0.1)) as server:
        yield server


@pytest.fixture
def stand(live_server) -> Iterator[Stand]:
    """Starts gateways to the platform, which stop at the end of the test."""
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(standing(Gateway(live_server.url, script)))


def token_in(campaign: Campaign, monkeypatch: pytest.MonkeyPatch | None = None, **more: str) -> str:
    """A new machine's token, which the environment has from now on."""
    machine = add_machine(campaign, model="tiny", name="judge", **more)
    secret = make_machine_token(machine, campaign.owner).secret
    if monkeypatch is not None:
        monkeypatch.setenv("GISTMARK_MACHINE_TOKEN", secret)
    return secret


def options(url: str, judge: JudgeServer) -> tuple[str, ...]:
    return ("--url", url, "--judge-url", judge.url, "--judge-model", "tiny", "--yes")


def once(end: str, fate: Fate) -> Callable[[str, str], Fate]:
    """What happens to the first request whose path ends so, or has it inside."""
    left = [fate]
    return lambda method, path: left.pop() if end in path and left else None


def states(campaign: Campaign) -> list[str]:
    tasks = Task.objects.filter(campaign=campaign, machine=True)
    return sorted(tasks.values_list("state", flat=True))


def unpacked(campaign: Campaign, folder: Path) -> Path:
    """The export with the work of machines."""
    export_to(campaign, "folder", folder / "export.zip", Choices(machines=True))
    with ZipFile(folder / "export.zip") as archive:
        archive.extractall(folder / "corpus")
    return folder / "corpus"


def alone(folder: Path, token: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in a process that has neither Django, nor a database, nor a data folder."""
    kept = ("PATH", "PYTHONPATH", "HOME", "LANG")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    env |= {"GISTMARK_MACHINE_TOKEN": token, "GISTMARK_CACHE": str(folder / "cache")}
    command = [sys.executable, "-c", ALONE, "campaign", "judge", *map(str, arguments)]
    return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, timeout=120)


def test_the_whole_way_from_a_machine_without_the_platform(live_server, judge, tmp_path):
    campaign = make_campaign("pairwise", judges=1, items_per_task=1)  # 2 pairs in 6 dimensions
    token, folder = token_in(campaign), tmp_path / "there"
    folder.mkdir()
    there = options(live_server.url, judge)
    first = alone(folder, token, campaign.name, *there, "--tasks", 1)
    assert (first.returncode, first.stdout) == (0, "judge submitted 1 task; left: 1.\n"), first
    assert "The judge is asked 12 questions: 12 requests" in first.stderr  # in both orders
    again = alone(folder, token, campaign.key, *there, "--json")
    assert again.returncode == 0, again.stderr
    report = json.loads(again.stdout)
    assert (report["submitted"], report["left"], report["stopped"]) == (1, 0, None)
    assert report["signature"].startswith("judge|v:")
    assert "tiny" in report["signature"]
    assert all(token not in each.stdout + each.stderr for each in (first, again))
    work = Submission.objects.filter(task__campaign=campaign)
    assert [(each.annotator.username, each.task.machine) for each in work] == [("judge", True)] * 2
    assert sorted(each.name for each in folder.iterdir()) == ["cache"]
    assert not list(folder.rglob("*.sqlite3"))
    assert not list(folder.rglob("unsent-*"))
    exported = load(unpacked(campaign, tmp_path))
    assert [each.annotator for each in exported.machines] == ["machine-1"]
    better = {each.left if each.choice == "left" else each.right for each in exported.comparisons}
    assert better == {"sys1"}


def test_a_run_shows_what_it_will_ask_and_waits_for_yes(run, live_server, judge, monkeypatch):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    asked = run("campaign", "judge", campaign.key, *options(live_server.url, judge)[:-1])
    assert (asked.status, "start it with --yes" in asked.err) == (2, True)
    assert "The judge is asked 4 questions: 4 requests" in asked.err
    assert not judge.judged
    assert states(campaign) == ["held"]


def test_what_the_model_cannot_answer_is_given_back_once(run, stand, judge, monkeypatch):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    judge.script = lambda number, body: (
        Reply(text="Hm.") if "d1 by sys1" in str(body["messages"]) else None
    )
    lost = once("release", "lost")
    outcome = run("campaign", "judge", campaign.key, *options(stand(lost).url, judge))
    assert (outcome.status, outcome.out) == (0, "judge submitted 3 tasks; left: 0.\n")
    assert "Returned without an answer: 1 task" in outcome.err
    assert states(campaign) == ["done", "done", "done", "lapsed"]
    given_back = Task.objects.get(campaign=campaign, state="lapsed")
    assert given_back.comments.count() == 1


@pytest.mark.parametrize("path", ["next", "tasks/", "submit"])
def test_a_reply_that_is_lost_loses_and_doubles_nothing(run, stand, judge, monkeypatch, path: str):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    gateway = stand(once(path, "lost"))
    outcome = run("campaign", "judge", campaign.key, *options(gateway.url, judge))
    assert (outcome.status, outcome.out) == (0, "judge submitted 4 tasks; left: 0.\n")
    assert states(campaign) == ["done"] * 4
    assert Submission.objects.filter(task__campaign=campaign).count() == 4
    assert len(judge.judged) == 4
    sent = [each for each in gateway.seen if each.endswith("/submit")]
    assert len(sent) == (5 if path == "submit" else 4)


@pytest.mark.parametrize("fate", ["down", "lost", 502])
def test_a_platform_that_goes_down_ends_the_run_and_no_answer_is_asked_for_twice(
    run, stand, live_server, judge, monkeypatch, cache_folder, fate: Fate
):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    submissions = iter([None, *[fate] * 1000])
    gateway = stand(lambda method, path: next(submissions) if path.endswith("/submit") else None)
    stopped = run("campaign", "judge", campaign.key, *options(gateway.url, judge))
    assert (stopped.status, stopped.out) == (1, "judge submitted 1 task; left: 3.\n")
    assert f"The run stopped early: The platform at {gateway.url} can" in stopped.err
    assert "Run the command again to continue." in stopped.err
    assert len([each for each in gateway.seen if each.endswith("/submit")]) == 1 + TRIES
    assert len(judge.judged) == 2
    assert Submission.objects.filter(task__campaign=campaign).count() == (
        2 if fate == "lost" else 1
    )
    assert len(list(cache_folder.rglob("unsent-*.json"))) == 1
    gateway.script = lambda method, path: None
    after = run("campaign", "judge", campaign.key, *options(gateway.url, judge))
    assert after.status == 0
    assert states(campaign) == ["done"] * 4
    assert Submission.objects.filter(task__campaign=campaign).count() == 4
    assert len(judge.judged) == 4  # one question for each task, in both runs together
    assert not list(cache_folder.rglob("unsent-*.json"))


def test_an_answer_that_was_kept_is_not_sent_for_a_judge_that_is_asked_otherwise(
    run, stand, judge, monkeypatch, tmp_path
):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    gateway = stand(lambda method, path: 502 if path.endswith("/submit") else None)
    there = options(gateway.url, judge)
    assert run("campaign", "judge", campaign.key, *there).status == 1
    gateway.script = lambda method, path: None
    rubric = tmp_path / "rubric.txt"
    rubric.write_text("0 is bad, 4 is good.")
    after = run("campaign", "judge", campaign.key, *there, "--rubric", rubric, "--tasks", 1)
    assert after.status == 0
    assert ["0 is bad" in str(body) for body in judge.judged] == [False, True]


def test_a_token_that_is_revoked_meanwhile_ends_the_run(run, stand, judge, monkeypatch):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    machine = campaign.memberships.get(user__machine=True).machine

    def script(method: str, path: str) -> None:
        if path.endswith("/submit") and not Submission.objects.exists():
            tokens_of(machine).delete()

    outcome = run("campaign", "judge", campaign.key, *options(stand(script).url, judge))
    assert outcome.status == 1
    assert "does not accept the token in GISTMARK_MACHINE_TOKEN: it was revoked" in outcome.err


def test_a_campaign_that_is_paused_meanwhile_ends_the_run(run, stand, judge, monkeypatch):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    campaign_of = Campaign.objects.get

    def script(method: str, path: str) -> None:
        if Submission.objects.exists() and campaign_of(pk=campaign.pk).state == "running":
            pause(campaign_of(pk=campaign.pk), None)

    outcome = run("campaign", "judge", campaign.key, *options(stand(script).url, judge))
    assert (outcome.status, outcome.out) == (1, "judge submitted 1 task; left: 3.\n")
    assert "is paused; what you have begun is kept" in outcome.err


def refused(outcome: Outcome, status: int, said: str) -> None:
    """One line, which says what is wrong."""
    (line,) = outcome.err.strip().splitlines()
    assert line.startswith("gistmark: ")
    assert said in line
    assert (outcome.status, outcome.out) == (status, "")


def test_without_a_token_with_a_wrong_one_and_with_that_of_a_person(
    run, live_server, judge, monkeypatch
):
    campaign = make_campaign(annotators=(ann := make_user(),))
    command = ("campaign", "judge", campaign.key, *options(live_server.url, judge))
    refused(run(*command), 2, "--url needs the machine's token in GISTMARK_MACHINE_TOKEN")
    monkeypatch.setenv("GISTMARK_MACHINE_TOKEN", "gm_no-such-token")
    refused(run(*command), 1, "does not accept the token in GISTMARK_MACHINE_TOKEN")
    for scope in ("all", "tasks", "read"):
        secret = make_token(ann, "own", scope=scope).secret
        monkeypatch.setenv("GISTMARK_MACHINE_TOKEN", secret)
        refused(run(*command), 1, f"(403): {ann.username!r} is not a machine of the campaign")
    assert not judge.seen


def test_another_campaign_another_name_and_a_data_folder_are_refused(
    run, live_server, judge, monkeypatch, tmp_path
):
    campaign, other = make_campaign(), make_campaign()
    token_in(campaign, monkeypatch)
    there = options(live_server.url, judge)
    wrong = f"is for no campaign with the key or name {other.key!r}; it is for {campaign.name!r}"
    refused(run("campaign", "judge", other.key, *there), 2, wrong)
    command = ("campaign", "judge", campaign.key, *there)
    refused(run(*command, "--name", "x"), 2, "is that of the machine 'judge', not of 'x'")
    refused(run(*command, "--data", tmp_path), 2, "cannot be combined with --data")
    assert not judge.seen


@pytest.mark.parametrize(("end", "state"), [(pause, "paused"), (close, "closed")])
def test_a_campaign_that_does_not_run_is_refused(
    run, live_server, judge, monkeypatch, end: Callable[..., object], state: str
):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    end(campaign, campaign.owner)
    outcome = run("campaign", "judge", campaign.key, *options(live_server.url, judge))
    refused(outcome, 2, f"is {state}; machines judge only while it runs.")
    assert not judge.seen


def test_a_protocol_that_a_judge_cannot_do_is_refused_before_a_task_is_claimed(
    run, live_server, judge, monkeypatch
):
    blocks = [
        {"type": "show", "what": "summary"},
        {"type": "text", "name": "why", "question": "Why?", "required": True},
    ]
    composed = create_campaign(
        owner=make_user("manager"),
        name="Composed",
        protocol=configured(starting_protocol("form"), {"blocks": blocks}),
        corpus=make_corpus(),
    )
    start(composed, None)
    for campaign, said in (
        (make_campaign("highlight"), "cannot do tasks of a protocol of the kind 'highlight'"),
        (composed, "cannot answer the question 'why' of the type 'text'"),
    ):
        machine = add_machine(campaign, model="tiny")
        secret = make_machine_token(machine, campaign.owner).secret
        monkeypatch.setenv("GISTMARK_MACHINE_TOKEN", secret)
        outcome = run("campaign", "judge", campaign.key, *options(live_server.url, judge))
        refused(outcome, 2, said)
        assert not states(campaign)
    assert not judge.seen


def test_a_machine_needs_no_consent(run, live_server, judge, monkeypatch):
    campaign = make_campaign(consent="You agree to be watched.")
    token_in(campaign, monkeypatch)
    outcome = run("campaign", "judge", campaign.key, *options(live_server.url, judge))
    assert (outcome.status, outcome.out) == (0, "judge submitted 4 tasks; left: 0.\n")


def test_no_key_goes_to_a_server_that_only_the_platform_names(run, live_server, judge, monkeypatch):
    campaign = make_campaign()
    token_in(campaign, monkeypatch, url=judge.url)
    monkeypatch.setenv("GISTMARK_JUDGE_KEY", "sk-secret")
    command = ("campaign", "judge", campaign.key, "--url", live_server.url, "--yes")
    refused(run(*command), 2, f"'judge' is the model 'tiny' at {judge.url}.")
    assert not judge.seen
    named = run(*command, "--judge-url", judge.url)  # the model is the machine's own
    assert (named.status, named.out) == (0, "judge submitted 4 tasks; left: 0.\n")


def test_a_machine_that_has_judged_stays_the_model_that_it_is(run, live_server, judge, monkeypatch):
    campaign = make_campaign()
    token_in(campaign, monkeypatch)
    judge.models = ("tiny", "large")
    there = ("campaign", "judge", campaign.key, "--url", live_server.url, "--yes")
    large = ("--judge-url", judge.url, "--judge-model", "large", "--tasks", 1)
    assert run(*there, *large).status == 0
    machine = campaign.memberships.get(user__machine=True).machine
    assert (machine.model, "model:large" in machine.signature) == ("large", True)
    back = run(*there, "--judge-url", judge.url, "--judge-model", "tiny")
    refused(back, 1, "'judge' has judged as the model 'large'; add another machine")
