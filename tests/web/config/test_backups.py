"""Backups: everything comes back, or nothing changes."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from errno import ENOSPC
from pathlib import Path
from secrets import token_hex
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.corpora import corpus_of
from gistmark.web.config.storage import backups, postgres
from gistmark.web.config.storage.backups import make_backup, make_dated_backup, restore_backup
from web.factories import PASSWORD, make_campaign, make_user

pytestmark = pytest.mark.django_db(transaction=True)
on_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="is about SQLite")
on_postgres = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="is about PostgreSQL")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A backup of a platform with one running campaign."""
    make_campaign(name="Kept", owner=make_user("manager", "ada"))
    file = tmp_path / "gistmark.backup"
    make_backup(file)
    return file


def names() -> tuple[list[str], list[str]]:
    users = User.objects.order_by("username").values_list("username", flat=True)
    return list(users), list(Campaign.objects.values_list("name", flat=True))


def contents() -> tuple[object, list[dict]]:
    campaign = Campaign.objects.get()
    return corpus_of(campaign), list(campaign.tasks.order_by("pk").values())


def test_everything_comes_back(file: Path):
    before = contents()
    call_command("flush", interactive=False, verbosity=0)
    assert names() == ([], [])
    restore_backup(file)
    assert names() == (["ada"], ["Kept"])
    assert contents() == before
    assert Campaign.objects.get().owner.check_password(PASSWORD)
    make_user(name="later")
    assert names()[0] == ["ada", "later"]


def test_what_is_there_is_not_replaced_unless_forced(file: Path):
    make_user(name="later")
    with pytest.raises(UsageError, match="not empty; --force"):
        restore_backup(file)
    assert names()[0] == ["ada", "later"]
    restore_backup(file, force=True)
    assert names() == (["ada"], ["Kept"])


def test_a_backup_is_private_and_alone(file: Path):
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_file_is_not_replaced_unless_forced(file: Path):
    first = file.read_bytes()
    make_user(name="later")
    with pytest.raises(UsageError, match="already exists"):
        make_backup(file)
    assert file.read_bytes() == first
    make_backup(file, force=True)
    restore_backup(file, force=True)
    assert names()[0] == ["ada", "later"]


def test_a_backup_that_fails_leaves_no_file(tmp_path: Path, monkeypatch):
    make_user("admin")

    class Broken:
        @staticmethod
        def write(draft: Path, empty: object) -> None:
            draft.write_bytes(b"half")
            raise GistmarkError("The disk is full.")

    monkeypatch.setitem(backups._FORMATS, connection.vendor, Broken)
    with pytest.raises(GistmarkError, match="disk is full"):
        make_backup(tmp_path / "x.backup")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_not_backed_up(tmp_path: Path):
    with pytest.raises(UsageError, match="nothing to back up"):
        make_backup(tmp_path / "x.backup")


def test_a_truncated_backup_changes_nothing(file: Path):
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2])
    make_user(name="later")
    with pytest.raises(GistmarkError):
        restore_backup(file, force=True)
    assert names() == (["ada", "later"], ["Kept"])


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04"])
def test_another_file_is_no_backup(tmp_path: Path, content: bytes):
    other = tmp_path / "other"
    other.write_bytes(content)
    with pytest.raises(UsageError, match="is not a backup"):
        restore_backup(other)


def test_a_backup_of_the_other_database_is_told(tmp_path: Path):
    other = tmp_path / "other"
    other.write_bytes(b"PGDMP....." if connection.vendor == "sqlite" else b"SQLite format 3\0")
    with pytest.raises(UsageError, match="but the platform runs on"):
        restore_backup(other)


def test_a_backup_of_a_later_version_is_refused(tmp_path: Path):
    make_user(name="ada")
    later = MigrationRecorder.Migration(app="accounts", name="9999_from_the_future")
    later.save()
    make_backup(tmp_path / "later.backup")
    later.delete()
    make_user(name="bob")
    with pytest.raises(GistmarkError, match="a later version"):
        restore_backup(tmp_path / "later.backup", force=True)
    assert names()[0] == ["ada", "bob"]


@on_sqlite
def test_a_database_of_something_else_is_refused(tmp_path: Path):
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as opened:
        opened.execute("CREATE TABLE notes (text)")
    with pytest.raises(UsageError, match="no data of the platform"):
        restore_backup(other)


