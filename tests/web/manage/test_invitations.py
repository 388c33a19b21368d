"""The admins' page of invitations."""

from __future__ import annotations

import pytest

from gistmark.web.accounts.models import Link
from gistmark.web.accounts.sign_in.credentials import make_password_link, read_link
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.invitations import make_invitation
from web.factories import make_campaign

INVITATION = Link.Kind.INVITATION


@pytest.fixture
def client(log_in, admin):
    return log_in(admin)


def secrets_in(text: str, page: str) -> list[str]:
    return [part.partition("/")[0] for part in text.split(f"/{page}/")[1:]]


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
    assert "form-errors" in page.text
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
