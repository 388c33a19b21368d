"""`gistmark tasks`: sharing work out, taking it back, deciding on it."""

from __future__ import annotations

import json

import pytest

from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.claims import allocate
from web.annotate.answering import claimed, done, end_lease, slot_states
from web.factories import make_campaign, make_corpus, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return make_user(), make_user()


@pytest.fixture
def campaign(people):
    return make_campaign(annotators=people, judges=2, name="News")  # 4 batches, 8 slots


def test_open_tasks_are_shared_out(run, campaign, people):
    names = [user.username for user in people]
    outcome = run("tasks", "allocate", "News", *names, "--limit", 3)
    assert outcome.status == 0
    assert outcome.out.splitlines()[:2] == [f"{names[0]}: 3", f"{names[1]}: 3"]
    assert "Unallocated: 2." in outcome.out
    report = json.loads(run("tasks", "allocate", "News", "--everybody", "--json").out)
    assert report == {"tasks": dict.fromkeys(sorted(names), 1), "unallocated": []}


def test_the_status_tells_who_has_done_what(run, campaign, people):
    ann, bob = people
    done(campaign, ann)
    claimed(campaign, bob)
    report = json.loads(run("tasks", "status", "News", "--json").out)
    assert report == {
        "annotators": [
            {
                "annotator": ann.username,
                "done": 1,
                "given": 1,
                "paid": 0,
                "late": 0,
                "rejected": 0,
                "flagged": 0,
            },
            {
                "annotator": bob.username,
                "done": 0,
                "given": 1,
                "paid": 0,
                "late": 0,
                "rejected": 0,
                "flagged": 0,
            },
        ],
        "unallocated": 6,
    }
    assert run("tasks", "work-status", "News").out == run("tasks", "status", "News").out
    assert "Unallocated: 6." in run("tasks", "status", "News").out


def test_tasks_are_released_by_name_or_by_lease(run, campaign, people):
    ann, bob = people
    allocate(campaign, [ann], None)
    assert run("tasks", "release", "News", ann.username).out == "Tasks released: 4.\n"
    end_lease(claimed(campaign, bob))
    assert run("tasks", "release", "News", "--expired").out == "Tasks released: 1.\n"
    assert run("tasks", "release", "News", "--everybody").out == "Tasks released: 0.\n"


def test_work_is_listed_rejected_and_accepted(run, campaign, people):
    slot = done(campaign, people[0]).task.slot
    (row,) = json.loads(run("tasks", "list", "News", "--json").out)
    assert (row["slot"], row["state"], row["flags"]) == (slot, "done", [])
    outcome = run("tasks", "reject", "News", slot, "--reason", "odd")
    assert outcome.out == "The work is rejected, and its slot is open again.\n"
    assert f"{slot} rejected" in slot_states(campaign)
    assert "the slot that was open instead is gone" in run("tasks", "accept", "News", slot).out
    assert campaign.events.filter(verb="accepted").get().user == campaign.owner
    outcome = run("tasks", "pay", "News", slot)
    assert outcome.out == "The work does not count but is paid, and its slot is open again.\n"
    assert f"{slot} paid" in slot_states(campaign)
    report = json.loads(run("tasks", "status", "News", "--json").out)["annotators"]
    assert {each["annotator"]: each["paid"] for each in report}[people[0].username] == 1


def test_only_flagged_work_is_listed_on_demand(run, people):
    campaign = make_campaign(annotators=people, name="Quick")
    done(campaign, people[0])
    task = claimed(campaign, people[1])
    Task.objects.filter(pk=task.pk).update(flagged=True)
    (row,) = json.loads(run("tasks", "list", "Quick", "--flagged", "--json").out)
    assert row["slot"] == task.slot
    assert task.slot in run("tasks", "list", "Quick", "--flagged").out


def test_an_existing_account_joins_and_gets_tasks(run, people):
    campaign = make_campaign(corpus=make_corpus(2, 1), judges=1, name="Thesis")
    outcome = run("tasks", "bulk-allocate-to-existing", "Thesis", people[0].username, 1)
    assert outcome.out.startswith(f"{people[0].username}: 1\n")
    assert campaign.memberships.filter(user=people[0], role="annotator").exists()


def test_a_new_account_without_tasks_is_not_left_behind(run):
    from gistmark.web.accounts.models import User

    make_campaign(name="Draft", running=False)
    outcome = run("tasks", "bulk-allocate", "Draft", "eva", 5)
    assert outcome.status == 1
    assert "has not started yet" in outcome.err
    assert not User.objects.filter(username="eva").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["allocate", "News"], 2, "Name the annotators, or use --everybody"),
        (["allocate", "News", "x", "--everybody"], 2, "Name the annotators, or use --everybody"),
        (["allocate", "News", "nobody"], 2, "There is no user 'nobody'"),
        (["allocate", "Nothing", "x"], 2, "There is no campaign"),
        (["allocate", "News", "--everybody", "--limit", "0"], 2, "must be at least 1"),
        (["release", "News"], 2, "Name the annotators"),
        (["release", "News", "x", "--expired"], 2, "so it takes no names"),
        (["accept", "News", "9.9"], 2, "Nothing was submitted for slot '9.9'"),
        (["reject", "News", "1.1"], 2, "Missing option"),
    ],
)
def test_wrong_commands_say_what_is_wrong(run, campaign, arguments, status, sentence):
    outcome = run("tasks", *arguments)
    assert outcome.status == status
    assert sentence in outcome.err


@pytest.mark.parametrize(
    "verb",
    ["allocate", "bulk-allocate", "bulk-allocate-to-existing", "release", "status", "list",
     "accept", "pay", "reject"],
)  # fmt: skip
def test_every_verb_has_help_with_an_example(run, verb):
    outcome = run("tasks", verb, "--help")
    assert outcome.status == 0
    assert f"Example: gistmark tasks {verb}" in outcome.out
