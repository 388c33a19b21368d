"""Reviews: approved once, rejected only as the rules allow, asked back; bonuses paid once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.models import Bonus, BonusPayment, Recruitment, Visit
from gistmark.web.crowd.prolific.bonuses import (
    drop_bonuses,
    pay_bonuses,
    resolve_bonuses,
    set_up_bonuses,
)
from gistmark.web.crowd.prolific.client import MarketError, UnsureError
from gistmark.web.crowd.prolific.review import (
    LEAST_MESSAGE,
    VisitWork,
    approve,
    draft_rejection,
    draft_return,
    find_work,
    reject,
    request_return,
    work_of,
)
from gistmark.web.crowd.prolific.sync import sync
from web.crowd.arriving import person
from web.crowd.market import Market
from web.crowd.market_server import serving
from web.crowd.prolific.studying import MISSED, STATEMENT, judged, published, work_on
from web.factories import make_campaign, make_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(shared_db) -> tuple[Market, VisitWork]:
    """A study that participants can take, and what the first of them did."""
    with serving() as served, override_settings(PROLIFIC_URL=served.address):
        campaign = make_campaign(corpus=make_corpus(documents=8), judges=3, items_per_task=2)
        return served.market, work_on(served, published(served, campaign))


@pytest.fixture
def market_at_start(made) -> Market:
    """The market as it is after that."""
    return made[0].copy()


@pytest.fixture
def recruitment(made, db) -> Recruitment:
    return Recruitment.objects.get(pk=made[1].visit.recruitment_id)


@pytest.fixture
def work(made, recruitment) -> VisitWork:
    """Somebody who took a place, did both tasks, and gave the code to the market."""
    return find_work(recruitment, made[1].name)


def test_good_work_is_approved_and_paid_once(served, recruitment, work):
    assert (work.verdicts, work.suggestion) == ({"counts": 2}, "approve")
    assert approve(recruitment, [work.visit], recruitment.campaign.owner) == 1
    work.visit.refresh_from_db()
    assert (work.visit.status, work.visit.review) == ("APPROVED", "approve")
    with pytest.raises(ConflictError, match="approved already; nothing was paid again"):
        approve(recruitment, [work.visit], None)
    assert served.market.payments == [(work.visit.session, 150, "reward")]
    [event] = recruitment.campaign.events.filter(verb="submission-approve")
    assert (event.about["people"], event.user) == ([work.name], recruitment.campaign.owner)


def test_an_approval_whose_answer_got_lost_is_sent_again_and_pays_once(served, recruitment, work):
    served.faults.append("lost")
    approve(recruitment, [work.visit], None)
    assert len(served.market.payments) == 1


def test_work_that_does_not_count_is_approved_all_the_same(served, recruitment, work):
    work = judged(work, "paid", STATEMENT)
    assert (work.verdicts, work.suggestion) == ({"counts": 1, "paid": 1}, "approve")


def test_undecided_work_is_decided_on_first(served, recruitment, work):
    Task.objects.filter(annotator__username=work.name).update(flagged=True)
    assert find_work(recruitment, work.name).suggestion == "decide"


def test_a_statement_or_one_missed_check_is_no_reason_to_reject(served, recruitment, work):
    work = judged(work, "rejected", STATEMENT, MISSED)
    assert work.failures == 1
    with pytest.raises(ConflictError) as refused:
        reject(work, draft_rejection(work), None)
    assert "2 attention checks failed" in str(refused.value)
    assert "here 1 failed" in str(refused.value)
    assert work.suggestion == "approve"
    assert served.market.submissions[work.visit.session].status == "AWAITING REVIEW"


def test_two_missed_attention_checks_are_a_reason_to_reject(served, recruitment, work):
    work = judged(work, "rejected", MISSED, MISSED)
    assert work.suggestion == "reject"
    reject(work, draft_rejection(work), recruitment.campaign.owner)
    taken = served.market.submissions[work.visit.session]
    assert (taken.status, taken.rejection[0]) == ("REJECTED", "FAILED_CHECK")
    assert find_work(recruitment, work.name).visit.status == "REJECTED"
    assert served.market.payments == []
    [event] = recruitment.campaign.events.filter(verb="submission-reject")
    assert event.about["category"] == "FAILED_CHECK"


def test_in_a_short_study_one_missed_check_is_enough(served):
    short = published(served, minutes=4)
    work = judged(work_on(served, short), "rejected", MISSED)
    assert work.fault is None


def test_much_too_fast_is_a_reason_to_reject(served, recruitment, work):
    slow = [work, *(work_on(served, recruitment) for _ in range(3))]
    for number, each in enumerate(slow):
        Submission.objects.filter(annotator__username=each.name).update(seconds=300 + number)
    assert all(each.fault for each in work_of(recruitment))
    assert not find_work(recruitment, work.name).too_fast


@pytest.mark.parametrize("message", ["", "Too fast.", "x" * (LEAST_MESSAGE - 1), " " * 200])
def test_a_short_message_is_refused(served, recruitment, work, message):
    work = judged(work, "rejected", MISSED, MISSED)
    with pytest.raises(UsageError, match="at least 100 characters"):
        reject(work, message, None)
    assert served.market.submissions[work.visit.session].status == "AWAITING REVIEW"


def test_drafts_are_long_enough_and_give_no_answer_away(served, recruitment, work):
    work = judged(work, "rejected", MISSED, MISSED)
    assert len(draft_rejection(work)) >= LEAST_MESSAGE
    assert "2 questions" in draft_rejection(work)
    fast = VisitWork(work.visit, {}, 3.0, 0, True, None)
    assert len(draft_rejection(fast)) >= LEAST_MESSAGE
    assert "three standard deviations" in draft_rejection(fast)
    assert MISSED["reason"] not in draft_rejection(work)


def test_who_did_nothing_is_asked_to_return_once(served, recruitment, work):
    taken = served.market.take(recruitment.study)
    served.market.complete(taken.id, "GUESSED1")
    sync(recruitment)
    idle = find_work(recruitment, person(taken.participant).username)
    assert idle.suggestion == "return"
    request_return(idle.visit, draft_return(idle), None)
    assert served.market.submissions[taken.id].return_requested
    with pytest.raises(ConflictError, match="asked to return the submission before"):
        request_return(idle.visit, "Again.", None)
    with pytest.raises(UsageError, match="Give a reason"):
        request_return(work.visit, "  ", None)


@pytest.mark.parametrize("status", ["", "ACTIVE", "RETURNED", "REJECTED"])
def test_what_is_not_waiting_is_not_approved(served, recruitment, work, status):
    Visit.objects.update(status=status)
    with pytest.raises(ConflictError, match="cannot be approved"):
        approve(recruitment, [work.visit], None)
    assert served.market.payments == []


def test_a_bonus_is_paid_after_its_total_is_confirmed_and_only_once(served, recruitment, work):
    first, second = work, work_on(served, recruitment)
    payment = set_up_bonuses(recruitment, [first.visit, second.visit], 100, None)
    # 200, a fee of 25 % and tax of 20 % on the fee.
    assert (payment.amount, payment.total) == (200, 260)
    with pytest.raises(ConflictError, match=r"cost £2.60 in all, not £2.00; nothing was paid"):
        pay_bonuses(payment, 200, None)
    assert served.market.payments == []
    pay_bonuses(payment, 260, None)
    assert payment.state == "paid"
    with pytest.raises(ConflictError, match="not paid again"):
        pay_bonuses(payment, 260, None)
    with pytest.raises(ConflictError, match="has a bonus for this submission already"):
        set_up_bonuses(recruitment, [first.visit], 50, None)
    assert len(served.market.payments) == 2


def test_a_bonus_whose_answer_got_lost_is_looked_up_and_not_paid_again(served, recruitment, work):
    payment = set_up_bonuses(recruitment, [work.visit], 100, None)
    served.faults.append("lost")
    with pytest.raises(UnsureError):
        pay_bonuses(payment, payment.total, None)
    assert payment.state == "unsure"
    with pytest.raises(ConflictError, match="not paid again"):
        pay_bonuses(payment, payment.total, None)
    with pytest.raises(ConflictError, match="more than two minutes ago"):
        resolve_bonuses(payment, None)
    BonusPayment.objects.update(sent_at=timezone.now() - timedelta(minutes=5))
    assert resolve_bonuses(payment, None).state == "paid"
    assert len(served.market.payments) == 1


def test_a_bonus_that_was_refused_or_never_arrived_can_be_confirmed_again(
    served, recruitment, work
):
    payment = set_up_bonuses(recruitment, [work.visit], 100, None)
    served.faults.append((400, {}))
    with pytest.raises(MarketError):
        pay_bonuses(payment, payment.total, None)
    assert payment.state == "set-up"
    BonusPayment.objects.update(state="sent", sent_at=timezone.now() - timedelta(minutes=5))
    assert resolve_bonuses(payment, None).state == "set-up"
    pay_bonuses(payment, payment.total, None)
    assert len(served.market.payments) == 1


def test_a_bonus_can_be_given_up_before_it_is_paid(served, recruitment, work):
    payment = set_up_bonuses(recruitment, [work.visit], 100, None)
    drop_bonuses(payment, None)
    assert not Bonus.objects.exists()
    again = set_up_bonuses(recruitment, [work.visit], 100, None)
    pay_bonuses(again, again.total, None)
    with pytest.raises(ConflictError, match="Only bonuses that wait to be confirmed"):
        drop_bonuses(again, None)


def test_bonuses_are_for_finished_work_and_of_a_sound_amount(served, recruitment, work):
    work.visit.status = "ACTIVE"
    with pytest.raises(ConflictError, match="is ACTIVE: a bonus is for"):
        set_up_bonuses(recruitment, [work.visit], 100, None)
    with pytest.raises(UsageError, match=r"0.01 to 1,000.00"):
        set_up_bonuses(recruitment, [work.visit], 100_001, None)
    with pytest.raises(UsageError, match="Choose 1 to 200"):
        set_up_bonuses(recruitment, [], 100, None)


def test_a_draft_says_only_of_unfinished_work_that_it_is_not_finished(served, recruitment, work):
    finished = draft_return(work)
    assert finished == "Please return the submission; that does not count against you."
    work.visit.outcome = "left"
    assert draft_return(work) == f"Not all of the study was finished. {finished}"
    work.verdicts.clear()
    assert "no finished work of yours" in draft_return(work)
