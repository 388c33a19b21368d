"""A campaign's language: its pages and the API's sentences are in it, whatever browsers ask for."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from gistmark.errors import UsageError
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.annotate.services.drafts import browser_payload
from gistmark.web.annotate.urls import urlpatterns
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.invitations import make_invitation
from web.factories import make_campaign

pytestmark = pytest.mark.django_db

GERMAN = {"accept-language": "de"}
HTML = '<html lang="{}"'


@pytest.fixture
def campaign(annotator) -> Campaign:
    made = make_campaign(annotators=(annotator,), judges=2)
    give_consent(made, annotator)
    return change_settings(made, None, language="ar", registration_open=True)


@pytest.fixture
def german(annotator) -> Client:
    client = Client(headers=GERMAN)
    client.force_login(annotator)
    return client


def test_the_pages_of_its_work_are_in_its_language_and_all_others_in_the_visitors(
    campaign, annotator, german
):
    task = next_task(campaign, annotator)
    for address in (reverse("work-begin", args=[campaign.key]), reverse("task", args=[task.pk])):
        assert '<html lang="ar" dir="rtl">' in german.get(address).text
    for pattern in (each for each in urlpatterns if "<str:key>" in str(each.pattern)):
        page = german.get(reverse(pattern.name, args=[campaign.key]))
        assert page.status_code == 405 or page.headers["Content-Language"] == "ar", pattern.name
    assert '<html lang="de" dir="ltr">' in german.get(reverse("work")).text
    change_settings(campaign, None, language="")
    assert '<html lang="de"' in german.get(reverse("task", args=[task.pk])).text


def test_whoever_joins_reads_its_language(campaign):
    invitation = make_invitation(by=None, campaign=campaign)
    for address in (
        reverse("join", args=[invitation.secret]), reverse("register", args=[campaign.key]),
    ):  # fmt: skip
        assert '<html lang="ar"' in Client(headers=GERMAN).get(address).text


def test_the_api_answers_annotators_in_it_and_managers_in_english(campaign, annotator, german):
    task = next_task(campaign, annotator)
    browser_payload(task)
    sent = {"key": "f3b0c442-98fc-4c14-9afb-f4c8996fb924", "answer": {"items": {}}}
    for address, content in (("submit_task", sent), ("save_draft", {"answer": {}, "version": 0})):
        call = german.put if address == "save_draft" else german.post
        reply = call(
            reverse(f"api:{address}", args=[task.pk]), content, content_type="application/json"
        )
        assert reply.headers["Content-Language"] == "ar"
    boss = Client(headers=GERMAN)
    boss.force_login(campaign.owner)
    reply = boss.get(f"/api/campaigns/{campaign.key}")
    assert (reply.json()["language"], reply.headers["Content-Language"]) == ("ar", "en")


def test_a_manager_previews_it_in_its_language_on_pages_that_are_else_in_english(campaign):
    boss = Client(headers=GERMAN)
    boss.force_login(campaign.owner)
    preview = boss.get(reverse("campaign-preview", args=[campaign.key])).text
    assert '<html lang="ar"' in preview
    assert '<html lang="en"' in boss.get(reverse("campaign", args=[campaign.key])).text


def test_only_a_language_of_the_interface_can_be_set(campaign):
    with pytest.raises(UsageError, match="'tlh'; there are en, de, es, fr, zh-hans, ar"):
        change_settings(campaign, None, language="tlh")


def test_the_settings_say_which_texts_of_the_preset_are_still_english(log_in):
    campaign = make_campaign("overall", running=False)
    client, address = log_in(campaign.owner), reverse("campaign-settings", args=[campaign.key])
    sentence = "are still the preset&#x27;s own"
    assert sentence not in client.get(address).text
    change_settings(campaign, None, language="de")
    page = client.get(address).text
    assert sentence.replace("&#x27;", "'") in page
    assert "instructions" in page[page.index("still the preset") :][:200]
    assert "Translate them below" in page
    change_settings(campaign, None, language="en")
    assert "still the preset" not in client.get(address).text


def test_a_visitor_chooses_a_language_and_lets_the_browser_choose_again(annotator):
    client = Client(headers=GERMAN)
    page = client.get(reverse("log-in")).text
    assert 'action="/language/"' in page
    chosen = client.post("/language/", {"language": "fr", "next": "/log-in/"})
    assert (chosen.status_code, chosen.headers["Location"]) == (302, "/log-in/")
    assert '<html lang="fr"' in client.get(reverse("log-in")).text
    client.post("/language/", {"language": "", "next": "https://elsewhere.example/"})
    assert '<html lang="de"' in client.get(reverse("log-in")).text
    assert client.post("/language/", {"language": "tlh"}).status_code == 400


def test_where_to_go_after_choosing_is_a_page_of_this_site(annotator):
    chosen = Client().post("/language/", {"language": "fr", "next": "https://elsewhere.example/"})
    assert chosen.headers["Location"] == "/"
