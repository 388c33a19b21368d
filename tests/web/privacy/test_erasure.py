"""Erasing a person: nothing of them is left, and studies come to the same numbers."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gistmark import study
from gistmark.corpus import load
from gistmark.errors import UsageError
from gistmark.web.accounts.models import AuditEntry, User
from gistmark.web.annotate.models import Comment, Draft, Submission, Task
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.models import Campaign, Event
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.privacy import erasure, traces
from gistmark.web.privacy.erasure import erase, erase_name, plan_erasure
from gistmark.web.results.exports import Choices, export_to
from web.factories import make_campaign, make_user
from web.privacy import living
from web.privacy.living import NAME, make_world
from web.results.working import work_on

pytestmark = pytest.mark.django_db

WITH_NAMES = {"comments.csv", "work.csv"}
"""Files with what people wrote about each other, whose names are taken out."""


def exported(campaign: Campaign, folder: Path, *, names: bool = True) -> Path:
    folder.mkdir()
    export_to(campaign, "folder", folder / "export.zip", Choices(names=names))
    with zipfile.ZipFile(folder / "export.zip") as archive:
        archive.extractall(folder)
    (folder / "export.zip").unlink()
    return folder


def leaves(value: object, name: str) -> Iterator[str]:
    """Every number and text of a study, the words of a text in order, with a name left out."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from leaves(each, name)
    else:
        yield " ".join(sorted(re.findall(r"[\w.-]+", str(value).replace(name, "who"))))


def numbers(folder: Path, name: str) -> list[str]:
    return sorted(leaves(study(load(folder)).records(), name))


def test_nothing_of_the_person_is_left_and_studies_stay_the_same(tmp_path):
    world = make_world()
    assert {where.partition(":")[0] for where in living.traces()} > {
        "accounts_user.username", "accounts_attempt.name", "accounts_auditentry.about",
        "campaigns_event.about", "annotate_comment.text", "annotate_decision.reason",
        "annotate_task.content", "crowd_participant.pid", "results_statistics.content",
        "qualification_practiceanswer.content", "campaigns_highlight.annotator",
    }  # fmt: skip
    before = exported(world.campaign, tmp_path / "before")
    numbered = exported(world.campaign, tmp_path / "numbered", names=False)
    submissions = Submission.objects.count()
    erased = erase(world.person, by=world.manager)
    assert living.traces() == []
    assert Submission.objects.count() == submissions
    after = exported(world.campaign, tmp_path / "after")
    text = "".join(file.read_text() for file in after.iterdir())
    assert not [word for word in living.WORDS if word.casefold() in text.casefold()]
    assert erased.pseudonym in text
    assert numbers(after, erased.pseudonym) == numbers(before, NAME)
    again = exported(world.campaign, tmp_path / "again", names=False)
    assert study(load(again)).records() == study(load(numbered)).records()
    for file in numbered.iterdir():
        same = (again / file.name).read_bytes() == file.read_bytes()
        assert same == (file.name not in WITH_NAMES), file.name
    ratings = [list(csv.reader((f / "ratings.csv").open())) for f in (before, after)]
    renamed = [[erased.pseudonym if cell == NAME else cell for cell in row] for row in ratings[0]]
    assert sorted(renamed) == sorted(ratings[1])


def test_what_happened_stays_but_not_who():
    world = make_world()
    entries = list(AuditEntry.objects.order_by("pk").values_list("pk", "at", "verb"))
    events = list(Event.objects.order_by("pk").values_list("pk", "at", "verb"))
    erase(world.person, by=world.manager)
    after = list(AuditEntry.objects.order_by("pk").values_list("pk", "at", "verb"))
    assert after[: len(entries)] == entries
    assert [verb for *_, verb in after[len(entries) :]] == ["account-erased"]
    last = AuditEntry.objects.order_by("pk").last()
    assert (last.by, last.name) == (world.manager.username, traces.ERASED)
    assert list(Event.objects.order_by("pk").values_list("pk", "at", "verb"))[: len(events)] == (
        events
    )
    kept = world.refreshed()
    assert kept.erased
    assert not kept.is_active
    assert not kept.has_usable_password()
    assert not AuditEntry.objects.filter(name=kept.username).exists()


