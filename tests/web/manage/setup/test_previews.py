"""The preview of a campaign: in any state, whatever it lacks, and nothing is stored."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from gistmark.corpus import Corpus
from gistmark.web.annotate.services import start
from gistmark.web.campaigns.services import close
from web.annotate.answering import whole
from web.api.calling import Caller
from web.factories import make_campaign, make_corpus, make_user
from web.manage.browsing import url

pytestmark = pytest.mark.django_db


@pytest.fixture
def fluency(manager):
    return make_campaign("fluency", owner=manager, running=False)


def page(client, campaign, **query):
    return client.get(url("campaign-preview-task", campaign), query)


def test_every_page_of_a_campaign_leads_to_its_preview(client, fluency):
    address = url("campaign-preview", fluency)
    for name in ("campaign", "campaign-people", "campaign-checks", "campaign-settings"):
        assert (
            f'href="{address}">See as annotator' in client.get(url(name, fluency)).content.decode()
        )


def test_the_terms_come_first_as_annotators_read_them(client, fluency):
    body = client.get(url("campaign-preview", fluency)).content.decode()
    assert "This is a preview." in body
    assert fluency.protocol["consent"][:40] in body
    assert f'href="{url("campaign-preview-task", fluency)}">I agree, start' in body
    assert not fluency.memberships.get(user=fluency.owner).consents.exists()


def test_the_panel_names_what_annotators_never_see(client, fluency):
    body = page(client, fluency).content.decode()
    for kind in ("good", "mediocre", "bad"):
        assert f"planted: {kind}" in body
    assert re.search(r"\bsys\d", body)
    payload = json.loads(
        body.split('<script id="payload" type="application/json">')[1].split("</")[0]
    )
    assert not {"planted", "systems", "checks"} & set(json.dumps(payload).split('"'))
    assert len(payload["items"]) == 5


def test_a_draft_that_lacks_checks_is_shown_and_says_so(client, manager):
    bare = replace(make_corpus(), questions=(), planted=())
    draft = make_campaign("content-document", owner=manager, corpus=bare, running=False)
    body = page(client, draft).content.decode()
    assert "The campaign lacks an approved True/False statement" in body
    assert client.get(url("campaign-preview", draft)).status_code == 200


def test_a_corpus_without_anything_to_judge_is_told_of_in_a_sentence(client, manager):
    empty = make_campaign(owner=manager, corpus=Corpus(), running=False)
    response = page(client, empty)
    assert response.status_code == 400
    assert "There is nothing to judge in the corpus" in response.content.decode()


def test_tasks_are_stepped_through(client, manager):
    draft = make_campaign(owner=manager, running=False)
    first, last = page(client, draft).content.decode(), page(client, draft, task=4).content.decode()
    assert ("Task 1 of 4" in first, "?task=2" in first, "Previous task" in first) == (1, 1, 0)
    assert ("Task 4 of 4" in last, "?task=3" in last, "Next task" in last) == (1, 1, 0)
    for wrong in ("0", "5", "x", "-1", "1.5", "9" * 30, "²"):
        response = page(client, draft, task=wrong)
        assert response.status_code == 400
        assert "task" in response.content.decode()


def test_started_and_closed_campaigns_are_previewed_too(client, fluency):
    for step in (start, close):
        step(fluency, None)
        assert page(client, fluency).status_code == 200
        assert client.get(url("campaign-preview", fluency)).status_code == 200
    body = client.get(url("campaign-preview", fluency)).content.decode()
    assert "The campaign is closed" not in body


def test_nothing_of_a_preview_is_stored(fluency):
    caller = Caller(fluency.owner)
    path = f"/campaigns/{fluency.key}/preview/1"
    caller.get(path)
    with CaptureQueriesContext(connection) as counted:
        seen = caller.get(path).json()
        caller.post(path, {"answer": whole(seen["task"], value=50)})
    writing = [
        each["sql"]
        for each in counted
        if each["sql"].startswith(("INSERT", "UPDATE", "DELETE")) and "token" not in each["sql"]
    ]
    assert writing == []


def test_the_api_says_what_would_become_of_an_answer(fluency):
    caller = Caller(fluency.owner)
    path = f"/campaigns/{fluency.key}/preview/1"
    seen = caller.get(path).json()
    kinds = {entry["key"]: entry["planted"] for entry in seen["entries"]}
    assert (seen["number"], seen["count"], seen["lacking"], seen["answer"]) == (1, 2, [], None)
    values = {"good": 90, "mediocre": 50, "bad": 10, None: 70}
    answer = {
        "items": {
            key: {"ratings": {"fluency": {"value": values[kind]}}} for key, kind in kinds.items()
        },
        "seconds": 600,
    }
    good = caller.post(path, {"answer": answer}).json()
    assert (good["outcome"], good["sentence"]) == ("accepted", "It would be accepted.")
    assert good["message"].startswith("Thank you, your work has been received.")
    bad = caller.post(path, {"answer": whole(seen["task"], value=50)}).json()
    assert (bad["outcome"], bad["sentence"]) == (
        "paid", "It would not count, but would be paid, because:",
    )  # fmt: skip
    assert any("planted" in reason for reason in bad["reasons"])
    wrong = caller.post(path, {"answer": {"items": {}}})
    assert (wrong.status_code, len(wrong.json()["faults"])) == (400, 5)
    assert (
        caller.post("/campaigns/" + fluency.key + "/preview/9", {"answer": {}}).status_code == 400
    )


def test_other_campaigns_managers_and_annotators_see_no_preview(fluency, log_in):
    annotator = make_user()
    make_campaign(annotators=(annotator,), owner=make_user("manager"))
    for user in (annotator, make_user("manager")):
        assert page(log_in(user), fluency).status_code == 404
        caller = Caller(user)
        assert caller.get(f"/campaigns/{fluency.key}/preview/1").status_code == 404
        assert caller.post(f"/campaigns/{fluency.key}/preview/1", {"answer": {}}).status_code == 404
