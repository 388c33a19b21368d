"""Where the server listens, and what it says when it cannot."""

from __future__ import annotations

import os
import socket

import pytest

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.web.config.server import gunicorn as server


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
