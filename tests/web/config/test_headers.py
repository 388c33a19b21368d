"""Every response carries the headers that protect its reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.templatetags.static import static
from django.test import Client

from gistmark.web.config.storage import fingerprint
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
        answer = Client().get(static(name))
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith(kind)


def test_browsers_may_keep_static_files_for_a_year(admin):
    assert "max-age=31536000" in Client().get(static("copy.js")).headers["Cache-Control"]


def test_the_address_of_static_files_changes_with_any_of_them(tmp_path: Path):
    file = tmp_path / "style" / "page.css"
    file.parent.mkdir()
    found = set()
    for content in ("a {}", "b {}"):
        file.write_text(content)
        found.add(fingerprint(tmp_path))
    file.rename(tmp_path / "style" / "other.css")
    found.add(fingerprint(tmp_path))
    assert len(found) == 3
    assert fingerprint(tmp_path) in found


@pytest.mark.parametrize("path", ["../settings.py", "%2e%2e/config/settings.py"])
def test_nothing_beside_the_static_files_is_served(admin, settings, path: str):
    assert Client().get(f"{settings.STATIC_URL}{path}").status_code == 404


def test_the_session_cookie_is_out_of_reach_of_scripts(admin):
    client = Client()
    client.post("/log-in/", {"name": admin.username, "password": PASSWORD})
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
