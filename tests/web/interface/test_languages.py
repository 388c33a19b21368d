"""Languages: which one a page is in, and the catalogue that its scripts get."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from gistmark.web.interface.languages import script_catalogue
from web.factories import make_user


@pytest.mark.parametrize(
    ("wanted", "language", "direction"),
    [("de-AT,de;q=0.9", "de", "ltr"), ("ar", "ar", "rtl"), ("zh-CN", "zh-hans", "ltr"),
     ("ja", "en", "ltr"), ("", "en", "ltr")],
)  # fmt: skip
def test_a_page_has_the_language_that_the_browser_asks_for(db, wanted, language, direction):
    make_user(name="ann")
    page = Client(headers={"accept-language": wanted}).get(reverse("log-in"))
    assert f'<html lang="{language}" dir="{direction}">' in page.text
    assert page.headers["Content-Language"] == language
    assert "Accept-Language" in page.headers["Vary"]


def test_the_managers_pages_are_in_english(db):
    client = Client(headers={"accept-language": "ar"})
    client.force_login(make_user(name="max", role="manager"))
    assert '<html lang="en" dir="ltr">' in client.get(reverse("campaigns")).text
    assert '<html lang="ar" dir="rtl">' in client.get(reverse("work")).text


def test_scripts_get_the_sentences_of_the_language_with_its_plural_forms():
    with translation.override("ar"):
        catalogue = script_catalogue()
    assert catalogue["language"] == "ar"
    assert catalogue["sentences"]["Submit"] == "إرسال"
    forms = catalogue["sentences"]["%(count)s word left."]
    assert list(forms) == ["zero", "one", "two", "few", "many", "other"]
    with translation.override("zh-hans"):
        assert list(script_catalogue()["sentences"]["%(count)s word left."]) == ["other"]


@pytest.mark.parametrize(
    ("language", "date"), [("en", "17 November 2026"), ("de", "17. November 2026"),
                           ("zh-hans", "2026年11月17日")],
)  # fmt: skip
def test_dates_are_written_as_the_language_does(language, date):
    with translation.override(language):
        assert date_format(datetime(2026, 11, 17), "DATE_FORMAT") == date


def test_scripts_have_english_without_a_catalogue():
    assert script_catalogue() == {"language": "en", "sentences": {}}
