"""Handing in: stored once, decided on the server, and never lost."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from gistmark.judgements import AnswerError
from gistmark.web.annotate.models import Submission
from gistmark.web.annotate.outcomes import accepted_results
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload, save_draft
from gistmark.web.annotate.services.leases import release
from gistmark.web.annotate.services.submissions import reply_to
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import close, pause, resume
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from web.annotate.answering import (
    assert_sound,
    claimed,
    done,
    end_lease,
    slot_states,
    submit,
    whole,
)
from web.api.calling import Caller
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db
REJECTING = {"checks": {"too_fast": "reject"}}


@pytest.fixture
def ann():
    return make_user()


@pytest.fixture
def bob():
    return make_user()


def one_item(*annotators, protocol: str = "overall", **changes) -> Campaign:
    """A campaign with a single batch that wants one judge."""
    corpus = make_corpus(documents=1, systems=1)
    return make_campaign(protocol, corpus=corpus, annotators=annotators, **{"judges": 1, **changes})


def test_work_that_passes_is_done_and_counts(ann):
    campaign = one_item(ann)
    submission = done(campaign, ann, value=4)
    assert (submission.verdict, submission.flags, submission.number) == ("counts", [], 1)
    assert submission.seconds == pytest.approx(600, abs=5)
    assert slot_states(campaign) == ["1.1 done"]
    (result,) = accepted_results(campaign)
    assert result.answer.items["1"].ratings["overall"].value == 4
    assert result.task.annotator == ann.username
    assert reply_to(submission) == "Thank you, your work has been received."


def test_the_same_key_is_the_same_submission(ann):
    campaign = one_item(ann)
    task, key = claimed(campaign, ann), uuid4()
    first = submit(task.pk, ann, key, whole(browser_payload(task), 4))
    assert submit(task.pk, ann, key, whole(browser_payload(task), 1)) == first
    assert Submission.objects.get().answer == first.answer


def test_a_resent_request_is_answered_even_after_the_end(ann):
    campaign = one_item(ann)
    task, key = claimed(campaign, ann), uuid4()
    first = submit(task.pk, ann, key, whole(browser_payload(task), 4))
    pause(campaign, None)
    assert submit(task.pk, ann, key, whole(browser_payload(task), 4)) == first
    close(campaign, None)
    assert submit(task.pk, ann, key, {}) == first


def test_a_second_key_is_a_second_submission_and_refused_where_answers_are_final(ann):
    campaign = one_item(ann)
    task = done(campaign, ann).task
    with pytest.raises(ConflictError, match="submitted already"):
        submit(task.pk, ann, uuid4(), whole(browser_payload(task), 2))
    assert Submission.objects.count() == 1


def test_work_that_fails_is_kept_with_the_reason_and_its_place_opens(ann, bob):
    campaign = one_item(ann, bob, **REJECTING)
    task = claimed(campaign, ann, minutes_ago=0.05)
    submission = submit(task.pk, ann, uuid4(), whole(browser_payload(task)))
    task.refresh_from_db()
    assert (submission.verdict, task.state, task.flagged) == ("rejected", "rejected", True)
    assert submission.flags[0]["kind"] == "too_fast"
    assert "seconds; the minimum is 20" in submission.flags[0]["reason"]
    assert reply_to(submission) == "Thank you, your work has been received."
    assert slot_states(campaign) == ["1.1 rejected", "1.2 open"]
    assert list(accepted_results(campaign)) == []
    assert next_task(campaign, ann) is None
    assert done(campaign, bob).verdict == "counts"
    assert slot_states(campaign) == ["1.1 rejected", "1.2 done"]
    assert_sound(campaign)


def test_the_server_measures_the_time_whatever_the_browser_says(ann):
    campaign = one_item(ann, **REJECTING)
    task = claimed(campaign, ann, minutes_ago=0.05)
    sent = whole(browser_payload(task)) | {"seconds": 500}
    submission = submit(task.pk, ann, uuid4(), sent)
    assert submission.verdict == "rejected"
    assert submission.seconds == pytest.approx(3, abs=2)


@pytest.mark.parametrize(("reply", "verdict"), [(True, "counts"), (False, "paid")])
def test_the_question_is_decided_on_the_server(ann, reply, verdict):
    campaign = one_item(ann, protocol="content-document")
    task = claimed(campaign, ann)
    sent = whole(browser_payload(task), 70, reply=reply)
    dimensions = [each["name"] for each in browser_payload(task)["dimensions"]]
    sent["moves"] = [{"at": 1, "item": "1", "control": d, "value": 70} for d in dimensions]
    submission = submit(task.pk, ann, uuid4(), sent)
    assert submission.verdict == verdict
    assert [flag["kind"] for flag in submission.flags] == ([] if reply else ["question"])


def test_an_answer_that_is_not_whole_stores_nothing(ann):
    campaign = one_item(ann)
    task = claimed(campaign, ann)
    for wrong in ({}, {"items": {"1": {}}}, whole(browser_payload(task), 9), None, [1]):
        with pytest.raises(AnswerError):
            submit(task.pk, ann, uuid4(), wrong)
    assert not Submission.objects.exists()
    assert slot_states(campaign) == ["1.1 held"]


def test_highlights_are_read_against_the_text(ann):
    campaign = one_item(ann, protocol="highlight")
    task = claimed(campaign, ann)
    reply = {"reply": True}
    too_far = {"items": {"1": {"highlights": [{"start": 0, "end": 10_000}]}}} | reply
    with pytest.raises(AnswerError, match="start before its end within"):
        submit(task.pk, ann, uuid4(), too_far)
    sent = {"items": {"1": {"highlights": [{"start": 5, "end": 6}]}}} | reply
    submission = submit(task.pk, ann, uuid4(), sent)
    assert submission.answer["items"]["1"]["highlights"] == [{"start": 4, "end": 8}]
    (result,) = accepted_results(campaign)
    assert result.answer.items["1"].highlights == ((4, 8),)


def test_nobody_hands_in_for_somebody_else(ann, bob):
    campaign = one_item(ann, bob)
    task = claimed(campaign, ann)
    for user in (bob, campaign.owner):
        with pytest.raises(NotFoundError):
            submit(task.pk, user, uuid4(), whole(browser_payload(task)))


def test_a_paused_campaign_takes_nothing_in_and_keeps_the_draft(ann):
    campaign = one_item(ann)
    task = claimed(campaign, ann)
    sent = whole(browser_payload(task))
    save_draft(task, ann, sent, 0)
    pause(campaign, None)
    with pytest.raises(ConflictError, match="what you have begun is kept"):
        submit(task.pk, ann, uuid4(), sent)
    resume(campaign, None)
    assert submit(task.pk, ann, uuid4(), browser_payload(task)["draft"]).verdict == "counts"


def test_a_closed_campaign_takes_nothing_in(ann):
    campaign = one_item(ann)
    task = claimed(campaign, ann)
    sent = whole(browser_payload(task))
    close(campaign, None)
    with pytest.raises(NotAllowedError, match="is closed"):
        submit(task.pk, ann, uuid4(), sent)


def test_a_lease_that_has_ended_costs_nothing_while_nobody_else_has_the_place(ann):
    campaign = one_item(ann)
    task = claimed(campaign, ann)
    end_lease(task)
    assert submit(task.pk, ann, uuid4(), whole(browser_payload(task))).verdict == "counts"
    assert slot_states(campaign) == ["1.1 done"]


def test_late_work_is_kept_as_an_extra_when_somebody_else_has_the_place(ann, bob):
    campaign = one_item(ann, bob)
    task = claimed(campaign, ann)
    end_lease(task)
    other = next_task(campaign, bob)
    late = submit(task.pk, ann, uuid4(), whole(browser_payload(task), 4))
    assert (late.verdict, [flag["kind"] for flag in late.flags]) == (None, ["late"])
    assert "the manager of the campaign decides" in reply_to(late)
    assert slot_states(campaign) == ["1.1 late", "1.2 held"]
    assert submit(other.pk, bob, uuid4(), whole(browser_payload(other))).verdict == "counts"
    assert_sound(campaign)


def test_late_work_counts_when_its_place_is_open_again(ann, bob):
    campaign = one_item(ann, bob)
    task = claimed(campaign, ann)
    end_lease(task)
    release(next_task(campaign, bob), bob)
    assert submit(task.pk, ann, uuid4(), whole(browser_payload(task), 4)).verdict == "counts"
    assert slot_states(campaign) == ["1.1 done"]
    assert_sound(campaign)


def test_work_on_a_task_that_was_given_back_still_counts_where_there_is_room(ann):
    campaign = one_item(ann)
    task = claimed(campaign, ann)
    release(task, ann)
    assert submit(task.pk, ann, uuid4(), whole(browser_payload(task), 4)).verdict == "counts"
    assert slot_states(campaign) == ["1.1 done"]


def test_an_edit_is_a_further_submission_and_the_last_one_counts(ann):
    campaign = one_item(ann, editable=True)
    task = done(campaign, ann, value=1).task
    edit = submit(task.pk, ann, uuid4(), whole(browser_payload(task), 4))
    assert (edit.number, edit.current, edit.verdict) == (2, True, "counts")
    assert list(Submission.objects.values_list("number", "current")) == [(1, False), (2, True)]
    (result,) = accepted_results(campaign)
    assert result.answer.items["1"].ratings["overall"].value == 4
    assert campaign.events.filter(verb="edited").count() == 1


def test_an_edit_is_checked_again(ann):
    checks = {"too_fast": "reject"}
    campaign = one_item(ann, editable=True, checks=checks)
    task = done(campaign, ann).task
    edit = submit(task.pk, ann, uuid4(), whole(browser_payload(task)) | {"seconds": 1})
    assert edit.verdict == "rejected"
    assert slot_states(campaign) == ["1.1 rejected", "1.2 open"]


def test_edits_end_with_the_campaign(ann):
    campaign = one_item(ann, editable=True)
    task = done(campaign, ann).task
    sent = whole(browser_payload(task), 1)
    close(campaign, None)
    with pytest.raises(NotAllowedError, match="is closed"):
        submit(task.pk, ann, uuid4(), sent)


def test_everything_is_in_the_audit_trail(ann, bob):
    campaign = one_item(ann)
    task = claimed(campaign, ann)
    end_lease(task)
    add_member(campaign, bob)
    next_task(campaign, bob)
    submit(task.pk, ann, uuid4(), whole(browser_payload(task)))
    verbs = list(campaign.events.order_by("pk").values_list("verb", "user__username"))
    owner = campaign.owner.username
    assert verbs == [
        ("made", owner),
        ("joined", ann.username),
        ("started", owner),
        ("took", ann.username),
        ("joined", bob.username),
        ("lapsed", None),
        ("took", bob.username),
        ("submitted", ann.username),
    ]


@pytest.mark.parametrize(("counted", "seconds"), [(42.0, 42.0), (None, 0.0)])
def test_a_clock_that_was_set_back_gives_no_negative_time(counted, seconds):
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), checks={"too_fast": "off"})
    task = claimed(campaign, ann, minutes_ago=-60)
    sent = whole(browser_payload(task)) | {"seconds": counted}
    assert submit(task.pk, ann, uuid4(), sent).seconds == seconds


def test_a_submission_over_the_api_takes_few_queries(ann):
    """None is made twice, and none for what only failed checks need."""
    campaign = make_campaign(corpus=make_corpus(3), annotators=(ann,))
    caller = Caller(ann)

    def statements() -> list[str]:
        task = claimed(campaign, ann)
        sent = {"key": str(uuid4()), "answer": whole(browser_payload(task))}
        with CaptureQueriesContext(connection) as queries:
            assert caller.post(f"/tasks/{task.pk}/submit", sent).status_code == 200
        every = [query["sql"].split() for query in queries.captured_queries]
        return [words[0] for words in every if words[0] in ("SELECT", "INSERT", "UPDATE")]

    statements()  # notes that the token was used, once a minute
    assert sorted(statements()) == ["INSERT"] * 2 + ["SELECT"] * 5 + ["UPDATE"]
