"""Joining by an invitation, registering, and links that are misused."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.sign_in import attempts
from gistmark.web.accounts.sign_in.credentials import make_password_link
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.invitations import make_invitation
from web.factories import PASSWORD, make_campaign, make_user

NEW = "another-quiet-stone"
ACCOUNT = {"name": "ada", "password": PASSWORD, "again": PASSWORD}


def path_of(made) -> str:
    page = "join" if made.link.kind == Link.Kind.INVITATION else "password"
    return f"/{page}/{made.secret}/"


def test_an_invitation_makes_an_account_and_logs_in(admin):
    campaign = make_campaign()
    path = path_of(make_invitation(by=admin, campaign=campaign))
    client = Client()
    assert campaign.name in client.get(path).text
    assert client.post(path, ACCOUNT).headers["Location"] == "/"
    assert client.get("/account/").status_code == 200
    assert Membership.objects.get(user__username="ada").campaign == campaign


def test_looking_at_a_link_does_not_use_it(admin):
    path = path_of(make_invitation(by=admin))
    for _ in range(3):
        assert Client().get(path).status_code == 200
    assert Link.objects.get().uses_left == 1


def test_a_link_in_an_address_is_kept_nowhere(admin):
    page = Client().get(path_of(make_invitation(by=admin)))
    assert "no-store" in page.headers["Cache-Control"]
    assert page.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"name": ""}, "required"),
        ({"name": "li su"}, "not a valid name"),
        ({"name": "taken"}, "is taken"),
        ({"again": "different"}, "not the same"),
        ({"password": "123", "again": "123"}, "too short"),
        ({"password": "adalovelace1", "again": "adalovelace1", "name": "adalovelace"}, "similar"),
        ({"name": "a\0b"}, "Null characters"),
    ],
)
def test_what_is_wrong_with_a_new_account_is_told_and_the_link_still_holds(admin, change, what):
    User.objects.create_user("taken")
    path = path_of(make_invitation(by=admin))
    page = Client().post(path, ACCOUNT | change)
    assert page.status_code == 400
    assert what in page.text
    assert Link.objects.get().uses_left == 1
    assert User.objects.count() == 2


def test_nobody_chooses_their_own_role(admin):
    path = path_of(make_invitation(by=admin, role="annotator"))
    Client().post(path, ACCOUNT | {"role": "admin", "is_superuser": "1", "is_staff": "1"})
    user = User.objects.get(username="ada")
    assert (user.role, user.is_superuser, user.is_staff) == ("annotator", False, False)


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("page", ["join", "password"])
@pytest.mark.parametrize("spoilt", ["ended", "used", "forged", "other kind"])
def test_a_link_that_does_not_hold_is_not_found(admin, annotator, method, page, spoilt):
    make = {
        "join": lambda: make_invitation(by=admin),
        "password": lambda: make_password_link(by=admin, user=annotator),
    }
    made = make[page]()
    path = path_of(made)
    if spoilt == "ended":
        Link.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    elif spoilt == "used":
        Link.objects.update(uses_left=0)
    elif spoilt == "forged":
        path = path[:-2] + ("A/" if path[-2] != "A" else "B/")
    else:
        other = make["password" if page == "join" else "join"]()
        path = f"/{page}/{other.secret}/"
    for user in (None, annotator):
        client = Client()
        if user:
            client.force_login(user)
        answer = getattr(client, method)(path, ACCOUNT)
        assert answer.status_code == 404
        assert "Ask whoever sent it" in answer.text
    assert not User.objects.filter(username="ada").exists()


def test_who_is_logged_in_takes_part_with_a_click(log_in, admin, annotator):
    campaign = make_campaign()
    path = path_of(make_invitation(by=admin, campaign=campaign, uses=3))
    client = log_in(annotator)
    assert "Take part" in client.get(path).text
    assert not Membership.objects.filter(user=annotator).exists()
    for _ in range(2):
        assert client.post(path).headers["Location"] == "/"
    assert Membership.objects.filter(user=annotator, campaign=campaign).count() == 1
    assert Link.objects.get().uses_left == 2
    assert "you take part already" in client.get(path).text


def test_a_double_click_makes_one_account(admin):
    path = path_of(make_invitation(by=admin, uses=5))
    first, second = Client(), Client()
    first.post(path, ACCOUNT)
    assert "is taken" in second.post(path, ACCOUNT).text
    assert User.objects.filter(username="ada").count() == 1
    assert Link.objects.get().uses_left == 4


def test_registration_is_there_only_where_a_campaign_allows_it(admin):
    campaign = make_campaign()
    path = f"/register/{campaign.key}/"
    assert Client().get(path).status_code == 404
    assert Client().post(path, ACCOUNT).status_code == 404
    Campaign.objects.update(registration_open=True)
    assert campaign.name in Client().get(path).text
    assert Client().post(path, ACCOUNT).headers["Location"] == "/"
    assert Membership.objects.get(user__username="ada").role == "annotator"
    assert Client().get("/register/nonsense/").status_code == 404


def test_who_is_logged_in_registers_with_a_click(log_in, annotator):
    campaign = make_campaign()
    Campaign.objects.update(registration_open=True)
    client = log_in(annotator)
    assert "Take part" in client.get(f"/register/{campaign.key}/").text
    client.post(f"/register/{campaign.key}/")
    assert Membership.objects.filter(user=annotator, campaign=campaign).exists()


@pytest.mark.django_db
def test_nobody_registers_by_the_hundred(monkeypatch):
    monkeypatch.setattr(attempts, "REGISTRATION_LIMIT", 2)
    path = f"/register/{make_campaign().key}/"
    Campaign.objects.update(registration_open=True)
    pages = [Client().post(path, ACCOUNT | {"name": f"p{number}"}) for number in range(3)]
    assert [page.status_code for page in pages] == [302, 302, 429]
    assert "There were too many registrations from your address; try again in" in pages[2].text
    assert not User.objects.filter(username="p2").exists()
    assert Client().post(path, ACCOUNT, REMOTE_ADDR="192.0.2.1").status_code == 302


def test_names_cannot_be_tried_without_end_on_an_invitation(admin):
    make_user(name="taken")
    made = make_invitation(by=admin, uses=100)
    sent = {"name": "taken", "password": PASSWORD, "again": PASSWORD}
    client = Client()
    most = attempts.TAKEN_LIMIT
    tries = [client.post(f"/join/{made.secret}/", sent).status_code for _ in range(most + 1)]
    assert tries == [400] * most + [429]
    assert client.post(f"/join/{made.secret}/", sent | {"name": "new"}).status_code == 302
