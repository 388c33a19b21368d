"""Languages: which one a page is in, and the catalogue that its scripts get."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from gistmark.web.config.languages import script_catalogue
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


def test_scripts_have_english_without_a_catalogue():
    assert script_catalogue() == {"language": "en", "sentences": {}}
