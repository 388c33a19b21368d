"""Where the server listens, what it says when it cannot, and requests that never end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.web.config.server import deadlines
from gistmark.web.config.server import gunicorn as server
from gistmark.web.config.server.deadlines import TimedBody, with_deadlines
from web.migrated import copy_to

SERVE = """
import sys
from gistmark.web.config.server import deadlines, gunicorn
from gistmark.web.config.start import start
deadlines.GRACE = float(sys.argv[1])
start()
listener = gunicorn.listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
gunicorn.run(listener, workers=1, ready=lambda: print("ready", flush=True))
"""
THREADS = 4


def test_a_free_port_is_found_and_told():
    with server.listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert server.address_of(listener) == f"http://127.0.0.1:{port}"


def test_everywhere_is_told_as_this_machine():
    with server.listen("0.0.0.0", 0) as listener:
        assert server.address_of(listener).startswith("http://127.0.0.1:")


def test_a_name_is_listened_on():
    with server.listen("localhost", 0) as listener:
        assert server.address_of(listener).startswith(("http://127.0.0.1:", "http://[::1]:"))


def test_a_busy_port_is_told_at_once():
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with pytest.raises(UsageError, match=f"Port {port} of 127.0.0.1 cannot be listened on"):
            server.listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.77", "no-such-host.invalid"])
def test_an_address_that_is_not_this_machines_is_told(host: str):
    with pytest.raises(UsageError, match=r"--host and --port choose others\."):
        server.listen(host, 0)


@pytest.mark.parametrize("package", ["django", "gunicorn", "whitenoise"])
def test_a_missing_package_is_told_with_its_extra(monkeypatch, package: str):
    result = server.find_spec
    monkeypatch.setattr(server, "find_spec", lambda name: None if name == package else result(name))
    with pytest.raises(MissingExtraError, match=rf"{package} .*gistmark\[web\]"):
        server.check_requirements()


def test_windows_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(server.os, "name", "nt")
    with pytest.raises(GistmarkError, match="WSL"):
        server.check_requirements()


@pytest.mark.parametrize(
    ("host", "given", "hosts"),
    [
        ("192.0.2.8", "", "192.0.2.8,localhost,127.0.0.1,[::1]"),
        ("::1", "", "[::1],localhost,127.0.0.1,[::1]"),
        ("0.0.0.0", "", ""),
        ("192.0.2.8", "rate.example.org", "rate.example.org"),
    ],
)
def test_the_host_that_is_listened_on_is_answered_to(monkeypatch, host, given, hosts):
    monkeypatch.setenv("GISTMARK_HOSTS", given)
    server.allow_host(host)
    assert os.environ["GISTMARK_HOSTS"] == hosts
    assert server.lacks_host_names(host) == (hosts == "")


@pytest.fixture
def pair():
    ours, theirs = socket.socketpair()
    ours.settimeout(10)
    yield ours, theirs
    ours.close()
    theirs.close()


def test_a_body_that_stops_coming_ends(pair, monkeypatch):
    ours, theirs = pair
    monkeypatch.setattr(deadlines, "GRACE", 0.1)
    theirs.sendall(b"half")
    body = TimedBody(ours.makefile("rb", buffering=0), 100, ours)
    assert body.read(4) == b"half"
    assert body.read(96) == b""


def test_a_body_that_came_whole_ends_nothing(pair, monkeypatch):
    ours, theirs = pair
    monkeypatch.setattr(deadlines, "GRACE", 0.1)
    theirs.sendall(b"whole")
    seen = []

    def application(environ, _):
        seen.append(environ["wsgi.input"].read(5))
        return [b"ok"]

    environ = {
        "gunicorn.socket": ours,
        "CONTENT_LENGTH": "5",
        "wsgi.input": ours.makefile("rb", buffering=0),
    }
    assert with_deadlines(application)(environ, None) == [b"ok"]
    time.sleep(1.0)
    theirs.sendall(b"more")
    assert (seen, ours.recv(4)) == ([b"whole"], b"more")


def test_the_deadline_moves_on_as_a_body_comes(pair, monkeypatch):
    ours, theirs = pair
    times = []
    monkeypatch.setattr(deadlines.WATCH, "set", lambda _, deadline: times.append(deadline))
    theirs.sendall(b"x" * 1_000)
    body = TimedBody(ours.makefile("rb", buffering=0), 10_000, ours)
    body.read(1_000)
    assert times[1] - times[0] == pytest.approx(1_000 / deadlines.RATE)


def test_half_sent_requests_do_not_stop_a_worker(tmp_path: Path):
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "gistmark.web.config.settings",
        "GISTMARK_DATA": str(tmp_path),
        "DATABASE_URL": "",
    }
    copy_to(tmp_path / "gistmark.sqlite3")
    command = [sys.executable, "-c", SERVE, "1"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            assert server.stdout.readline() == "ready\n"
            head = b"POST /set-up/ HTTP/1.1\r\nHost: localhost\r\n"
            body = b"Content-Type: text/plain\r\nContent-Length: 999\r\n\r\nx"
            halves = [socket.create_connection(("127.0.0.1", port)) for _ in range(2 * THREADS)]
            for number, half in enumerate(halves):
                half.sendall(head + (body if number % 2 else b""))
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/health/")
            assert connection.getresponse().status == 200
            for half in halves:
                half.close()
        finally:
            server.terminate()
