"""Somebody who goes to the provider, logs in there and comes back."""

from __future__ import annotations

from dataclasses import replace
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.test import Client

from gistmark.web.accounts.models import Identity, User
from web.accounts.sign_on.provider_server import LocalProvider


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
