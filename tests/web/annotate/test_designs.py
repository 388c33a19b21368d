"""Designs: what a campaign promises about who judges what holds whatever people do."""

from __future__ import annotations

import random
from collections import Counter
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from gistmark.web.annotate.models import Batch, BatchItem, Submission, Task
from gistmark.web.annotate.outcomes import accepted_results
from gistmark.web.annotate.overview import work_of
from gistmark.web.annotate.services.adjudications import (
    adjudicate,
    adjudicate_as,
    candidates,
    give_to,
)
from gistmark.web.annotate.services.claims import allocate, next_task
from gistmark.web.annotate.services.comments import give_back
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.services.launch import layout_in, start
from gistmark.web.annotate.services.leases import release
from gistmark.web.annotate.services.pilots import keep_pilot, start_pilot
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.services.machines import add_machine
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.campaigns.services.protocols import outlook
from gistmark.web.config.errors import ConflictError, NotFoundError, NotReadyError
from gistmark.web.results.adjudication.disagreement import disputed_items
from gistmark.web.results.adjudication.item import disputed_item
from web.annotate.answering import (
    assert_sound,
    at_once,
    claimed,
    done,
    end_lease,
    submit,
    whole,
)
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db
ONE = {"one_per_document_and_annotator": True}


def judged_by(user) -> Counter[str]:
    """How many items somebody has had of each document, adjudications included."""
    rows = BatchItem.objects.filter(batch__tasks__annotator=user)
    return Counter(rows.values_list("document__name", flat=True))


def finish(task: Task) -> None:
    """As if the task had been submitted, without the work."""
    Task.objects.filter(pk=task.pk).update(state="done")


def test_forty_annotators_in_any_order_never_have_two_summaries_of_a_topic():
    people = [make_user() for _ in range(40)]
    campaign = make_campaign(
        corpus=make_corpus(documents=49, systems=10),
        annotators=tuple(people),
        judges=4,
        items_per_task=10,
        **ONE,
    )
    order = random.Random(5)
    waiting = list(people)
    while waiting:
        user = order.choice(waiting)
        task = next_task(campaign, user)
        if task is None:
            waiting.remove(user)
        elif order.random() < 0.05:
            release(task, user)
        else:
            finish(task)
    for user in people:
        had = judged_by(user)
        assert len(had) == 49
        assert set(had.values()) == {1}
    assert not Task.objects.filter(state="open").exists()


def test_with_too_few_people_tasks_stay_open_and_that_is_said_before():
    people = tuple(make_user() for _ in range(5))
    campaign = make_campaign(
        corpus=make_corpus(documents=3, systems=3), annotators=people, running=False,
        judges=2, **ONE,
    )  # fmt: skip
    layout = layout_in(campaign)
    assert (layout.annotators_needed, layout.annotators) == (6, 5)
    assert any("tasks stay open until 1 more join" in each for each in layout.sentences())
    assert outlook(campaign).problems == (), "others may join later"
    start(campaign, None)
    for user in people:
        assert [work.waiting for work in work_of(user)] == [3], "one of each document"
        while (task := next_task(campaign, user)) is not None:
            finish(task)
    assert Task.objects.filter(state="open").count() == 3 * 6 - 3 * 5
    assert [work.waiting for work in work_of(people[0])] == [0]


@pytest.fixture
def people():
    return tuple(make_user() for _ in range(4))


@pytest.fixture
def campaign(people):
    """One document with two summaries, for two judges each: a group of two tasks."""
    return make_campaign(
        corpus=make_corpus(documents=1, systems=2), annotators=people, judges=2, **ONE
    )


def test_whoever_has_judged_given_back_or_lost_a_task_gets_no_other_of_its_group(campaign, people):
    ann, bob, eve, zoe = people
    submission = done(campaign, ann)
    decide(submission, campaign.owner, verdict="rejected", reason="Nothing was read.")
    lapsed = claimed(campaign, bob)
    end_lease(lapsed)
    give_back(lapsed, bob)
    for user in (ann, bob):
        assert next_task(campaign, user) is None
        assert allocate(campaign, [user], None).tasks == {user.username: 0}
    untouched = next_task(campaign, eve)
    release(untouched, eve)
    assert next_task(campaign, eve) is not None, "it was not opened"
    assert next_task(campaign, zoe) is not None
    assert_sound(campaign)


