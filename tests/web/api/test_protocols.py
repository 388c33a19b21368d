"""Protocols over the API: types of blocks, all faults, revisions, previews, versions."""

from __future__ import annotations

import pytest

from gistmark.judgements import as_form, get_protocol, to_mapping
from gistmark.judgements.forms import BLOCK_TYPES
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.models import Campaign
from web.api.calling import Caller
from web.factories import again, make_campaign, make_user

pytestmark = pytest.mark.django_db

FORM = to_mapping(as_form(get_protocol("overall")))
LIKERT = {"type": "likert", "name": "a", "question": "Is it?", "scale": {"low": 1, "high": 3}}


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    return make_campaign(running=False)


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


@pytest.fixture
def manager(campaign):
    """Who made it."""
    return campaign.owner


@pytest.fixture
def caller(manager):
    return Caller(manager)


def path(campaign, more=""):
    return f"/campaigns/{campaign.key}/protocol{more}"


def put(caller, campaign, protocol, revision=None):
    headers = {**caller.headers} | ({} if revision is None else {"If-Match": revision})
    return caller.client.put(
        f"/api{path(campaign)}", protocol, content_type="application/json", headers=headers
    )


def test_block_types_are_listed_for_managers(caller):
    listed = caller.get("/block-types").json()
    assert [each["type"] for each in listed] == list(BLOCK_TYPES.names())
    assert Caller(make_user()).get("/block-types").status_code == 403


def test_a_protocol_is_checked_with_all_its_faults_and_nothing_is_stored(caller):
    blocks = [
        {"type": "show", "what": "summary"},
        {**LIKERT, "name": ""},
        {**LIKERT, "name": "b", "scale": {"low": 3, "high": 1}},
        "nonsense",
    ]
    checked = caller.post("/protocols/check", {**FORM, "blocks": blocks, "judges": 0}).json()
    assert {fault["field"] for fault in checked["faults"]} >= {
        "judges",
        "blocks[1].name",
        "blocks[2].scale.high",
        "blocks[3]",
    }
    assert checked["protocol"] is None
    assert checked["values"] == [[], [1, 2, 3], [], []]
    assert caller.post("/protocols/check", FORM).json()["protocol"] == FORM
    assert caller.post("/protocols/check", {}).json()["faults"][0]["field"] == "name"
    assert Caller(make_user()).post("/protocols/check", FORM).status_code == 403


def test_a_protocol_goes_through_the_api_and_back(caller, campaign):
    saved = put(caller, campaign, FORM)
    assert (saved.status_code, saved.json()) == (200, FORM)
    read = caller.get(path(campaign))
    assert (read.json(), read.headers["ETag"]) == (FORM, saved.headers["ETag"])
    event = campaign.events.order_by("-pk")[0]
    assert (event.verb, "blocks" in event.about["settings"]) == ("protocol-changed", True)
    events = campaign.events.count()
    assert put(caller, campaign, FORM).status_code == 200
    assert campaign.events.count() == events


def test_all_faults_of_a_protocol_that_cannot_be_saved_come_with_their_fields(caller, campaign):
    before = campaign.protocol
    wrong = {**FORM, "blocks": [*FORM["blocks"], {**LIKERT, "scale": {"low": 5, "high": 1}}, {}]}
    response = put(caller, campaign, wrong)
    assert response.status_code == 400
    fields = {fault["field"] for fault in response.json()["faults"]}
    assert fields == {"blocks[3].scale.high", "blocks[4].type"}
    campaign.refresh_from_db()
    assert campaign.protocol == before


def test_two_managers_do_not_overwrite_each_other(caller, campaign):
    revision = caller.get(path(campaign)).headers["ETag"]
    mine = {**FORM, "about": "Mine."}
    first = put(caller, campaign, mine, revision)
    assert first.status_code == 200
    second = put(caller, campaign, {**FORM, "about": "Yours."}, revision)
    assert second.status_code == 409
    assert f'"{second.json()["revision"]}"' == first.headers["ETag"]
    assert caller.get(path(campaign)).json() == mine
    again = put(caller, campaign, {**FORM, "about": "Yours."}, second.json()["revision"])
    assert again.status_code == 200


def test_a_started_campaign_keeps_its_protocol(caller, campaign):
    start(campaign, None)
    assert put(caller, campaign, FORM).status_code == 409
    assert caller.post(path(campaign, "/blocks")).status_code == 409


def test_a_draft_is_turned_into_blocks(caller, campaign):
    assert caller.post(path(campaign, "/blocks")).json() == FORM


def test_a_design_is_previewed_and_an_answer_to_it_checked_without_saving(caller, campaign):
    design = {**FORM, "blocks": [*FORM["blocks"], LIKERT], "checks": {}, "minimum_seconds": 0}
    seen = caller.post(path(campaign, "/preview/1"), {"protocol": design}).json()
    assert [each.get("name") for each in seen["task"]["blocks"]][-1] == "a"
    [item] = seen["task"]["items"]
    answers = {each["name"]: {"value": 2} for each in seen["task"]["blocks"] if "name" in each}
    answer = {"items": {item["key"]: {"answers": answers}}, "seconds": 60}
    sent = {"protocol": design, "answer": answer}
    result = caller.post(path(campaign, "/preview/1/answer"), sent).json()
    assert result["outcome"] == "accepted"
    short = {"protocol": design, "answer": {"items": {item["key"]: {"answers": {}}}}}
    refused = caller.post(path(campaign, "/preview/1/answer"), short)
    assert (refused.status_code, len(refused.json()["faults"]) >= 2) == (400, True)
    campaign.refresh_from_db()
    assert campaign.protocol["kind"] == "rating"


def test_a_new_version_is_a_draft_that_knows_where_it_comes_from(caller, campaign):
    start(campaign, None)
    made = caller.post(f"/campaigns/{campaign.key}/versions", {})
    assert made.status_code == 201
    assert made.json()["name"] == f"{campaign.name}, version 2"
    assert (made.json()["state"], made.json()["previous"]) == ("draft", campaign.key)
    named = caller.post(f"/campaigns/{campaign.key}/versions", {"name": "Other"}).json()
    assert named["name"] == "Other"
    taken = caller.post(f"/campaigns/{campaign.key}/versions", {"name": "Other"})
    assert taken.status_code == 400
    assert Campaign.objects.filter(previous=campaign).count() == 2


def test_an_empty_form_is_made_by_its_name(caller):
    sent = {"name": "From nothing", "protocol": "form"}
    response = caller.client.post("/api/campaigns", sent, headers=caller.headers)
    assert response.status_code == 201
    assert response.json()["problems"] == [
        "The form asks nothing yet; it needs at least one question."
    ]
