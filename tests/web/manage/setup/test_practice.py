"""The page on which a manager sets up the practice and sees who has qualified."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest
from django.urls import reverse

from gistmark.web.annotate.models import BatchItem
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.launch import start
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.protocols import outlook
from gistmark.web.config.errors import NotAllowedError
from gistmark.web.qualification.services.admission import admission
from gistmark.web.qualification.services.plans import practice_of, replace_practice
from web.factories import make_campaign, make_corpus, make_user
from web.manage.browsing import upload, url
from web.qualification.practising import (
    QUESTIONS,
    comprehend,
    make_practice,
    only_annotator,
    practise,
    practised_campaign,
    rating,
)

pytestmark = pytest.mark.django_db

SETTINGS = {"required": "on", "pass_mark": "80", "tries": "3", "qualification": "news"}


def give_right(client, campaign, item, right):
    body = {"answer": {"items": {"1": right}}, "key": "123e4567-e89b-42d3-a456-426614174000"}
    where = reverse("api:set_right_answer", args=[campaign.key, item.pk])
    return client.post(where, body, content_type="application/json")


def test_a_practice_is_set_up_by_hand(client, manager):
    campaign = make_campaign(owner=manager, corpus=make_corpus(documents=3), running=False)
    filled = {"document": "d2", "system": "sys1", "tolerance": "1", "reason": "It says it all."}
    page = client.post(url("campaign-practice-new", campaign), filled)
    item = campaign.practice_items.get()
    assert page.url == url("campaign-practice-answer", campaign, item.pk)
    assert "has no right answer yet" in str(outlook(campaign).problems)
    page = client.get(page.url).content.decode()
    assert 'data-mode="answer"' in page
    assert give_right(client, campaign, item, rating(3)).status_code == 200
    client.post(url("campaign-practice", campaign), SETTINGS | {"leaves_out": "on"})
    question = {"question": "Clear?", "options": "Yes\n\nNo", "right": "1", "explanation": "Read."}
    client.post(url("campaign-comprehension-new", campaign), question)
    practice = practice_of(campaign)
    assert (practice.pass_mark, practice.tries, practice.qualification) == (80, 3, "news")
    assert practice.items[0].right == {
        "ratings": {"overall": {"value": 3, "confidence": None, "weight": None}}
    }
    assert practice.comprehension[0].options == ("Yes", "No")
    stored = campaign.comprehension.get()
    where = url("campaign-comprehension", campaign, stored.pk)
    assert "Clear?" in client.get(where).text
    client.post(where, question | {"question": "All clear?", "right": "2"})
    stored.refresh_from_db()
    assert (stored.question, stored.right) == ("All clear?", 1)
    page = client.get(url("campaign-practice", campaign)).content.decode()
    assert "It says it all." in page
    assert "left out" in page


def test_documents_of_practice_items_are_left_out_of_the_tasks_unless_one_wants_them(
    client, manager
):
    for leaves_out in (True, False):
        campaign = make_campaign(owner=manager, corpus=make_corpus(documents=3), running=False)
        replace_practice(campaign, make_practice((4,), leaves_out=leaves_out), manager)
        page = client.get(url("campaign", campaign)).content.decode()
        assert ("used for practice" in page) is leaves_out
        start(campaign, manager)
        judged = set(
            BatchItem.objects.filter(batch__campaign=campaign).values_list("document__name")
        )
        assert (("d1",) not in judged) is leaves_out
        page = client.get(url("campaign-practice", campaign)).content.decode()
        assert ("its document is judged too" in page) is not leaves_out


def test_an_item_is_changed_moved_and_removed(client, manager):
    campaign = make_campaign(owner=manager, corpus=make_corpus(documents=3), running=False)
    replace_practice(campaign, make_practice((4, 0)), manager)
    first, second = campaign.practice_items.all()
    kept = {"document": "d1", "system": "sys1", "tolerance": "0", "reason": "Other words."}
    client.post(url("campaign-practice-item", campaign, first.pk), kept)
    first.refresh_from_db()
    assert (first.reason, first.tolerance, first.right is not None) == ("Other words.", 0, True)
    other = client.post(
        url("campaign-practice-item", campaign, first.pk), kept | {"document": "d3"}
    )
    assert other.url.endswith("/answer/")
    first.refresh_from_db()
    assert first.right is None
    client.post(url("campaign-practice-move", campaign, second.pk), {"to": "up"})
    assert [each.pk for each in campaign.practice_items.all()] == [second.pk, first.pk]
    client.post(url("campaign-practice-remove", campaign, first.pk))
    assert campaign.practice_items.count() == 1
    assert not campaign.documents.get(name="d3").for_practice


@pytest.mark.parametrize(
    ("name", "filled", "sentence"),
    [
        ("campaign-practice", SETTINGS | {"pass_mark": "0"}, "greater than or equal to 1"),
        ("campaign-practice", SETTINGS | {"tries": "x"}, "whole number"),
        ("campaign-practice-new", {"document": "d9", "system": "sys1"}, "not one of the available"),
        ("campaign-practice-new", {}, "is required"),
        ("campaign-comprehension-new", {"question": "?", "options": "A", "right": "1"}, "Give 2"),
        ("campaign-comprehension-new", {"question": "?", "options": "A\nB", "right": "3"}, "2 opt"),
        ("campaign-comprehension-new", {"question": "?", "options": "A\nA", "right": "1"}, "twice"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(client, manager, name, filled, sentence):
    campaign = make_campaign(owner=manager, running=False)
    page = client.post(url(name, campaign), filled)
    assert page.status_code == 400
    assert sentence in page.content.decode()


def test_the_practice_goes_out_as_a_file_and_comes_in_again(client, manager):
    campaign = make_campaign(owner=manager, corpus=make_corpus(documents=3), running=False)
    replace_practice(campaign, make_practice((4, 0), comprehension=QUESTIONS), manager)
    written = client.get(url("campaign-practice-file", campaign))
    other = make_campaign(owner=manager, corpus=make_corpus(documents=3), running=False)
    file = upload("practice.json", written.content)
    client.post(url("campaign-practice-import", other), {"file": file})
    assert practice_of(other) == practice_of(campaign)
    for wrong, sentence in (
        (b"{", "must hold JSON"),
        (b'{"items": [{"document": "d9"}]}', "not judged in this campaign"),
        (json.dumps({"pass_mark": 400}).encode(), "must be 1 to 100"),
    ):
        file = upload("practice.json", wrong)
        page = client.post(url("campaign-practice-import", other), {"file": file})
        assert page.status_code == 400
        assert sentence in page.content.decode()
    assert practice_of(other) == practice_of(campaign)


def test_who_has_qualified_is_seen_and_can_be_decided_by_hand(client, manager):
    campaign = practised_campaign(
        owner=manager, practice=make_practice((4, 0), tries=1, pass_mark=100)
    )
    user = only_annotator(campaign)
    practise(campaign, user, right=False)
    page = client.get(url("campaign-practice", campaign)).content.decode()
    assert "failed the practice" in page
    assert "0 of 2 (0 %)" in page
    where = url("campaign-practice-people", campaign)
    for action, stage in (("retry", "practice"), ("grant", "ready"), ("withdraw", "withdrawn")):
        page = client.post(where, {"name": user.username, "action": action}, follow=True)
        assert page.status_code == 200
        assert admission(campaign, user).stage == stage
    page = client.post(where, {"name": user.username, "action": "withdraw"}, follow=True)
    assert "has not earned or been granted" in page.content.decode()
    page = client.post(where, {"name": "nobody", "action": "grant"}, follow=True)
    assert "nobody" in page.content.decode()


def test_all_tries_are_exported_and_none_as_work(client, manager):
    practice = make_practice((4, 0), comprehension=QUESTIONS)
    campaign = practised_campaign(owner=manager, practice=practice)
    user = only_annotator(campaign)
    comprehend(campaign, user, 0, 0)
    comprehend(campaign, user, 0, 1)
    practise(campaign, user)
    text = client.get(url("campaign-practice-attempts", campaign)).content.decode()
    rows = list(csv.DictReader(StringIO(text)))
    assert [row["kind"] for row in rows] == ["comprehension"] * 4 + ["practice"] * 2
    assert {row["correct_parts"] for row in rows[4:]} == {"1"}
    export = client.get(url("campaign-export", campaign, "csv"))
    assert user.username not in str(b"".join(export))


def test_a_closed_campaign_keeps_its_practice(client, manager):
    campaign = practised_campaign(owner=manager)
    close(campaign, manager)
    page = client.post(url("campaign-practice", campaign), SETTINGS)
    assert page.status_code == 400
    assert "is closed" in page.content.decode()
    assert client.get(url("campaign-practice", campaign)).status_code == 200


def test_many_annotators_cost_no_more_queries(client, manager, django_assert_max_num_queries):
    campaign = practised_campaign(owner=manager, annotators=tuple(make_user() for _ in range(12)))
    for membership in campaign.memberships.filter(role="annotator")[:6]:
        practise(campaign, membership.user)
    with django_assert_max_num_queries(22):
        client.get(url("campaign-practice", campaign))


def test_a_practice_works_for_every_kind_of_question(client, manager):
    for protocol, filled, right in (
        ("pairwise", {"document": "d1", "system": "sys2", "other": "sys1"}, "choices"),
        ("highlight", {"document": "d1", "tolerance": "40"}, "highlights"),
    ):
        campaign = make_campaign(
            protocol, owner=manager, corpus=make_corpus(documents=3), running=False
        )
        client.post(url("campaign-practice-new", campaign), filled)
        item = campaign.practice_items.get()
        dimension = campaign.protocol["dimensions"][0]["name"] if right == "choices" else ""
        answer = {
            "choices": {"choices": {dimension: "left"}},
            "highlights": {"highlights": [{"start": 4, "end": 8}]},
        }[right]
        assert give_right(client, campaign, item, answer).status_code == 200
        assert give_right(client, campaign, item, {}).status_code == 400
        assert right in item.__class__.objects.get(pk=item.pk).right
        user = make_user()
        campaign.memberships.create(user=user, role="annotator")
        start(campaign, manager)
        give_consent(campaign, user)
        assert admission(campaign, user).stage == "practice"
        with pytest.raises(NotAllowedError, match="practice"):
            next_task(campaign, user)
