"""The platform's settings for tests: a database of their own, on SQLite or on PostgreSQL.

GISTMARK_TEST_DATABASE is the address of the database to test on, such as
postgres://user@127.0.0.1:5432/test; without it a SQLite file is used, since threads that share
one in memory would see each other's transactions. Django puts `test_` before the name and never
touches the database that is named.

Statistics are computed at once: a thread would not see what a test has not committed.

No transaction waits for the disk: a database that lives as long as its tests need not survive a
power cut. What has to is tested on servers with the platform's own settings
(`test_nothing_lost.py`).

Passwords are hashed quickly: hashing that is slow on purpose would make every test slow that has
somebody in it.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from gistmark.web.config.settings import *  # noqa: F403
from gistmark.web.config.storage.folder import database

_FOLDER = Path(tempfile.mkdtemp(prefix="gistmark-tests-"))
atexit.register(shutil.rmtree, _FOLDER, ignore_errors=True)
_URL = os.environ.get("GISTMARK_TEST_DATABASE")

DATABASES = {"default": database(_URL, _FOLDER)}
_OPTIONS = DATABASES["default"]["OPTIONS"]
if _URL:
    _OPTIONS["options"] = "-c synchronous_commit=off"
else:
    DATABASES["default"]["TEST"] = {"NAME": str(_FOLDER / "test.sqlite3")}
    _OPTIONS["init_command"] += " PRAGMA synchronous=OFF;"

JOBS_IN_THREADS = False
EXPORTS_FOLDER = _FOLDER / "exports"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
