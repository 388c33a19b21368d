"""The page about fewer judgements, the dashboard of an adaptive campaign, and the API's view."""

from __future__ import annotations

import csv
import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from gistmark.corpus import load, sample_folder
from gistmark.records import Sampled
from gistmark.scoring import score
from gistmark.web.annotate.services.launch import copy_campaign, start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.fewer import AdaptiveSettings, make_adaptive
from gistmark.web.results.statistics.study import statistics_of
from web.api.calling import Caller
from web.factories import again, make_campaign, make_corpus, make_user
from web.results.working import work_on

pytestmark = pytest.mark.django_db
RULE = {"enabled": "on", "dimension": "", "level": "0.1", "margin": "0", "floor": "0.2"}


def sent(**changes):
    return {"size": "3", "by": "random", "purpose": "means", "strata": "length", "seed": "1"} | {
        name: value for name, value in changes.items() if value is not None
    }


@pytest.fixture(scope="module")
def made_draft(shared_db):
    return make_campaign("pairwise", corpus=make_corpus(8), running=False, items_per_task=1)


@pytest.fixture
def draft(made_draft, db):
    return again(made_draft)


@pytest.fixture
def manager(draft):
    """Who made it."""
    return draft.owner


def url(name, campaign):
    return reverse(name, args=[campaign.key])


def test_documents_are_chosen_and_the_export_says_how(draft, manager, log_in):
    client = log_in(manager)
    client.post(url("campaign-fewer-sample", draft), sent())
    draft.refresh_from_db()
    chosen = corpus_of(draft).sampling
    assert [each.probability for each in chosen] == [3 / 8] * 3
    page = client.get(url("campaign-fewer", draft)).content.decode()
    assert "3 of 8 documents are judged, chosen by random." in page
    overview = client.get(url("campaign", draft)).content.decode()
    assert "5 of 8 documents were not sampled" in overview
    start(draft, manager)
    assert draft.batches.count() == 3
    archive = client.get(reverse("campaign-export", args=[draft.key, "folder"]))
    files = zipfile.ZipFile(io.BytesIO(b"".join(archive.streaming_content)))
    name = next(each for each in files.namelist() if each.endswith("sampling.csv"))
    rows = list(csv.DictReader(io.StringIO(files.read(name).decode())))
    assert [row["document"] for row in rows] == [each.document for each in chosen]


def test_all_documents_can_be_judged_again_and_a_copy_keeps_the_sample(draft, manager, log_in):
    client = log_in(manager)
    client.post(url("campaign-fewer-sample", draft), sent())
    copy = copy_campaign(Campaign.objects.get(pk=draft.pk), "Copy", manager)
    assert len(corpus_of(copy).sampling) == 3
    client.post(url("campaign-fewer-all", draft))
    draft.refresh_from_db()
    assert (draft.sampling, draft.documents.filter(left_out=True).count()) == (None, 0)


def test_scores_choose_documents_by_the_variance_of_a_metric(manager, log_in, tmp_path):
    corpus = load(sample_folder())
    draft = make_campaign("overall", owner=manager, corpus=corpus, running=False)
    score(corpus, metrics=["rouge1"]).write(tmp_path / "scores.csv")
    upload = SimpleUploadedFile("scores.csv", (tmp_path / "scores.csv").read_bytes())
    wanted = sent(by="metric-variance", purpose="ranking", scores=upload)
    log_in(manager).post(url("campaign-fewer-sample", draft), wanted)
    draft.refresh_from_db()
    assert draft.sampling["method"] == "metric-variance"
    assert all(each.probability is None for each in corpus_of(draft).sampling)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"size": "99"}, "99 documents are wanted, but the corpus has 8"),
        ({"by": "consistency"}, "the scores of a metric are needed"),
        ({"by": "diversity"}, "All documents are alike"),
        ({"scores": SimpleUploadedFile("scores.exe", b"x")}, "Scores are a file that ends in"),
        ({"scores": SimpleUploadedFile("scores.csv", b"x\n1\n")}, "scores.csv"),
    ],
)
def test_what_cannot_be_chosen_is_a_sentence(draft, manager, log_in, changes, sentence):
    response = log_in(manager).post(url("campaign-fewer-sample", draft), sent(**changes))
    assert response.status_code == 400
    assert sentence in response.content.decode()


