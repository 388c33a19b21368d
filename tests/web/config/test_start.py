"""Starting Django for a command, and whole addresses for those who work on the command line."""

from __future__ import annotations

import os

import pytest
from django.db import OperationalError

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.web.config import start
from gistmark.web.config.start import whole_address


def test_without_django_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(start, "find_spec", lambda _: None)
    for call in (start.prepare, start.start):
        with pytest.raises(MissingExtraError, match=r"gistmark\[web\]"):
            call()


@pytest.mark.parametrize(
    ("given", "data", "folder"),
    [("", None, "gistmark-data"), ("there", None, "there"), ("there", "here", "here")],
)
def test_the_data_folder_is_the_option_then_the_variable_then_the_usual(
    monkeypatch, given, data, folder
):
    monkeypatch.setenv("GISTMARK_DATA", given)
    start.prepare(data)
    assert os.environ["GISTMARK_DATA"] == folder


def test_where_django_runs_already_nothing_changes(db, monkeypatch):
    monkeypatch.delenv("GISTMARK_DATA", raising=False)
    start.start()
    assert "GISTMARK_DATA" not in os.environ


def test_a_database_that_does_not_answer_is_told(db, monkeypatch):
    def fail(*_: object) -> None:
        raise OperationalError("could not connect to server")

    with monkeypatch.context() as patched:
        patched.setattr("django.db.migrations.executor.MigrationExecutor.__init__", fail)
        with pytest.raises(GistmarkError, match="could not connect to server"):
            start.apply_migrations()


@pytest.mark.parametrize(
    ("hosts", "https", "start"),
    [
        (["localhost"], False, "http://localhost:8000/"),
        (["rate.example.org"], True, "https://rate.example.org/"),
        (["*"], False, "http://localhost:8000/"),
        ([".example.org"], True, "https://example.org/"),
    ],
)
def test_the_usual_address_follows_from_the_settings(settings, hosts, https, start):
    settings.ALLOWED_HOSTS, settings.BEHIND_PROXY = hosts, https
    assert whole_address("join", "abc") == f"{start}join/abc/"


def test_a_given_address_counts():
    address = whole_address("join", "abc", base="https://rate.example.org/")
    assert address == "https://rate.example.org/join/abc/"


@pytest.mark.parametrize("base", ["rate.example.org", "ftp://x", "https://", "javascript:x"])
def test_an_address_that_is_none_is_refused(base: str):
    with pytest.raises(UsageError, match="is not an address"):
        whole_address("join", "abc", base=base)
