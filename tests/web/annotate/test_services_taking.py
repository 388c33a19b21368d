"""Taking tasks: what is given to whom, and that nothing is given twice."""

from __future__ import annotations

from collections import Counter

import pytest

from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services import next_task, release
from gistmark.web.campaigns.errors import ConflictError, NotAllowedError
from gistmark.web.campaigns.services import close, pause
from web.annotate.answering import assert_sound, done, end_lease, places, taken
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db


def test_a_task_that_somebody_holds_is_given_again():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), judges=1)
    assert next_task(campaign, ann) == next_task(campaign, ann)
    assert Task.objects.filter(annotator=ann).count() == 1


def test_nobody_gets_a_batch_twice_and_the_end_is_none():
    ann, bob = make_user(), make_user()
    campaign = make_campaign(annotators=(ann, bob), judges=2)  # 2 documents x 2 systems = 4 batches
    for user in (ann, bob):
        batches = [done(campaign, user).task.batch_id for _ in range(4)]
        assert len(set(batches)) == 4
        assert next_task(campaign, user) is None
    assert set(Task.objects.values_list("state", flat=True)) == {"done"}
    assert_sound(campaign)


def test_the_items_with_the_fewest_results_come_first():
    people = [make_user() for _ in range(4)]
    campaign = make_campaign(annotators=tuple(people), judges=3)  # 4 batches, 12 slots
    for user in people:
        next_task(campaign, user)
    held = Counter(Task.objects.filter(state="held").values_list("batch__number", flat=True))
    assert held == {1: 1, 2: 1, 3: 1, 4: 1}


def test_equals_are_drawn_so_people_start_at_different_places():
    people = [make_user() for _ in range(12)]
    corpus = make_corpus(documents=20, systems=1)
    campaign = make_campaign(corpus=corpus, annotators=tuple(people), judges=1)
    first = [next_task(campaign, user).batch.number for user in people]
    assert len(set(first)) == 12
    assert first != sorted(first)


def test_only_annotators_of_the_campaign_get_tasks():
    campaign = make_campaign()
    with pytest.raises(NotAllowedError, match="do not take part"):
        next_task(campaign, make_user())
    with pytest.raises(NotAllowedError, match="Managers know the answers"):
        next_task(campaign, campaign.owner)


def test_a_campaign_gives_out_work_only_while_it_runs():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), running=False)
    with pytest.raises(NotAllowedError, match="has not started yet"):
        next_task(campaign, ann)
    campaign = make_campaign(annotators=(ann,))
    next_task(campaign, ann)
    pause(campaign, None)
    with pytest.raises(ConflictError, match="is paused"):
        next_task(campaign, ann)
    close(campaign, None)
    with pytest.raises(NotAllowedError, match="is closed"):
        next_task(campaign, ann)


def test_an_ended_lease_is_passed_on_only_when_no_slot_is_open():
    ann, bob = make_user(), make_user()
    corpus = make_corpus(documents=2, systems=1)
    campaign = make_campaign(corpus=corpus, annotators=(ann, bob), judges=1)
    first = taken(campaign, ann)
    end_lease(first)
    second = next_task(campaign, bob)
    assert second.batch_id != first.batch_id
    first.refresh_from_db()
    assert first.state == "held"
    done(campaign, bob)
    third = next_task(campaign, bob)
    first.refresh_from_db()
    assert (third.batch_id, third.pk != first.pk) == (first.batch_id, True)
    assert (first.state, first.annotator) == ("lapsed", ann)
    assert_sound(campaign)


def test_a_task_that_was_never_opened_goes_to_the_next_person_as_it_is():
    ann, bob = make_user(), make_user()
    corpus = make_corpus(documents=1, systems=1)
    campaign = make_campaign(corpus=corpus, annotators=(ann, bob), judges=1)
    first = next_task(campaign, ann)
    assert next_task(campaign, bob) is None
    end_lease(first)
    assert next_task(campaign, bob) == first
    assert places(campaign) == ["1.1 held"]


def test_whoever_gives_a_task_back_gets_another_one():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), judges=1)
    for _ in range(4):
        task = taken(campaign, ann)
        release(task, ann)
    assert next_task(campaign, ann) is None
    assert Task.objects.filter(annotator=ann, state="lapsed").count() == 4
    assert Task.objects.filter(state="open").count() == 4
    assert_sound(campaign)


@pytest.mark.parametrize("documents", [3, 30])
def test_the_number_of_queries_does_not_depend_on_the_size(documents, django_assert_num_queries):
    ann = make_user()
    corpus = make_corpus(documents=documents)
    campaign = make_campaign(corpus=corpus, annotators=(ann,))
    # savepoint, membership, campaign, held, most open, ties, chosen, lock, own, slot,
    # two updates, event, savepoint
    with django_assert_num_queries(15):
        next_task(campaign, ann)
