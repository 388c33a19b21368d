"""Pilots: who may take part, what becomes of their work, and what others see of it."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from gistmark.errors import UsageError
from gistmark.web.annotate.models import Batch, Comment, DecisionGroup, Draft, Submission, Task
from gistmark.web.annotate.overview import work_of
from gistmark.web.annotate.services.claims import allocate, next_task
from gistmark.web.annotate.services.comments import add_comment
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.drafts import browser_payload, save_draft, task_for
from gistmark.web.annotate.services.launch import start
from gistmark.web.annotate.services.leases import release
from gistmark.web.annotate.services.pilots import (
    Pilot,
    discard_pilot,
    keep_pilot,
    pilot_of,
    start_pilot,
)
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import change_settings, close
from gistmark.web.campaigns.services.protocols import change_protocol
from gistmark.web.config.errors import ConflictError, NotFoundError, NotReadyError
from gistmark.web.crowd.approvals import statuses_of
from gistmark.web.results.dashboard.progress import progress_of, timings_of
from gistmark.web.results.statistics.study import statistics_of
from web.annotate.answering import assert_sound, at_once, claimed, done, slot_states, submit, whole
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return tuple(make_user() for _ in range(4))


@pytest.fixture
def campaign(people):
    """A draft of four tasks, each for three judges."""
    return make_campaign(annotators=people, running=False, judges=3)


def test_a_pilot_gives_the_first_tasks_to_its_annotators(campaign, people):
    start_pilot(campaign, campaign.owner, annotators=2, tasks=3)
    assert (campaign.state, campaign.judges) == ("pilot", 2)
    assert slot_states(campaign) == [
        f"{batch}.{copy} open" for batch in (1, 2, 3) for copy in (1, 2)
    ]
    done(campaign, people[0])
    assert pilot_of(campaign) == Pilot(2, 1, tasks=3, submissions=1, drafts=0)
    assert_sound(campaign)


def test_a_pilot_is_for_so_many_annotators_and_no_more(campaign, people):
    start_pilot(campaign, None, annotators=2)
    first, second, third, _ = people
    given = next_task(campaign, first)
    claimed(campaign, second)
    assert next_task(campaign, third) is None
    assert [(work.waiting, work.can_go_on) for work in work_of(third)] == [(0, False)]
    assert [work.waiting for work in work_of(first)] == [3]
    with pytest.raises(ConflictError, match=r"is for 2 annotators; .* would be 3"):
        allocate(campaign, [third], None)
    release(given, first)
    assert next_task(campaign, third) is not None
    assert next_task(campaign, first) is None


def test_a_draft_that_is_not_ready_has_no_pilot(campaign):
    campaign.questions.all().delete()
    change_protocol(campaign, {"checks": {"question": "reject"}, "shows": ["document"]}, None)
    with pytest.raises(NotReadyError):
        start_pilot(campaign, None, annotators=1)


@pytest.mark.parametrize(("annotators", "tasks"), [(0, None), (101, None), (1, 0), (1, 5)])
def test_a_pilot_has_some_annotators_and_tasks(campaign, annotators, tasks):
    with pytest.raises(UsageError, match=r"has 1 to (100|4) "):
        start_pilot(campaign, None, annotators=annotators, tasks=tasks)
    assert Campaign.objects.get().state == "draft"


def test_the_steps_of_other_states_are_refused(campaign):
    for step in (keep_pilot, partial(discard_pilot, submissions=0)):
        with pytest.raises(ConflictError, match=r"is a draft and cannot be .* in its pilot can"):
            step(campaign, None)
    start_pilot(campaign, None, annotators=1)
    for step in (start, close, partial(start_pilot, annotators=1)):
        with pytest.raises(ConflictError, match="is in its pilot and cannot be"):
            step(campaign, None)
    with pytest.raises(ConflictError, match="once the pilot has been thrown away"):
        change_protocol(campaign, {"judges": 5}, None)


def test_work_that_is_kept_counts_once_and_all_other_tasks_come(campaign, people):
    start_pilot(campaign, None, annotators=2, tasks=2)
    done(campaign, people[0])
    begun = claimed(campaign, people[1])
    before = exported_corpus(campaign).ratings
    assert {each.campaign for each in before} == {f"{campaign.name} (pilot)"}
    keep_pilot(campaign, campaign.owner)
    assert (campaign.state, campaign.judges, campaign.pilot_annotators) == ("running", 3, None)
    assert campaign.started_at is not None
    assert_sound(campaign)
    assert progress_of([campaign])[campaign.pk].wanted == 4 * 3
    submit(begun.pk, people[1], uuid4(), whole(browser_payload(begun)))
    while next_task(campaign, people[2]) is not None:
        done(campaign, people[2])
    ratings = exported_corpus(campaign).ratings
    keys = [(each.document, each.system, each.annotator, each.dimension) for each in ratings]
    assert len(keys) == len(set(keys)) == 6
    assert {each.campaign for each in ratings} == {campaign.name}
    assert_sound(campaign)
    assert campaign.events.get(verb="pilot-kept").about == {"submissions": 1}


def test_a_pilot_with_more_judges_than_the_protocol_wants_cannot_be_kept(people):
    campaign = make_campaign(annotators=people, running=False, judges=1)
    start_pilot(campaign, None, annotators=2, tasks=1)
    done(campaign, people[0])
    surplus = done(campaign, people[1])
    before = slot_states(campaign)
    with pytest.raises(ConflictError, match=r"In 1 of the pilot's tasks more .* protocol wants"):
        keep_pilot(campaign, None)
    assert (Campaign.objects.get().state, slot_states(campaign)) == ("pilot", before)
    decide(surplus, campaign.owner, "rejected", "too many")
    keep_pilot(campaign, None)
    assert_sound(campaign)


def test_nothing_is_left_of_a_pilot_that_is_thrown_away(campaign, people):
    start_pilot(campaign, None, annotators=2)
    done(campaign, people[0])
    begun = claimed(campaign, people[1])
    save_draft(begun, people[1], {}, 0)
    add_comment(begun, people[1], uuid4(), text="What a text.")
    decide(Submission.objects.get(), campaign.owner, "counts")
    assert statistics_of(campaign).annotators
    with pytest.raises(ConflictError, match="has 1 submissions by now, not 0"):
        discard_pilot(campaign, None, submissions=0)
    discard_pilot(campaign, campaign.owner, submissions=1)
    assert campaign.state == "draft"
    for rows in (Submission, Task, Batch, Draft, Comment, DecisionGroup):
        assert not rows.objects.exists()
    assert exported_corpus(campaign).ratings == ()
    assert timings_of(campaign).n == 0
    assert work_of(people[0]) == []
    about = campaign.events.get(verb="pilot-discarded").about
    assert (about["submissions"], about["annotators"]) == (1, 2)
    change_protocol(campaign, {"judges": 1}, None)
    start(campaign, None)
    assert slot_states(campaign) == [f"{batch}.1 open" for batch in (1, 2, 3, 4)]
    statistics = statistics_of(campaign)
    assert (statistics.annotators, statistics.ranking) == ({}, [])


def test_a_page_that_was_open_when_the_pilot_was_thrown_away_is_told_so(campaign, people):
    start_pilot(campaign, None, annotators=1)
    task = claimed(campaign, people[0])
    sent = whole(browser_payload(task))
    discard_pilot(campaign, None, submissions=0)
    for attempt in (
        lambda: save_draft(task, people[0], sent, 0),
        lambda: submit(task.pk, people[0], uuid4(), sent),
        lambda: task_for(people[0], task.pk),
    ):
        with pytest.raises(ConflictError, match="part of a pilot that has ended"):
            attempt()
    with pytest.raises(NotFoundError, match="You have no such task"):
        task_for(make_user(), task.pk)
    with pytest.raises(NotFoundError, match="You have no such task"):
        task_for(people[0], task.pk + 1000)


def test_completion_codes_of_a_pilot_are_paid_by_whatever_becomes_of_it(campaign, people):
    change_settings(campaign, None, completion_codes=True)
    start_pilot(campaign, None, annotators=2)
    done(campaign, people[0])
    bad = done(campaign, people[1])
    decide(bad, campaign.owner, "rejected", "no care")
    codes = statuses_of(campaign)
    assert sorted(each.decision for each in codes.values()) == ["approve", "reject"]
    discard_pilot(campaign, None, submissions=2)
    after = statuses_of(campaign)
    assert {code: each.decision for code, each in after.items()} == {
        code: each.decision for code, each in codes.items()
    }
    start(campaign, None)
    done(campaign, people[0])
    assert len(statuses_of(campaign)) == 3


@pytest.mark.django_db(transaction=True)
def test_a_pilot_ends_once_while_people_claim_and_submit(people):
    for end in (keep_pilot, partial(discard_pilot, submissions=0)):
        corpus = make_corpus(documents=3)
        campaign = make_campaign(annotators=people, running=False, judges=4, corpus=corpus)
        start_pilot(campaign, None, annotators=3)
        tasks = [claimed(campaign, user) for user in people[:2]]
        sent = [whole(browser_payload(task)) for task in tasks]
        replies = at_once(
            [
                *(partial(next_task, campaign, user) for user in people[2:]),
                *(
                    partial(submit, task.pk, task.annotator, uuid4(), answer)
                    for task, answer in zip(tasks, sent, strict=True)
                ),
                partial(end, Campaign.objects.get(pk=campaign.pk), None),
                partial(end, Campaign.objects.get(pk=campaign.pk), None),
            ]
        )
        campaign.refresh_from_db()
        ended = [each for each in replies[-2:] if isinstance(each, Campaign)]
        if campaign.state == "pilot":  # work came in before it could be thrown away
            assert ended == []
        else:
            assert len(ended) == 1
        assert not [each for each in replies if isinstance(each, Exception)
                    and not isinstance(each, ConflictError | NotFoundError)
                    and "not started" not in str(each)]  # fmt: skip
        if campaign.state == "draft":
            assert not Task.objects.filter(campaign=campaign).exists()
        else:
            assert Submission.objects.filter(task__campaign=campaign).count() == 2
            assert_sound(campaign)
