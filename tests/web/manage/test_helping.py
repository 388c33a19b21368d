"""People and metrics together: scores that are stored with a campaign."""

from __future__ import annotations

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from gistmark.analysis import study
from gistmark.analysis.studies.options import StudyOptions
from gistmark.cli.main import main
from gistmark.scoring.files import read_scores
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.results.models import HelperScores
from gistmark.web.results.statistics import helping
from gistmark.web.results.statistics.study import known_statistics, statistics_of
from web.api.calling import Caller
from web.factories import again, make_corpus
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Scores of the corpus by chance, and of a document that the campaign does not have."""
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    rng = np.random.default_rng(1)
    units = [(each.document, each.system) for each in make_corpus(24).summaries]
    rows = [
        f"{document},{system},{metric},f,{value:.4f},"
        for document, system in [*units, ("foreign", "sys1")]
        for metric, value in zip(("rouge1", "rouge2"), rng.random(2), strict=True)
    ]
    header = "document,system,metric,part,value,reason"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def command(capfd, *arguments):
    """What a command prints."""
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in arguments])
    assert not ended.value.code
    return capfd.readouterr().out


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    return worked_campaign("overall", corpus=make_corpus(24), tasks=10)


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


@pytest.fixture
def manager(campaign):
    """Who made it."""
    return campaign.owner


def sent(file, helper="rouge1", population="corpus", content=None):
    upload = SimpleUploadedFile("scores.csv", file.read_bytes() if content is None else content)
    return {"scores": upload, "helper": helper, "population": population}


def test_stored_scores_are_part_of_the_dashboard(campaign, manager, log_in, file):
    client, address = log_in(manager), reverse("campaign-helper", args=[campaign.key])
    board = reverse("campaign", args=[campaign.key])
    assert "No scores are stored." in client.get(board).content.decode()
    statistics_of(campaign)
    assert client.post(address, sent(file)).status_code == 302
    assert known_statistics(campaign) is None
    text = client.get(address).content.decode()
    assert "With the helper" in text
    helped = known_statistics(campaign).helped
    assert helped["findings"][0]["text"] in client.get(board).content.decode().replace(
        "&#x27;", "’"
    )
    assert "stored scores of" in client.get(board).content.decode()
    got = client.get(reverse("campaign-helper-scores", args=[campaign.key]))
    assert b"foreign" not in got.content
    client.post(reverse("campaign-helper-remove", args=[campaign.key]))
    assert not HelperScores.objects.exists()
    assert "removed the stored scores" in client.get(board).content.decode()


def test_the_numbers_are_those_of_a_study_with_the_same_scores(campaign, manager, file, tmp_path):
    with file.open("rb") as stream:
        stored = helping.store_helper(
            campaign, file.name, stream, helper="rouge1", population="corpus", by=manager
        )
    path = tmp_path / "scores.csv"
    path.write_bytes(helping.scores_file(stored))
    assert len(corpus_of(campaign).summaries) == stored.summaries == 72
    expected = study(
        exported_corpus(campaign), read_scores(path),
        StudyOptions(helper="rouge1", population="corpus", resamples=10),
    ).records()  # fmt: skip
    helped = statistics_of(campaign).helped
    assert helped["records"] == expected["powered"]
    assert helped["findings"] == [r for r in expected["findings"] if r["kind"] == "helper"]


def test_what_cannot_help_is_refused_in_a_sentence(campaign, manager, log_in, file, monkeypatch):
    client, address = log_in(manager), reverse("campaign-helper", args=[campaign.key])
    for wrong, words in (
        (sent(file, helper="nothing"), "nothing"),
        (sent(file, content=b"no scores"), "scores.csv"),
        (sent(file, content=b"document,system,metric,part,value,reason\nx,y,rouge1,f,0.5,\n"),
         "No summary of this campaign has scores"),
        (sent(file, population="everywhere"), "everywhere"),
    ):  # fmt: skip
        refused = client.post(address, wrong)
        assert refused.status_code == 400
        assert words in refused.content.decode()
    monkeypatch.setattr(helping, "LARGEST_STORED", 10)
    assert "which is the limit" in client.post(address, sent(file)).content.decode()
    assert not HelperScores.objects.exists()
    pairs = worked_campaign("pairwise", owner=manager, tasks=1)
    answer = client.post(reverse("campaign-helper", args=[pairs.key]), sent(file))
    assert "this campaign asks for none" in answer.content.decode()


def test_without_ratings_the_dashboard_says_why_there_is_nothing(manager, log_in, file):
    campaign = worked_campaign("overall", owner=manager, corpus=make_corpus(24), tasks=0)
    address = reverse("campaign-helper", args=[campaign.key])
    client = log_in(manager)
    client.post(address, sent(file))
    assert "nobody has rated a summary yet" in client.get(address).content.decode()


def test_the_api_and_the_command_do_the_same(campaign, manager, file, capfd):
    caller, path = Caller(manager), f"/campaigns/{campaign.key}/helper"
    assert set(caller.get(path).json().values()) == {None}
    posted = caller.client.post(f"/api{path}", sent(file), headers=caller.headers)
    assert (posted.status_code, posted.json()["helper"]) == (200, "rouge1")
    assert "are missing" in caller.call("POST", path, {}).json()["detail"]
    assert posted.json()["records"] == caller.get(path).json()["records"]
    assert caller.get(f"{path}/scores").content.startswith(b"document,system")
    assert posted.json()["finding"] in command(capfd, "campaign", "helper", campaign.key)
    assert set(caller.call("DELETE", path).json().values()) == {None}
    options = ("--scores", file, "--helper", "rouge2+rouge1")
    assert "rouge2+rouge1" in command(capfd, "campaign", "helper", campaign.key, *options)
    assert HelperScores.objects.get(campaign=campaign).population == "beyond"
    gone = command(capfd, "campaign", "helper", campaign.key, "--remove")
    assert "No scores are stored" in gone
