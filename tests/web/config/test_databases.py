"""Which database is used, by DATABASE_URL."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.errors import UsageError
from gistmark.web.config.storage import database


def test_without_an_address_it_is_sqlite_in_the_data_folder(tmp_path: Path):
    found = database(None, tmp_path)
    assert found["ENGINE"].endswith("sqlite3")
    assert Path(found["NAME"]).parent == tmp_path
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_without_a_folder_it_is_in_memory():
    assert database(None, None)["NAME"] == ":memory:"
    assert database("", None)["NAME"] == ":memory:"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_an_address_of_postgresql_is_taken_apart(scheme: str):
    found = database(f"{scheme}://ada:p%40ss@db.example:6543/rate%20it?sslmode=require", None)
    assert found["ENGINE"].endswith("postgresql")
    assert (found["USER"], found["PASSWORD"]) == ("ada", "p@ss")
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", "6543", "rate it")
    assert found["OPTIONS"] == {"sslmode": "require"}


def test_an_address_may_leave_out_what_is_usual():
    found = database("postgres:///rate", None)
    assert (found["USER"], found["HOST"], found["PORT"]) == ("", "", "")


@pytest.mark.parametrize("slashes", ["///", "////"])
def test_sqlite_may_be_elsewhere(slashes: str):
    found = database(f"sqlite:{slashes}srv/my%20data.sqlite3", None)
    assert found["NAME"] == "/srv/my data.sqlite3"


@pytest.mark.parametrize(
    "url", ["mysql://x/y", "postgres://host", "postgres://host:port/name", "nonsense", "http://["]
)
def test_an_address_that_is_none_is_told_so(url: str):
    with pytest.raises(UsageError, match="DATABASE_URL"):
        database(url, None)