def test_what_is_said_before_is_what_happens():
    world = make_world()
    plan = plan_erasure(world.person)
    assert plan.problems == ()
    assert plan.kept == {"submissions": 2, "practice answers": 2}
    assert plan.deleted == {
        "links": 1, "links made": 1, "tokens": 1, "second factor": 1, "recovery codes": 1,
        "sessions": 1, "identities": 1, "e-mail address": 1, "drafts": 1, "comments": 1,
        "failed log-ins": 1,
    }  # fmt: skip
    assert plan.redacted["notes of others"] == 2
    assert plan.released == 1
    comments = Comment.objects.count()
    erase(world.person, by=None)
    assert Comment.objects.count() == comments - 1
    assert not Draft.objects.filter(task__annotator=world.person).exists()
    assert not Task.objects.filter(annotator=world.person, state="held").exists()


def test_somebody_else_gets_the_task_that_was_not_submitted():
    world = make_world()
    held = Task.objects.get(annotator=world.person, state="held").batch
    erase(world.person, by=None)
    late = make_user()
    world.campaign.memberships.create(user=late)
    batches = set()
    while (task := next_task(world.campaign, late)) is not None:
        batches.add(task.batch_id)
        work_on(world.campaign, late)
    assert held.pk in batches


def test_an_account_without_work_is_deleted():
    person = make_user()
    assert erase(person, by=None).pseudonym == ""
    assert not User.objects.filter(pk=person.pk).exists()
    assert living.traces((person.username,)) == []


def test_the_last_admin_stays():
    admin = make_user("admin")
    assert plan_erasure(admin).problems
    with pytest.raises(UsageError, match="only admin"):
        erase(admin, by=None)
    make_user("admin")
    erase(admin, by=None)


def test_campaigns_go_to_somebody_else_first():
    campaign, heir = make_campaign(), make_user("manager")
    owner = campaign.owner
    with pytest.raises(UsageError, match="first say who takes over"):
        erase(owner, by=None)
    assert User.objects.get(pk=owner.pk).is_active
    erase(owner, by=None, campaigns_to=heir)
    campaign.refresh_from_db()
    assert campaign.owner == heir
    assert campaign.memberships.get(user=heir).role == "manager"


def test_who_came_from_a_study_that_is_open_is_not_erased_yet():
    world = make_world()
    Recruitment.objects.update(state="active")
    with pytest.raises(UsageError, match="has to end first"):
        erase(world.person, by=None)
    Recruitment.objects.update(state="ended")
    erase(world.person, by=None)
    assert Visit.objects.count() == 1


def test_an_erasure_that_was_interrupted_is_finished_by_another(monkeypatch):
    world = make_world()

    def fail(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patched:
        patched.setattr(erasure, "_forget_market", fail)
        with pytest.raises(RuntimeError):
            erase(world.person, by=None)
    half = world.refreshed()
    assert (half.username, half.is_active) == (NAME, False)
    erase(half, by=None)
    assert living.traces() == []
    with pytest.raises(UsageError, match="erased already"):
        erase(world.refreshed(), by=None)


def test_a_name_that_nobody_has_any_more_is_taken_out_of_the_trail():
    person = make_user(name="long.gone")
    pk = person.pk
    person.delete()
    assert AuditEntry.objects.filter(name="long.gone").exists()
    assert erase_name("long.gone", by=None) > 0
    assert living.traces(("long.gone",)) == []
    assert erase_name("long.gone", by=None) == 0
    assert not User.objects.filter(pk=pk).exists()
    with pytest.raises(UsageError, match="somebody's name"):
        erase_name(make_user().username, by=None)


def test_an_earlier_name_that_somebody_else_has_now_stays_theirs():
    from gistmark.web.accounts.people import rename

    first = make_user(name="sam")
    rename(first, "sam.old")
    make_user(name="sam")
    erase(first, by=None)
    assert living.traces(("sam.old",)) == []
    assert AuditEntry.objects.filter(name="sam", verb="account-created").exists()


def test_an_answer_loses_a_name_but_no_word_of_the_text_that_was_judged():
    world = make_world()
    User.objects.filter(pk=world.person.pk).update(first_name="The", last_name="Town")
    sent = Submission.objects.filter(annotator=world.person).first()
    sent.answer = sent.answer | {"note": f"by {NAME}: the town is old"}
    sent.save()
    erase(world.refreshed(), by=None)
    sent.refresh_from_db()
    assert sent.answer["note"] == f"by {'…' * len(NAME)}: the town is old"
