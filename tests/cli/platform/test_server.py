"""`gistmark serve`, a real server as its user meets it; `backup` and `restore`, as processes."""

from __future__ import annotations

import http.cookiejar
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from gistmark.cli.platform.server import backup, restore, serve
from gistmark.errors import UsageError
from web.migrated import copy_to

CALL = "from gistmark.cli.platform.server import serve; serve()"
PASSWORD = "quiet-river-stone-41"


class Server:
    """A server on a free port with a data folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("GISTMARK_", "DATABASE_", "DJANGO_"))
        }
        self.process = subprocess.Popen(
            [sys.executable, "-c", CALL, "--port", "0", "--data", "data", *options],
            cwd=folder, env=kept, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.greeting = self.process.stdout.readline()
        result = re.search(r"http://127\.0\.0\.1:\d+", self.greeting)
        assert result is not None, self.greeting + self.process.stdout.read()
        self.address = result[0]

    def next_line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def stop(self, how: int = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(how)
        out, _ = self.process.communicate(timeout=30)
        return self.process.returncode, out


@pytest.fixture
def migrated(tmp_path: Path) -> None:
    """The tables are there already: bringing them up to date takes seconds."""
    copy_to(tmp_path / "data" / "gistmark.sqlite3")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    yield started
    if started.process.poll() is None:
        started.stop(signal.SIGKILL)


def browser() -> urllib.request.OpenerDirector:
    cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    return urllib.request.build_opener(cookies)


def test_from_the_first_start_to_the_first_admin_and_the_next_start(
    migrated: None, server: Server, tmp_path: Path
):
    assert "stop it with Ctrl+C" in server.greeting
    link = server.next_line().rpartition(" ")[2].strip()
    visitor = browser()
    page = visitor.open(link).read().decode()
    result = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    code = re.search(r'name="code"[^>]* value="([\w-]+)"', page)
    assert result is not None
    assert code is not None
    fields = {
        "csrfmiddlewaretoken": result[1], "code": code[1],
        "name": "ada", "password": PASSWORD, "again": PASSWORD,
    }  # fmt: skip
    data = urllib.parse.urlencode(fields).encode()
    answer = visitor.open(f"{server.address}/set-up/", data)
    assert answer.url == f"{server.address}/set-up/sample/"
    style = re.search(r'href="(/static/\w+/style/ground.css)"', page)
    assert style is not None
    assert visitor.open(f"{server.address}{style[1]}").status == 200
    assert server.stop() == (0, "")

    again = Server(tmp_path, "--workers", "1")
    try:
        assert urllib.request.urlopen(f"{again.address}/health/").status == 200
        still_logged_in = visitor.open(f"{again.address}/account/")
        assert still_logged_in.url == f"{again.address}/account/"
    finally:
        assert again.stop(signal.SIGINT) == (0, "")


def test_a_stranger_by_another_name_is_not_answered(migrated: None, tmp_path: Path):
    server = Server(tmp_path, "--workers", "1")
    request = urllib.request.Request(f"{server.address}/log-in/", headers={"Host": "evil.example"})
    try:
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request)
    finally:
        server.stop()
    assert caught.value.code == 400
    caught.value.close()


def test_a_busy_port_is_told_in_a_sentence(db):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = str(busy.getsockname()[1])
        with pytest.raises(UsageError, match=f"Port {port} of 127.0.0.1"):
            CliRunner().invoke(serve, ["--port", port], catch_exceptions=False)


@pytest.mark.parametrize("options", [["--port", "70000"], ["--workers", "0"], ["--port", "x"]])
def test_a_wrong_option_is_refused(options: list[str]):
    assert CliRunner().invoke(serve, options).exit_code == 2


def test_help_has_examples_and_starts_nothing():
    done = CliRunner().invoke(serve, ["--help"])
    assert done.exit_code == 0
    assert "gistmark serve --port 8080" in done.stdout


SCRIPT = """
import sys
from gistmark.errors import GistmarkError
from gistmark.cli.platform.server import backup, restore
from gistmark.cli.platform.users import users
verbs = {"backup": backup, "restore": restore, "users": users}
for line in sys.argv[1:]:
    verb, *arguments = line.split()
    try:
        verbs[verb].main(arguments, standalone_mode=False)
    except GistmarkError as error:
        print(error)
"""
"""Several commands on one data folder, which a process of its own can have."""


def call(folder: Path, *lines: str) -> list[str]:
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GISTMARK_", "DATABASE_", "DJANGO_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *lines],
        cwd=folder, env=kept, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_backup_moves_a_platform_to_another_folder(migrated: None, tmp_path: Path):
    made = call(tmp_path, "users add ada --generate --data data", "backup x.backup --data data")
    assert made[-1].startswith("Backup: x.backup (")
    copy_to(tmp_path / "two" / "gistmark.sqlite3")
    restore = "restore x.backup --data two"
    restored = call(tmp_path, restore, "users list --data two", restore, f"{restore} --force")
    assert restored[0] == restored[-1] == "Restored: x.backup"
    assert [line for line in restored if line.startswith("ada ")]
    assert restored[-2].endswith("--force replaces it with the backup.")


def test_a_file_that_is_not_there_is_named(db):
    with pytest.raises(FileNotFoundError, match="missing"):
        CliRunner().invoke(restore, ["missing.backup"], catch_exceptions=False)


@pytest.mark.parametrize("command", [backup, restore])
def test_help_has_an_example(command):
    done = CliRunner().invoke(command, ["--help"])
    assert done.exit_code == 0
    assert re.search(rf"Examples?:\s+gistmark {command.name} ", done.stdout)
