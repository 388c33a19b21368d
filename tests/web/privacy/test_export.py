"""What is stored about a person: all of it, nothing of others, and no answers to checks."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO

import pytest

from gistmark.web.accounts.models import AuditEntry
from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.models import Planted, Question
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.privacy.catalogue import PERSONAL
from gistmark.web.privacy.export import export_person
from web.privacy.living import ADDRESS, EMAIL, NAME, PID, make_world

pytestmark = pytest.mark.django_db

OF_MANAGERS = {
    "campaigns-owned", "qualifications-granted", "decisions-made", "decision-groups",
    "decision-groups-undone", "adjudications", "recruitments-made", "market-accounts",
    "bonus-payments-made", "bonuses", "webhooks-made", "e-mails",
    "reminders",
}  # fmt: skip
"""What annotators, or this one, have none of."""
EMPTY = {"recovery-codes", "decisions-on-your-work"}
"""What is withheld altogether, and what comes once the campaign is closed."""


def opened(archive: bytes) -> dict[str, str]:
    with zipfile.ZipFile(BytesIO(archive)) as files:
        return {name: files.read(name).decode() for name in files.namelist()}


@pytest.fixture(scope="module")
def world(shared_db):
    return make_world()


def test_there_is_a_file_of_everything_that_is_stored(world, db):
    files = opened(export_person(world.person, by=world.person))
    expected = {each.file for each in PERSONAL} - OF_MANAGERS - EMPTY
    expected |= {"audit", "events-about-you", "log-in-attempts"}
    assert set(files) == {"README.txt"} | {f"{name}.json" for name in expected}
    account = json.loads(files["account.json"])[0]
    assert (account["username"], account["email"]) == (NAME, EMAIL)
    assert json.loads(files["participant.json"])[0]["pid"] == PID
    assert [each["answer"] for each in json.loads(files["submissions.json"])] == list(
        Submission.objects.filter(annotator=world.person)
        .order_by("pk")
        .values_list("answer", flat=True)
    )
    assert json.loads(files["consents.json"])[0]["text_text"]
    entry = AuditEntry.objects.order_by("pk").last()
    assert (entry.verb, entry.by, entry.name) == ("data-exported", NAME, NAME)


def test_other_people_and_secrets_are_not_in_it(world, db):
    text = "".join(opened(export_person(world.person, by=None)).values())
    others = type(world.person).objects.exclude(pk=world.person.pk)
    assert not [name for name in others.values_list("username", flat=True) if name in text]
    assert ADDRESS not in text
    assert world.person.password not in text
    for row in (*world.person.tokens.all(), *world.person.links.all()):
        assert row.hash not in text
    assert world.person.devices.get().session not in text


def test_what_the_checks_know_and_said_comes_once_the_campaign_is_closed(world, db):
    before = opened(export_person(world.person, by=None))
    text = "".join(before.values())
    planted = [p for each in Planted.objects.all() for p in (each.good, each.mediocre, each.bad)]
    secret = [*planted, *Question.objects.values_list("statement", flat=True)]
    assert secret
    assert not [each for each in secret if each in text]
    told = {key for row in json.loads(before["submissions.json"]) for key in row}
    assert told == {
        "task_campaign", "task_slot", "number", "current", "answer", "seconds", "received_at"
    }  # fmt: skip
    assert "state" not in json.loads(before["tasks.json"])[0]
    assert '"planted"' not in text
    close(world.campaign, None)
    after = opened(export_person(world.person, by=None))
    assert {"flags"} < set(json.loads(after["submissions.json"])[0])
    assert "on the phone" in after["decisions-on-your-work.json"]
    assert "on the phone" not in text
