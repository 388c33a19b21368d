"""Comprehension questions and practice, try by try, and who gets tasks after them."""

from __future__ import annotations

from uuid import uuid4

import pytest

from gistmark.errors import UsageError
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from gistmark.web.qualification.models import (
    ComprehensionAttempt,
    PracticeAnswer,
    PracticeAttempt,
    Qualification,
)
from gistmark.web.qualification.services.admission import admission
from gistmark.web.qualification.services.attempts import (
    StalePracticeError,
    answer_comprehension,
    answers_before,
    continue_practice,
    practice_payload,
    save_practice_draft,
    submit_practice,
)
from gistmark.web.qualification.services.plans import (
    item_of,
    remove_item,
    replace_practice,
    set_right,
)
from gistmark.web.results.dashboard.progress import progress_of
from web.factories import make_campaign, make_user
from web.qualification.practising import (
    QUESTIONS,
    answer_item,
    comprehend,
    make_practice,
    only_annotator,
    practise,
    practised_campaign,
    rating,
)

pytestmark = pytest.mark.django_db


def test_a_campaign_without_practice_demands_nothing(annotator):
    campaign = make_campaign(annotators=(annotator,))
    assert admission(campaign, annotator).ready
    assert next_task(campaign, annotator) is not None


def test_who_passes_the_practice_gets_tasks_and_nobody_else_does():
    campaign = practised_campaign()
    user = only_annotator(campaign)
    with pytest.raises(NotAllowedError, match="do the practice before the first task"):
        next_task(campaign, user)
    attempt = practise(campaign, user)
    assert (attempt.correct, attempt.total, attempt.passed) == (2, 2, True)
    assert Qualification.objects.get(user=user).score == 100
    assert next_task(campaign, user) is not None


