"""Studies: made once, published, paused and stopped, and shown as the market says they are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.campaigns.services.campaigns import pause
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.models import Recruitment
from gistmark.web.crowd.prolific.accounts import account_of, connect
from gistmark.web.crowd.prolific.client import MarketError, UnsureError
from gistmark.web.crowd.prolific.offers import Filters
from gistmark.web.crowd.prolific.studies import (
    add_places,
    change_study,
    cost_of,
    create_study,
    offer_for,
)
from web.crowd.arriving import arrive, recruiting
from web.crowd.prolific.studying import ORIGIN, PAID, drafted, published

pytestmark = pytest.mark.django_db


def test_a_draft_has_the_address_the_codes_and_what_it_pays(served):
    filters = Filters(("English",), ("Germany",), 95).to_mapping()
    recruitment = drafted(served, filters=filters)
    study = served.market.studies[recruitment.study]
    assert (recruitment.market_status, recruitment.state) == ("UNPUBLISHED", "draft")
    assert study["external_study_url"] == (
        f"{ORIGIN}/crowd/{recruitment.key}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert (study["reward"], study["total_available_places"]) == (150, 30)
    assert {each["code"] for each in study["completion_codes"]} == set(recruitment.codes.values())
    assert [each["filter_id"] for each in study["filters"]] == [
        "fluent-languages", "current-country-of-residence", "approval_rate",
    ]  # fmt: skip
    assert "2 tasks and takes about 10 minutes" in study["description"]


def test_a_study_is_published_paused_resumed_and_stopped(served):
    recruitment = drafted(served)
    states = []
    for step in ("publish", "pause", "resume", "stop"):
        change_study(recruitment, step, None)
        states.append((recruitment.market_status, recruitment.state))
    assert states == [
        ("ACTIVE", "active"), ("PAUSED", "paused"), ("ACTIVE", "active"), ("COMPLETED", "ended"),
    ]  # fmt: skip
    verbs = recruitment.campaign.events.values_list("verb", flat=True)
    assert {"study-created", "study-publish", "study-pause", "study-resume", "study-stop"} <= set(
        verbs
    )


def test_a_step_that_the_market_refuses_is_said_and_the_state_stays_true(served):
    recruitment = drafted(served)
    with pytest.raises(MarketError, match="A study that is UNPUBLISHED cannot PAUSE"):
        change_study(recruitment, "pause", None)
    assert recruitment.market_status == "UNPUBLISHED"
    for action in ("PUBLISH", "STOP"):
        served.market.move_study(recruitment.study, action)
    with pytest.raises(MarketError, match="A study that is COMPLETED cannot PAUSE"):
        change_study(recruitment, "pause", None)
    assert recruitment.market_status == "COMPLETED"


def test_a_step_whose_answer_got_lost_is_looked_up(served):
    recruitment = drafted(served)
    served.faults.append("lost")
    change_study(recruitment, "publish", None)
    assert recruitment.market_status == "ACTIVE"


def test_what_was_done_on_the_markets_own_page_is_no_error(served):
    recruitment = drafted(served)
    served.market.move_study(recruitment.study, "PUBLISH")
    change_study(recruitment, "publish", None)
    assert recruitment.market_status == "ACTIVE"


def test_a_campaign_without_work_is_not_published(served):
    recruitment = drafted(served)
    pause(recruitment.campaign, None)
    recruitment.campaign.refresh_from_db()
    with pytest.raises(ConflictError, match="participants would find nothing to do"):
        change_study(recruitment, "publish", None)


def test_a_study_that_pays_too_little_is_not_made(served):
    with pytest.raises(UsageError, match=r"Prolific requires at least £6.00 for an hour"):
        drafted(served, reward=99)
    assert served.market.studies == {}
    assert Recruitment.objects.get().attempted_at is None


def test_a_study_is_made_once(served):
    recruitment = drafted(served)
    account = account_of(recruitment.campaign.owner)
    with pytest.raises(ConflictError, match="on Prolific already"):
        create_study(recruitment, account, None, origin=ORIGIN)


def test_a_study_whose_answer_got_lost_is_found_again_and_not_made_twice(served):
    recruitment = recruiting(**PAID)
    account = connect(recruitment.campaign.owner, served.market.token)
    served.faults += [None, "lost"]
    with pytest.raises(UnsureError):
        create_study(recruitment, account, None, origin=ORIGIN)
    recruitment.refresh_from_db()
    with pytest.raises(ConflictError, match="look again in two minutes"):
        create_study(recruitment, account, None, origin=ORIGIN)
    earlier = timezone.now() - timedelta(minutes=3)
    Recruitment.objects.filter(pk=recruitment.pk).update(attempted_at=earlier)
    create_study(recruitment, account, None, origin=ORIGIN)
    assert list(served.market.studies) == [recruitment.study]


def test_a_study_that_was_refused_can_be_made_at_once(served):
    recruitment = recruiting(filters={"languages": ["Klingon"]}, **PAID)
    account = connect(recruitment.campaign.owner, served.market.token)
    with pytest.raises(UsageError, match="has no choice 'Klingon'"):
        create_study(recruitment, account, None, origin=ORIGIN)
    served.faults += [None, (400, {})]
    recruitment.settings["filters"] = {}
    with pytest.raises(MarketError, match="Not now"):
        create_study(recruitment, account, None, origin=ORIGIN)
    assert create_study(recruitment, account, None, origin=ORIGIN).study


def test_earlier_participants_are_excluded_unless_they_may_come_again(served, client):
    first = published(served)
    change_study(first, "stop", None)
    by_hand = recruiting(first.campaign)
    arrive(client, by_hand, pid="known", study="")
    arrive(client, by_hand, pid="known")
    served.market.filters["custom_blocklist"] = {}
    second = drafted(served, first.campaign)
    excluded = {
        each["filter_id"]: each["selected_values"]
        for each in served.market.studies[second.study]["filters"]
    }
    assert excluded == {"previous_studies_blocklist": [first.study], "custom_blocklist": ["known"]}
    third = drafted(served, first.campaign, exclude_earlier=False)
    assert served.market.studies[third.study]["filters"] == []


def test_places_are_added_and_never_taken_away(served):
    recruitment = published(served)
    with pytest.raises(UsageError, match="only be added: the study has 30"):
        add_places(recruitment, 30, None)
    add_places(recruitment, 40, None)
    assert served.market.studies[recruitment.study]["total_available_places"] == 40
    assert recruitment.read_settings().places == 40


def test_the_cost_is_the_markets_where_it_can_be_asked(served, manager):
    settings = recruiting(**PAID).read_settings()
    offer = offer_for(settings, None)
    # 30 × 150 = 4500 and 33.3 % of it, against the local market's 25 % with 20 % tax: 30 %.
    assert (cost_of(offer, None).amount, cost_of(offer, None).from_market) == (5999, False)
    account = connect(manager, served.market.token)
    cost = cost_of(offer_for(settings, account), account)
    assert (cost.amount, cost.from_market) == (5850, True)


def test_secured_addresses_are_asked_for_where_tokens_are_required(served):
    recruitment = drafted(served, require_token=True)
    assert served.market.studies[recruitment.study]["is_external_study_url_secure"] is True
