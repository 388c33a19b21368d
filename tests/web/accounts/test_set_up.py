"""The first visit: set-up, and only for whoever can read the server's terminal."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.set_up import code_is_right, create_first_admin, set_up_code
from web.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def test_the_code_is_right_however_it_is_typed():
    code = set_up_code()
    assert code_is_right(code)
    assert code_is_right(f" {code.lower().replace('-', ' ')} ")


@pytest.mark.parametrize("code", ["", "-", "AAAA-AAAA-AAAA-AAAA", "é", "\0"])
def test_another_code_is_wrong(code: str):
    assert not code_is_right(code)


def test_part_of_the_code_is_wrong():
    assert not code_is_right(set_up_code()[:-1])
    assert not code_is_right(set_up_code() + "A")


def test_the_code_depends_on_the_secret_key(settings):
    before = set_up_code()
    settings.SECRET_KEY = "another key that is long enough"
    assert set_up_code() != before


def test_the_first_admin_is_made_once():
    assert create_first_admin(name="ada", password=PASSWORD).is_admin
    with pytest.raises(UsageError, match="set up already"):
        create_first_admin(name="eve", password=PASSWORD)
    assert User.objects.count() == 1


@pytest.mark.parametrize("path", ["/", "/log-in/", "/account/", "/people/", "/nowhere/"])
def test_every_page_leads_to_the_set_up_until_there_is_a_user(path: str):
    client = Client()
    assert client.get(path).headers["Location"] == "/set-up/"
    make_user("admin")
    assert client.get(path).headers.get("Location") != "/set-up/"


def test_a_script_is_told_in_json():
    answer = Client().get("/", headers={"Accept": "application/json"})
    assert answer.status_code == 503
    assert "not set up yet" in answer.json()["error"]


def test_health_is_told_without_any_user():
    assert Client().get("/health/").status_code == 200


def test_once_set_up_no_page_asks_the_database_for_users_again(django_assert_num_queries):
    make_user("admin")
    client = Client()
    client.get("/log-in/")
    with django_assert_num_queries(0):
        client.get("/log-in/")