def test_tasks_are_allocated_one_of_a_group(campaign, people):
    allocated = allocate(campaign, people, None)
    assert set(allocated.tasks.values()) == {1}
    assert not allocated.unallocated


def test_an_item_is_given_to_adjudicate_to_nobody_who_knows_its_document(campaign, people):
    ann, bob, eve, zoe = people
    for user in (ann, bob, eve):
        done(campaign, user)
    row = BatchItem.objects.filter(batch__tasks__annotator=ann).get()
    assert list(candidates(campaign, row)) == [zoe]
    give_to(campaign, row.pk, campaign.owner, zoe.username)
    assert next_task(campaign, zoe).batch.adjudicates == row
    with pytest.raises(ConflictError):
        give_to(campaign, row.pk, campaign.owner, bob.username)


def test_the_database_refuses_a_second_task_of_a_group(campaign, people):
    next_task(campaign, people[0])
    other = Task.objects.filter(state="open").exclude(batch__tasks__annotator=people[0]).first()
    with pytest.raises(IntegrityError), transaction.atomic():
        Task.objects.filter(pk=other.pk).update(state="held", annotator=people[0])


def test_a_machine_judges_everything(campaign):
    machine = add_machine(campaign, model="tiny-judge").membership.user
    for _ in range(2):
        finish(next_task(campaign, machine))
    assert judged_by(machine) == {"d1": 2}
    assert layout_in(campaign).annotators == 4, "machines are not counted"


@pytest.mark.django_db(transaction=True)
def test_claims_and_an_allocation_at_the_same_moment_keep_the_promise(people):
    campaign = make_campaign(
        corpus=make_corpus(documents=3, systems=2), annotators=people, judges=2, **ONE
    )
    calls = [lambda u=u: next_task(campaign, u) for u in (*people, *people)]
    results = at_once([*calls, lambda: allocate(campaign, people, None)])
    assert not [each for each in results if isinstance(each, IntegrityError)]
    for user in people:
        assert set(judged_by(user).values()) == {1}
    assert_sound(campaign)


def test_a_pilot_has_one_task_of_each_group_and_its_work_counts(people):
    campaign = make_campaign(
        corpus=make_corpus(documents=4, systems=3), annotators=people, running=False,
        judges=4, items_per_task=2, **ONE,
    )  # fmt: skip
    start_pilot(campaign, None, annotators=2)
    assert campaign.batches.count() == 2, "two groups of two documents"
    for user in people[:2]:
        done(campaign, user)
        done(campaign, user)
    keep_pilot(campaign, None)
    assert campaign.batches.count() == 6
    assert next_task(campaign, people[0]) is None
    finish(next_task(campaign, people[2]))
    assert next_task(campaign, people[2]) is not None
    assert_sound(campaign)


def test_systems_have_their_own_numbers_of_judges(people):
    changes = {"judges": 3, "judges_by_system": {"sys2": 1}}
    campaign = make_campaign(annotators=people, running=False, **changes)
    start_pilot(campaign, None, annotators=1, tasks=1)
    done(campaign, people[0])
    keep_pilot(campaign, None)
    wanted = {
        batch.items.get().summaries.get().summary.system: batch.judges
        for batch in campaign.batches.all()
    }
    assert wanted == {"sys1": 3, "sys2": 1}
    alone = Batch.objects.filter(judges=1, tasks__state="open").first()
    while (task := next_task(campaign, people[1])).batch_id != alone.pk:
        finish(task)
    submission = submit(task.pk, people[1], uuid4(), whole(browser_payload(task)))
    decide(submission, campaign.owner, verdict="paid", reason="")
    assert sorted(alone.tasks.values_list("state", flat=True)) == ["open", "paid"]
    assert_sound(campaign)


