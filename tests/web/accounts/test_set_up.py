"""The first visit: set-up from the terminal's link to the sample campaign, for who can read it."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.set_up import code_is_right, create_first_admin, set_up_code
from gistmark.web.campaigns.models import Campaign
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
    assert "not set up yet" in answer.json()["detail"]


def test_health_is_told_without_any_user():
    assert Client().get("/health/").status_code == 200


def test_once_set_up_no_page_asks_the_database_for_users_again(django_assert_num_queries):
    make_user("admin")
    client = Client()
    client.get("/log-in/")
    with django_assert_num_queries(0):
        client.get("/log-in/")


def filled(**change: str) -> dict[str, str]:
    data = {"code": set_up_code(), "name": "ada", "password": PASSWORD, "again": PASSWORD}
    return data | change


def test_the_link_of_the_terminal_fills_in_the_code():
    page = Client().get("/set-up/", {"code": set_up_code()})
    assert f'value="{set_up_code()}"' in page.text


def test_the_page_itself_does_not_tell_the_code():
    client = Client()
    assert set_up_code() not in client.get("/set-up/").text
    assert set_up_code() not in client.post("/set-up/", filled(code="guess")).text


def test_the_first_visitor_becomes_admin_and_is_offered_the_sample():
    client = Client()
    assert client.post("/set-up/", filled()).headers["Location"] == "/set-up/sample/"
    assert User.objects.get().is_admin
    assert "Load the sample campaign" in client.get("/set-up/sample/").text


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"code": ""}, "required"),
        ({"code": "AAAA-AAAA-AAAA-AAAA"}, "not the code"),
        ({"code": "\0"}, "Null characters"),
        ({"name": "li su"}, "not a valid name"),
        ({"password": "123", "again": "123"}, "too short"),
        ({"again": "different"}, "not the same"),
    ],
)
def test_what_is_wrong_is_told_and_nobody_becomes_admin(change, what):
    page = Client().post("/set-up/", filled(**change))
    assert page.status_code == 400
    assert what in page.text
    assert not User.objects.exists()


def test_a_second_visitor_sets_up_nothing(admin):
    for answer in (Client().get("/set-up/"), Client().post("/set-up/", filled())):
        assert answer.headers["Location"] == "/"
    assert User.objects.count() == 1


def test_the_sample_campaign_is_loaded_once(log_in, admin):
    client = log_in(admin)
    campaign = client.post("/set-up/sample/")
    assert campaign.headers["Location"] == f"/campaigns/{Campaign.objects.get().key}/"
    again = client.post("/set-up/sample/")
    assert again.status_code == 400
    assert "already a campaign named" in again.text
