"""The pages of studies on Prolific: from the form to the draft, publication, review and bonuses."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from gistmark.web.crowd.models import BonusPayment, MarketAccount, Recruitment, Visit
from gistmark.web.crowd.prolific.sync import sync
from web.crowd.arriving import arrive, person
from web.crowd.prolific.studying import MISSED, judged, published, work_on
from web.factories import again, make_campaign, make_corpus
from web.manage.browsing import url

pytestmark = pytest.mark.django_db

STUDY = {
    "places": "3", "tasks_per_participant": "1", "minutes": "10", "reward": "1.50",
    "currency": "GBP", "languages": "English", "approval_rate": "95",
}  # fmt: skip


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    return make_campaign()


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


@pytest.fixture
def client(log_in, campaign) -> Client:
    return log_in(campaign.owner)


def store_token(client, campaign, served):
    data = {"step": "connect", "token": served.market.token}
    return client.post(url("campaign-recruit-account", campaign), data, follow=True)


def make_study(client, campaign, **changes) -> Recruitment:
    client.post(url("campaign-recruit", campaign), STUDY | changes)
    return Recruitment.objects.get()


def take_step(client, recruitment, step, **more) -> str:
    where = url("campaign-study-step", recruitment.campaign, recruitment.key)
    return client.post(where, {"step": step, **more}, follow=True).text


def test_a_token_is_stored_and_never_shown(client, campaign, served):
    text = store_token(client, campaign, served).text
    assert "Prolific accepts the token" in text
    assert f"<code>{served.market.token[-4:]}</code>" in text
    assert served.market.token not in text
    wrong = {"step": "connect", "token": "wrong" * 9}
    refused = client.post(url("campaign-recruit-account", campaign), wrong, follow=True).text
    assert "does not accept the API token" in refused
    assert "wrongwrong" not in refused
    client.post(url("campaign-recruit-account", campaign), {"step": "disconnect"})
    assert not MarketAccount.objects.exists()


def test_a_study_is_made_published_and_stopped(client, campaign, served):
    store_token(client, campaign, served)
    recruitment = make_study(client, campaign)
    page = client.get(url("campaign-study", campaign, recruitment.key)).text
    assert "£1.50, which is £9.00 for an hour; Prolific requires at least £6.00" in page
    assert "£5.85 in all, £4.50 of it for participants (as Prolific calculates" in page
    assert "The draft is on Prolific" in take_step(client, recruitment, "create")
    assert "unpublished on Prolific" in take_step(client, recruitment, "sync")
    assert "The study is published" in take_step(client, recruitment, "publish")
    assert "paused on Prolific" in take_step(client, recruitment, "pause")
    assert "active on Prolific" in take_step(client, recruitment, "resume")
    assert "The places are added" in take_step(client, recruitment, "places", places="5")
    assert "completed on Prolific" in take_step(client, recruitment, "stop")
    [study] = served.market.studies.values()
    assert study["external_study_url"].startswith("http://testserver/crowd/")


def test_a_reward_below_the_minimum_is_refused_on_the_form(client, campaign):
    refused = client.post(url("campaign-recruit", campaign), STUDY | {"reward": "0.50"})
    assert refused.status_code == 400
    assert "Prolific requires at least £6.00 for an hour" in refused.text
    assert not Recruitment.objects.exists()


def test_without_a_token_everything_can_be_pasted_by_hand(client, campaign):
    recruitment = make_study(client, campaign)
    page = client.get(url("campaign-study", campaign, recruitment.key)).text
    assert "{{%PROLIFIC_PID%}}" in page
    assert all(code in page for code in recruitment.codes.values())
    assert "Fluent languages: English" in page
    assert "£6.00 in all" in page
    assert "estimated with the fee of 33.3 %" in page
    assert "Store an API token" in take_step(client, recruitment, "create")
    assert "Saved." in take_step(client, recruitment, "by-hand", state="active", study="abc")
    recruitment.refresh_from_db()
    assert (recruitment.study, recruitment.state) == ("abc", "active")


def test_a_study_can_be_changed_until_it_is_on_the_market(client, campaign, served):
    store_token(client, campaign, served)
    recruitment = make_study(client, campaign)
    where = url("campaign-study", campaign, recruitment.key)
    assert client.post(where, STUDY | {"places": "7"}).status_code == 302
    take_step(client, recruitment, "create")
    refused = client.post(where, STUDY | {"places": "9"})
    assert (refused.status_code, "change it there" in refused.text) == (400, True)
    recruitment.refresh_from_db()
    assert recruitment.read_settings().places == 7


def test_the_page_stands_while_the_market_does_not_answer(client, campaign, served):
    store_token(client, campaign, served)
    recruitment = make_study(client, campaign)
    served.faults += [(503, {})] * 4
    page = client.get(url("campaign-study", campaign, recruitment.key))
    assert page.status_code == 200
    assert "Prolific failed with status 503" in page.text
    assert "estimated with the fee" in page.text


def test_submissions_are_reviewed_and_bonuses_confirmed(client, campaign, served):
    store_token(client, campaign, served)
    recruitment = make_study(client, campaign)
    take_step(client, recruitment, "create")
    take_step(client, recruitment, "publish")
    recruitment.refresh_from_db()
    taken = served.market.take(recruitment.study)
    arrive(Client(), recruitment, taken.participant, taken.id, recruitment.study)
    Visit.objects.update(outcome="completed")
    served.market.complete(taken.id, recruitment.codes["completed"])
    sync(recruitment)
    visit = Visit.objects.get()
    name = person(taken.participant).username
    review = url("campaign-study-review", campaign, recruitment.key)
    assert name in client.get(review).text
    one = url("campaign-study-submission", campaign, recruitment.key, visit.pk)
    assert "2 attention checks failed" in client.get(one).text
    refused = client.post(one, {"step": "reject", "message": "x" * 120})
    assert (refused.status_code, "here 0 failed" in refused.text) == (400, True)
    approve = url("campaign-study-approve", campaign, recruitment.key)
    assert "Choose at least one" in client.post(approve, follow=True).text
    chosen = {"visits": [str(visit.pk)]}
    assert "1 submission is approved" in client.post(approve, chosen, follow=True).text
    bonuses = url("campaign-study-bonuses", campaign, recruitment.key)
    set_up = chosen | {"step": "set-up", "amount": "0.50"}
    assert "Pay £0.64" in client.post(bonuses, set_up, follow=True).text
    payment = {"payment": str(BonusPayment.objects.get().pk)}
    wrong = client.post(bonuses, payment | {"step": "pay", "total": "1"}, follow=True).text
    assert "nothing was paid" in wrong
    right = payment | {"step": "pay", "total": "64"}
    assert "pays the bonuses" in client.post(bonuses, right, follow=True).text
    assert "not paid again" in client.post(bonuses, right, follow=True).text
    assert served.market.payments == [(taken.id, 150, "reward"), (taken.id, 50, "bonus")]


@pytest.mark.parametrize("bad", ["9" * 30, "²", "-1", "x"])
def test_odd_numbers_are_refused_in_words(client, campaign, bad):
    recruitment = make_study(client, campaign)
    bonuses = url("campaign-study-bonuses", campaign, recruitment.key)
    data = {"step": "pay", "payment": bad, "total": bad}
    assert "no such payment" in client.post(bonuses, data, follow=True).text
    approve = url("campaign-study-approve", campaign, recruitment.key)
    assert "Choose at least one" in client.post(approve, {"visits": bad}, follow=True).text


@pytest.fixture
def study(served) -> Recruitment:
    """A study on the market, whose campaign has tasks for two participants."""
    return published(
        served, make_campaign(corpus=make_corpus(documents=8), judges=3, items_per_task=2)
    )


def test_a_submission_is_rejected_or_its_return_requested(log_in, served, study):
    client = log_in(study.campaign.owner)
    missed = judged(work_on(served, study), "rejected", MISSED, MISSED)
    other = work_on(served, study)

    def answered(work, **data) -> str:
        page = url("campaign-study-submission", study.campaign, study.key, work.visit.pk)
        return client.post(page, data, follow=True).text

    text = answered(other, step="return", message="Please return it.")
    assert f"{other.name} is asked to return the submission." in text
    again = answered(other, step="return", message="Please return it.")
    assert "was asked to return the submission before" in again
    text = answered(missed, step="reject", message="Two instructions were not followed. " * 4)
    assert f"The submission of {missed.name} is rejected." in text
    missed.visit.refresh_from_db()
    assert (missed.visit.status, missed.visit.review) == ("REJECTED", "reject")
    assert served.market.payments == []


def test_bonuses_are_given_up_or_looked_up(log_in, served, study):
    client = log_in(study.campaign.owner)
    work = work_on(served, study)

    def sent(**data) -> str:
        page = url("campaign-study-bonuses", study.campaign, study.key)
        return client.post(page, {"visits": [str(work.visit.pk)], **data}, follow=True).text

    def payment() -> dict[str, str]:
        return {"payment": str(BonusPayment.objects.get().pk)}

    assert "A bonus is an amount such as 0.50." in sent(step="set-up", amount="much")
    assert "The bonuses are set up." in sent(step="set-up", amount="0.29")
    assert BonusPayment.objects.get().amount == 29
    assert "Choose what to do with the bonuses." in sent(step="", **payment())
    assert "Only bonuses that were sent" in sent(step="look-up", **payment())
    assert "The bonuses are given up; nothing was paid." in sent(step="drop", **payment())
    assert not BonusPayment.objects.exists()
    sent(step="set-up", amount="1")
    earlier = timezone.now() - timedelta(minutes=5)
    BonusPayment.objects.update(state="unsure", sent_at=earlier)
    text = sent(step="look-up", **payment())
    assert "Prolific has not paid these bonuses; confirm their total to pay them." in text
    total = str(BonusPayment.objects.get().total)
    sent(step="pay", total=total, **payment())
    BonusPayment.objects.update(state="unsure", sent_at=earlier)
    text = sent(step="look-up", **payment())
    assert "Prolific has paid these bonuses." in text
    assert "for 1 participant: paid." in text
    assert served.market.payments == [(work.visit.session, 100, "bonus")]
