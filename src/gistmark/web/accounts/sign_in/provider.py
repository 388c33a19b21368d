"""Talking to the provider: its description, its keys, and a code exchanged for verified claims.

The authorization code flow of OpenID Connect Core 1.0 with PKCE (RFC 7636). The ID token has to be
signed with a key of the provider and an asymmetric algorithm, and be for this platform, this log-in
(nonce) and this hour. Description and keys are kept for an hour; a key that is not known is looked
up again, since providers change theirs.
"""

from __future__ import annotations

import json
import secrets
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import quote_plus, urlencode

import jwt
from django.utils.crypto import constant_time_compare

from gistmark.runtime.http import HttpReply
from gistmark.web.accounts.sign_in.sign_on import ProviderDownError, SignOnError
from gistmark.web.config.environment import Provider, is_trustworthy
from gistmark.web.config.outgoing import OutgoingError, send

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
"""How an ID token may be signed: never not at all, and never with a secret that is shared."""
_KEPT = 3600.0
_AGAIN = 30.0
"""So many seconds after the keys were read they may be read again for one that is not known."""
_LEEWAY = 60
_LONGEST_SUBJECT = 255
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_kept: dict[str, tuple[float, dict[str, Any]]] = {}


@dataclass(frozen=True, slots=True)
class Flow:
    """What a browser that goes to the provider has to come back with."""

    state: str
    nonce: str
    verifier: str


@dataclass(frozen=True, slots=True)
class Claims:
    """Who somebody is, in the words of the provider, verified."""

    issuer: str
    subject: str
    values: Mapping[str, Any]


def new_flow() -> Flow:
    """Three random values for one log-in."""
    return Flow(*(secrets.token_urlsafe(32) for _ in range(3)))


def authorization_address(provider: Provider, flow: Flow, back: str) -> str:
    """Where the browser goes; the provider leads it back to the address `back`."""
    challenge = urlsafe_b64encode(sha256(flow.verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": back,
        "scope": provider.scopes,
        "state": flow.state,
        "nonce": flow.nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    endpoint = description(provider)["authorization_endpoint"]
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"


def refuse_other_issuer(provider: Provider, issuer: str | None) -> None:
    """Raise `SignOnError` where a response names its issuer (RFC 9207) and it is another one."""
    if issuer is not None and issuer.rstrip("/") != provider.issuer.rstrip("/"):
        raise SignOnError("the response names another issuer")


def exchange(provider: Provider, flow: Flow, code: str, back: str) -> Claims:
    """Give a code back to the provider and verify whom it names, or raise `SignOnError`."""
    about = description(provider)
    body = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": back,
        "code_verifier": flow.verifier,
    }
    tokens = _post(provider, about, body)
    id_token, access = tokens.get("id_token"), tokens.get("access_token")
    if not isinstance(id_token, str):
        raise SignOnError("the token endpoint sent no ID token")
    values = _verified(provider, about, id_token, flow.nonce)
    if isinstance(access, str) and isinstance(about.get("userinfo_endpoint"), str):
        values = {
            **_user_info(provider, about["userinfo_endpoint"], access, values["sub"]),
            **values,
        }
    return Claims(about["issuer"], values["sub"], values)


def log_out_address(provider: Provider, onward: str) -> str | None:
    """Where somebody logs out of the provider too; None where it has no such page, or is down."""
    try:
        endpoint = description(provider).get("end_session_endpoint")
    except ProviderDownError:
        return None
    if not isinstance(endpoint, str) or not is_trustworthy(endpoint):
        return None
    query = {"client_id": provider.client_id, "post_logout_redirect_uri": onward}
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"


def description(provider: Provider) -> dict[str, Any]:
    """What the provider says about itself; it has to be the provider that it says it is."""
    address = provider.issuer.rstrip("/") + "/.well-known/openid-configuration"
    about = _fetched(provider, address)
    if str(about.get("issuer", "")).rstrip("/") != provider.issuer.rstrip("/"):
        _kept.pop(address, None)
        raise ProviderDownError(provider.name, f"{address} describes {about.get('issuer')!r}")
    for name in _ENDPOINTS:
        if not isinstance(about.get(name), str) or not is_trustworthy(about[name]):
            raise ProviderDownError(provider.name, f"{address} has no valid {name}")
    return about


def _verified(provider: Provider, about: dict[str, Any], token: str, nonce: str) -> dict[str, Any]:
    """The claims of an ID token, if everything about it is right."""
    try:
        key = _signing_key(provider, about["jwks_uri"], jwt.get_unverified_header(token))
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=provider.client_id,
            issuer=about["issuer"],
            leeway=_LEEWAY,
            options={"require": ["iss", "sub", "aud", "exp", "iat"]},
        )
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        raise SignOnError(f"the ID token is not valid: {error}") from error
    if not constant_time_compare(str(claims.get("nonce", "")), nonce):
        raise SignOnError("the ID token is not for this log-in (nonce)")
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    party = claims.get("azp", provider.client_id if len(audience) == 1 else None)
    if party != provider.client_id:
        raise SignOnError("the ID token was issued to another client (azp)")
    subject = claims["sub"]
    if not isinstance(subject, str) or not 1 <= len(subject) <= _LONGEST_SUBJECT or "\0" in subject:
        raise SignOnError("the ID token has no valid subject")
    return claims


