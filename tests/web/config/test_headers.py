"""Every response carries the headers that protect its reader."""

from __future__ import annotations

import pytest
from django.test import Client

from web.factories import PASSWORD


@pytest.mark.parametrize("path", ["/log-in/", "/nowhere/", "/", "/health/"])
def test_every_response_has_the_policy_without_inline_scripts(admin, path: str):
    headers = Client().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_static_files_are_served(admin):
    for name, kind in (("style/ground.css", "text/css"), ("copy.js", "text/javascript")):
        answer = Client().get(f"/static/{name}")
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(kind)


@pytest.mark.parametrize("path", ["/static/../settings.py", "/static/%2e%2e/config/settings.py"])
def test_nothing_beside_the_static_files_is_served(admin, path: str):
    assert Client().get(path).status_code == 404


def test_the_session_cookie_is_out_of_reach_of_scripts(admin):
    client = Client()
    client.post("/log-in/", {"name": admin.username, "password": PASSWORD})
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
