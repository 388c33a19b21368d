"""The page that fills in the file of a crowd market."""

from __future__ import annotations

import base64
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.crowd.approvals import read_sheet
from gistmark.web.manage.forms.campaigns import LARGEST
from gistmark.web.manage.urls import crowd_urls
from web.annotate.answering import done
from web.crowd.working import batch, coded_campaign, worked
from web.factories import again, make_user
from web.manage.browsing import upload, url

pytestmark = pytest.mark.django_db

FORM = {"get": 200, "head": 200, "post": 400, "put": 405, "delete": 405, "patch": 405}
TABLE = {"campaign-approvals": FORM}


@pytest.fixture(scope="module")
def made_campaign(shared_db):
    return coded_campaign()


@pytest.fixture
def campaign(made_campaign, db):
    return again(made_campaign)


def statuses(client, where) -> dict[str, int]:
    return {method: getattr(client, method)(where).status_code for method in FORM}


def refused(name, status) -> dict[str, int]:
    return {method: 405 if known == 405 else status for method, known in TABLE[name].items()}


def send(client, campaign, data: bytes):
    return client.post(url("campaign-approvals", campaign), {"file": upload("batch.csv", data)})


def test_every_address_is_in_the_table():
    assert sorted(each.name for each in crowd_urls) == sorted(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_managers_of_the_campaign_and_admins(name, campaign, log_in, admin):
    colleague = make_user("manager")
    add_member(campaign, colleague, "manager")
    for user in (campaign.owner, colleague, admin):
        assert statuses(log_in(user), url(name, campaign)) == TABLE[name]


@pytest.mark.parametrize("name", TABLE)
def test_annotators_of_the_campaign_may_not(name, campaign, log_in):
    user = campaign.memberships.get(role="annotator").user
    assert statuses(log_in(user), url(name, campaign)) == refused(name, 403)


@pytest.mark.parametrize("name", TABLE)
def test_others_and_visitors(name, campaign, log_in):
    for user in (make_user("manager"), make_user()):
        assert statuses(log_in(user), url(name, campaign)) == refused(name, 404)
    assert statuses(log_in(), url(name, campaign)) == refused(name, 302)
    forged = url(name, campaign).replace(campaign.key, "0" * 10)
    assert statuses(log_in(campaign.owner), forged) == refused(name, 404)


def test_without_the_setting_there_is_no_such_page(campaign, log_in):
    change_settings(campaign, None, completion_codes=False)
    where = url("campaign-approvals", campaign)
    assert statuses(log_in(campaign.owner), where) == refused("campaign-approvals", 409)


def test_the_form_needs_its_token(campaign, log_in):
    client = log_in(campaign.owner, enforce_csrf_checks=True)
    assert send(client, campaign, batch("AB")).status_code == 403


def test_a_file_comes_back_filled_in(log_in):
    made = worked()
    page = send(log_in(made.campaign.owner), made.campaign, batch(*made.codes.values(), "<b>"))
    text = page.content.decode()
    assert page.status_code == 200
    assert "Approved 2, rejected 2, undecided 3." in text
    assert "Row 3: The work is flagged and waits" in text
    assert "Row 8: The code B is not one of this campaign." in text
    result = re.search(r'href="data:text/csv;charset=utf-8;base64,([^"]+)" download="(.+?)"', text)
    sheet = read_sheet(base64.b64decode(result[1]))
    assert [row[2] for row in sheet.rows] == ["x", "", "", "", "x", "", ""]
    assert sheet.rows[6][1] == "<b>"
    assert result[2].endswith(f"{made.campaign.key}-approvals.csv")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The submitted file is empty."),
        (b"A,B\n1,2\n", "no column"),
        (b"\xff\xfe\xff", "UTF-16"),
        (b'Answer.surveycode\n"', "broken CSV"),
        (b"Answer.surveycode\n" + b"x" * LARGEST, "larger than 5 MB"),
    ],
)
def test_a_bad_file_is_told_beside_the_form(data, sentence, campaign, log_in):
    page = send(log_in(campaign.owner), campaign, data)
    assert page.status_code == 400
    assert sentence in page.content.decode()
    assert "Download the file" not in page.content.decode()


def test_the_number_of_queries_does_not_grow_with_the_work(campaign, log_in):
    user = campaign.memberships.get(role="annotator").user
    client = log_in(campaign.owner)
    counts = {}
    for name, address in (
        ("approvals", url("campaign-approvals", campaign)),
        ("managers' work", url("campaign-work", campaign)),
        ("annotators' work", reverse("work")),
    ):
        visitor = log_in(user) if address == reverse("work") else client
        visitor.get(address)
        for _ in range(2):
            done(campaign, user)
            with CaptureQueriesContext(connection) as result:
                assert visitor.get(address).status_code == 200
                if name == "approvals":
                    assert send(visitor, campaign, batch("AB", "CD")).status_code == 200
            counts.setdefault(name, set()).add(len(result))
    assert {name: len(result) for name, result in counts.items()} == dict.fromkeys(counts, 1)
