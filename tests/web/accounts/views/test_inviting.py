"""New people: one by one, by invitation, from a file."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from gistmark.web.accounts.credentials import make_password_link, read_link
from gistmark.web.accounts.imports import FILE_BYTES
from gistmark.web.accounts.models import Link, User
from gistmark.web.campaigns.services import close
from gistmark.web.campaigns.services.invitations import make_invitation
from web.factories import make_campaign

PASSWORD_LINK, INVITATION = Link.Kind.PASSWORD, Link.Kind.INVITATION


@pytest.fixture
def client(log_in, admin):
    return log_in(admin)


def secrets_in(text: str, page: str) -> list[str]:
    return [part.partition("/")[0] for part in text.split(f"/{page}/")[1:]]


def test_a_new_person_gets_an_account_and_a_link(client):
    page = client.post("/people/new/", {"name": "ada", "role": "manager"})
    (secret,) = secrets_in(page.text, "password")
    user = read_link(secret, PASSWORD_LINK).user
    assert (user.username, user.role) == ("ada", "manager")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({}, "required"),
        ({"name": "li su", "role": "annotator"}, "not a valid name"),
        ({"name": "ada", "role": "chief"}, "not one of the available choices"),
        ({"name": "ada\0", "role": "manager"}, "Null characters"),
        ({"name": "TAKEN", "role": "manager"}, "is taken"),
    ],
)
def test_what_is_wrong_with_a_new_person_is_told(client, data, what):
    User.objects.create_user("taken")
    page = client.post("/people/new/", data)
    assert page.status_code == 400
    assert what in page.text
    assert User.objects.count() == 2


def test_an_invitation_is_made_listed_and_withdrawn(client, admin):
    campaign = make_campaign()
    data = {"role": "annotator", "campaign": campaign.pk, "uses": 30, "days": 7}
    page = client.post("/people/invitations/", data)
    (secret,) = secrets_in(page.text, "join")
    link = read_link(secret, INVITATION)
    assert (link.campaign, link.uses_left, link.created_by) == (campaign, 30, admin)
    listed = client.get("/people/invitations/").text
    assert campaign.name in listed
    assert secret not in listed
    client.post(f"/people/invitations/{link.pk}/withdraw/")
    assert not Link.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"role": "chief"},
        {"uses": 0},
        {"uses": "many"},
        {"uses": 10**12},
        {"days": -1},
        {"days": 1e9},
        {"campaign": 999_999},
        {"campaign": "x"},
        {"campaign": 10**30},
    ],
)
def test_a_wrong_invitation_is_refused(client, change):
    data = {"role": "annotator", "uses": 1, "days": 7, **change}
    page = client.post("/people/invitations/", data)
    assert page.status_code == 400
    assert "errorlist" in page.text
    assert not Link.objects.exists()


def test_nobody_is_invited_to_a_closed_campaign(client, admin):
    campaign = make_campaign()
    close(campaign, admin)
    data = {"role": "annotator", "campaign": campaign.pk, "uses": 1, "days": 7}
    assert client.post("/people/invitations/", data).status_code == 400


def test_withdrawing_ends_invitations_only(client, annotator):
    made = make_password_link(by=None, user=annotator)
    client.post(f"/people/invitations/{made.link.pk}/withdraw/")
    assert Link.objects.filter(pk=made.link.pk).exists()


def test_the_number_of_queries_does_not_grow_with_the_invitations(
    client, admin, django_assert_num_queries
):
    client.get("/people/invitations/")
    campaign = make_campaign(running=False)
    for more in (2, 20):
        for _ in range(more):
            make_invitation(by=admin, campaign=campaign)
        with django_assert_num_queries(4):
            client.get("/people/invitations/")


def upload(client, data: bytes):
    return client.post("/people/import/", {"file": SimpleUploadedFile("class.csv", data)})


def test_people_are_imported_with_a_link_each(client):
    page = upload(client, b"name,role\nada,manager\nbob,\n")
    assert "2 people added" in page.text
    named = {
        read_link(secret, PASSWORD_LINK).user.username
        for secret in secrets_in(page.text, "password")
    }
    assert named == {"ada", "bob"}


def test_all_problems_of_a_file_are_shown_and_escaped(client):
    page = upload(client, b"name,role\n<b>x</b>,manager\nada,chief\n")
    assert page.status_code == 400
    assert "class.csv:2" in page.text
    assert "class.csv:3" in page.text
    assert "<b>x</b>" not in page.text
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "empty"),
        (b"\xff\xfe", "UTF-8"),
        (b"name\n" + b"x" * FILE_BYTES, "larger than"),
    ],
)
def test_a_file_that_is_none_is_refused(client, data: bytes, what: str):
    page = upload(client, data)
    assert page.status_code == 400
    assert what in page.text


def test_no_file_at_all_is_told(client):
    page = client.post("/people/import/", {})
    assert page.status_code == 400
    assert "required" in page.text