def _signing_key(provider: Provider, address: str, header: Mapping[str, Any]) -> jwt.PyJWK:
    """The key that a token says it is signed with, of those that the provider publishes."""
    if header.get("alg") not in ALGORITHMS:
        raise SignOnError(f"the ID token is signed with {header.get('alg')!r}")
    known = _key_of(_fetched(provider, address), header)
    if known is None and time.monotonic() - _kept[address][0] >= _AGAIN:
        del _kept[address]
        known = _key_of(_fetched(provider, address), header)
    if known is None:
        raise SignOnError(f"the provider has no key {header.get('kid')!r}")
    return known


def _key_of(document: Mapping[str, Any], header: Mapping[str, Any]) -> jwt.PyJWK | None:
    keys = [key for key in document.get("keys", []) if isinstance(key, dict)]
    usable = [key for key in keys if key.get("use", "sig") == "sig" and key.get("kty") != "oct"]
    name = header.get("kid")
    chosen = [key for key in usable if key.get("kid") == name] if name is not None else usable
    return jwt.PyJWK(chosen[0], algorithm=header["alg"]) if len(chosen) == 1 else None


def _post(provider: Provider, about: dict[str, Any], body: dict[str, str]) -> dict[str, Any]:
    """What the token endpoint answers; the platform shows its secret as the provider wants it."""
    methods = about.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    if provider.client_secret and "client_secret_basic" in methods:
        pair = f"{quote_plus(provider.client_id)}:{quote_plus(provider.client_secret)}"
        headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    else:
        secret = {"client_secret": provider.client_secret} if provider.client_secret else {}
        body = {**body, "client_id": provider.client_id, **secret}
    answer = _send(provider, "POST", about["token_endpoint"], headers, urlencode(body).encode())
    if 400 <= answer.status < 500:
        raise SignOnError(f"the token endpoint refused the code with {answer.status}")
    return _json(provider, answer)


def _user_info(provider: Provider, address: str, access: str, subject: str) -> dict[str, Any]:
    """More claims, which some providers send only here; they have to be about the same person."""
    if not is_trustworthy(address):
        return {}
    answer = _send(provider, "GET", address, {"Authorization": f"Bearer {access}"})
    if answer.status != 200 or "json" not in answer.content_type:
        return {}
    more = _json(provider, answer)
    if more.get("sub") != subject:
        raise SignOnError("the user info is about somebody else")
    return more


def _fetched(provider: Provider, address: str) -> dict[str, Any]:
    since, known = _kept.get(address, (0.0, {}))
    if known and time.monotonic() - since < _KEPT:
        return known
    document = _json(provider, _send(provider, "GET", address))
    _kept[address] = (time.monotonic(), document)
    return document


def _send(
    provider: Provider,
    method: str,
    address: str,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> HttpReply:
    try:
        return send(method, address, headers=headers, body=body)
    except OutgoingError as error:
        raise ProviderDownError(provider.name, str(error)) from error


def _json(provider: Provider, answer: HttpReply) -> dict[str, Any]:
    try:
        document = json.loads(answer.body) if answer.status == 200 else None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise ProviderDownError(provider.name, f"the provider answers {answer.status}, not JSON")
    return document