def test_a_number_for_an_unknown_system_is_said_before_the_start():
    campaign = make_campaign(running=False, judges_by_system={"lead": 2})
    with pytest.raises(NotReadyError) as caught:
        start(campaign, None)
    assert "names 'lead', of which no summary is judged; the systems are 'sys1', 'sys2'." in str(
        caught.value.problems[0]
    )


@pytest.fixture
def asking_one(people):
    """A pair in two dimensions, one to a task."""
    dimensions = [
        {"name": name, "question": f"Which has more {name}?"} for name in ("order", "wit")
    ]
    return make_campaign(
        "pairwise", corpus=make_corpus(documents=1), annotators=people, judges=2,
        dimensions=dimensions, one_dimension_per_task=True, checks={"too_fast": "off"},
        several_of_a_document=True, items_per_task=3,
    )  # fmt: skip


def choose(task: Task, side: str) -> Submission:
    """Submit the same side for everything that the task asks."""
    shown = browser_payload(task)
    choices = {each["name"]: side for each in shown["dimensions"]}
    assert len(choices) == 1
    answer = {"items": {item["key"]: {"choices": choices} for item in shown["items"]}}
    return submit(task.pk, task.annotator, uuid4(), answer)


def test_a_task_asks_one_dimension_and_its_records_have_that_alone(asking_one, people):
    for user in people[:2]:
        for _ in range(2):
            choose(claimed(asking_one, user), "left")
        assert next_task(asking_one, user) is None
    records = exported_corpus(asking_one).comparisons
    assert Counter(each.dimension for each in records) == {"order": 2, "wit": 2}
    assert {result.task.dimension for result in accepted_results(asking_one)} == {"order", "wit"}
    assert_sound(asking_one)


def test_an_answer_about_another_dimension_is_refused(asking_one, people):
    task = claimed(asking_one, people[0])
    other = {"order": "wit", "wit": "order"}[task.batch.dimension]
    shown = browser_payload(task)
    answer = {"items": {item["key"]: {"choices": {other: "left"}} for item in shown["items"]}}
    with pytest.raises(Exception, match="is missing") as caught:
        submit(task.pk, people[0], uuid4(), answer)
    assert [fault.field for fault in caught.value.faults] == [
        f"items.1.choices.{task.batch.dimension}",
        f"items.1.choices.{other}",
    ]


def test_each_dimension_of_an_item_is_adjudicated_by_itself(asking_one, people):
    for user, side in zip(people[:2], (0, 1), strict=True):
        for _ in range(2):
            task = claimed(asking_one, user)
            systems = task.content["entries"][0]["systems"]
            order = task.batch.dimension == "order"
            chosen = sorted(systems)[side if order else 0]
            choose(task, "left" if systems[0] == chosen else "right")
    disputed = disputed_items(asking_one)
    assert [(each.dimension, each.judges, each.value) for each in disputed] == [
        ("order", 2, 0.5), ("wit", 2, 0),
    ]  # fmt: skip
    worst = disputed[0].item
    seen = disputed_item(asking_one, worst)
    assert [each["name"] for each in seen.payload["dimensions"]] == ["order"]
    assert [line.dimension for line in seen.lines] == ["order"]
    adjudicate(asking_one, worst, asking_one.owner, {"choices": {"order": "left"}})
    other = Submission.objects.filter(task__batch__dimension="wit").first()
    with pytest.raises(NotFoundError):
        adjudicate_as(asking_one, worst, asking_one.owner, other.pk)


def test_members_who_join_are_counted_before_the_start():
    campaign = make_campaign(running=False, judges=2)
    assert layout_in(campaign).annotators == layout_in(campaign).annotators_needed == 2
    add_member(campaign, make_user())
    assert layout_in(campaign).annotators == 1
    for _ in range(3):
        add_member(campaign, make_user())
    before = layout_in(campaign)
    start(campaign, None)
    assert layout_in(campaign) == before
