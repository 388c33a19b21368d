"""Copying a campaign, deleting a draft, archiving and restoring."""

from __future__ import annotations

import pytest

from gistmark.web.annotate.services.launch import copy_campaign
from gistmark.web.annotate.services.pilots import start_pilot
from gistmark.web.campaigns.models import Campaign, Document
from gistmark.web.campaigns.services.archive import archive, delete_draft, restore
from gistmark.web.campaigns.services.campaigns import change_settings, close, pause, resume
from gistmark.web.campaigns.services.checks import generate_checks
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.campaigns.services.protocols import outlook, protocol_of
from gistmark.web.config.errors import ConflictError
from web.api.calling import Caller
from web.factories import make_campaign, make_user
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


def test_a_copy_has_settings_protocol_corpus_and_checks_but_neither_people_nor_work():
    campaign = worked_campaign("content-document", annotators=1, tasks=1)
    change_settings(campaign, None, lease_minutes=7, completion_codes=True, registration_open=True)
    boss = make_user("manager")
    copy = copy_campaign(campaign, "Second run", boss)
    assert (copy.state, copy.owner, copy.lease_minutes) == ("draft", boss, 7)
    assert copy.completion_codes
    assert not copy.registration_open
    assert protocol_of(copy) == protocol_of(campaign)
    assert corpus_of(copy) == corpus_of(campaign)
    assert [each.user for each in copy.memberships.all()] == [boss]
    assert not copy.tasks.exists()
    assert outlook(copy).problems == ()
    assert copy.code_key != campaign.code_key


def test_checks_that_wait_for_approval_wait_in_the_copy_too():
    campaign = make_campaign("content-document", running=False)
    campaign.questions.first().delete()
    generate_checks(campaign, None)
    copy = copy_campaign(campaign, "Second run", campaign.owner)
    states = [
        list(each.questions.values_list("approved", "generated")) for each in (campaign, copy)
    ]
    assert states[0] == states[1]
    assert (False, True) in states[1]


def test_only_drafts_are_deleted():
    draft, running = make_campaign(running=False), make_campaign()
    delete_draft(draft)
    assert not Document.objects.filter(campaign_id=draft.pk).exists()
    with pytest.raises(ConflictError, match="has started"):
        delete_draft(running)


def test_an_archived_campaign_stays_as_it_is_until_it_is_restored():
    campaign = make_campaign()
    with pytest.raises(ConflictError, match="pause or close it"):
        archive(campaign, None)
    pilot = make_campaign(running=False, annotators=(make_user(),))
    start_pilot(pilot, None, annotators=1)
    with pytest.raises(ConflictError, match="is in its pilot"):
        archive(pilot, None)
    pause(campaign, None)
    archive(campaign, campaign.owner)
    with pytest.raises(ConflictError, match="restore it first"):
        resume(campaign, None)
    restore(campaign, campaign.owner)
    assert resume(campaign, None).state == "running"
    verbs = list(campaign.events.values_list("verb", flat=True))
    assert {"archived", "restored"} <= set(verbs)


def test_programs_copy_archive_restore_and_delete():
    campaign = make_campaign()
    boss = Caller(campaign.owner)
    path = f"/campaigns/{campaign.key}"
    copied = boss.post(f"{path}/copies", {"name": "Second run"})
    assert (copied.status_code, copied.json()["state"]) == (201, "draft")
    assert boss.post(f"{path}/copies", {"name": "Second run"}).status_code == 400
    assert boss.post(f"{path}/state", {"action": "archive"}).status_code == 409
    close(campaign, None)
    assert boss.post(f"{path}/state", {"action": "archive"}).json()["archived"]
    assert [each["name"] for each in boss.get("/campaigns").json()] == ["Second run"]
    assert len(boss.get("/campaigns?archived=true").json()) == 2
    assert boss.get(f"{path}/export/folder").status_code == 200
    assert boss.call("DELETE", path).status_code == 409
    assert boss.call("DELETE", f"/campaigns/{copied.json()['key']}").status_code == 204
    assert Campaign.objects.get() == campaign
