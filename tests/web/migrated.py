"""A database with all tables, migrated once for all tests, which copy it: SQLite and PostgreSQL.

Bringing an empty database up to date takes seconds, and many tests start on one of their own. The
SQLite file is kept beside pytest's cache, the PostgreSQL database on its server, until a migration
changes.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit, urlunsplit

import django

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".pytest_cache" / "migrated"
MIGRATE = "from gistmark.web.config.start import start; start()"


def copy_to(file: Path) -> None:
    """Put a migrated database there, for its owner alone."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copyfile(migrated_database(), file)
    file.chmod(0o600)


def migrated_database() -> Path:
    """The database that is copied; the first who needs it migrates it, and others wait."""
    file = FOLDER / f"{_version()}.sqlite3"
    with _alone():
        if not file.exists():
            _migrate(file)
    return file


def migrated_template(server: str) -> str:
    """The name of a database on that PostgreSQL server, to be a template of others."""
    import psycopg

    of_this_folder = f"gistmark_tests_{sha256(str(ROOT).encode()).hexdigest()[:8]}_"
    name = of_this_folder + _version()
    with _alone(), psycopg.connect(server, autocommit=True) as connection:
        there = {row[0] for row in connection.execute("SELECT datname FROM pg_database")}
        if name not in there:
            for each in (earlier for earlier in there if earlier.startswith(of_this_folder)):
                connection.execute(f'DROP DATABASE "{each}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}_unfinished"')
            url = urlunsplit(urlsplit(server)._replace(path=f"/{name}_unfinished"))
            with TemporaryDirectory() as folder:
                _run_migrations(folder, url)
            connection.execute(f'ALTER DATABASE "{name}_unfinished" RENAME TO "{name}"')
    return name


@contextmanager
def _alone() -> Iterator[None]:
    """Other processes wait meanwhile."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _version() -> str:
    digest = sha256(django.__version__.encode())
    for each in sorted((ROOT / "src" / "gistmark" / "web").glob("*/migrations/*.py")):
        digest.update(each.name.encode() + each.read_bytes())
    return digest.hexdigest()[:20]


def _migrate(file: Path) -> None:
    with TemporaryDirectory() as folder:
        _run_migrations(folder)
        whole = Path(folder) / "whole.sqlite3"
        database = sqlite3.connect(Path(folder) / "gistmark.sqlite3")
        database.execute("VACUUM INTO ?", [str(whole)])
        database.close()
        for earlier in FOLDER.glob("*.sqlite3"):
            earlier.unlink()
        shutil.move(whole, file)


def _run_migrations(folder: str, url: str = "") -> None:
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "gistmark.web.config.settings",
        "GISTMARK_DATA": folder,
        "DATABASE_URL": url,
    }
    subprocess.run([sys.executable, "-c", MIGRATE], env=environment, check=True)


if __name__ == "__main__":
    print(migrated_database())
