"""Logging in with a provider that speaks real HTTP: there and back, and new people."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from django.test import Client

from gistmark.web.accounts.models import AuditEntry, Identity, User
from gistmark.web.accounts.sign_in import provider as talking
from gistmark.web.accounts.sign_in import second_factor
from gistmark.web.accounts.views import sign_on
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.config.environment import read_rules
from web.accounts.factors import app_code, switch_on
from web.accounts.provider_server import (
    CLIENT,
    KEYS,
    coming_back,
    configure,
    connected,
    go,
    log_in_there,
    who,
)
from web.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_somebody_who_is_connected_gets_in(provider, manager):
    connected(manager, provider)
    client = Client()
    client.cookies["sessionid"] = "fixed-by-somebody-else"
    response = log_in_there(client)
    assert response.headers["Location"] == "/account/"
    assert who(client) == manager.username
    assert client.cookies["sessionid"].value != "fixed-by-somebody-else"
    assert AuditEntry.objects.get(verb="logged-in").about == {"means": "provider"}
    assert Identity.objects.get().used_at is not None


def test_the_log_in_page_offers_the_provider_and_comes_back_to_the_page(provider):
    page = Client().get("/log-in/?next=/work/").text
    assert "Example University" in page
    assert "/log-in/sign-on/?next=%2Fwork%2F" in page


def test_without_a_provider_there_is_no_such_page(admin, manager, log_in):
    assert "sign-on" not in Client().get("/log-in/").text
    assert Client().get("/log-in/sign-on/").status_code == 404
    assert log_in(manager).post("/account/sign-on/").status_code == 404


def test_a_target_elsewhere_is_not_followed(provider, manager):
    connected(manager, provider)
    assert log_in_there(Client(), "https://evil.example/").headers["Location"] == "/"


def test_a_log_in_that_took_too_long_begins_again(provider, manager, monkeypatch):
    connected(manager, provider)
    client = Client()
    address = go(client)
    monkeypatch.setattr(sign_on, "_MINUTES", -1)
    assert "begin again" in client.get(address).text


def test_a_no_of_the_provider_is_a_sentence(provider):
    client = Client()
    state = parse_qs(urlsplit(go(client)).query)["state"][0]
    query = urlencode({"error": "access_denied", "error_description": "<b>x</b>", "state": state})
    response = client.get(f"/log-in/sign-on/back/?{query}")
    assert response.status_code == 403
    assert "You were not logged in at Example University" in response.text
    assert "<b>x</b>" not in response.text


def test_a_provider_that_is_down_is_a_sentence(provider, settings):
    provider.is_down = True
    response = Client().get("/log-in/sign-on/")
    assert response.status_code == 503
    assert "Example University does not answer" in response.text
    configure(settings, issuer="http://127.0.0.1:9")
    assert Client().get("/log-in/sign-on/").status_code == 503


def test_a_provider_may_change_its_keys(provider, manager, monkeypatch):
    connected(manager, provider)
    log_in_there(Client())
    provider.key, provider.kid = KEYS[1], "second"
    assert log_in_there(Client()).status_code == 403
    monkeypatch.setattr(talking, "_AGAIN", 0.0)
    client = Client()
    log_in_there(client)
    assert who(client) == manager.username


def test_a_stranger_needs_an_invitation(provider):
    client = Client()
    response = log_in_there(client)
    assert response.status_code == 403
    assert "No account here is connected with yours" in response.text
    assert client.get("/log-in/sign-on/new/").status_code == 302
    assert User.objects.count() == 1


def test_an_address_never_opens_an_account(provider, manager):
    manager.email = "ada@uni.example"
    manager.save()
    provider.person.update(email="ada@uni.example", email_verified=True)
    provider.person["preferred_username"] = manager.username
    assert log_in_there(Client()).status_code == 403


def test_an_invitation_makes_an_account_without_a_password(provider):
    campaign = make_campaign(running=False)
    secret = make_invitation(by=campaign.owner, campaign=campaign).secret
    client = Client()
    assert "Example University" in client.get(f"/join/{secret}/").text
    response = log_in_there(client, f"/join/{secret}/")
    assert response.headers["Location"] == f"/join/{secret}/"
    page = client.get(f"/join/{secret}/").text
    assert 'value="ada"' in page
    assert 'type="password"' not in page
    client.post(f"/join/{secret}/", {"name": "ada.l"})
    user = User.objects.get(username="ada.l")
    assert who(client) == "ada.l"
    assert not user.has_usable_password()
    assert user.memberships.get().campaign == campaign
    again = Client()
    log_in_there(again)
    assert who(again) == "ada.l"


def test_where_anyone_may_join_a_newcomer_chooses_a_name(provider, settings):
    configure(settings, join="anyone")
    make_user(name="ada")
    client = Client()
    assert log_in_there(client).headers["Location"] == "/log-in/sign-on/new/"
    assert who(client) is None
    assert client.post("/log-in/sign-on/new/", {"name": "ada"}).status_code == 400
    client.post("/log-in/sign-on/new/", {"name": "ada2"})
    assert who(client) == "ada2"
    assert User.objects.get(username="ada2").role == "annotator"


@pytest.mark.parametrize(
    ("person", "role"),
    [
        ({"groups": ["staff", "x"]}, "manager"),
        ({"groups": "staff"}, "manager"),
        ({"email": "a@UNI.example", "email_verified": True}, "annotator"),
        ({"email": "a@uni.example", "email_verified": False}, None),
        ({"email": "a@uni.example"}, None),
        ({"email": "a@evil.example", "email_verified": True}, None),
        ({"groups": ["guests"]}, None),
    ],
)
def test_rules_say_who_becomes_what(provider, settings, person, role):
    rules = read_rules("groups=staff:manager, domain=uni.example:annotator")
    configure(settings, join="matched", rules=rules)
    provider.person.update(person)
    client = Client()
    response = log_in_there(client)
    if role is None:
        assert response.status_code == 403
        return
    client.post("/log-in/sign-on/new/", {"name": "newcomer"})
    assert User.objects.get(username="newcomer").role == role


def test_the_owner_connects_and_disconnects_an_account(provider, manager, log_in):
    client = log_in(manager)
    leaving = client.post("/account/sign-on/")
    address = leaving.headers["Refresh"].partition("url=")[2]
    response = client.get(coming_back(address), follow=True)
    assert "You can log in with Example University from now on." in response.text
    other = Client()
    log_in_there(other)
    assert who(other) == manager.username
    client.post("/account/sign-on/disconnect/")
    assert not Identity.objects.exists()
    verbs = AuditEntry.objects.filter(verb__startswith="provider").values_list("verb", flat=True)
    assert sorted(verbs) == ["provider-connected", "provider-disconnected"]


def test_an_account_is_connected_only_in_the_session_that_began(provider, manager, log_in):
    client = log_in(manager)
    address = client.post("/account/sign-on/").headers["Refresh"].partition("url=")[2]
    back = coming_back(address)
    session = client.session
    for key in ("_auth_user_id", "_auth_user_backend", "_auth_user_hash"):
        del session[key]
    session.save()
    assert client.get(back).status_code == 403
    assert not Identity.objects.exists()


def test_who_has_no_password_cannot_disconnect(provider, manager, log_in):
    connected(manager, provider)
    manager.set_unusable_password()
    manager.save()
    page = log_in(manager).post("/account/sign-on/disconnect/", follow=True).text
    assert "You have no password" in page
    assert Identity.objects.exists()


def test_a_closed_account_stays_closed(provider, manager):
    connected(manager, provider)
    User.objects.filter(pk=manager.pk).update(is_active=False)
    client = Client()
    assert log_in_there(client).status_code == 403
    assert who(client) is None


def test_the_second_factor_is_asked_for_unless_the_provider_has_one(provider, manager, settings):
    connected(manager, provider)
    switch_on(manager)
    client = Client()
    assert log_in_there(client).headers["Location"] == "/log-in/code/"
    client.post("/log-in/code/", {"code": app_code(manager)})
    assert who(client) == manager.username
    configure(settings, has_second_factor=True)
    client = Client()
    log_in_there(client)
    assert who(client) == manager.username


def test_a_second_factor_of_the_provider_is_enough_where_one_is_required(
    provider, manager, settings
):
    settings.SECOND_FACTOR_REQUIRED, settings.SECOND_FACTOR_GRACE = True, 0
    configure(settings, has_second_factor=True)
    connected(manager, provider)
    client = Client()
    log_in_there(client)
    assert client.get("/campaigns/").status_code == 200
    client = Client()
    client.force_login(manager)
    assert client.get("/campaigns/").status_code == 302
    assert not second_factor.has_second_factor(manager)


def test_logging_out_tells_that_the_provider_is_another_matter(provider, manager):
    connected(manager, provider)
    client = Client()
    log_in_there(client)
    page = client.post("/log-out/").text
    assert "You may still be logged in at Example University" in page
    assert f"{provider.url}/bye?client_id={CLIENT}" in page
    assert who(client) is None


def test_passwords_may_be_for_admins_alone(provider, admin, manager, settings):
    settings.PASSWORDS_FOR_ALL = False
    client = Client()
    refused = client.post("/log-in/", {"name": manager.username, "password": PASSWORD})
    assert refused.status_code == 403
    assert "Only admins log in with a password here" in refused.text
    assert (
        client.post("/log-in/", {"name": admin.username, "password": PASSWORD}).status_code == 302
    )
    secret = make_invitation(by=admin).secret
    visitor = Client()
    assert 'type="password"' not in visitor.get(f"/join/{secret}/").text
    sent = {"name": "eve", "password": PASSWORD, "again": PASSWORD}
    assert visitor.post(f"/join/{secret}/", sent).status_code == 403
    assert not User.objects.filter(username="eve").exists()
