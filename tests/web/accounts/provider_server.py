"""A small OpenID Connect provider that speaks real HTTP, and somebody who logs in there.

It signs with RS256 and knows one person, who is asked for nothing. `tamper` lets a test send what
an attacker would.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client
from jwt.algorithms import RSAAlgorithm

from gistmark.web.accounts.models import Identity, User

CLIENT, SECRET = "gistmark-tests", "s3cret-of-the-client"


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


KEYS = [new_key(), new_key()]
"""Making keys is slow; the tests share two."""


class LocalProvider:
    """The provider's state: who is logged in there, which codes are open, and how to misbehave."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        self.person: dict[str, Any] = {"sub": "subject-1", "preferred_username": "ada"}
        self.key, self.kid = KEYS[0], "first"
        self.codes: dict[str, dict[str, str]] = {}
        self.requests: list[str] = []
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        self.tamper: Callable[[dict[str, Any]], None] = lambda claims: None
        self.is_down = False
        self.issuer = self.url
        self.wants_consent = False

    def description(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/me",
            "end_session_endpoint": f"{self.url}/bye",
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def keys(self) -> dict[str, Any]:
        key = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [{**key, "kid": self.kid, "use": "sig", "alg": "RS256"}]}

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, self.key, "RS256", headers={"kid": self.kid})

    def authorize(self, query: dict[str, str]) -> str:
        """Where the browser is led back to, with a code."""
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        assert query["client_id"] == CLIENT
        assert "openid" in query["scope"].split()
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"

    def token(self, body: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """Tokens for a code, which is taken once, from the client that it was given to."""
        asked = self.codes.pop(body.get("code", ""), None)
        wanted = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if asked is None or authorization != f"Basic {wanted}":
            return 400, {"error": "invalid_grant"}
        digest = hashlib.sha256(body["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        if body["redirect_uri"] != asked["redirect_uri"]:
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT, "sub": self.person["sub"], "iat": now,
            "exp": now + 300, "nonce": asked["nonce"],
        }  # fmt: skip
        self.tamper(claims)
        return 200, {"id_token": self.sign(claims), "access_token": "at", "token_type": "Bearer"}


class _Handler(BaseHTTPRequestHandler):
    provider: LocalProvider

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        address, known = urlsplit(self.path), self.provider
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        known.requests.append(address.path)
        if known.is_down:
            self.send_error(500)
        elif address.path == "/.well-known/openid-configuration":
            self._send(200, known.description())
        elif address.path == "/keys":
            self._send(200, known.keys())
        elif address.path == "/me":
            self._send(200, known.person)
        elif address.path == "/authorize" and known.wants_consent:
            self._page(f"<a href='{known.authorize(query)}'>Log in as {known.person['sub']}</a>")
        elif address.path == "/authorize":
            self.send_response(302)
            self.send_header("Location", known.authorize(query))
            self.end_headers()
        elif address.path == "/favicon.ico":
            self._answer(200, "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>")
        elif address.path == "/bye":
            self._page("<h1>Logged out of the provider</h1>")
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = {name: values[0] for name, values in parse_qs(body).items()}
        self.provider.requests.append(self.path)
        self._send(*self.provider.token(fields, self.headers.get("Authorization", "")))

    def _send(self, status: int, document: dict[str, Any]) -> None:
        self._answer(status, "application/json", json.dumps(document))

    def _page(self, inside: str) -> None:
        page = f"<!doctype html><html lang=en><title>Provider</title><body>{inside}</body></html>"
        self._answer(200, "text/html", page)

    def _answer(self, status: int, kind: str, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


@contextmanager
def local_provider() -> Iterator[LocalProvider]:
    """A provider that answers on this machine until the block ends."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.provider = LocalProvider(server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield handler.provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


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
