"""What several transactions do to the same batches; on PostgreSQL they truly run side by side."""

from __future__ import annotations

from contextlib import nullcontext
from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.db import OperationalError, connection, transaction

from gistmark.judgements import read_answer
from gistmark.web.annotate.models import Batch, Submission
from gistmark.web.annotate.services import (
    allocate,
    browser_payload,
    claims,
    drafts,
    next_task,
    release,
    save_draft,
    submit,
)
from gistmark.web.config.storage.transactions import retried
from web.annotate.answering import assert_sound, at_once, claimed, whole
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db(transaction=True)
side_by_side = pytest.mark.skipif(
    "connection.vendor == 'sqlite'", reason="SQLite has one writer at a time"
)


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
    assert len(tries) == 3


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
