"""Several people, or several tabs, at the same moment: threads with transactions of their own.

On PostgreSQL they truly run side by side.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction

from gistmark.judgements import read_answer
from gistmark.web.annotate.models import Batch, Submission, Task
from gistmark.web.annotate.services import claims, drafts
from gistmark.web.annotate.services.claims import allocate, next_task
from gistmark.web.annotate.services.decisions import decide
from gistmark.web.annotate.services.drafts import browser_payload, save_draft
from gistmark.web.annotate.services.leases import release, release_expired
from gistmark.web.config.storage.transactions import retried
from web.annotate.answering import (
    assert_sound,
    at_once,
    claimed,
    done,
    end_lease,
    slot_states,
    submit,
    whole,
)
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db(transaction=True)
side_by_side = pytest.mark.skipif(
    "connection.vendor == 'sqlite'", reason="SQLite has one writer at a time"
)


@pytest.fixture
def people():
    return tuple(make_user() for _ in range(6))


def test_the_last_slot_goes_to_one_of_two_annotators(people):
    corpus = make_corpus(documents=1, systems=1)
    for number in range(5):
        campaign = make_campaign(corpus=corpus, annotators=people, judges=1, name=f"last {number}")
        got = at_once([partial(next_task, campaign, user) for user in people])
        assert sum(task is not None for task in got) == 1
        assert slot_states(campaign) == ["1.1 held"]
        assert_sound(campaign)


def test_many_annotators_get_different_slots(people):
    campaign = make_campaign(annotators=people, judges=2)  # 8 slots
    got = at_once([lambda u=u: next_task(campaign, u) for u in people])
    assert len({task.pk for task in got}) == 6
    assert_sound(campaign)


def test_two_tabs_of_one_person_get_the_same_task(people):
    campaign = make_campaign(annotators=people)
    got = at_once([lambda: next_task(campaign, people[0])] * 4)
    assert len({task.pk for task in got}) == 1
    assert Task.objects.filter(annotator=people[0]).count() == 1


def test_a_double_click_is_stored_once(people):
    campaign = make_campaign(annotators=people)
    task, key = claimed(campaign, people[0]), uuid4()
    sent = whole(browser_payload(task))
    got = at_once([lambda: submit(task.pk, people[0], key, sent)] * 4)
    assert len({submission.pk for submission in got}) == 1
    assert Submission.objects.count() == 1


def test_two_tabs_that_hand_in_are_one_submission_and_one_refusal(people):
    campaign = make_campaign(annotators=people)
    task = claimed(campaign, people[0])
    sent = whole(browser_payload(task))
    got = at_once([lambda: submit(task.pk, people[0], uuid4(), sent)] * 2)
    assert sum(isinstance(each, Submission) for each in got) == 1
    assert sum("submitted already" in str(each) for each in got) == 1


def test_two_edits_at_once_are_both_kept_and_one_counts(people):
    campaign = make_campaign(annotators=people, editable=True)
    task = done(campaign, people[0]).task
    sent = whole(browser_payload(task))
    at_once([lambda: submit(task.pk, people[0], uuid4(), sent)] * 3)
    numbers = list(Submission.objects.values_list("number", "current"))
    assert numbers == [(1, False), (2, False), (3, False), (4, True)]


def test_an_ended_lease_goes_to_one_of_two_and_its_late_work_is_kept(people):
    corpus = make_corpus(documents=1, systems=1)
    ann, *others = people
    campaign = make_campaign(corpus=corpus, annotators=people, judges=1)
    task = claimed(campaign, ann)
    end_lease(task)
    sent = whole(browser_payload(task))
    calls = [lambda u=u: next_task(campaign, u) for u in others]
    *_, submission = at_once([*calls, lambda: submit(task.pk, ann, uuid4(), sent)])
    assert isinstance(submission, Submission)
    task.refresh_from_db()
    states = sorted(Task.objects.values_list("state", flat=True))
    assert states == (["done"] if submission.verdict else ["held", "late"])
    assert_sound(campaign)


def test_rejections_in_one_batch_open_a_place_each(people):
    corpus = make_corpus(documents=1, systems=1)
    campaign = make_campaign(
        corpus=corpus, annotators=people, judges=4, checks={"too_fast": "reject"}
    )
    tasks = [claimed(campaign, user, minutes_ago=0) for user in people[:4]]
    sent = whole(browser_payload(tasks[0]))
    at_once([lambda t=t: submit(t.pk, t.annotator, uuid4(), sent) for t in tasks])
    assert (
        sorted(state.split()[1] for state in slot_states(campaign))
        == ["open"] * 4 + ["rejected"] * 4
    )
    assert_sound(campaign)


def test_decisions_and_takers_at_once_leave_the_places_sound(people):
    corpus = make_corpus(documents=1, systems=1)
    campaign = make_campaign(
        corpus=corpus, annotators=people, judges=3, checks={"too_fast": "reject"}
    )
    owner = campaign.owner
    rejected = []
    for user in people[:3]:
        task = claimed(campaign, user, minutes_ago=0)
        rejected.append(submit(task.pk, user, uuid4(), whole(browser_payload(task))))
    calls = [lambda s=s: decide(s, owner, "counts", "") for s in rejected]
    calls += [lambda u=u: next_task(campaign, u) for u in people[3:]]
    at_once([*calls, lambda: release_expired(campaign)])
    assert_sound(campaign)


def test_allocation_and_pulling_at_once_give_nothing_twice(people):
    campaign = make_campaign(annotators=people, judges=3)  # 4 batches, 12 slots
    calls = [lambda u=u: next_task(campaign, u) for u in people]
    at_once([*calls, lambda: allocate(campaign, people, None)])
    held = Task.objects.filter(state="held")
    assert held.count() == 12
    assert len(set(held.values_list("batch", "annotator"))) == 12
    assert_sound(campaign)


def aside(call):
    """Run a call in a transaction of its own; a lock that it cannot get is an error."""
    errors = []

    def run():
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '3s'")
            call()
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    thread.join()
    assert not errors, errors


@side_by_side
def test_an_allocation_takes_no_slot_of_a_batch_that_it_has_not_locked(monkeypatch):
    ann, bea, cas = people = tuple(make_user() for _ in range(3))
    campaign = make_campaign(
        corpus=make_corpus(documents=2, systems=1), annotators=people, judges=1
    )
    task = next_task(campaign, ann)
    read = claims._slots

    def work():
        regained = claimed(campaign, bea)
        assert regained.batch_id == task.batch_id
        submit(regained.pk, bea, uuid4(), whole(browser_payload(regained)))

    def interrupted(*args):
        aside(lambda: release(task, ann))
        slots = read(*args)
        aside(work)
        return slots

    monkeypatch.setattr(claims, "_slots", interrupted)
    monkeypatch.setattr(claims._Pool, "at", lambda pool, *_: task.batch)
    allocated = allocate(campaign, [cas], None)
    submission = Submission.objects.get()
    assert submission.task.annotator_id == submission.annotator_id == bea.pk
    assert submission.task.state == "done"
    assert allocated.tasks == {cas.username: 1}
    assert_sound(campaign)


@side_by_side
def test_a_claim_that_came_too_late_keeps_no_batch_locked(monkeypatch):
    ann, bea = people = tuple(make_user() for _ in range(2))
    campaign = make_campaign(
        corpus=make_corpus(documents=2, systems=1), annotators=people, judges=1
    )
    first, second = campaign.batches.order_by("pk")
    at = claims._Pool.at
    passed = []

    def contended(pool, *args):
        """The first time, a batch that somebody else claims just then."""
        batch = at(pool, *args)
        if not passed:
            passed.append(batch.pk)
            monkeypatch.setattr(claims._Pool, "at", lambda *_: batch)
            aside(lambda: next_task(campaign, bea))
            monkeypatch.setattr(claims._Pool, "at", contended)
        elif len(passed) == 1:
            passed.append(batch.pk)
            other = bea.tasks.get()
            aside(lambda: release(other, bea))
        return batch

    monkeypatch.setattr(claims._Pool, "at", contended)
    task = next_task(campaign, ann)
    assert {first.pk, second.pk} == set(passed)
    assert task.batch_id == passed[1]
    assert_sound(campaign)


@side_by_side
def test_a_transaction_in_a_deadlock_is_run_again():
    campaign = make_campaign(corpus=make_corpus(documents=2, systems=1), judges=1)
    first, second = campaign.batches.order_by("pk")
    both_have_one, tries = Barrier(2), []

    @retried
    def lock(*batches):
        tries.append(batches)
        for batch in batches:
            Batch.objects.select_for_update().get(pk=batch.pk)
            if len(tries) <= 2 and batch is batches[0]:
                both_have_one.wait()
        return batches

    assert at_once([lambda: lock(first, second), lambda: lock(second, first)]) == [
        (first, second),
        (second, first),
    ]
    # Rarely four or more: one that begins again may lock its first row before the other, which
    # waits for that row, is awake; then they are in a deadlock once more.
    assert len(tries) >= 3


def test_only_what_the_database_broke_off_is_run_again_and_only_outermost():
    class DeadlockError(Exception):
        sqlstate = "40P01"

    def failing(cause):
        calls = []

        @retried
        def service():
            calls.append(1)
            raise OperationalError("broken off") from cause

        return service, calls

    for cause, nested, count in (
        (DeadlockError(), False, 4),
        (None, False, 1),
        (DeadlockError(), True, 1),
    ):
        service, calls = failing(cause)
        with pytest.raises(OperationalError), transaction.atomic() if nested else nullcontext():
            service()
        assert len(calls) == count


def test_answers_are_read_before_anything_is_locked(monkeypatch):
    ann = make_user()
    campaign = make_campaign(annotators=(ann,))
    task = claimed(campaign, ann)
    sent = whole(browser_payload(task))
    reads = []

    def read(*args, **kwargs):
        reads.append(connection.in_atomic_block)
        return read_answer(*args, **kwargs)

    monkeypatch.setattr(drafts, "read_answer", read)
    save_draft(task, ann, sent, 0)
    submit(task.pk, ann, uuid4(), sent)
    assert reads == [False, False]
