"""The designer: who sees what, its preview, presets as blocks, versions; previews in any state."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from gistmark.corpus import Corpus
from gistmark.judgements import as_form, get_protocol, starting_protocol, to_mapping
from gistmark.web.annotate.services.launch import new_version, start, version_name
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import close, create_campaign
from gistmark.web.campaigns.services.protocols import outlook, protocol_of, revision_of
from gistmark.web.manage.forms.settings import ProtocolForm
from web.annotate.answering import whole
from web.api.calling import Caller
from web.factories import again, make_campaign, make_corpus, make_user
from web.manage.browsing import url

pytestmark = pytest.mark.django_db

BLOCKS = [
    {"type": "show", "what": "document"},
    {"type": "show", "what": "summary"},
    {"type": "likert", "name": "style", "question": "How is it?", "scale": {"low": 1, "high": 5}},
]


def make_form(owner: Any, blocks: Any = (), **changes: Any) -> Campaign:
    campaign = create_campaign(
        owner=owner, name="Own", protocol=starting_protocol("form"), corpus=make_corpus()
    )
    campaign.protocol = {**campaign.protocol, "blocks": list(blocks), **changes}
    campaign.protocol = to_mapping(protocol_of(campaign))
    campaign.save()
    return campaign


def data_of(body: str) -> dict[str, Any]:
    written = body.split('<script id="design-data" type="application/json">')[1].split("</script>")
    return dict(json.loads(written[0]))


def design_of(client: Any, campaign: Campaign) -> dict[str, Any]:
    return data_of(client.get(url("campaign-design", campaign)).content.decode())


def preview(client: Any, campaign: Campaign, protocol: Any, task: str = "1") -> Any:
    sent = {"protocol": json.dumps(protocol), "task": task}
    return client.post(url("campaign-design-preview", campaign), sent)


def test_a_new_campaign_that_starts_from_nothing_leads_to_its_design(client, manager):
    sent = {"name": "Mine", "protocol": "form", "source": "sample"}
    response = client.post("/campaigns/new/", sent)
    made = Campaign.objects.get(name="Mine")
    assert response.url == url("campaign-design", made)
    assert design_of(client, made)["protocol"] == to_mapping(starting_protocol("form"))
    assert [str(each) for each in outlook(made).problems] == [
        "The form asks nothing yet; it needs at least one question."
    ]
    assert client.get(url("campaign", made)).status_code == 200
    assert client.get(url("campaign-settings", made)).status_code == 200


def test_the_page_has_every_type_of_block_and_the_revision(client, manager):
    campaign = make_form(manager, BLOCKS)
    data = design_of(client, campaign)
    assert {"show", "note", "likert", "slider"} <= {each["type"] for each in data["types"]}
    assert (data["revision"], data["editable"]) == (revision_of(campaign), True)


def test_a_started_campaign_shows_its_design_and_offers_a_new_version(client, manager):
    campaign = make_form(manager, BLOCKS)
    start(campaign, manager)
    assert not design_of(client, campaign)["editable"]
    body = client.get(url("campaign-design", campaign)).content.decode()
    assert "so its protocol stays as it is" in body
    response = client.post(url("campaign-version", campaign))
    version = Campaign.objects.get(name="Own, version 2")
    assert response.url == url("campaign-design", version)
    assert (version.state, version.protocol, version.previous) == (
        "draft",
        campaign.protocol,
        campaign,
    )
    assert version.tasks.count() == 0
    body = client.get(url("campaign-design", version)).content.decode()
    assert f'new version of <a href="{url("campaign-design", campaign)}">' in body
    assert design_of(client, version)["editable"]
    verbs = [each.events.order_by("-pk")[0].verb for each in (campaign, version)]
    assert verbs == ["new-version", "version-made"]


def test_names_of_versions_count_up_and_stay_unique(manager):
    campaign = make_campaign(name="News", owner=manager)
    second = new_version(campaign, manager)
    third = new_version(second, manager)
    other = new_version(campaign, manager)
    assert [each.name for each in (second, third, other)] == [
        "News, version 2",
        "News, version 3",
        "News, version 4",
    ]
    long = make_campaign(name="x" * 200, owner=manager)
    assert version_name(long) == "x" * 189 + ", version 2"


def test_the_link_back_is_for_those_who_manage_both(client, log_in, manager):
    campaign = make_form(manager, BLOCKS)
    other = make_user("manager")
    version = new_version(campaign, other)
    body = log_in(other).get(url("campaign-design", version)).content.decode()
    assert "This is a new version of" not in body
    campaign.delete()
    version.refresh_from_db()
    assert version.previous is None


@pytest.mark.parametrize("name", ["likert", "highlight"])
def test_a_preset_is_edited_as_blocks_where_there_is_an_equal_form(client, manager, name):
    campaign = make_campaign(name, owner=manager, running=False)
    body = client.get(url("campaign-design", campaign)).content.decode()
    assert ("Edit as blocks" in body) == (name == "likert")
    assert ("a page of its own" in body) == (name == "highlight")
    response = client.post(url("campaign-design-blocks", campaign), follow=True)
    campaign.refresh_from_db()
    if name == "likert":
        assert protocol_of(campaign) == as_form(get_protocol("likert"))
        assert "asks the same as before" in response.content.decode()
        assert campaign.events.order_by("-pk")[0].verb == "protocol-changed"
    else:
        assert "cannot be edited as blocks" in response.content.decode()
        assert protocol_of(campaign) == get_protocol("highlight")


def test_a_check_that_a_form_cannot_have_is_named(client, manager):
    campaign = make_campaign("fluency", owner=manager, running=False)
    response = client.post(url("campaign-design-blocks", campaign), follow=True)
    assert "so it is off: “three planted summaries" in response.content.decode()


def test_a_started_campaign_is_not_turned_into_blocks(client, manager):
    campaign = make_campaign("likert", owner=manager)
    response = client.post(url("campaign-design-blocks", campaign), follow=True)
    assert "has started; this can no longer be changed" in response.content.decode()
    campaign.refresh_from_db()
    assert campaign.protocol["kind"] == "rating"


def test_what_is_not_saved_is_previewed_without_what_is_wrong(client, manager):
    campaign = make_form(manager)
    wrong = {"type": "likert", "name": "b", "question": "", "scale": {"low": 1, "high": 5}}
    depends = {**BLOCKS[2], "name": "c", "when": {"question": "b", "values": [1]}}
    sent = {**campaign.protocol, "judges": 0, "blocks": [*BLOCKS, wrong, depends]}
    body = preview(client, campaign, sent, task="2").content.decode()
    payload = json.loads(
        body.split('<script id="payload" type="application/json">')[1].split("</script>")[0]
    )
    assert [each.get("name", each.get("what")) for each in payload["blocks"]] == [
        "document",
        "summary",
        "style",
    ]
    assert 'data-number="2" data-count="4"' in body
    campaign.refresh_from_db()
    assert campaign.protocol["blocks"] == []


def test_where_there_is_nothing_to_preview_the_frame_says_so(client, manager):
    campaign = make_form(manager)
    response = preview(client, campaign, campaign.protocol)
    assert "There is nothing to show yet" in response.content.decode()
    assert "there is no task to show" not in response.content.decode()
    for wrong in ("", "[]", "{", "3"):
        sent = {"protocol": wrong}
        assert client.post(url("campaign-design-preview", campaign), sent).status_code == 400
    other = preview(client, campaign, {"kind": "rating"})
    assert (other.status_code, "is missing" in other.content.decode()) == (200, True)


def test_only_the_preview_may_stand_in_a_frame_and_only_in_the_designers(client, manager):
    campaign = make_form(manager, BLOCKS)
    page = client.get(url("campaign-design", campaign))
    assert "frame-src 'self'" in page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"
    for protocol in (campaign.protocol, {}):
        frame = preview(client, campaign, protocol)
        assert "frame-ancestors 'self'" in frame.headers["Content-Security-Policy"]
        assert frame.headers["X-Frame-Options"] == "SAMEORIGIN"
    other = client.get(url("campaign-preview-task", campaign))
    assert "frame-src" not in other.headers["Content-Security-Policy"]
    assert other.headers["X-Frame-Options"] == "DENY"


def test_the_settings_of_a_form_are_saved_without_its_questions(client, manager):
    campaign = make_form(manager, BLOCKS)
    body = client.get(url("campaign-settings", campaign)).content.decode()
    assert "is shown and asked is in its <a" in body
    assert "style: question" not in body
    fields = ProtocolForm(protocol_of(campaign)).fields
    sent = {name: field.initial for name, field in fields.items() if field.initial} | {"judges": 5}
    sent["minimum_seconds"] = 0
    response = client.post(url("campaign-protocol", campaign), sent)
    assert response.status_code == 302
    campaign.refresh_from_db()
    assert (campaign.protocol["judges"], len(campaign.protocol["blocks"])) == (5, 3)


@pytest.fixture(scope="module")
def made_fluency(shared_db):
    return make_campaign("fluency", running=False)


@pytest.fixture
def fluency(made_fluency, db):
    return again(made_fluency)


@pytest.fixture
def manager(fluency):
    """Who made it."""
    return fluency.owner


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
    assert (seen["number"], seen["count"], seen["lacking"], seen["answer"]) == (1, 3, [], None)
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


def test_who_judges_what_stands_on_the_page_and_in_the_api_before_the_start_and_after(
    client, manager
):
    changes = {"judges": 2, "one_per_document_and_annotator": True}
    campaign = make_campaign("overall", owner=manager, running=False, **changes)
    caller = Caller(manager)
    before = caller.get(f"/campaigns/{campaign.key}/design").json()
    assert (before["tasks"], before["annotators_needed"], before["repeats"]) == (8, 4, 0)
    assert before["designs"] == ["one_per_document_and_annotator"]
    text = client.get(url("campaign-design", campaign)).content.decode()
    assert all(sentence in text for sentence in before["sentences"])
    assert "It protects against carry-over" in text
    start(campaign, None)
    assert caller.get(f"/campaigns/{campaign.key}/design").json() == before
    assert before["sentences"][0] in client.get(url("campaign-design", campaign)).content.decode()


def test_without_anything_to_judge_nothing_is_said_about_who_judges_what(client, manager):
    corpus = replace(make_corpus(), summaries=())
    campaign = make_campaign("overall", owner=manager, corpus=corpus, running=False)
    assert "Who judges what" not in client.get(url("campaign-design", campaign)).content.decode()
    assert Caller(manager).get(f"/campaigns/{campaign.key}/design").json() is None
