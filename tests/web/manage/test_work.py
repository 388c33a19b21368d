"""The review of work, and the page that fills in the file of a crowd market."""

from __future__ import annotations

import base64
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.models import Event
from gistmark.web.campaigns.services import add_member, change_settings
from gistmark.web.crowd.sheets import read_sheet
from gistmark.web.manage.forms.campaigns import LARGEST
from gistmark.web.manage.urls import crowd_urls
from web.annotate.answering import done
from web.crowd.working import batch, coded_campaign, worked
from web.factories import make_user
from web.manage.browsing import upload, url
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db

FORM = {"get": 200, "head": 200, "post": 400, "put": 405, "delete": 405, "patch": 405}
TABLE = {"campaign-approvals": FORM}


@pytest.fixture
def campaign():
    return coded_campaign()


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
    found = re.search(r'href="data:text/csv;charset=utf-8;base64,([^"]+)" download="(.+?)"', text)
    sheet = read_sheet(base64.b64decode(found[1]))
    assert [row[2] for row in sheet.rows] == ["x", "", "", "", "x", "", ""]
    assert sheet.rows[6][1] == "<b>"
    assert found[2].endswith(f"{made.campaign.key}-approvals.csv")


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
            with CaptureQueriesContext(connection) as found:
                assert visitor.get(address).status_code == 200
                if name == "approvals":
                    assert send(visitor, campaign, batch("AB", "CD")).status_code == 200
            counts.setdefault(name, set()).add(len(found))
    assert {name: len(found) for name, found in counts.items()} == dict.fromkeys(counts, 1)


def page(client, name, *args, **query):
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200, response.content
    return response.content.decode()


def test_flagged_work_comes_first_with_its_reason(log_in):
    campaign = worked_campaign(annotators=2)
    hasty = Submission.objects.filter(task__campaign=campaign).order_by("received_at").first()
    reason = "The task took 1.0 seconds."
    Submission.objects.filter(pk=hasty.pk).update(
        flags=[{"kind": "too_fast", "reason": reason, "severity": "flag"}]
    )
    type(hasty.task).objects.filter(pk=hasty.task_id).update(flagged=True)
    client = log_in(campaign.owner)
    shown = page(client, "campaign-work", campaign.key)
    assert shown.index(f"submission-{hasty.pk}") == min(
        shown.index(f"submission-{each.pk}")
        for each in Submission.objects.filter(task__campaign=campaign)
    )
    assert reason in shown
    assert "1 task" in page(client, "campaign-work", campaign.key, show="to-review")


def test_work_is_rejected_with_a_reason_and_accepted_again_with_one_click(log_in):
    campaign = worked_campaign(annotators=2)
    submission = Submission.objects.filter(task__campaign=campaign).first()
    client = log_in(campaign.owner)
    address = reverse("campaign-work-decide", args=[campaign.key, submission.pk])
    response = client.post(address, {"decision": "reject", "reason": "Too odd."}, follow=True)
    assert "its slot is open again" in response.content.decode()
    assert "Too odd." in response.content.decode()
    submission.task.refresh_from_db()
    assert submission.task.state == "rejected"
    client.post(address, {"decision": "accept"})
    submission.task.refresh_from_db()
    assert submission.task.state == "done"
    verbs = Event.objects.filter(campaign=campaign, user=campaign.owner).values_list("verb")
    assert list(verbs)[:2] == [("accepted",), ("rejected",)]


def test_what_cannot_be_decided_is_said_in_a_sentence(log_in):
    campaign = worked_campaign(annotators=2)
    submission = Submission.objects.filter(task__campaign=campaign).first()
    client = log_in(campaign.owner)
    address = reverse("campaign-work-decide", args=[campaign.key, submission.pk])
    for data, sentence in (
        ({"decision": "reject", "reason": " "}, "A rejection needs a reason."),
        ({"decision": "reject", "reason": "x\x00"}, "A reason is text"),
        ({"decision": "perhaps"}, "Choose whether to accept or to reject"),
        ({}, "Choose whether to accept or to reject"),
    ):
        assert sentence in client.post(address, data, follow=True).content.decode()
    submission.task.refresh_from_db()
    assert submission.task.state == "done"


def test_the_work_of_one_annotator_can_be_looked_at(log_in):
    campaign = worked_campaign(annotators=2)
    name = Submission.objects.filter(task__campaign=campaign).first().annotator.username
    client = log_in(campaign.owner)
    assert "4 tasks" in page(client, "campaign-work", campaign.key, annotator=name)
    assert "There is no such work" in page(client, "campaign-work", campaign.key, annotator="x")
    assert "8 tasks" in page(client, "campaign-work", campaign.key, show="odd", page="999")
