"""`gistmark crowd`: recruiting on Prolific from the command line."""

from __future__ import annotations

import io
import json

import pytest

from gistmark.web.crowd.models import MarketAccount
from web.crowd.prolific.studying import work_on
from web.factories import make_campaign, make_corpus

pytestmark = pytest.mark.django_db

NEW = ("--places", 3, "--tasks", 2, "--minutes", 10, "--reward", "1.50")


@pytest.fixture
def campaign():
    corpus = make_corpus(documents=8)
    return make_campaign(corpus=corpus, judges=3, items_per_task=2, name="News")


@pytest.fixture
def connected(run, campaign, served, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{served.market.token}\n"))
    return run("crowd", "connect", campaign.owner.username)


def test_a_token_is_read_and_not_printed(run, campaign, served, connected):
    assert connected.status == 0
    assert served.market.token not in connected.out + connected.err
    assert served.market.token[-4:] in connected.out
    run("crowd", "disconnect", campaign.owner.username)
    assert not MarketAccount.objects.exists()
    assert run("crowd", "disconnect", campaign.owner.username).status == 2


def test_a_study_from_its_plan_to_the_bonus(run, campaign, served, connected):
    assert "at least £6.00" in run("crowd", "new", "News", *NEW[:-1], "0.50").err
    key = json.loads(run("crowd", "new", "News", *NEW, "--json").out)["study"]
    assert "is not an address" in run("crowd", "create", key, "--url", "nowhere").err
    assert "unpublished" in run("crowd", "create", key, "--url", "https://rate.example.org").out
    assert "active" in run("crowd", "change", key, "publish").out
    assert json.loads(run("crowd", "list", "News", "--json").out)[0]["state"] == "active"
    recruitment = campaign.recruitments.get()
    first, second = work_on(served, recruitment), work_on(served, recruitment)
    report = json.loads(run("crowd", "sync", key, "--json").out)
    assert report["there"] == {"AWAITING REVIEW": 2}
    assert run("crowd", "sync").out == "Studies synced: 1.\n"
    assert "awaiting review" in run("crowd", "sync", key).out.lower()
    [row, _] = json.loads(run("crowd", "review", key, "--json").out)
    assert (row["participant"], row["next"]) == (first.name, "approve")
    assert first.name in run("crowd", "review", key).out
    assert "attention checks failed" in run("crowd", "reject", key, first.name).err
    assert (
        run("crowd", "return", key, second.name, "--reason", "x").out
        == "Asked the participant to return the submission.\n"
    )
    assert run("crowd", "approve", key).status == 2
    assert run("crowd", "approve", key, "--suggested").out == "Approved: 1.\n"
    assert "Nothing is waiting" in run("crowd", "approve", key, "--suggested").out
    assert "It costs £1.30 in all" in run("crowd", "bonus", key, "1.00", first.name).out
    wrong = run("crowd", "bonus", key, "1.00", first.name, "--confirm", "1.00")
    assert (wrong.status, "nothing was paid" in wrong.err) == (1, True)
    assert "Paid £1.30" in run("crowd", "bonus", key, "1.00", first.name, "--confirm", "1.30").out
    assert "already" in run("crowd", "bonus", key, "1.00", first.name, "--confirm", "1.30").err
    assert [kind for _, _, kind in served.market.payments] == ["reward", "bonus"]


@pytest.mark.parametrize("reward", ["much", "1.505", "NaN", "Infinity"])
def test_an_odd_amount_is_refused(run, campaign, reward):
    refused = run("crowd", "new", "News", *NEW[:-1], reward)
    assert (refused.status, "An amount is a number such as 1.50" in refused.err) == (2, True)


def test_an_unknown_study_is_refused(run, db):
    assert "There is no study 'nothing'" in run("crowd", "review", "nothing").err
