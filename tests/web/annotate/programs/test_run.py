"""A model does the tasks of a campaign over HTTP, beside people."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.analysis import study
from gistmark.corpus import load
from gistmark.errors import GistmarkError, UsageError
from gistmark.judges import open_judge
from gistmark.judges.campaign.machine import MachineClient
from gistmark.judges.campaign.run import Run, signature_of
from gistmark.web.accounts.models import Token
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.programs.machines import prepare_machine, token_for
from gistmark.web.annotate.programs.server import own_server
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.services.campaigns import pause
from gistmark.web.campaigns.services.machines import add_machine
from gistmark.web.results.dashboard.progress import progress_of
from gistmark.web.results.exports import Choices, export_to
from judges.server import JudgeServer, Reply, running
from web.annotate.answering import done
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("GISTMARK_JUDGE_KEY", raising=False)
    with running(JudgeServer(quality=lambda text: 0.9 if "sys1" in text else 0.1)) as server:
        yield server


def unpacked(campaign, folder: Path, **chosen: bool) -> Path:
    from zipfile import ZipFile

    folder.mkdir()
    export_to(campaign, "folder", folder / "export.zip", Choices(**chosen))
    with ZipFile(folder / "export.zip") as archive:
        archive.extractall(folder / "corpus")
    return folder / "corpus"


def test_the_whole_way_from_tasks_over_http_to_a_study_that_keeps_the_machine_apart(
    server, tmp_path
):
    people = [make_user() for _ in range(2)]
    campaign = make_campaign(annotators=tuple(people), judges=2)  # 4 batches
    for number, user in enumerate(people):
        for _ in range(4):
            done(campaign, user, value=2 + number)
    judge = open_judge(server=server.url, model="tiny")
    machine = prepare_machine(campaign, model=judge.label, url=server.url)
    before = unpacked(campaign, tmp_path / "before")
    with own_server() as api, token_for(machine) as token:
        client = MachineClient(api, token, campaign.key)
        assert client.machine().left == 4
        run, first = Run(client, judge), client.next_task()
        assert first is not None
        signature = signature_of(judge, run.prompts(first))
        assert client.describe(signature=signature).signature == signature
        assert run.work(1).submitted == 1
        ran = run.work()  # a second run goes on with what is left
        assert (ran.submitted, ran.given_back, ran.stopped) == (3, (), "")
        assert client.next_task() is None
        assert client.machine().left == 0
    assert not Token.objects.filter(user=machine.membership.user)
    progress = progress_of([campaign])[campaign.pk]
    assert (progress.done, progress.wanted) == (8, 8)

    alone, both = (
        unpacked(campaign, tmp_path / "a"),
        unpacked(campaign, tmp_path / "b", machines=True),
    )
    assert (alone / "ratings.csv").read_bytes() == (before / "ratings.csv").read_bytes()
    assert not (alone / "machines.csv").exists()
    corpus = load(both)
    (named,) = corpus.machines
    assert (named.annotator, named.model, named.signature) == ("machine-1", "tiny", signature)
    assert server.url not in signature
    assert corpus.by_people().ratings == load(alone).ratings
    values = {each.system: each.value for each in corpus.ratings if each.annotator == "machine-1"}
    assert values == {"sys1": 3, "sys2": 1}
    work = (both / "work.csv").read_text().splitlines()
    assert work[0].endswith(",kind")
    assert sum(line.endswith(",machine") for line in work) == 4
    apart, people_only = study(both), study(alone)
    assert apart.human_scores == people_only.human_scores
    assert [each.machine for each in apart.machines] == ["machine-1"]
    assert (
        exported_corpus(campaign).ratings
        == load(unpacked(campaign, tmp_path / "c", names=True)).ratings
    )


def test_a_task_that_the_model_cannot_answer_is_given_back_and_the_others_are_done(server):
    campaign = make_campaign()
    server.script = lambda number, body: (
        Reply(text="Hm.") if "d1 by sys1" in str(body["messages"]) else None
    )
    judge = open_judge(server=server.url, model="tiny")
    machine = prepare_machine(campaign, model="tiny")
    with own_server() as api, token_for(machine) as token:
        client = MachineClient(api, token, campaign.key)
        ran = Run(client, judge).work()
        assert client.machine().left == 0  # it has not been submitted, but is not claimed again
    assert (ran.submitted, len(ran.given_back)) == (3, 1)
    assert (
        Task.objects.get(machine=True, state="lapsed").comments.get().text.startswith("The model")
    )


def test_a_run_stops_where_the_limit_is_reached_and_goes_on_later(server):
    from gistmark.judges import Limits

    campaign = make_campaign()
    machine = prepare_machine(campaign, model="tiny", url=server.url)
    few = open_judge(server=server.url, model="tiny", limits=Limits(requests=3))
    with own_server() as api, token_for(machine) as token:
        client = MachineClient(api, token, campaign.key)
        ran = Run(client, few).work()
        assert ran.submitted < 4
        assert "limit" in ran.stopped
        again = Run(client, open_judge(server=server.url, model="tiny")).work()
    assert ran.submitted + again.submitted == 4
    assert Task.objects.filter(machine=True, state="done").count() == 4


def test_a_token_of_a_machine_opens_nothing_but_its_own_tasks():
    campaign = make_campaign()
    machine = add_machine(campaign, model="tiny")
    with own_server() as api, token_for(machine) as token:
        assert api.request("GET", "campaigns", token)
        for method, path in (
            ("GET", f"campaigns/{campaign.key}/members"),
            ("GET", f"campaigns/{campaign.key}/machines"),
            ("POST", f"campaigns/{campaign.key}/exports"),
            ("GET", "accounts"),
        ):
            with pytest.raises(GistmarkError, match="403"):
                api.request(method, path, token, {} if method == "POST" else None)


def test_a_machine_is_the_same_at_the_next_run_and_another_model_is_another_machine():
    campaign = make_campaign()
    one = prepare_machine(campaign, model="tiny")
    assert prepare_machine(campaign, model="tiny").pk == one.pk
    other = prepare_machine(campaign, model="large")
    assert other.membership.user != one.membership.user
    assert prepare_machine(campaign, model="large", name=one.membership.user.username).pk == one.pk


def test_machines_work_only_while_the_campaign_runs():
    campaign = make_campaign()
    pause(campaign, campaign.owner)
    with pytest.raises(UsageError, match="is paused; machines judge only while it runs"):
        prepare_machine(campaign, model="tiny")
