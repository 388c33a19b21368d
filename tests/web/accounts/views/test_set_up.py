"""The guided set-up, from the terminal's link to the sample campaign."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.set_up import set_up_code
from gistmark.web.campaigns.models import Campaign
from web.factories import PASSWORD

pytestmark = pytest.mark.django_db


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
