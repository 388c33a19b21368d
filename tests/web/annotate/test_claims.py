"""Claiming tasks, one by one or allocated up front: what is given to whom, and nothing twice."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

import pytest

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import change_role
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.claims import allocate, next_task
from gistmark.web.annotate.services.drafts import browser_payload, save_draft
from gistmark.web.annotate.services.leases import release, release_expired, release_of
from gistmark.web.campaigns.services.campaigns import close, pause
from gistmark.web.campaigns.services.members import add_member, remove_member
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
    first = claimed(campaign, ann)
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
    assert slot_states(campaign) == ["1.1 held"]


def test_whoever_gives_a_task_back_gets_another_one():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), judges=1)
    for _ in range(4):
        task = claimed(campaign, ann)
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
    # savepoint, membership, campaign, held, most open, ties, chosen, savepoint, lock, own, slot,
    # two updates, event, two savepoints
    with django_assert_num_queries(18):
        next_task(campaign, ann)


# Allocation up front


@pytest.fixture
def people():
    return tuple(make_user() for _ in range(3))


def held_by(user) -> int:
    return Task.objects.filter(annotator=user, state="held").count()


def test_all_open_slots_are_shared_out_evenly(people):
    campaign = make_campaign(annotators=people, judges=2)  # 4 batches x 2 judges = 8 slots
    result = allocate(campaign, people, campaign.owner)
    assert sorted(result.tasks.values()) == [2, 3, 3]
    assert result.unallocated == ()
    assert sorted(map(held_by, people)) == [2, 3, 3]
    assert not Task.objects.filter(state="open").exists()
    assert_sound(campaign)


def test_a_limit_is_kept_and_what_is_left_stays_open(people):
    campaign = make_campaign(annotators=people, judges=2)
    result = allocate(campaign, people[:2], None, limit=3)
    assert set(result.tasks.values()) == {3}
    assert len(result.unallocated) == 2
    assert Task.objects.filter(state="open").count() == 2
    assert_sound(campaign)


def test_too_few_people_are_told(people):
    campaign = make_campaign(annotators=people, judges=2)
    result = allocate(campaign, people[:1], None)
    assert result.tasks == {people[0].username: 4}
    assert "too few annotators" in result.unallocated[0].reason


def test_allocated_tasks_have_no_lease_and_come_one_after_the_other(people):
    campaign = make_campaign(annotators=people, judges=1)
    allocate(campaign, people[:1], None)
    assert set(Task.objects.values_list("lease_ends_at", "allocated")) == {(None, True)}
    assert release_expired(campaign) == 0
    assert len({done(campaign, people[0]).task_id for _ in range(4)}) == 4
    assert next_task(campaign, people[0]) is None


def test_only_annotators_of_the_campaign_are_allocated_to(people):
    campaign = make_campaign(annotators=people[:1])
    with pytest.raises(ConflictError, match=f"Not among the annotators .*{people[1].username}"):
        allocate(campaign, people, None)
    with pytest.raises(ConflictError, match="Not among"):
        allocate(campaign, [campaign.owner], None)
    with pytest.raises(UsageError, match="at least one annotator"):
        allocate(campaign, [], None)
    with pytest.raises(UsageError, match="at least 1"):
        allocate(campaign, people[:1], None, limit=0)
    pause(campaign, None)
    with pytest.raises(ConflictError, match="paused"):
        allocate(campaign, people[:1], None)


def test_a_released_task_that_nobody_opened_is_simply_open_again(people):
    campaign = make_campaign(annotators=people, judges=1)
    allocate(campaign, people[:1], None)
    assert release_of(campaign, people[:1], campaign.owner) == 4
    assert set(Task.objects.values_list("state", "annotator", "allocated")) == {
        ("open", None, False)
    }
    assert Task.objects.count() == 4
    assert_sound(campaign)


def test_released_work_goes_back_to_the_same_person_with_its_draft(people):
    ann = people[0]
    corpus = make_corpus(documents=1, systems=1)
    campaign = make_campaign(corpus=corpus, annotators=people, judges=2)
    task = claimed(campaign, ann)
    save_draft(task, ann, {"items": {"1": {"ratings": {"overall": {"value": 2}}}}}, 0)
    release(task, campaign.owner)
    assert slot_states(campaign) == ["1.1 lapsed", "1.2 open", "1.3 open"]
    allocate(campaign, people[:2], None)
    assert [state.split()[1] for state in slot_states(campaign)] == ["held", "held"]
    task.refresh_from_db()
    assert (task.annotator, task.allocated, task.draft.version) == (ann, True, 1)
    assert_sound(campaign)


def test_ended_leases_are_released_at_once_on_demand(people):
    campaign = make_campaign(annotators=people, judges=1)
    tasks = [claimed(campaign, user) for user in people]
    for task in tasks[:2]:
        end_lease(task)
    assert release_expired(campaign, campaign.owner) == 2
    states = Counter(Task.objects.values_list("state", flat=True))
    assert states == {"lapsed": 2, "held": 1, "open": 3}
    assert release_expired(campaign) == 0
    assert_sound(campaign)


def test_only_its_annotator_or_a_manager_releases_a_task(people):
    campaign = make_campaign(annotators=people)
    task = next_task(campaign, people[0])
    for user in (people[1], make_user("manager")):
        with pytest.raises(NotAllowedError):
            release(task, user)
    release(task, people[0])
    with pytest.raises(ConflictError, match="is open and cannot be released"):
        release(task, campaign.owner)


def test_work_that_was_submitted_is_not_released(people):
    campaign = make_campaign(annotators=people)
    task = done(campaign, people[0]).task
    with pytest.raises(ConflictError, match="was submitted or given back already"):
        release(task, people[0])
    assert release_of(campaign, people, None) == 0


@pytest.mark.parametrize("documents", [3, 30])
def test_allocating_takes_the_same_number_of_queries_at_any_size(
    documents, people, django_assert_max_num_queries
):
    campaign = make_campaign(corpus=make_corpus(documents=documents), annotators=people)
    with django_assert_max_num_queries(16):
        allocate(campaign, people, None)


# Whoever knows the answers


def test_admins_get_no_tasks_though_they_joined_as_annotators():
    admin = make_user("admin")
    campaign = make_campaign(annotators=(admin,))
    with pytest.raises(NotAllowedError, match="Managers know the answers"):
        next_task(campaign, admin)
    with pytest.raises(ConflictError, match=f"gets no tasks: '{admin.username}'"):
        allocate(campaign, [admin], None)


def test_former_admins_get_no_tasks_of_campaigns_that_they_could_look_into():
    make_user("admin")
    ada = make_user("admin")
    seen = make_campaign(annotators=(ada,))
    change_role(ada, "annotator")
    ada = User.objects.get(pk=ada.pk)
    with pytest.raises(NotAllowedError, match="Managers know the answers"):
        next_task(seen, ada)
    with pytest.raises(ConflictError, match=f"gets no tasks: '{ada.username}'"):
        allocate(seen, [ada], None)
    assert next_task(make_campaign(annotators=(ada,)), ada) is not None


@pytest.mark.parametrize("leaves", [True, False])
def test_whoever_was_a_manager_of_the_campaign_gets_no_tasks_as_an_annotator(leaves: bool):
    ada = make_user("manager")
    campaign = make_campaign()
    add_member(campaign, ada, "manager")
    if leaves:
        remove_member(campaign, ada, None)
    add_member(campaign, ada, "annotator")
    with pytest.raises(NotAllowedError, match="Managers know the answers"):
        next_task(campaign, ada)


def test_whoever_becomes_a_manager_can_neither_save_nor_submit_what_they_hold():
    ada = make_user("manager")
    campaign = make_campaign(annotators=(ada,))
    task = claimed(campaign, ada)
    sent = whole(browser_payload(task))
    add_member(campaign, ada, "manager")
    for refused in (
        lambda: save_draft(task, ada, sent, 0),
        lambda: submit(task.pk, ada, uuid4(), sent),
    ):
        with pytest.raises(NotAllowedError, match="Managers know the answers"):
            refused()
    assert not task.submissions.exists()


def test_a_manager_of_another_campaign_annotates_like_anybody():
    ada = make_user("manager")
    assert next_task(make_campaign(annotators=(ada,)), ada) is not None
