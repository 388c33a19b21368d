"""Decisions on many submissions at once, and undoing them."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from gistmark.errors import UsageError
from gistmark.judgements import VERDICTS
from gistmark.web.annotate.models import Decision, Submission, Task
from gistmark.web.annotate.outcomes import accepted_results, counting, outcome_of
from gistmark.web.annotate.services.decisions import decide, decide_many, last_group, undo
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from web.annotate.answering import assert_sound, claimed, done, slot_states, submit, whole
from web.factories import again, make_campaign, make_corpus, make_user
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


def pks(campaign, **wanted) -> list[int]:
    rows = Submission.objects.filter(task__campaign=campaign, current=True, **wanted)
    return list(rows.order_by("pk").values_list("pk", flat=True))


def situation(campaign) -> Counter[tuple[int, str, int | None, bool]]:
    """The slots of every batch by state, annotator and flag; their numbers may differ."""
    rows = Task.objects.filter(campaign=campaign)
    return Counter(rows.values_list("batch__number", "state", "annotator", "flagged"))


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    """Eight submissions by two annotators; ann's first is flagged, bob's first was rejected."""
    made = worked_campaign(annotators=2)
    ann, bob = (
        made.memberships.filter(role="annotator").order_by("pk").values_list("user", flat=True)
    )
    flagged = Submission.objects.filter(annotator=ann).first()
    flag = {"kind": "too_fast", "reason": "Too fast.", "severity": "flag"}
    Submission.objects.filter(pk=flagged.pk).update(flags=[flag])
    Task.objects.filter(pk=flagged.task_id).update(flagged=True)
    decide(Submission.objects.filter(annotator=bob).first(), made.owner, "rejected", "Odd.")
    return made


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_undoing_leaves_everything_as_it_was_before(campaign, verdict):
    before = situation(campaign)
    many = decide_many(campaign, pks(campaign), campaign.owner, verdict, "All alike.")
    assert situation(campaign) != before
    assert_sound(campaign)
    undone = undo(campaign, many.group.pk, campaign.owner)
    assert situation(campaign) == before
    assert len(undone.decisions) == len(many.decisions)
    assert_sound(campaign)


def test_all_get_the_decision_and_the_reason_and_the_trail_has_one_line(campaign):
    many = decide_many(campaign, pks(campaign), campaign.owner, "rejected", " Copied. ")
    assert many.sentence == (
        "7 tasks rejected. Slots open again: 7. Already rejected by a manager: 1 task."
    )
    assert (many.group.count, many.before, many.left_alone) == (7, 1, ())
    assert set(many.group.decisions.values_list("reason", flat=True)) == {"Copied."}
    assert Counter(outcome_of(task) for task in Task.objects.filter(campaign=campaign)) == {
        "rejected": 8,
        None: 8,
    }
    event = campaign.events.first()
    assert (event.verb, event.about["count"], len(event.about["slots"])) == ("rejected-many", 7, 7)


def test_an_undone_decision_is_kept_but_says_nothing(campaign):
    submission = Submission.objects.get(pk=pks(campaign)[0])
    group = decide(submission, campaign.owner, "rejected", "No.").decision.group
    assert last_group(campaign, campaign.owner) == group
    assert undo(campaign, group.pk, campaign.owner).sentence.startswith("1 rejection undone.")
    assert last_group(campaign, campaign.owner) != group
    assert Decision.objects.get(group=group).undone
    assert submission.decision is None
    again = decide(submission, campaign.owner, "rejected", "No.")
    assert again.sentence == "The work is rejected, and its slot is open again."
    assert campaign.events.filter(verb="undone").get().about["slots"] == [submission.task.slot]


def test_undoing_goes_back_one_decision_at_a_time(campaign):
    submission = Submission.objects.get(pk=pks(campaign)[1])
    for verdict in ("rejected", "counts"):
        decide(submission, campaign.owner, verdict, "Because.")
    states = []
    for _ in range(2):
        undo(campaign, last_group(campaign, campaign.owner).pk, campaign.owner)
        states.append(Task.objects.get(pk=submission.task_id).state)
    assert states == ["rejected", "done"]


def test_what_was_decided_on_again_stays_so(campaign):
    wanted = pks(campaign)[:2]
    many = decide_many(campaign, wanted, campaign.owner, "rejected", "Odd.")
    decide(Submission.objects.get(pk=wanted[0]), campaign.owner, "counts")
    undone = undo(campaign, many.group.pk, campaign.owner)
    assert [str(each) for each in undone.left_alone] == [
        f"Task {Submission.objects.get(pk=wanted[0]).task.slot} of "
        f"{Submission.objects.get(pk=wanted[0]).annotator.username}: "
        "It has been decided on again since."
    ]
    assert undone.sentence.startswith("1 rejection undone.")
    with pytest.raises(ConflictError, match="undone already"):
        undo(campaign, many.group.pk, campaign.owner)


def test_a_newer_answer_is_named_and_not_decided_on():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), editable=True)
    first, second = done(campaign, ann), done(campaign, ann)
    submit(first.task.pk, ann, uuid4(), whole(browser_payload(first.task), 1))
    many = decide_many(campaign, [first.pk, second.pk], campaign.owner, "rejected", "Odd.")
    assert many.sentence.endswith("Not decided on: 1 task.")
    assert [each.slot for each in many.left_alone] == [first.task.slot]
    assert "newer answer" in str(many.left_alone[0])


def test_a_slot_that_was_claimed_meanwhile_makes_one_judge_too_many():
    ann, bob = make_user(), make_user()
    corpus = make_corpus(documents=1, systems=1)
    campaign = make_campaign(corpus=corpus, annotators=(ann, bob), judges=1)
    group = decide(done(campaign, ann), campaign.owner, "rejected", "Odd.").decision.group
    claimed(campaign, bob)
    undone = undo(campaign, group.pk, campaign.owner)
    assert "more judges than wanted: 1" in undone.sentence
    assert slot_states(campaign) == ["1.1 done", "1.2 held"]
    assert_sound(campaign)


def test_only_managers_of_the_campaign_decide_and_undo(campaign):
    group = last_group(campaign, campaign.owner)
    for user in (make_user(), make_user("manager")):
        with pytest.raises(NotAllowedError):
            decide_many(campaign, pks(campaign), user, "counts")
        with pytest.raises(NotAllowedError):
            undo(campaign, group.pk, user)
    other = make_campaign()
    with pytest.raises(NotFoundError):
        undo(other, group.pk, other.owner)
    assert decide_many(other, pks(campaign), other.owner, "counts").sentence == "0 tasks accepted."
    with pytest.raises(UsageError, match="Nothing was chosen"):
        decide_many(campaign, [], campaign.owner, "counts")
    with pytest.raises(UsageError, match="needs a reason"):
        decide_many(campaign, pks(campaign), campaign.owner, "rejected", " ")


def test_the_queries_do_not_grow_with_the_work():
    counts = []
    for documents in (2, 6):
        made = worked_campaign(annotators=2, corpus=make_corpus(documents=documents))
        with CaptureQueriesContext(connection) as made_queries:
            many = decide_many(made, pks(made), made.owner, "rejected", "Odd.")
        with CaptureQueriesContext(connection) as undone_queries:
            undo(made, many.group.pk, made.owner)
        counts.append((len(made_queries), len(undone_queries)))
    assert counts[0] == counts[1]


def test_undecided_work_holds_its_slot_but_is_not_accepted(campaign):
    waiting = Task.objects.get(campaign=campaign, flagged=True)
    assert (outcome_of(waiting), waiting.as_slot().counts) == ("undecided", True)
    assert len(list(accepted_results(campaign))) == 6
    assert len(exported_corpus(campaign).ratings) == 6
    assert len(exported_corpus(campaign, undecided=True).ratings) == 7
    decide(waiting.submissions.get(), campaign.owner, "counts")
    assert counting(campaign).count() == 7