def test_who_fails_tries_again_in_another_order_and_then_it_is_over():
    practice = make_practice((4, 0, 4, 0), tries=2, pass_mark=100)
    campaign = practised_campaign(practice=practice)
    user = only_annotator(campaign)
    first = practise(campaign, user, right=False)
    assert (first.passed, admission(campaign, user).tries_left) == (False, 1)
    second = practise(campaign, user, right=False)
    orders = [list(each.answers.values_list("item", flat=True)) for each in (first, second)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    assert admission(campaign, user).stage == "failed"
    with pytest.raises(NotAllowedError, match="Thank you for your time"):
        next_task(campaign, user)
    with pytest.raises(NotAllowedError, match="below the pass mark"):
        continue_practice(campaign, user)


def test_the_pass_mark_counts_answers_and_the_tolerance_is_part_of_a_right_one():
    practice = make_practice((4, 4, 0), pass_mark=66)
    campaign = practised_campaign(practice=practice)
    user = only_annotator(campaign)
    marks = []
    for _ in range(3):
        answer = continue_practice(campaign, user)
        sent = {"items": {"1": rating(3)}}
        marks.append(submit_practice(answer.pk, user, uuid4(), sent).marks["overall"])
    assert sorted(marks) == [False, True, True]
    attempt = PracticeAttempt.objects.get(user=user)
    assert (attempt.correct, attempt.total, attempt.passed) == (2, 3, True)


def test_an_item_is_answered_once():
    campaign = practised_campaign()
    user = only_annotator(campaign)
    answer, key = continue_practice(campaign, user), uuid4()
    sent = {"items": {"1": rating(2)}}
    submit_practice(answer.pk, user, key, sent)
    assert (
        submit_practice(answer.pk, user, key, {"items": {"1": rating(4)}}).answer["items"]["1"][
            "ratings"
        ]["overall"]["value"]
        == 2
    )
    with pytest.raises(ConflictError, match="answered this practice item already"):
        submit_practice(answer.pk, user, uuid4(), sent)
    with pytest.raises(ConflictError, match="already"):
        save_practice_draft(answer.pk, user, sent, 0)


def test_an_attempt_goes_on_where_it_was_and_its_drafts_are_kept():
    campaign = practised_campaign()
    user = only_annotator(campaign)
    answer = continue_practice(campaign, user)
    assert continue_practice(campaign, user) == answer
    sent = {"items": {"1": rating(2)}}
    assert save_practice_draft(answer.pk, user, sent, 0).version == 1
    assert save_practice_draft(answer.pk, user, sent, 0).version == 1
    with pytest.raises(StalePracticeError):
        save_practice_draft(answer.pk, user, {"items": {"1": rating(3)}}, 0)
    answer.refresh_from_db()
    assert practice_payload(answer)["draft"]["items"]["1"]["ratings"]["overall"]["value"] == 2
    answer_item(answer, user)
    assert continue_practice(campaign, user).position == 2
    assert PracticeAttempt.objects.count() == 1


def test_nobody_elses_practice_can_be_opened_or_answered():
    campaign = practised_campaign(annotators=(make_user(), make_user()))
    mine, other = (each.user for each in campaign.memberships.filter(role="annotator"))
    answer = continue_practice(campaign, mine)
    with pytest.raises(NotFoundError):
        submit_practice(answer.pk, other, uuid4(), {"items": {"1": rating(2)}})
    with pytest.raises(NotAllowedError, match="for the annotators"):
        continue_practice(campaign, campaign.owner)
    campaign.memberships.get(user=mine).delete()
    with pytest.raises(NotFoundError):
        submit_practice(answer.pk, mine, uuid4(), {"items": {"1": rating(2)}})


def test_the_browser_gets_neither_the_right_answer_nor_the_reason():
    campaign = practised_campaign()
    payload = practice_payload(continue_practice(campaign, only_annotator(campaign)))
    assert {"right", "reason", "tolerance", "marks"}.isdisjoint(payload)
    assert "Because" not in str(payload)
    assert set(payload["items"][0]) <= {"key", "document", "lang", "summary", "title"}


def test_changes_count_for_later_attempts_only():
    campaign = practised_campaign(practice=make_practice((4, 0), pass_mark=100, tries=3))
    user = only_annotator(campaign)
    answer = continue_practice(campaign, user)
    item = item_of(campaign, answer.item_id)
    set_right(item, rating(2), campaign.owner)
    other = campaign.practice_items.exclude(pk=item.pk).get()
    remove_item(other, campaign.owner)
    attempt = practise(campaign, user)
    assert (attempt.total, attempt.passed) == (2, True)
    assert PracticeAnswer.objects.filter(item__isnull=True).count() == 1


def test_comprehension_has_two_tries_and_names_what_was_wrong():
    campaign = practised_campaign(practice={"comprehension": QUESTIONS})
    user = only_annotator(campaign)
    assert admission(campaign, user).stage == "comprehension"
    comprehend(campaign, user, 0, 0)
    before = answers_before(campaign, user).values()
    assert [(each.chosen, each.correct) for each in before] == [(0, True), (0, False)]
    comprehend(campaign, user, 0, 1)
    assert admission(campaign, user).ready
    assert next_task(campaign, user) is not None
    with pytest.raises(ConflictError, match="go on to the tasks"):
        comprehend(campaign, user, 0, 1)


def test_who_does_not_understand_gets_no_task_and_is_thanked():
    campaign = practised_campaign(practice=make_practice(comprehension=QUESTIONS))
    user = only_annotator(campaign)
    for _ in range(2):
        comprehend(campaign, user, 1, 1)
    result = admission(campaign, user)
    assert (result.stage, result.ended) == ("misunderstood", True)
    assert result.sentence.startswith("Thank you for your interest.")
    for forbidden in (next_task, continue_practice):
        with pytest.raises(NotAllowedError, match="no tasks for you"):
            forbidden(campaign, user)


def test_an_incomplete_or_a_repeated_try_uses_up_none():
    campaign = practised_campaign(practice={"comprehension": QUESTIONS})
    user = only_annotator(campaign)
    first, second = campaign.comprehension.all()
    with pytest.raises(UsageError, match="answer every question"):
        answer_comprehension(campaign, user, {first.pk: 0})
    with pytest.raises(UsageError, match="one of the options"):
        answer_comprehension(campaign, user, {first.pk: 0, second.pk: 9})
    for _ in range(2):
        answer_comprehension(campaign, user, {first.pk: 1, second.pk: 1}, number=1)
    assert ComprehensionAttempt.objects.count() == 1
    assert admission(campaign, user).tries_left == 1


def test_practice_is_no_work():
    campaign = practised_campaign()
    user = only_annotator(campaign)
    before = progress_of([campaign])[campaign.pk]
    practise(campaign, user)
    assert progress_of([campaign])[campaign.pk] == before
    assert not Task.objects.filter(annotator=user).exists()


def test_what_was_opened_may_be_finished_after_a_practice_was_added(annotator):
    campaign = make_campaign(annotators=(annotator,))
    give_consent(campaign, annotator)
    task = next_task(campaign, annotator)
    browser_payload(task)
    replace_practice(campaign, make_practice(), campaign.owner)
    assert next_task(campaign, annotator) == task
