"""Logging in with a provider that speaks real HTTP: what attackers try, and what stays secret."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from django.conf import settings as django_settings
from django.test import Client

from gistmark.web.accounts.models import Identity
from web.accounts.provider_server import (
    CLIENT,
    KEYS,
    SECRET,
    LocalProvider,
    coming_back,
    connected,
    go,
    log_in_there,
    who,
)
from web.factories import make_user

pytestmark = pytest.mark.django_db


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


def test_a_response_of_another_issuer_is_refused(provider, manager):
    connected(manager, provider)
    client = Client()
    assert client.get(f"{go(client)}&iss=https://evil.example").status_code == 403


def test_a_provider_that_describes_another_is_not_believed(provider):
    provider.issuer = "https://evil.example"
    assert Client().get("/log-in/sign-on/").status_code == 503


def test_nobody_takes_over_an_identity(provider, manager, log_in):
    connected(make_user(), provider)
    client = log_in(manager)
    address = client.post("/account/sign-on/").headers["Refresh"].partition("url=")[2]
    assert client.get(coming_back(address)).status_code == 409
    assert Identity.objects.get().user != manager


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
