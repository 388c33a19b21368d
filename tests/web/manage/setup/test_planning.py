"""The page that plans a campaign, the draft that it makes, and the API's view of both."""

from __future__ import annotations

import pytest
from django.urls import reverse

from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.protocols import protocol_of
from web.api.calling import Caller
from web.factories import again, make_campaign, make_corpus, make_user
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db
TYPED = {
    "kind": "ratings", "difference": "0.8", "summary": "0.5", "residual": "0.7", "power": "80",
    "seconds": "60", "rate": "13", "currency": "€",
}  # fmt: skip


@pytest.fixture(scope="module")
def made_draft(shared_db):
    return make_campaign("likert", corpus=make_corpus(40), running=False)


@pytest.fixture
def draft(made_draft, db):
    return again(made_draft)


@pytest.fixture
def manager(draft):
    """Who made it."""
    return draft.owner


def url(name, campaign):
    return reverse(name, args=[campaign.key])


def test_typed_numbers_give_a_sentence_a_grid_a_chart_and_the_draft(draft, manager, log_in):
    client = log_in(manager)
    empty = client.get(url("campaign-plan", draft)).content.decode()
    assert "Plan again" not in empty
    page = client.get(url("campaign-plan", draft), TYPED).content.decode()
    assert "To see a difference of 0.8 points on 5 with 80 % power: " in page
    assert "ratings of 2 systems" in page
    assert "<polyline" in page
    assert "Cost in €" in page
    assert "Use these numbers in this draft" in page
    client.post(url("campaign-plan-use", draft), {"documents": "20", "annotators": "4"})
    draft.refresh_from_db()
    assert protocol_of(draft).judges == 4
    assert len(corpus_of(draft).sampling) == 20
    client.post(url("campaign-plan-use", draft), {"documents": "40", "annotators": "2"})
    draft.refresh_from_db()
    assert (protocol_of(draft).judges, draft.sampling) == (2, None)


def test_the_corpus_bounds_the_plan_and_says_so(draft, manager, log_in):
    page = log_in(manager).get(url("campaign-plan", draft), TYPED | {"difference": "0.05"})
    text = page.content.decode()
    assert "No plan in the grid is enough to see a difference of 0.05 points" in text
    assert "Only 40 documents are available; plan for more" in text
    assert "Use these numbers" not in text


def test_the_work_of_another_campaign_is_a_pilot(manager, log_in):
    pilot = worked_campaign("pairwise", owner=manager, corpus=make_corpus(12), items_per_task=1)
    draft = make_campaign("pairwise", owner=manager, corpus=make_corpus(30), running=False)
    wanted = {"kind": "choices", "share": "70", "pilot": str(pilot.pk), "power": "80"}
    page = log_in(manager).get(url("campaign-plan", draft), wanted).content.decode()
    assert "that a system wins 70 % of the choices" in page
    assert "The pilot has 12 documents" in page
    stranger = make_campaign("pairwise", owner=make_user("manager"))
    wanted["pilot"] = str(stranger.pk)
    refused = log_in(manager).get(url("campaign-plan", draft), wanted)
    assert refused.status_code == 400


def test_a_campaign_that_has_started_gets_a_planned_copy(draft, manager, log_in):
    start(draft, manager)
    client = log_in(manager)
    page = client.get(url("campaign-plan", draft), TYPED).content.decode()
    assert "Make a draft with these numbers" in page
    sent = {"documents": "10", "annotators": "5", "name": "Planned"}
    client.post(url("campaign-plan-use", draft), sent)
    copy = Campaign.objects.get(name="Planned")
    assert copy.state == Campaign.State.DRAFT
    assert (protocol_of(copy).judges, len(corpus_of(copy).sampling)) == (5, 10)
    assert protocol_of(Campaign.objects.get(pk=draft.pk)).judges != 5


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"summary": ""}, "Choose a campaign to learn from, or type how far ratings spread"),
        ({"difference": ""}, "Say how large a difference should be detected."),
        ({"summary": "0", "residual": "0"}, "Without any spread in summaries and ratings"),
        ({"kind": "choices", "share": "50"}, "must be between 0.5 and 1"),
    ],
)
def test_bad_input_gets_a_sentence(draft, manager, log_in, changes, sentence):
    response = log_in(manager).get(url("campaign-plan", draft), TYPED | changes)
    assert response.status_code == 400
    assert sentence in response.content.decode()


def test_numbers_that_do_not_fit_change_nothing(draft, manager, log_in):
    client = log_in(manager)
    for sent in ({"documents": "41", "annotators": "2"}, {"documents": "x", "annotators": "2"}):
        client.post(url("campaign-plan-use", draft), sent)
    draft.refresh_from_db()
    assert draft.sampling is None


def test_the_api_plans_and_makes_the_draft(draft, manager):
    caller = Caller(manager)
    path = f"/campaigns/{draft.key}/plan"
    query = {"difference": 0.8, "summary_sd": 0.5, "residual_sd": 0.7, "seconds": 60, "rate": 13}
    found = caller.get(path, **query).json()
    assert found["sentence"].startswith("To see a difference of 0.8 points on 5")
    assert found["best"] in found["plans"]
    made = caller.post(path, {"documents": 20, "annotators": 4})
    assert made.json() == {"key": draft.key, "name": draft.name}
    draft.refresh_from_db()
    assert protocol_of(draft).judges == 4
    assert caller.get(path).status_code == 400
    other = make_user("manager")
    assert Caller(other).get(path, **query).status_code == 404
