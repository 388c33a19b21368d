"""The health address tells whether the database answers."""

from __future__ import annotations

from django.db import OperationalError, connection
from django.test import Client

from gistmark import __version__


def test_all_is_well(db):
    answer = Client().get("/health/")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": __version__}
    assert "no-store" in answer.headers["Cache-Control"]


def test_without_a_database_it_says_so(db, monkeypatch):
    def cursor():
        raise OperationalError("gone")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "cursor", cursor)
        answer = Client().get("/health/")
    assert answer.status_code == 503
    assert "does not answer" in answer.json()["error"]


def test_behind_tls_monitors_may_ask_without(db, settings):
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/health/").status_code == 200
    assert Client().get("/log-in/").status_code == 301
