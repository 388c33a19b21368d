"""Whoever sends a request half and waits is hung up on, and holds nobody up."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from gistmark.web.config.server import deadlines
from gistmark.web.config.server.deadlines import TimedBody, with_deadlines
from web.migrated import copy_to

SERVE = """
import sys
from gistmark.web.config.server import deadlines, gunicorn
from gistmark.web.config.start import start
deadlines.GRACE = float(sys.argv[1])
start()
from gistmark.web.config.server import worker
worker.GRACE = deadlines.GRACE
listener = gunicorn.listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
gunicorn.run(listener, workers=1, ready=lambda: print("ready", flush=True))
"""
THREADS = 4


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
