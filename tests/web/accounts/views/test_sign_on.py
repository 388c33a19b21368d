"""Logging in with a provider that speaks real HTTP: there and back, new people, and attacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from http.client import HTTPConnection
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from django.conf import settings as django_settings
from django.test import Client

from gistmark.web.accounts.models import AuditEntry, Identity, User
from gistmark.web.accounts.second_factor import enrolment
from gistmark.web.accounts.sign_on import provider as talking
from gistmark.web.accounts.views import sign_on
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.config.provider import Provider, read_rules
from web.accounts.second_factor.factors import app_code, switch_on
from web.accounts.sign_on.provider_server import CLIENT, KEYS, SECRET, LocalProvider, local_provider
from web.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def running() -> Iterator[LocalProvider]:
    with local_provider() as known:
        yield known


@pytest.fixture
def provider(running: LocalProvider, settings, admin) -> Iterator[LocalProvider]:
    """The provider as it is before anybody tampers with it; the platform knows it."""
    before = dict(vars(running))
    settings.OIDC = Provider(running.url, CLIENT, SECRET, "Example University")
    talking._kept.clear()
    yield running
    vars(running).update(before)
    running.person = {"sub": "subject-1", "preferred_username": "ada"}
    running.codes.clear()


def configure(settings: Any, **changes: Any) -> None:
    settings.OIDC = replace(settings.OIDC, **changes)


def go(client: Client, target: str = "/account/") -> str:
    """Go to the provider and log in there; the address that it leads back to."""
    there = client.get(f"/log-in/sign-on/?{urlencode({'next': target})}")
    assert there.status_code == 302, there.text
    return coming_back(there.headers["Location"])


def coming_back(address: str) -> str:
    location = urlsplit(redirect_of(address))
    assert location.path == "/log-in/sign-on/back/"
    return f"{location.path}?{location.query}"


def redirect_of(address: str) -> str:
    """Where a page of the provider leads."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.netloc, timeout=10)
    connection.request("GET", f"{parts.path}?{parts.query}")
    try:
        return str(connection.getresponse().headers["Location"])
    finally:
        connection.close()


def log_in_there(client: Client, target: str = "/account/") -> Any:
    return client.get(go(client, target))


def connected(user: User, provider: LocalProvider, subject: str = "subject-1") -> User:
    Identity.objects.create(user=user, issuer=provider.url, subject=subject)
    return user


def who(client: Client) -> str | None:
    response = client.get("/account/")
    return response.wsgi_request.user.username if response.status_code == 200 else None


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


