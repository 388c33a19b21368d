"""Making campaigns on the page, moving them from state to state, and their pilots."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from io import BytesIO
from uuid import uuid4

import pytest

from gistmark.corpus import load, sample_folder
from gistmark.errors import UsageError
from gistmark.judgements import PROTOCOLS
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.services.pilots import discard_pilot, start_pilot
from gistmark.web.annotate.services.submissions import with_highlights_of
from gistmark.web.campaigns.models import Campaign, Highlight
from gistmark.web.campaigns.services.protocols import outlook, protocol_of
from web.annotate.answering import claimed, done
from web.api.calling import Caller
from web.campaigns.test_uploads import archive, sample_files
from web.factories import make_campaign, make_corpus, make_user
from web.manage.browsing import upload, url
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


def new(client, **changes):
    filled = {"name": "News", "protocol": "overall", "source": "sample"} | changes
    return client.post("/campaigns/new/", filled, follow=True)


NEEDS_UNITS = "content-units-presence"
"""The protocol for a corpus that has content units, which the sample has not."""


def test_an_empty_list_offers_the_first_campaign(client):
    assert "Make the first one" in client.get("/campaigns/").content.decode()


@pytest.mark.parametrize("protocol", [p for p in PROTOCOLS.builtin if p != NEEDS_UNITS])
def test_a_campaign_of_the_sample_is_made_and_started(client, protocol):
    page = new(client, protocol=protocol)
    campaign = Campaign.objects.get(name="News")
    assert "The campaign has been created" in page.content.decode()
    assert protocol_of(campaign).name == protocol
    for tab in ("campaign", "campaign-settings", "campaign-checks", "campaign-people"):
        assert client.get(url(tab, campaign)).status_code == 200
    page = client.post(url("campaign-state", campaign), {"step": "start"}, follow=True)
    assert "The campaign runs" in page.content.decode()
    assert Task.objects.filter(campaign=campaign).exists()
    for tab in ("campaign", "campaign-settings", "campaign-checks", "campaign-people"):
        assert client.get(url(tab, campaign)).status_code == 200


def test_a_campaign_is_made_of_an_uploaded_archive(client):
    new(client, source="upload", file=upload("c.zip", archive(sample_files())))
    assert Campaign.objects.get().documents.count() == 14


def test_a_bad_corpus_shows_every_problem_and_makes_nothing(client):
    lines = b"".join(b'{"id": 1.5, "text": "x"}\n' for _ in range(60))
    page = new(client, source="upload", file=upload("mine.jsonl", lines))
    text = page.content.decode()
    assert page.status_code == 400
    assert "mine.jsonl:2: " in text
    assert "more</li>" in text
    assert text.index("what is wrong is listed below") < text.index("mine.jsonl:2: ")
    assert not Campaign.objects.exists()


def test_the_results_of_a_campaign_become_the_corpus_of_the_next(client, manager):
    ann = make_user()
    first = make_campaign(owner=manager, annotators=(ann,))
    done(first, ann)
    new(client, source="campaign", campaign=first.pk)
    assert Campaign.objects.get(name="News").documents.count() == 2
    page = new(client, name="Other", source="campaign", campaign=make_campaign().pk)
    assert page.status_code == 400  # another manager's campaign


def test_a_file_of_mine_gets_the_highlights_of_another_campaign(client, manager):
    sample = load(sample_folder())
    marked = worked_campaign("highlight", owner=manager, annotators=1, tasks=1, corpus=sample)
    files = {name: data for name, data in sample_files().items() if name != "highlights.csv"}
    file = upload("c.zip", archive(files))
    filled = {"source": "upload", "file": file, "campaign": marked.pk}
    new(client, protocol="content-highlight", **filled)
    campaign = Campaign.objects.get(name="News")
    assert outlook(campaign).selection.items
    assert Highlight.objects.filter(document__campaign=campaign).exists()


def test_highlights_that_do_not_fit_the_file_are_refused_with_a_sentence(client, manager):
    empty = make_campaign("highlight", owner=manager)
    other = worked_campaign("highlight", owner=manager, annotators=1, tasks=1)
    for campaign, sentence in ((empty, "no accepted highlights"), (other, "on other documents")):
        page = new(client, protocol="content-highlight", campaign=campaign.pk)
        assert page.status_code == 400
        assert sentence in page.content.decode()
    assert not Campaign.objects.filter(name="News").exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "“Name” is required."),
        ({"name": "x" * 300}, "at most 200 characters"),
        ({"name": "a\x00b"}, "Null characters are not allowed"),
        ({"protocol": "telepathy"}, "Select a valid choice"),
        ({"source": "moon"}, "Select a valid choice"),
        ({"source": "upload"}, "Choose the file of the corpus"),
        ({"source": "campaign"}, "Choose the campaign whose results to use"),
        ({"source": "campaign", "campaign": "9" * 40}, "Select a valid choice"),
        ({"source": "upload", "file": "not a file"}, "Choose the file of the corpus"),
    ],
)
def test_a_new_campaign_that_is_filled_in_wrongly(client, changes, sentence):
    page = new(client, **changes)
    assert page.status_code == 400
    assert sentence in page.content.decode()
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("c.zip", b"no zip", "cannot be unpacked"),
        ("c.exe", b"MZ", "A corpus is a file that ends in"),
        ("c.jsonl", b"\xff\xfe\x00", "The corpus cannot be used"),
        ("c.jsonl", b"", "empty"),
        ("c.csv", b"a,b\n1,2\n", "The corpus cannot be used"),
        ("c.parquet", b"PAR1 but not really", "The corpus cannot be used"),
    ],
)
def test_files_that_are_no_corpus(client, name, data, sentence):
    page = new(client, source="upload", file=upload(name, data))
    assert page.status_code == 400
    assert sentence in page.content.decode()


def test_a_name_that_is_taken_is_told(client, manager):
    make_campaign(owner=manager, name="News", running=False)
    page = new(client)
    assert page.status_code == 400
    assert "already a campaign named" in page.content.decode()


def test_a_draft_says_what_is_in_the_way(client, manager):
    corpus = replace(make_corpus(), questions=())
    campaign = make_campaign("content-document", owner=manager, corpus=corpus, running=False)
    text = client.get(url("campaign", campaign)).content.decode()
    assert "Document &#x27;d1&#x27; has no True/False statement" in text
    assert "The same goes for 1 more: &#x27;d2&#x27;." in text
    assert text.count("True/False statement about its text") == 1
    page = client.post(url("campaign-state", campaign), {"step": "start"}, follow=True)
    assert "cannot start yet" in page.content.decode()


@pytest.mark.parametrize("step", ["", "explode", "resume", "\x00"])
def test_a_step_that_cannot_be_is_told(client, manager, step):
    campaign = make_campaign(owner=manager)
    page = client.post(url("campaign-state", campaign), {"step": step}, follow=True)
    assert page.status_code == 200
    assert "message is-error" in page.content.decode()


def test_the_list_shows_protocol_and_progress_and_can_be_searched(client, manager):
    for name, protocol in (("Apples", "likert"), ("Pears", "pairwise")):
        make_campaign(protocol, owner=manager, name=name, running=name == "Apples")
    text = client.get("/campaigns/").content.decode()
    assert '<td data-label="Protocol">likert</td>' in text
    assert "0 of " in text
    for query, shown in (
        ({"q": "PEAR"}, ["Pears"]),
        ({"state": "running"}, ["Apples"]),
        ({"state": "archived"}, []),
        ({"q": "\0", "state": "odd"}, ["Apples", "Pears"]),
    ):
        rows = client.get("/campaigns/", query).context["rows"]
        assert sorted(campaign.name for campaign, _ in rows) == shown


def test_pages_of_the_list_keep_what_was_searched_for(client, manager, monkeypatch):
    monkeypatch.setattr("gistmark.web.manage.views.setup.campaigns.PAGE", 1)
    for name in ("A b&c", "A d"):
        make_campaign(owner=manager, name=name, running=False)
    text = client.get("/campaigns/", {"q": "a "}).content.decode()
    assert "?page=2&amp;q=a&amp;state=" in text


def test_a_campaign_is_copied_archived_and_restored_on_its_page(client, manager):
    campaign = make_campaign(owner=manager, name="First", running=False)
    page = client.post(url("campaign-copy", campaign), {"copy_name": "Second"}, follow=True)
    assert "This is a copy of First." in page.content.decode()
    page = client.post(url("campaign-copy", campaign), {"copy_name": "Second"})
    assert page.status_code == 400
    assert "already a campaign named" in page.content.decode()
    client.post(url("campaign-state", campaign), {"step": "archive"})
    assert "First" not in client.get("/campaigns/").content.decode()
    assert "First" in client.get("/campaigns/", {"state": "archived"}).content.decode()
    client.post(url("campaign-state", campaign), {"step": "restore"})
    assert "First" in client.get("/campaigns/").content.decode()


def test_a_draft_is_deleted_on_its_page_and_nothing_else(client, manager):
    draft = make_campaign(owner=manager, running=False)
    running = make_campaign(owner=manager)
    page = client.post(url("campaign-delete", draft), follow=True)
    assert f"The draft {draft.name} is deleted." in page.content.decode()
    page = client.post(url("campaign-delete", running), follow=True)
    assert "has started" in page.content.decode()
    assert Campaign.objects.get() == running


def test_the_life_of_a_campaign_by_its_buttons(client, manager):
    campaign = make_campaign(owner=manager)
    for step, state in (("pause", "paused"), ("resume", "running"), ("close", "closed")):
        client.post(url("campaign-state", campaign), {"step": step})
        assert Campaign.objects.get().state == state


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
            "has 1 to 4 tasks for each annotator, not 9.",
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
