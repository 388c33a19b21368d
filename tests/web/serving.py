"""A real server on a database of its own, to be killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest

from web.migrated import copy_to, migrated_template

POSTGRES = "postgres://root@127.0.0.1:5432/test"
TESTS = Path(__file__).parents[1]
PATIENCE = 180.0


@contextmanager
def database(kind: str, *, empty: bool = False) -> Iterator[str]:
    """The address of a new database, which is nothing for SQLite in the data folder.

    A PostgreSQL database has its tables from the start, unless it is to be `empty`.
    """
    if kind == "sqlite":
        yield ""
        return
    server = os.environ.get("GISTMARK_TEST_DATABASE") or POSTGRES
    name = f"gistmark_{uuid4().hex[:12]}"
    template = "template1" if empty else _migrated(server)
    _ask(server, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        _ask(server, f'DROP DATABASE "{name}" WITH (FORCE)')


def _ask(server: str, statement: str) -> None:
    import psycopg

    with (
        _reached(server),
        psycopg.connect(server, autocommit=True, connect_timeout=5) as connection,
    ):
        connection.execute(statement)


def _migrated(server: str) -> str:
    with _reached(server):
        return migrated_template(server)


@contextmanager
def _reached(server: str) -> Iterator[None]:
    """Where the server does not answer, the test is skipped, or fails where all must run."""
    import psycopg

    try:
        yield
    except psycopg.OperationalError as error:
        reason = f"there is no PostgreSQL server at {server}: {error}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)


class Server:
    """gunicorn with two workers, in a process group of its own; its database has all tables."""

    def __init__(self, data: Path, url: str) -> None:
        if not url:
            copy_to(data / "gistmark.sqlite3")
        self.environment = os.environ | {
            "GISTMARK_DATA": str(data),
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "gistmark.web.config.settings",
            "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
        }
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, *arguments: str) -> str:
        """What a Python program prints that sees the same database."""
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [
            sys.executable, "-m", "gunicorn", "gistmark.web.config.wsgi:application",
            "--workers", "2", "--bind", f"127.0.0.1:{self.port}", "--log-level", "error",
        ]  # fmt: skip
        self.process = subprocess.Popen(command, env=self.environment, start_new_session=True)
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.1)

    def kill(self) -> None:
        """Kill master and workers at once, as a power cut would."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/health/")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
