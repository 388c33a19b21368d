"""Recruiting on other markets: role × address × method, what to paste, and the market's file."""

from __future__ import annotations

import csv
import io
import re
from base64 import b64decode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.crowd.outcomes import settle
from gistmark.web.manage.urls import market_urls
from web.annotate.answering import done
from web.conftest import LogIn
from web.crowd.arriving import arrive, person, recruiting, visit
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db

METHODS = ("get", "post", "put", "delete", "patch")
TABLE = {
    "campaign-market-new": (200, 400, 405, 405, 405),
    "campaign-market": (200, 400, 405, 405, 405),
    "campaign-market-reconcile": (405, 400, 405, 405, 405),
    "campaign-let-in": (405, 302, 405, 405, 405),
}


@pytest.fixture
def recruitment(admin) -> Recruitment:
    """A recruitment on another market, with a visit."""
    recruitment = recruiting(market="generic")
    query = {"participant": "alice", "study": "study1", "session": "s-alice"}
    assert Client().get(f"/crowd/{recruitment.key}/", query).status_code == 302
    return recruitment


def address(name: str, recruitment: Recruitment) -> str:
    key = recruitment.campaign.key
    more = {"campaign-market-new": [], "campaign-let-in": [visit().pk]}
    return reverse(name, args=[key, *more.get(name, [recruitment.key])])


def statuses(client: Client, where: str) -> tuple[int, ...]:
    return tuple(getattr(client, method)(where).status_code for method in METHODS)


