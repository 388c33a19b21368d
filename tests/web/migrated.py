"""A SQLite database with all tables, migrated once for all tests, which copy it.

Bringing an empty database up to date takes seconds, and many tests start on one of their own. The
copy is kept beside pytest's cache until a migration changes.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

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
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            _migrate(file)
    return file


def _version() -> str:
    digest = sha256(django.__version__.encode())
    for each in sorted((ROOT / "src" / "gistmark" / "web").glob("*/migrations/*.py")):
        digest.update(each.name.encode() + each.read_bytes())
    return digest.hexdigest()[:20]


def _migrate(file: Path) -> None:
    with TemporaryDirectory() as folder:
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "gistmark.web.config.settings",
            "GISTMARK_DATA": folder,
            "DATABASE_URL": "",
        }
        subprocess.run([sys.executable, "-c", MIGRATE], env=environment, check=True)
        whole = Path(folder) / "whole.sqlite3"
        database = sqlite3.connect(Path(folder) / "gistmark.sqlite3")
        database.execute("VACUUM INTO ?", [str(whole)])
        database.close()
        for earlier in FOLDER.glob("*.sqlite3"):
            earlier.unlink()
        shutil.move(whole, file)


if __name__ == "__main__":
    print(migrated_database())