def test_a_sample_that_came_with_the_corpus_stays(manager, log_in):
    corpus = make_corpus(4)
    given = tuple(Sampled(f"d{number}", "diversity", 0.5, 1) for number in range(1, 5))
    draft = make_campaign("overall", owner=manager, running=False, corpus=_with(corpus, given))
    client = log_in(manager)
    assert (
        "The corpus is a sample already"
        in client.get(url("campaign-fewer", draft)).content.decode()
    )
    client.post(url("campaign-fewer-all", draft))
    assert corpus_of(draft).sampling == given


def _with(corpus, sampling):
    from dataclasses import replace

    return replace(corpus, sampling=sampling)


def test_the_rule_is_set_and_only_stopping_changes_later(draft, manager, log_in):
    client = log_in(manager)
    client.post(url("campaign-fewer-adaptive", draft), RULE)
    draft.refresh_from_db()
    assert draft.adaptive == {
        "dimension": "", "level": 0.1, "margin": 0.0, "floor": 0.2, "stops": False
    }  # fmt: skip
    start(draft, manager)
    client.post(url("campaign-fewer-adaptive", draft), {"stops": "on"})
    draft.refresh_from_db()
    assert (draft.adaptive["stops"], draft.adaptive["level"]) == (True, 0.1)


def test_a_rule_that_does_not_suit_is_refused(manager, log_in):
    draft = make_campaign("highlight", owner=manager, running=False)
    response = log_in(manager).post(url("campaign-fewer-adaptive", draft), RULE)
    assert response.status_code == 400
    assert "does neither" in response.content.decode()


@pytest.fixture
def running(manager):
    user = make_user()
    campaign = make_campaign(
        "pairwise", owner=manager, corpus=make_corpus(40, 2), annotators=(user,), running=False,
        judges=1, items_per_task=1,
    )  # fmt: skip
    give_consent(campaign, user)
    make_adaptive(campaign, AdaptiveSettings(), manager)
    start(campaign, manager)
    return campaign, user


def test_the_dashboard_says_what_is_decided_and_stops(running, manager, log_in):
    campaign, user = running
    client = log_in(manager)
    page = client.get(url("campaign", campaign)).content.decode()
    assert "0 of 1 pair of systems decided; 1 still too close, or judged too seldom" in page
    while work_on(campaign, user) is not None:
        pass
    statistics_of(campaign)
    page = client.get(url("campaign", campaign)).content.decode()
    assert "1 of 1 pair of systems decided." in page
    assert "The campaign has stopped" in page
    assert "is better" in page
    assert "stopped giving out tasks: 1 of 1 pairs of systems decided" in page
    assert campaign.tasks.filter(state="open").count() > 10
    client.post(url("campaign-fewer-stop", campaign), {"step": "go-on"})
    assert work_on(campaign, user) is not None
    client.post(url("campaign-fewer-stop", campaign), {"step": "stop"})
    assert work_on(campaign, user) is None


def test_the_api_sets_and_shows_both(running, draft, manager):
    campaign, user = running
    caller = Caller(manager)
    base = f"/campaigns/{draft.key}"
    set_to = caller.call("PUT", f"{base}/adaptive", {"level": 0.2})
    assert set_to.json()["level"] == 0.2
    assert caller.call("PUT", f"{base}/adaptive", {"enabled": False}).json()["enabled"] is False
    assert caller.call("PUT", f"{base}/adaptive", {"level": 2}).status_code == 422
    assert caller.get(f"{base}/sample").json() == {"sampled": []}
    work_on(campaign, user)
    shown = caller.get(f"/campaigns/{campaign.key}/adaptive").json()
    assert (shown["decided"], shown["pairs"], shown["stopped_at"]) == (0, 1, None)
    stopped = caller.call("POST", f"/campaigns/{campaign.key}/adaptive/stop", {"action": "stop"})
    assert stopped.json()["stopped_at"] is not None
