"""Backups of PostgreSQL, with its own pg_dump, pg_restore and psql."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import ProgrammingError, connection

from gistmark.errors import GistmarkError

MAGIC = b"PGDMP"


def write(file: Path, empty: Iterable[str]) -> None:
    """Dump the database into a file, as one snapshot, without the rows of some tables."""
    without = (f"--exclude-table-data={connection.ops.quote_name(table)}" for table in empty)
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", *without, f"--file={file}")


def read(file: Path) -> None:
    """Drop what is there and restore the file, in one transaction."""
    with tempfile.TemporaryDirectory() as folder:
        clearing, script = Path(folder) / "clear.sql", Path(folder) / "restore.sql"
        clearing.write_text(_drop_all(), encoding="utf-8")
        _convert(file, f"--file={script}")
        connection.close()
        _run_script(clearing, script)


@contextmanager
def scratch(file: Path) -> Iterator[dict[str, Any] | None]:
    """The settings of a database of its own, in which the backup can be tried out.

    It is None where the platform's user may not create databases.
    """
    name = f"gistmark_scratch_{secrets.token_hex(6)}"
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {connection.ops.quote_name(name)}")
    except ProgrammingError:
        yield None
        return
    try:
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "restore.sql"
            _convert(file, f"--file={script}")
            _run_script(script, database=name)
        yield connection.settings_dict | {"NAME": name}
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {connection.ops.quote_name(name)} WITH (FORCE)")


def migrations(file: Path) -> Iterator[tuple[str, str]]:
    """Which migrations had been applied to the database that a file holds."""
    script = _convert(file, "--data-only", "--table=django_migrations", "--file=-")
    lines = iter(script.splitlines())
    for line in lines:
        if line.startswith("COPY "):
            break
    for line in lines:
        if line == "\\.":
            return
        _, app, name, _ = line.split("\t")
        yield app, name


def _drop_all() -> str:
    """Drop all tables, and the functions that their triggers call."""
    quote = connection.ops.quote_name
    tables = connection.introspection.table_names()
    drops = "".join(f"DROP TABLE {quote(table)} CASCADE;\n" for table in tables)
    drops += "".join(f"DROP FUNCTION {quote(name)}() CASCADE;\n" for name in _functions())
    return f"SET client_min_messages = warning;\n{drops}"


def _functions() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace "
            "AND proname LIKE 'gistmark\\_%'"
        )
        return [name for (name,) in cursor.fetchall()]


def _convert(file: Path, *options: str) -> str:
    """What a backup says in SQL; this needs no database."""
    return _call(["pg_restore", "--no-owner", "--no-privileges", *options, str(file)], {})


def _run_script(*scripts: Path, database: str | None = None) -> None:
    """Run SQL from files in one transaction."""
    _run(
        "psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1",
        "--output=/dev/null", *(f"--file={script}" for script in scripts), database=database,
    )  # fmt: skip


def _run(program: str, *options: str, database: str | None = None) -> str:
    """Run a program of PostgreSQL on the platform's database; the password stays out of sight."""
    settings = connection.settings_dict
    environment = {
        "PGHOST": settings["HOST"],
        "PGPORT": str(settings["PORT"]),
        "PGUSER": settings["USER"],
        "PGPASSWORD": settings["PASSWORD"],
        "PGDATABASE": database or settings["NAME"],
        "PGSSLMODE": settings["OPTIONS"].get("sslmode", ""),
    }
    return _call([program, *options], {key: value for key, value in environment.items() if value})


def _call(command: list[str], environment: dict[str, str]) -> str:
    program = shutil.which(command[0])
    if program is None:
        raise GistmarkError(
            f"{command[0]} is not installed; it comes with the client programs of PostgreSQL."
        )
    done = subprocess.run(  # noqa: S603
        [program, *command[1:]],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["it did not say why"])[0]
        raise GistmarkError(f"{command[0]} failed: {why}")
    return done.stdout
