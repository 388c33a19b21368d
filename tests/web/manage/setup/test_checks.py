"""The pages on which checks are generated, reviewed and written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import load, sample_folder
from web.factories import make_campaign
from web.manage.browsing import url

pytestmark = pytest.mark.django_db


def test_checks_are_generated_reviewed_and_approved(client, manager):
    corpus = replace(load(sample_folder()), questions=(), planted=())
    campaign = make_campaign("content-document", owner=manager, corpus=corpus, running=False)
    page = client.post(url("campaign-checks-generate", campaign), follow=True)
    assert "Made 28 statements and 0 planted triples." in page.content.decode()
    first, second, third, *_ = campaign.questions.all()
    client.post(url("campaign-question-approve", campaign, first.pk))
    client.post(url("campaign-question-remove", campaign, second.pk))
    filled = {"statement": "It snowed.", "answer": "false"}
    client.post(url("campaign-question", campaign, third.pk), filled)
    approved = campaign.questions.filter(approved=True)
    assert [question.statement for question in approved] == [first.statement, "It snowed."]
    assert approved[1].answer is False
    assert campaign.questions.count() == 27
    page = client.get(url("campaign-checks", campaign) + "?show=waiting")
    assert page.context["questions"].paginator.count == 25
    client.post(url("campaign-checks-approve", campaign))
    assert not campaign.questions.filter(approved=False).exists()


@pytest.mark.parametrize("show", ["", "?show=waiting"])
def test_deciding_on_a_statement_goes_on_where_the_list_was(client, manager, show):
    campaign = make_campaign("content-document", owner=manager, running=False)
    campaign.questions.update(approved=False)
    first, second = campaign.questions.all()
    page = client.get(url("campaign-checks", campaign) + show).content.decode()
    approve = url("campaign-question-approve", campaign, first.pk)
    assert f'action="{approve}{show or "?"}"' in page
    at = second if show else first
    there = client.post(approve + show).url
    assert there == url("campaign-checks", campaign) + f"{show}#questions-{at.pk}"
    gone = client.post(url("campaign-question-remove", campaign, second.pk) + show)
    at = "" if show else f"#questions-{first.pk}"
    assert gone.url == url("campaign-checks", campaign) + show + at
    assert campaign.questions.get() == first


@pytest.mark.parametrize(
    ("about", "text"), [("document", "lies on a river"), ("reference", "by gold is short")]
)
def test_the_text_that_a_statement_is_about_stands_beside_it(client, manager, about, text):
    campaign = make_campaign("content-document", owner=manager, running=False)
    campaign.questions.update(about=about)
    page = client.get(url("campaign-checks", campaign)).content.decode()
    for question in campaign.questions.all():
        card = page[page.index(f'id="questions-{question.pk}"') :].partition("</article>")[0]
        assert question.statement in card
        assert text in card
        assert ("lies on a river" in card) == (about == "document")


def test_checks_are_written_by_hand(client, manager):
    campaign = make_campaign("fluency", owner=manager, running=False)
    question = {"document": "d1", "about": "document", "statement": "It rained.", "answer": "true"}
    client.post(url("campaign-question-new", campaign), question)
    assert campaign.questions.filter(statement="It rained.", answer=True).count() == 1
    triple = {"good": "One.", "mediocre": "Two.", "bad": "Three."}
    client.post(url("campaign-planted-new", campaign), triple)
    planted = campaign.planted.get(good="One.")
    client.post(url("campaign-planted", campaign, planted.pk), triple | {"bad": "Four."})
    planted.refresh_from_db()
    assert planted.bad == "Four."


STATEMENT = {"document": "d1", "about": "document", "statement": "x", "answer": "true"}
TRIPLE = {"good": "a", "mediocre": "b", "bad": "c"}


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("campaign-question-new", {}),
        ("campaign-question-new", STATEMENT | {"document": "d9"}),
        ("campaign-question-new", STATEMENT | {"document": "d\x00"}),
        ("campaign-question-new", STATEMENT | {"about": "the moon"}),
        ("campaign-question-new", STATEMENT | {"answer": "perhaps"}),
        ("campaign-question-new", STATEMENT | {"statement": "x" * 20_001}),
        ("campaign-planted-new", TRIPLE | {"bad": "a"}),
        ("campaign-planted-new", TRIPLE | {"mediocre": " "}),
    ],
)
def test_checks_that_make_no_sense_are_told(client, manager, name, filled):
    campaign = make_campaign(owner=manager, running=False)
    page = client.post(url(name, campaign), filled)
    assert page.status_code == 400
    assert "form-errors" in page.content.decode()


@pytest.mark.parametrize("number", [0, 10**12, 10**30])
def test_a_check_that_is_not_there_is_not_found(client, manager, number):
    campaign = make_campaign(owner=manager, running=False)
    for kind in ("questions", "planted"):
        assert client.get(f"/campaigns/{campaign.key}/checks/{kind}/{number}/").status_code == 404


@pytest.mark.parametrize("page", ["0", "-1", "999", "x", "\x00", "9" * 50])
def test_odd_page_numbers_show_some_page(client, manager, page):
    campaign = make_campaign(owner=manager, running=False)
    assert client.get("/campaigns/", {"page": page}).status_code == 200
    where = url("campaign-checks", campaign)
    assert client.get(where, {"questions": page, "planted": page}).status_code == 200