def test_every_address_is_in_the_table() -> None:
    assert sorted(str(each.name) for each in market_urls) == sorted(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_only_managers_of_the_campaign_recruit(
    name: str, recruitment: Recruitment, log_in: LogIn, admin
) -> None:
    where, campaign = address(name, recruitment), recruitment.campaign
    annotator = make_user()
    add_member(campaign, annotator)
    participant = Client()
    arrive(participant, recruiting(campaign), pid="bob")
    for client in (log_in(campaign.owner), log_in(admin)):
        assert statuses(client, where) == TABLE[name]
    for client, status in (
        (log_in(annotator), 403),
        (participant, 403),
        (log_in(make_user("manager")), 404),
        (log_in(make_user()), 404),
        (log_in(), 302),
    ):
        refused = tuple(405 if known == 405 else status for known in TABLE[name])
        assert statuses(client, where) == refused


@pytest.mark.parametrize("name", ["campaign-market", "campaign-market-reconcile"])
def test_what_belongs_to_another_campaign_is_not_found(
    name: str, recruitment: Recruitment, log_in: LogIn
) -> None:
    other = recruiting(make_campaign(owner=recruitment.campaign.owner), market="connect")
    client = log_in(recruitment.campaign.owner)
    for study in (other.key, "nonsense", "a%00b"):
        where = f"/campaigns/{recruitment.campaign.key}/markets/{study}/"
        where += "reconcile/" * name.endswith("reconcile")
        assert client.post(where).status_code == 404
    where = f"/campaigns/{other.campaign.key}/visits/{visit().pk}/let-in/"
    assert client.post(where).status_code == 404


def test_a_manager_recruits_on_a_market_of_their_own(log_in: LogIn) -> None:
    campaign = make_campaign()
    client = log_in(campaign.owner)
    sent = {
        "market": "generic",
        "tasks_per_participant": "1",
        "participant": "worker",
        "study_parameter": "",
        "session": "",
        "completed": "https://market.example/done?c={code}&s={session}",
    }
    page = client.post(f"/campaigns/{campaign.key}/markets/", sent, follow=True)
    recruitment = Recruitment.objects.get()
    assert f"http://testserver/crowd/{recruitment.key}/" in page.text
    assert all(code in page.text for code in recruitment.codes.values())

    worker = Client()
    assert worker.get(f"/crowd/{recruitment.key}/", {"worker": "w:7"}).status_code == 302
    user = person("w:7", "generic")
    give_consent(campaign, user)
    done(campaign, user)
    ended = worker.get(f"/work/{campaign.key}/finish/").text
    code = recruitment.codes["completed"]
    assert f'href="https://market.example/done?c={code}&amp;s=w%3A7"' in ended
    assert user.username in client.get(page.redirect_chain[-1][0]).text


def test_wrong_settings_get_a_sentence(recruitment: Recruitment, log_in: LogIn) -> None:
    client = log_in(recruitment.campaign.owner)
    sent = {"state": "active", "tasks_per_participant": "1", "participant": "a b", "study": "x"}
    page = client.post(address("campaign-market", recruitment), sent)
    assert page.status_code == 400
    assert "The names of parameters must differ" in page.text
    sent |= {"participant": "a", "completed": "javascript:alert(1)"}
    page = client.post(address("campaign-market", recruitment), sent)
    assert "must begin with https://" in page.text


def test_settings_change_and_end_the_recruitment(recruitment: Recruitment, log_in: LogIn) -> None:
    client = log_in(recruitment.campaign.owner)
    sent = {"state": "ended", "tasks_per_participant": "3", "participant": "p", "study": "s 1"}
    assert client.post(address("campaign-market", recruitment), sent).status_code == 400
    sent["study"] = "s1"
    assert client.post(address("campaign-market", recruitment), sent).status_code == 302
    recruitment.refresh_from_db()
    assert (recruitment.state, recruitment.study) == ("ended", "s1")
    assert recruitment.read_settings().tasks_per_participant == 3
    assert Client().get(f"/crowd/{recruitment.key}/", {"p": "bob"}).status_code == 409


def test_the_markets_file_comes_back_filled_in(recruitment: Recruitment, log_in: LogIn) -> None:
    campaign, user = recruitment.campaign, person(market="generic")
    give_consent(campaign, user)
    done(campaign, user)
    done(campaign, user)
    settle(visit())
    file = SimpleUploadedFile("people.csv", b"id,age\nalice,30\nbob,31\n")
    page = log_in(campaign.owner).post(
        address("campaign-market-reconcile", recruitment), {"file": file, "bonus": "0.25"}
    )
    assert "Approved 1, rejected 0, undecided 0; 1 difference." in page.text
    assert "Row 3: nobody with this id has arrived here." in page.text
    found = re.search(r"base64,([^\"]+)\" download=\"([^\"]+)\"", page.text)
    assert found is not None
    rows = list(csv.reader(io.StringIO(b64decode(found[1]).decode())))
    assert rows[1] == ["alice", "30", "completed", "counts", "x", "", "0.25"]
    assert found[2].endswith("-participants.csv")


def test_a_wrong_bonus_or_file_is_said_on_the_page(recruitment: Recruitment, log_in: LogIn) -> None:
    client, where = (
        log_in(recruitment.campaign.owner),
        address("campaign-market-reconcile", recruitment),
    )
    for data, bonus, sentence in (
        (b"id\nalice", "much", "A bonus is an amount such as 0.50"),
        (b"id\nnobody", "", "No column of the file has ids of participants"),
        (b"\xff\xfe\xff", "", "The file"),
    ):
        sent = {"file": SimpleUploadedFile("people.csv", data), "bonus": bonus}
        page = client.post(where, sent)
        assert (page.status_code, sentence in page.text) == (400, True)


def test_a_manager_lets_another_browser_in(recruitment: Recruitment, log_in: LogIn) -> None:
    query = {"participant": "alice", "study": "study1", "session": "s-alice"}
    assert Client().get(f"/crowd/{recruitment.key}/", query).status_code == 403
    log_in(recruitment.campaign.owner).post(address("campaign-let-in", recruitment))
    assert not Visit.objects.exclude(browser="").exists()
    assert Client().get(f"/crowd/{recruitment.key}/", query).status_code == 302


def test_people_come_from_connect_with_its_own_parameters(admin) -> None:
    recruitment = recruiting(market="connect")
    query = {"participantId": "c1", "assignmentId": "a1", "projectId": "j1"}
    client = Client()
    assert client.get(f"/crowd/{recruitment.key}/", query).status_code == 302
    known = Visit.objects.get()
    assert (known.session, known.participant.pid, known.participant.market) == (
        "a1", "c1", "connect",
    )  # fmt: skip
    client.post(f"/work/{recruitment.campaign.key}/decline/")
    page = client.get(f"/work/{recruitment.campaign.key}/finish/").text
    assert recruitment.codes["no_consent"] in page
    assert "Copy the code, and enter it" in page
