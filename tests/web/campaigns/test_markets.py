"""The rules of crowd markets in a campaign: what is refused, what is warned of, what is kept."""

from __future__ import annotations

from uuid import uuid4

import pytest

from gistmark.judgements import ProtocolError
from gistmark.web.annotate.outcomes import verdict_of
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.markets import failures_needed
from gistmark.web.campaigns.services.protocols import (
    change_protocol,
    outlook,
    readiness,
    replace_protocol,
)
from gistmark.web.config.errors import ConflictError, NotReadyError
from gistmark.web.crowd.models import Recruitment
from gistmark.web.crowd.recruitments import create_recruitment
from gistmark.web.crowd.settings import RecruitmentSettings
from web.annotate.answering import claimed, done, submit
from web.api.calling import Caller
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db
REJECTING = {"checks": {"planted": "reject"}}
RULE = "'checks.planted' must be off, flag or paid: markets such as Prolific do not allow"


def on_market(campaign: Campaign) -> Campaign:
    """As if it had recruited on a market before there were rules."""
    Campaign.objects.filter(pk=campaign.pk).update(completion_codes=True)
    campaign.completion_codes = True
    return campaign


def instructed(items: int = 1) -> dict[str, object]:
    """A form with an instruction in each of so many items of a task."""
    question = {
        "type": "choice", "name": "awake", "question": "Please choose “tree”.",
        "options": ["tree", "house"], "expected": "tree",
    }  # fmt: skip
    return {
        "name": "instructed", "kind": "form", "about": "A form.", "judges": 2,
        "items_per_task": items, "several_of_a_document": True,
        "checks": {"attention": "reject"},
        "blocks": [{"type": "show", "what": "summary"}, question],
    }  # fmt: skip


def test_a_check_that_rejects_is_refused_with_the_rule_where_a_market_recruits():
    campaign = make_campaign("fluency", running=False)
    change_settings(campaign, None, completion_codes=True)
    with pytest.raises(ProtocolError, match=RULE):
        change_protocol(campaign, REJECTING, None)
    with pytest.raises(ProtocolError, match=RULE):
        replace_protocol(campaign, {**campaign.protocol, **REJECTING}, None)
    change_protocol(campaign, {"checks": {"planted": "paid"}}, None)
    assert readiness(campaign) == ()


def test_elsewhere_it_is_allowed_and_warned_of():
    campaign = make_campaign("fluency", running=False)
    assert outlook(campaign).warnings == ()
    change_protocol(campaign, REJECTING, None)
    (warning,) = outlook(campaign).warnings
    assert warning.startswith("The check 'planted' rejects work, so this campaign cannot recruit")
    shown = Caller(campaign.owner).get(f"/campaigns/{campaign.key}").json()
    assert (shown["warnings"], shown["problems"]) == ([warning], [])
    start(campaign, None)
    with pytest.raises(ConflictError, match=RULE):
        change_settings(campaign, None, completion_codes=True)
    with pytest.raises(ConflictError, match=RULE):
        create_recruitment(
            campaign, market="prolific", settings=RecruitmentSettings(), by=campaign.owner
        )


def test_a_draft_from_before_the_rules_cannot_start_and_a_running_campaign_goes_on():
    draft = on_market(make_campaign("fluency", running=False, **REJECTING))
    with pytest.raises(NotReadyError, match="must be off, flag or paid"):
        start(draft, None)
    annotator = make_user()
    running = make_campaign(annotators=(annotator,), checks={"too_fast": "reject"})
    on_market(running)
    give_consent(running, annotator)
    task = claimed(running, annotator, minutes_ago=0)
    sent = {"items": {"1": {"ratings": {"overall": {"value": 3}}}}}
    assert submit(task.pk, annotator, uuid4(), sent).verdict == "rejected"
    change_settings(running, None, name="Renamed", completion_codes=True)


@pytest.mark.parametrize(
    ("market", "missed", "verdict"),
    [(True, 0, "counts"), (True, 1, "paid"), (True, 2, "rejected"), (False, 1, "rejected")],
)
def test_on_a_market_one_missed_instruction_of_a_task_is_paid(market, missed, verdict):
    annotator = make_user()
    campaign = make_campaign(running=False, annotators=(annotator,))
    replace_protocol(campaign, instructed(items=2), None)
    change_settings(campaign, None, completion_codes=market)
    start(campaign, None)
    give_consent(campaign, annotator)
    task = claimed(campaign, annotator)
    keys = [item["key"] for item in browser_payload(task)["items"]]
    items = {
        key: {"answers": {"awake": "house" if number < missed else "tree"}}
        for number, key in enumerate(keys)
    }
    submission = submit(task.pk, annotator, uuid4(), {"items": items})
    assert submission.verdict == verdict
    submission.refresh_from_db()
    assert verdict_of(submission) == verdict


@pytest.mark.parametrize(
    ("minutes", "codes", "needed"),
    [((), False, 1), ((), True, 2), ((4,), False, 1), ((4, 5), False, 2), ((4,), True, 2)],
)
def test_the_longest_study_decides_how_many_instructions_may_be_missed(minutes, codes, needed):
    campaign = make_campaign(running=False)
    change_settings(campaign, None, completion_codes=codes)
    for each in minutes:
        Recruitment.objects.create(campaign=campaign, market="prolific", settings={"minutes": each})
    assert campaign.recruits_on_market == (bool(minutes) or codes)
    assert failures_needed(campaign) == needed


def test_the_verdict_of_flagged_late_and_replaced_work_is_none_yet(annotator):
    campaign = make_campaign(annotators=(annotator,), editable=True)
    give_consent(campaign, annotator)
    first = done(campaign, annotator)
    assert verdict_of(first) == verdict_of(first.task) == "counts"
    sent = {"items": {"1": {"ratings": {"overall": {"value": 1}}}}}
    second = submit(first.task_id, annotator, uuid4(), sent)
    first.refresh_from_db()
    assert (verdict_of(first), verdict_of(second)) == (None, "counts")
    second.task.flagged = True
    assert verdict_of(second) is None
    second.task.state = "late"
    assert verdict_of(second) is None