# What an attacker, or a provider gone wrong, may put into the ID token.
TAMPERING = {
    "another nonce": lambda claims: claims.update(nonce="other"),
    "no nonce": lambda claims: claims.pop("nonce"),
    "another audience": lambda claims: claims.update(aud="another-client"),
    "no party among two audiences": lambda claims: claims.update(aud=[CLIENT, "another-client"]),
    "another party": lambda claims: claims.update(azp="another-client"),
    "another issuer": lambda claims: claims.update(iss="https://evil.example"),
    "expired": lambda claims: claims.update(exp=claims["iat"] - 120),
    "no expiry": lambda claims: claims.pop("exp"),
    "from tomorrow": lambda claims: claims.update(iat=claims["iat"] + 86_400),
    "no subject": lambda claims: claims.pop("sub"),
    "an empty subject": lambda claims: claims.update(sub=""),
    "a subject with a null": lambda claims: claims.update(sub="subject-1\0"),
    "somebody else": lambda claims: claims.update(sub="subject-2"),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_a_token_that_is_not_right_lets_nobody_in(provider, manager, what: str):
    connected(manager, provider)
    connected(make_user("admin"), provider, "subject-2")
    provider.tamper = TAMPERING[what]
    client = Client()
    response = log_in_there(client)
    assert response.status_code == 403
    assert "could not be verified" in response.text
    assert who(client) is None


def hmac_with_public_key(known: LocalProvider):
    """The old trick: the public key as the secret of a symmetric signature."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = known.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    signer = jwt.api_jws.PyJWS()
    signer._algorithms["HS256"].prepare_key = lambda key: key  # it refuses such keys by itself

    def sign(claims: dict[str, Any]) -> str:
        import json

        return signer.encode(json.dumps(claims).encode(), public, "HS256", headers={"kid": "first"})

    return sign


SIGNING = {
    "none": lambda known: lambda claims: jwt.encode(claims, None, "none", headers={"kid": "first"}),
    "HS256 with the secret": lambda known: (
        lambda claims: jwt.encode(claims, SECRET * 2, "HS256", headers={"kid": "first"})
    ),
    "HS256 with the public key": hmac_with_public_key,
    "another key under the same name": lambda known: (
        lambda claims: jwt.encode(claims, KEYS[1], "RS256", headers={"kid": "first"})
    ),
    "a key that nobody knows": lambda known: (
        lambda claims: jwt.encode(claims, KEYS[1], "RS256", headers={"kid": "evil"})
    ),
    "a changed payload": lambda known: (
        lambda claims: ".".join(
            [
                known.signed(claims).split(".")[0],
                known.signed({**claims, "sub": "subject-2"}).split(".")[1],
                known.signed(claims).split(".")[2],
            ]
        )
    ),
    "no token at all": lambda known: lambda claims: "not-a-token",
}


@pytest.mark.parametrize("how", SIGNING)
def test_a_signature_that_is_not_the_providers_lets_nobody_in(provider, manager, how: str):
    connected(manager, provider)
    connected(make_user("admin"), provider, "subject-2")
    provider.sign = SIGNING[how](provider)
    client = Client()
    assert log_in_there(client).status_code == 403
    assert who(client) is None


def test_a_state_is_for_one_browser_and_one_time(provider, manager):
    connected(manager, provider)
    mine, theirs = Client(), Client()
    address = go(mine)
    assert theirs.get(address).status_code == 403
    assert who(theirs) is None
    query = parse_qs(urlsplit(address).query)
    forged = f"/log-in/sign-on/back/?{urlencode({'code': query['code'][0], 'state': 'x'})}"
    assert mine.get(forged).status_code == 403
    assert mine.get("/log-in/sign-on/back/").status_code == 403
    assert mine.get(address).status_code == 302
    assert who(mine) == manager.username
    mine.post("/log-out/")
    assert mine.get(address).status_code == 403


def test_a_code_of_another_log_in_is_refused_by_pkce(provider, manager):
    connected(manager, provider)
    client = Client()
    first, second = (parse_qs(urlsplit(go(client)).query) for _ in range(2))
    mixed = urlencode({"code": first["code"][0], "state": second["state"][0]})
    assert client.get(f"/log-in/sign-on/back/?{mixed}").status_code == 403
    assert who(client) is None


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


def test_a_response_of_another_issuer_is_refused(provider, manager):
    connected(manager, provider)
    client = Client()
    assert client.get(f"{go(client)}&iss=https://evil.example").status_code == 403


def test_a_provider_that_is_down_is_a_sentence(provider, settings):
    provider.is_down = True
    response = Client().get("/log-in/sign-on/")
    assert response.status_code == 503
    assert "Example University does not answer" in response.text
    configure(settings, issuer="http://127.0.0.1:9")
    assert Client().get("/log-in/sign-on/").status_code == 503


def test_a_provider_that_describes_another_is_not_believed(provider):
    provider.issuer = "https://evil.example"
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


def test_nobody_takes_over_an_identity(provider, manager, log_in):
    connected(make_user(), provider)
    client = log_in(manager)
    address = client.post("/account/sign-on/").headers["Refresh"].partition("url=")[2]
    assert client.get(coming_back(address)).status_code == 409
    assert Identity.objects.get().user != manager


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
    assert not enrolment.has_second_factor(manager)


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


def test_no_secret_of_the_provider_is_in_the_session_or_the_log(provider, manager, caplog):
    connected(manager, provider)
    provider.tamper = TAMPERING["another nonce"]
    client = Client()
    address = go(client)
    code = parse_qs(urlsplit(address).query)["code"][0]
    client.get(address)
    assert "nonce" in caplog.text
    for secret in (SECRET, code, "eyJ"):
        assert secret not in caplog.text
        assert secret not in str(dict(client.session))
    assert SECRET not in repr(django_settings.OIDC)