@pytest.mark.parametrize("recorded", [("auth",), ("auth", "accounts", "campaigns", "annotate")])
@pytest.mark.parametrize("may_create", [True, False])
def test_a_database_of_another_django_project_changes_nothing(
    tmp_path: Path, monkeypatch, recorded: tuple[str, ...], may_create: bool
):
    make_campaign(name="Kept", owner=make_user("manager", "ada"))
    foreign = tmp_path / "foreign.backup"
    make_foreign(foreign, recorded)
    if not may_create:
        monkeypatch.setattr(backups._format(), "scratch", lambda file: nullcontext(None))
    with pytest.raises(GistmarkError, match=r"no data of the platform|is not a database of this"):
        restore_backup(foreign, force=True)
    assert names() == (["ada"], ["Kept"])
    make_user(name="later")


def make_foreign(file: Path, recorded: tuple[str, ...]) -> None:
    """A database in which other apps of these names have recorded their first migrations."""
    statements = [
        "CREATE TABLE django_migrations (id integer, app text, name text, applied text)",
        *(
            f"INSERT INTO django_migrations VALUES ({number}, '{app}', '0001_initial', 'x')"
            for number, app in enumerate(recorded, start=1)
        ),
        "CREATE TABLE accounts_user (id integer, name text)",
    ]
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(file)) as opened:
            for statement in statements:
                opened.execute(statement)
            opened.commit()
        return
    name = f"gistmark_foreign_{uuid4().hex[:8]}"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        for statement in statements:
            postgres._run("psql", "--quiet", f"--command={statement}", database=name)
        postgres._run("pg_dump", "--format=custom", f"--file={file}", database=name)
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_no_scratch_database_stays_behind(file: Path, monkeypatch):
    own = token_hex(6)  # other processes restore backups of their own meanwhile
    monkeypatch.setattr(postgres.secrets, "token_hex", lambda _: own)
    restore_backup(file, force=True)
    assert list(connections) == ["default"]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [f"gistmark_scratch_{own}"]
            )
            assert cursor.fetchone() is None


def test_a_full_disk_is_a_sentence(tmp_path: Path, monkeypatch):
    make_user("admin")

    def full(draft: Path, empty: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(backups._format(), "write", full)
    with pytest.raises(GistmarkError, match="cannot be written: No space left on device"):
        make_backup(tmp_path / "x.backup")
    assert list(tmp_path.iterdir()) == []


@on_sqlite
def test_a_backup_can_be_made_while_somebody_writes(tmp_path: Path):
    make_user(name="ada")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE accounts_user SET username = 'half-way'")
        make_backup(tmp_path / "x.backup")
        writer.rollback()
    restore_backup(tmp_path / "x.backup", force=True)
    assert names()[0] == ["ada"]


@on_postgres
def test_a_restore_that_fails_half_way_changes_nothing(file: Path, monkeypatch):
    convert = postgres._convert

    def spoil(source: Path, *options: str) -> str:
        done = convert(source, *options)
        script = options[-1].removeprefix("--file=")
        if script != "-":
            with Path(script).open("a") as opened:
                opened.write("\nSELECT 1 / 0;\n")
        return done

    monkeypatch.setattr(postgres, "_convert", spoil)
    make_user(name="later")
    with pytest.raises(GistmarkError, match="division by zero"):
        restore_backup(file, force=True)
    assert names() == (["ada", "later"], ["Kept"])


@on_postgres
def test_a_missing_program_is_told(tmp_path: Path, monkeypatch):
    make_user("admin")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GistmarkError, match="pg_dump is not installed"):
        make_backup(tmp_path / "x.backup")
    assert list(tmp_path.iterdir()) == []


def test_the_last_dated_backups_are_kept_and_other_files_left_alone(tmp_path, monkeypatch):
    make_user("admin")
    other = tmp_path / "gistmark-notes.backup"
    other.write_text("mine")
    made = []
    for day in (1, 2, 3):
        at = datetime(2026, 1, day, 3, tzinfo=UTC)
        monkeypatch.setattr("gistmark.web.config.storage.backups.timezone.now", lambda at=at: at)
        made.append(make_dated_backup(tmp_path, keep=2))
    assert made[0].name == "gistmark-2026-01-01T030000.backup"
    assert sorted(tmp_path.iterdir()) == [*made[1:], other]
