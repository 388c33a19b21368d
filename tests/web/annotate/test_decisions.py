"""A manager's decisions, and the slots that they open and close."""

from __future__ import annotations

from uuid import uuid4

import pytest

from gistmark.errors import UsageError
from gistmark.web.annotate.models import Decision
from gistmark.web.annotate.outcomes import accepted_results
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.errors import ConflictError, NotAllowedError
from web.annotate.answering import (
    assert_sound,
    claimed,
    done,
    end_lease,
    slot_states,
    submit,
    whole,
)
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann():
    return make_user()


@pytest.fixture
def bob():
    return make_user()


@pytest.fixture
def campaign(ann, bob):
    corpus = make_corpus(documents=1, systems=1)
    return make_campaign(
        corpus=corpus, annotators=(ann, bob), judges=1, checks={"too_fast": "reject"}
    )


def rejected(campaign, user):
    """Work that was done too fast."""
    task = claimed(campaign, user, minutes_ago=0)
    return submit(task.pk, user, uuid4(), whole(browser_payload(task)))


def test_rejected_work_counts_no_longer_and_its_place_opens(campaign, ann):
    submission = done(campaign, ann)
    result = decide(submission, campaign.owner, "rejected", "copied from the reference")
    assert result.sentence == "The work is rejected, and its slot is open again."
    assert slot_states(campaign) == ["1.1 rejected", "1.2 open"]
    assert list(accepted_results(campaign)) == []
    assert Decision.objects.get().reason == "copied from the reference"
    assert campaign.events.filter(verb="rejected").get().about["slot"] == "1.1"
    assert_sound(campaign)


def test_accepting_after_all_removes_the_place_while_it_is_open(campaign, ann):
    submission = rejected(campaign, ann)
    assert slot_states(campaign) == ["1.1 rejected", "1.2 open"]
    result = decide(submission, campaign.owner, "counts", "")
    assert result.sentence == "The work is accepted; the slot that was open instead is gone."
    assert slot_states(campaign) == ["1.1 done"]
    assert len(list(accepted_results(campaign))) == 1
    assert_sound(campaign)


def test_accepting_when_the_place_is_taken_keeps_both_and_says_so(campaign, ann, bob):
    submission = rejected(campaign, ann)
    claimed(campaign, bob)
    result = decide(submission, campaign.owner, "counts", "")
    assert "these items have 1 more judges than wanted" in result.sentence
    assert slot_states(campaign) == ["1.1 done", "1.2 held"]
    assert done(campaign, bob).verdict == "counts"
    assert len(list(accepted_results(campaign))) == 2
    assert_sound(campaign)


def test_rejecting_one_of_two_extras_opens_nothing(campaign, ann, bob):
    submission = rejected(campaign, ann)
    other = done(campaign, bob)
    decide(submission, campaign.owner, "counts", "")
    result = decide(other, campaign.owner, "rejected", "worse of the two")
    assert result.sentence == "The work is rejected."
    assert slot_states(campaign) == ["1.1 done", "1.2 rejected"]
    assert_sound(campaign)


def test_a_decision_can_be_changed_both_ways_and_every_word_is_kept(campaign, ann):
    submission = done(campaign, ann)
    verdicts = ["rejected", "counts", "paid", "rejected", "paid", "counts"]
    for verdict in verdicts:
        decide(submission, campaign.owner, verdict, "on second thoughts")
        assert_sound(campaign)
    assert slot_states(campaign) == ["1.1 done"]
    assert list(Decision.objects.values_list("verdict", flat=True)) == verdicts


def test_a_double_click_is_one_decision(campaign, ann):
    submission = done(campaign, ann)
    first = decide(submission, campaign.owner, "rejected", "odd")
    assert decide(submission, campaign.owner, "rejected", "odd").decision == first.decision
    assert Decision.objects.count() == 1


def test_late_work_can_be_accepted(campaign, ann, bob):
    task = claimed(campaign, ann)
    end_lease(task)
    next_task(campaign, bob)
    late = submit(task.pk, ann, uuid4(), whole(browser_payload(task)))
    decide(late, campaign.owner, "counts", "the power had failed")
    assert slot_states(campaign) == ["1.1 done", "1.2 held"]


def test_a_decision_takes_the_flag_away(campaign, ann):
    submission = rejected(campaign, ann)
    decide(submission, campaign.owner, "rejected", "too fast indeed")
    submission.task.refresh_from_db()
    assert (submission.task.flagged, submission.task.state) == (False, "rejected")


def test_a_rejection_needs_a_reason(campaign, ann):
    submission = done(campaign, ann)
    for reason in ("", "  \n"):
        with pytest.raises(UsageError, match="needs a reason"):
            decide(submission, campaign.owner, "rejected", reason)
    for reason in ("a\x00b", "x" * 2001):
        with pytest.raises(UsageError, match="at most 2000"):
            decide(submission, campaign.owner, "counts", reason)


def test_only_managers_of_the_campaign_decide(campaign, ann, bob):
    submission = done(campaign, ann)
    for user in (ann, bob, make_user("manager")):
        with pytest.raises(NotAllowedError):
            decide(submission, user, "counts", "")
    second = make_user("manager")
    add_member(campaign, second, "manager")
    decide(submission, second, "counts", "")
    decide(submission, make_user("admin"), "rejected", "no")


def test_only_the_last_answer_is_decided_on(ann):
    campaign = make_campaign(annotators=(ann,), editable=True)
    first = done(campaign, ann)
    submit(first.task.pk, ann, uuid4(), whole(browser_payload(first.task), 1))
    with pytest.raises(ConflictError, match="newer answer"):
        decide(first, campaign.owner, "counts", "")


def test_managers_decide_after_the_end_too(campaign, ann):
    submission = done(campaign, ann)
    close(campaign, None)
    decide(submission, campaign.owner, "rejected", "on closer reading")
    assert slot_states(campaign) == ["1.1 rejected", "1.2 open"]
