"""`gistmark campaign adaptive` and `helper`: fewer judgements, without a browser."""

from __future__ import annotations

import json

import pytest

from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import give_consent
from web.factories import make_campaign, make_corpus, make_user
from web.results.working import work_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return make_campaign(
        "pairwise", name="Pairs", corpus=make_corpus(10, 3), running=False,
        annotators=(make_user(),), judges=1, items_per_task=1,
    )  # fmt: skip


def settings_of(outcome) -> dict[str, object] | None:
    assert outcome.status == 0, outcome.err
    return json.loads(outcome.out)["settings"]


def test_a_draft_becomes_adaptive_by_any_setting_and_no_longer_is(run, campaign):
    assert run("campaign", "adaptive", "Pairs").out == "Pairs is not adaptive.\n"
    plain = settings_of(run("campaign", "adaptive", "Pairs", "--on", "--json"))
    assert plain == {"dimension": "", "level": 0.05, "margin": 0.0, "floor": 0.1, "stops": True}
    changed = run("campaign", "adaptive", "Pairs", "--level", 0.1, "--no-stops", "--json")
    assert settings_of(changed) == {**plain, "level": 0.1, "stops": False}
    kept = settings_of(run("campaign", "adaptive", "Pairs", "--margin", 0.2, "--json"))
    assert kept == {**plain, "level": 0.1, "margin": 0.2, "stops": False}
    assert run("campaign", "adaptive", "Pairs", "--off").out == "Pairs is not adaptive.\n"


def test_a_running_campaign_says_how_far_it_is_and_stops_or_goes_on(run, campaign):
    run("campaign", "adaptive", "Pairs", "--on")
    start(campaign, campaign.owner)
    user = campaign.memberships.get(role="annotator").user
    give_consent(campaign, user)
    assert work_on(campaign, user) is not None
    shown = run("campaign", "adaptive", "Pairs", "--no-stops")
    first, second = shown.out.splitlines()
    assert first == "Pairs chooses its tasks adaptively."
    assert second.startswith("0 of 3 pairs of systems decided")
    assert run("campaign", "adaptive", "Pairs", "--stop").out.endswith(
        "It has stopped giving out tasks.\n"
    )
    campaign.refresh_from_db()
    assert campaign.adaptive["stops"] is False
    assert next_task(campaign, user) is None
    assert "has stopped" not in run("campaign", "adaptive", "Pairs", "--go-on").out
    assert next_task(campaign, user) is not None
    late = run("campaign", "adaptive", "Pairs", "--level", 0.2)
    assert (late.status, "can no longer be changed" in late.err) == (1, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--off", "--level", 0.1), "--off cannot be combined with other settings"),
        (("--off", "--stop"), "--off cannot be combined with other settings"),
        (("--level", 2), "level"),
        (("--dimension", "beauty"), "beauty"),
        (("--stop",), "is not adaptive"),
        (("--no-stops",), "is not adaptive"),
    ],
)
def test_what_cannot_be_set_is_said_and_nothing_is_stored(run, campaign, options, message):
    outcome = run("campaign", "adaptive", "Pairs", *options)
    assert (outcome.status != 0, message in outcome.err) == (True, True), outcome.err
    assert "Traceback" not in outcome.err
    campaign.refresh_from_db()
    assert campaign.adaptive is None


def test_a_helper_is_stored_or_removed_not_both(run, campaign, tmp_path):
    (tmp_path / "scores.csv").write_text("document,system,metric,part,value\n")
    both = run("campaign", "helper", "Pairs", "--scores", tmp_path / "scores.csv", "--remove")
    assert (both.status, "cannot be combined" in both.err) == (2, True)
    assert run("campaign", "helper", "Pairs").out == "No scores are stored with Pairs.\n"
    assert run("campaign", "helper", "Pairs", "--json").out == "null\n"
