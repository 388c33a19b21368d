"""Machines judge beside people: in slots of their own, and in none of people's numbers."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import change_role, set_password
from gistmark.web.accounts.sign_in.credentials import make_password_link, make_token
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.annotate.outcomes import accepted_results
from gistmark.web.annotate.services.claims import allocate, next_task
from gistmark.web.annotate.services.comments import give_back
from gistmark.web.annotate.services.drafts import browser_payload, save_draft
from gistmark.web.annotate.services.leases import release, release_of
from gistmark.web.annotate.services.machines import batches_left
from gistmark.web.annotate.services.pilots import pilot_of, start_pilot
from gistmark.web.annotate.services.submissions import exported_corpus
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import demand_consent
from gistmark.web.campaigns.services.machines import (
    add_machine,
    change_machine,
    machine_called,
    machines_of,
    note_signature,
)
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.errors import ConflictError, NotAllowedError
from gistmark.web.qualification.services.admission import admission
from gistmark.web.results.dashboard.pace import pace_of
from gistmark.web.results.dashboard.progress import (
    annotators_of,
    machine_work,
    members_of,
    progress_of,
    timings_of,
)
from gistmark.web.results.review import WorkFilter, counts_of, submissions_of
from web.annotate.answering import claimed, done, slot_states, submit, whole
from web.factories import make_campaign, make_user
from web.qualification.practising import practised_campaign

pytestmark = pytest.mark.django_db


def make_machine(campaign: Campaign, model: str = "tiny-judge") -> User:
    return add_machine(campaign, model=model).membership.user


def test_a_machine_takes_no_slot_of_a_person():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), judges=1)  # 4 batches
    machine = make_machine(campaign)
    for _ in range(4):
        done(campaign, machine)
    assert next_task(campaign, machine) is None
    for number in range(4):
        assert progress_of([campaign])[campaign.pk].done == number
        done(campaign, ann)
    progress = progress_of([campaign])[campaign.pk]
    assert (progress.done, progress.wanted, progress.open) == (4, 4, 0)
    assert slot_states(campaign)[:2] == ["1.1 done", f"1.m{machine.pk} done"]


def test_batches_that_people_have_worked_on_come_first():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), judges=1)
    worked = done(campaign, ann).task.batch_id
    task = next_task(campaign, make_machine(campaign))
    assert task is not None
    assert task.batch_id == worked


def test_a_machine_gets_the_task_again_that_it_has_begun_and_its_lease_never_ends():
    campaign = make_campaign()
    machine = make_machine(campaign)
    task = claimed(campaign, machine)
    save_draft(task, machine, {"items": {}}, 0)
    assert next_task(campaign, machine) == task
    task.refresh_from_db()
    assert task.lease_ends_at is None


def test_a_machine_agrees_to_no_terms_and_does_no_practice():
    campaign = practised_campaign()
    machine = make_machine(campaign)
    assert admission(campaign, machine).ready
    demand_consent(campaign, machine)
    assert next_task(campaign, machine) is not None


def test_two_machines_judge_the_same_items_and_each_sees_no_system():
    campaign = make_campaign()
    one, two = make_machine(campaign), make_machine(campaign)
    assert one.username != two.username
    tasks = [claimed(campaign, each) for each in (one, two)]
    assert len({task.batch_id for task in tasks}) == 1
    shown = [each for item in browser_payload(tasks[0])["items"] for each in item]
    assert set(shown) == {"key", "document", "lang", "summary"}


def test_nothing_that_a_machine_says_is_among_what_people_say():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), judges=1)
    machine = make_machine(campaign)
    done(campaign, ann, value=1)
    done(campaign, machine, value=4)
    assert {each.annotator for each in exported_corpus(campaign).ratings} == {ann.username}
    assert {each.value for each in exported_corpus(campaign).ratings} == {1}
    by_machines = list(accepted_results(campaign, machines=True))
    assert [each.task.annotator for each in by_machines] == [machine.username]
    assert [each.name for each in annotators_of(campaign)] == [ann.username]
    assert timings_of(campaign).n == 1
    assert len(pace_of(campaign).received) == 1
    assert len(pace_of(campaign).annotators) == 1


def test_a_machine_is_marked_wherever_its_work_is_listed():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), judges=1)
    machine = make_machine(campaign, "tiny-judge")
    done(campaign, machine)
    marked = {each.name: (each.machine, each.progress.done) for each in members_of(campaign)}
    assert marked[machine.username] == (True, 1)
    assert marked[ann.username] == (False, 0)
    (work,) = machine_work(campaign)
    assert (work.model, work.progress.done, work.left, work.total) == ("tiny-judge", 1, 3, 4)
    assert not submissions_of(campaign, WorkFilter())
    assert submissions_of(campaign, WorkFilter(show="machines")).get().annotator == machine
    counts = counts_of(campaign, WorkFilter())
    assert (counts["all"], counts["machines"]) == (0, 1)


def test_a_machine_is_held_to_the_checks_but_not_to_a_persons_time():
    campaign = make_campaign("overall", judges=1, checks={"too_fast": "reject"})
    machine = make_machine(campaign)
    task = claimed(campaign, machine, minutes_ago=0)
    answer = whole(browser_payload(task))
    assert submit(task.pk, machine, uuid4(), answer).verdict == "counts"


def test_a_machine_that_fails_a_check_does_not_count_and_opens_no_slot():
    campaign = make_campaign("content-document", judges=1, checks={"question": "reject"})
    machine = make_machine(campaign)
    open_before = progress_of([campaign])[campaign.pk].open
    sent = done(campaign, machine, value=30, reply=False)
    assert sent.verdict == "rejected"
    assert progress_of([campaign])[campaign.pk].open == open_before
    assert not list(accepted_results(campaign, machines=True))
    assert machine_work(campaign)[0].progress.rejected == 1


def test_a_machine_is_no_annotator_of_a_pilot():
    ann = make_user()
    campaign = make_campaign(annotators=(ann,), running=False)
    machine = make_machine(campaign)
    start_pilot(campaign, campaign.owner, annotators=1)
    done(campaign, machine)
    assert (pilot_of(campaign).begun, pilot_of(campaign).submissions) == (0, 0)
    done(campaign, ann)
    assert (pilot_of(campaign).begun, pilot_of(campaign).submissions) == (1, 1)


def test_tasks_of_machines_are_neither_allocated_nor_released():
    campaign = make_campaign()
    machine = make_machine(campaign)
    task = claimed(campaign, machine)
    with pytest.raises(ConflictError, match="people only"):
        allocate(campaign, [machine], campaign.owner)
    with pytest.raises(ConflictError, match="takes nobody's slot"):
        release(task, campaign.owner)
    assert release_of(campaign, [machine], campaign.owner) == 0


def test_a_machine_gives_back_what_it_cannot_answer_and_goes_on_with_others():
    campaign = make_campaign()
    machine = make_machine(campaign)
    task = claimed(campaign, machine)
    give_back(task, machine, text="The model did not answer.")
    after = next_task(campaign, machine)
    assert after is not None
    assert after.batch_id != task.batch_id
    assert progress_of([campaign])[campaign.pk].open == progress_of([campaign])[campaign.pk].wanted
    assert machine_work(campaign)[0].left == 3


def test_what_is_left_for_a_machine_is_the_same_on_pages_and_for_the_machine():
    campaign = make_campaign()  # 4 batches
    machine = make_machine(campaign)
    counts = [batches_left(campaign, machine)]
    give_back(claimed(campaign, machine), machine)
    done(campaign, machine)
    claimed(campaign, machine)  # held, and still to be done
    counts.append(batches_left(campaign, machine))
    assert counts == [4, 2]
    assert machine_work(campaign)[0].left == 2


def test_a_signature_is_stored_once_however_often_a_machine_runs():
    machine = add_machine(make_campaign(), model="m; n")
    for signature in ("judge|v:1", "judge|v:1", "judge|v:1|model:m; n", "judge|v:1|model:m; n"):
        note_signature(machine, signature)
    machine.refresh_from_db()
    assert machine.signature == "judge|v:1; judge|v:1|model:m; n"


def test_the_account_of_a_machine_has_no_password_role_or_other_campaign():
    campaign, other = make_campaign(), make_campaign()
    machine = make_machine(campaign)
    assert not machine.has_usable_password()
    for refused in (
        lambda: make_password_link(by=None, user=machine),
        lambda: set_password(machine, "quiet-river-stone-42"),
        lambda: change_role(machine, "manager"),
        lambda: add_member(other, machine),
    ):
        with pytest.raises(NotAllowedError, match="is a machine"):
            refused()
    assert make_token(machine, "run", scope="all").token.scope == "tasks"
    machine.password = "pbkdf2"
    with pytest.raises(IntegrityError), transaction.atomic():
        machine.save()


def test_the_database_leases_no_task_of_a_machine():
    campaign = make_campaign()
    task = claimed(campaign, make_machine(campaign))
    with pytest.raises(IntegrityError), transaction.atomic():
        Task.objects.filter(pk=task.pk).update(lease_ends_at=task.claimed_at)


def test_a_machine_that_has_judged_keeps_its_model():
    campaign = make_campaign()
    machine = add_machine(campaign, model="tiny-judge", url="http://localhost:8000/v1")
    change_machine(machine, model="tiny-judge-2", url="")
    done(campaign, machine.membership.user)
    change_machine(machine, model="tiny-judge-2", url="http://other:8000/v1")
    with pytest.raises(UsageError, match="add another machine"):
        change_machine(machine, model="large-judge", url="")
    assert machines_of(campaign).get().url == "http://other:8000/v1"


@pytest.mark.parametrize(
    ("model", "url", "wrong"),
    [
        (" ", "", "1 to 200 characters"),
        ("m", "ftp://x", "is like http"),
        ("m", "http://me:secret@host/v1", "no name, password"),
        ("m", "https://host/v1?key=secret", "no name, password"),
        ("m", "http://[", "is like http"),
    ],
)
def test_what_cannot_be_a_machine_is_refused(model: str, url: str, wrong: str):
    with pytest.raises(UsageError, match=wrong) as raised:
        add_machine(make_campaign(), model=model, url=url)
    assert "secret" not in str(raised.value)


def test_a_machine_that_is_not_there_is_named_with_those_that_are():
    campaign = make_campaign()
    add_machine(campaign, model="m", name="judge-a")
    with pytest.raises(UsageError, match="has no machine 'b'; it has 'judge-a'"):
        machine_called(campaign, "b")


def test_a_submission_of_a_machine_can_be_accepted_by_a_manager():
    from gistmark.web.annotate.services.decisions import decide

    campaign = make_campaign("content-document", judges=1, checks={"question": "reject"})
    machine = make_machine(campaign)
    sent = done(campaign, machine, value=30, reply=False)
    states = [each for each in slot_states(campaign) if ".m" not in each]
    decide(sent, campaign.owner, "counts", "")
    assert len(list(accepted_results(campaign, machines=True))) == 1
    assert [each for each in slot_states(campaign) if ".m" not in each] == states
    assert Submission.objects.get().task.machine
