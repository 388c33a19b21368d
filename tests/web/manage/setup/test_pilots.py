"""The pilot's page, what other pages say while it runs, and the API's steps."""

from __future__ import annotations

import zipfile
from io import BytesIO
from uuid import uuid4

import pytest

from gistmark.errors import UsageError
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services import discard_pilot, start_pilot, with_highlights_of
from web.annotate.answering import claimed, done
from web.api.calling import Caller
from web.factories import make_campaign, make_corpus, make_user
from web.manage.browsing import url

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return tuple(make_user() for _ in range(2))


@pytest.fixture
def draft(manager, people):
    return make_campaign(owner=manager, annotators=people, running=False, judges=3)


@pytest.fixture
def piloted(draft, people):
    """A pilot in which one task is done."""
    start_pilot(draft, draft.owner, annotators=2, tasks=2)
    done(draft, people[0])
    return draft


def body(response) -> str:
    return response.content.decode()


def test_a_pilot_is_started_on_its_page(client, draft):
    assert "Pilot it first" in body(client.get(url("campaign", draft)))
    sent = {"step": "start", "annotators": 2, "tasks": ""}
    page = client.post(url("campaign-pilot", draft), sent, follow=True)
    assert "The pilot runs. 2 annotators can take tasks now." in body(page)
    assert "This is a pilot." in body(page)
    assert "The protocol stays as it is while the pilot runs." in body(
        client.get(url("campaign-settings", draft))
    )


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"annotators": ""}, "Annotators"),
        ({"annotators": 0}, "Annotators"),
        (
            {"annotators": 2, "tasks": 9},
            "has 1 to 4 tasks for each, not 9.",
        ),
    ],
)
def test_a_pilot_that_cannot_be_is_refused_in_a_sentence(client, draft, sent, sentence):
    page = client.post(url("campaign-pilot", draft), {"step": "start", **sent})
    assert page.status_code == 400
    assert sentence in body(page)
    assert not Task.objects.exists()


def test_every_tab_says_that_the_work_is_a_pilots(client, piloted):
    for name in ("campaign", "campaign-work", "campaign-people", "campaign-documents"):
        assert "This is a pilot." in body(client.get(url(name, piloted)))
    page = body(client.get(url("campaign-pilot", piloted)))
    assert "1 of 2 have begun" in page
    assert "Throw away 1 submission<" in page


def test_exports_say_so_in_their_name_and_in_themselves(client, piloted):
    response = client.get(url("campaign-export", piloted, "folder"))
    assert "-pilot" in response.headers["Content-Disposition"]
    archive = zipfile.ZipFile(BytesIO(b"".join(response)))
    assert b"the work of a pilot" in archive.read("PILOT.txt")
    assert b"(pilot)" in archive.read("ratings.csv")
    client.post(url("campaign-pilot", piloted), {"step": "keep"})
    response = client.get(url("campaign-export", piloted, "folder"))
    assert "-pilot" not in response.headers["Content-Disposition"]
    archive = zipfile.ZipFile(BytesIO(b"".join(response)))
    assert "PILOT.txt" not in archive.namelist()
    assert b"(pilot)" not in archive.read("ratings.csv")


def test_the_work_is_kept(client, piloted):
    page = client.post(url("campaign-pilot", piloted), {"step": "keep"}, follow=True)
    assert "The campaign runs, and the work of the pilot counts." in body(page)
    assert "This is a pilot." not in body(page)
    assert "kept the work of the pilot (1 submissions) and started the campaign" in body(page)
    assert "No pilot runs" in body(client.get(url("campaign-pilot", piloted)))


def test_the_work_is_thrown_away_only_as_counted(client, piloted, people):
    seen = {"step": "discard", "submissions": 1}
    done(piloted, people[1])
    page = client.post(url("campaign-pilot", piloted), seen, follow=True)
    assert "The pilot has 2 submissions by now, not 1." in body(page)
    for wrong in ({}, {"submissions": "x"}):
        client.post(url("campaign-pilot", piloted), {"step": "discard", **wrong})
    assert Task.objects.exists()
    page = client.post(url("campaign-pilot", piloted), seen | {"submissions": 2}, follow=True)
    assert "The campaign is a draft again." in body(page)
    assert not Task.objects.exists()


def test_a_pilot_lends_no_highlights_to_other_campaigns(client, manager, people):
    campaign = make_campaign("highlight", owner=manager, annotators=people, running=False)
    start_pilot(campaign, None, annotators=1)
    assert f'<option value="{campaign.pk}"' not in body(client.get("/campaigns/new/"))
    with pytest.raises(UsageError, match="once the pilot has been kept"):
        with_highlights_of(make_corpus(), campaign)


def test_a_page_that_is_still_open_is_told_that_the_pilot_has_ended(piloted, people):
    task = claimed(piloted, people[1])
    sent = {"answer": {}, "version": 0}
    caller = Caller(people[1])
    discard_pilot(piloted, None, submissions=1)
    saved = caller.call("PUT", f"/tasks/{task.pk}/draft", sent)
    again = caller.post(f"/tasks/{task.pk}/submit", {"answer": {}, "key": str(uuid4())})
    for reply in (saved, again):
        assert reply.status_code == 409
        assert "part of a pilot that has ended" in reply.json()["detail"]


def test_annotators_work_in_a_pilot_as_in_a_running_campaign(draft, people, log_in):
    client = log_in(people[0])
    assert "has not started yet" in body(client.get(f"/work/{draft.key}/"))
    start_pilot(draft, None, annotators=1)
    page = client.post(f"/work/{draft.key}/", follow=True)
    assert 'id="task"' in body(page)
    late = log_in(people[1]).post(f"/work/{draft.key}/", follow=True)
    assert "There is nothing left for you to do in this campaign just now." in body(late)


def test_the_api_takes_the_same_steps(piloted):
    caller = Caller(piloted.owner)
    path = f"/campaigns/{piloted.key}/state"
    assert caller.get(f"/campaigns/{piloted.key}").json()["pilot_annotators"] == 2
    refused = caller.post(path, {"action": "discard-pilot"})
    assert (refused.status_code, "1 submissions by now" in refused.json()["detail"]) == (409, True)
    assert caller.post(path, {"action": "start"}).status_code == 409
    discarded = caller.post(path, {"action": "discard-pilot", "submissions": 1}).json()
    assert (discarded["state"], discarded["judges"]) == ("draft", 3)
    started = caller.post(path, {"action": "pilot", "annotators": 1, "tasks": 1}).json()
    assert (started["state"], started["pilot_annotators"]) == ("pilot", 1)
    assert caller.post(path, {"action": "keep-pilot"}).json()["state"] == "running"
