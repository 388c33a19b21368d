"""Requests to other servers: to the address that was checked, without redirects, within bounds."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address

import pytest

from gistmark.web.config import outgoing
from gistmark.web.config.outgoing import (
    OutgoingError,
    PrivateAddressError,
    checked_url,
    is_public,
    send,
)
from judges.campaign.gateway import Gateway, self_signed, standing


@contextmanager
def answering(
    *pieces: bytes, pause: float = 0.0, tls: ssl.SSLContext | None = None
) -> Iterator[tuple[int, list[bytes]]]:
    """A server that takes one request and sends these pieces; its port, and what it got."""
    listener = socket.create_server(("127.0.0.1", 0))
    received: list[bytes] = []

    def run() -> None:
        client, _ = listener.accept()
        with client if tls is None else tls.wrap_socket(client, server_side=True) as client:
            received.append(client.recv(65_536))
            try:
                for piece in pieces:
                    client.sendall(piece)
                    time.sleep(pause)
            except OSError:
                pass

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield listener.getsockname()[1], received
    thread.join(5)
    listener.close()


PUBLIC = ["8.8.8.8", "2606:4700::1111"]
PRIVATE = [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
    "0.0.0.0", "224.0.0.1", "255.255.255.255", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1",
    "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1",
    "2001:0:1::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str):
    assert is_public(ip_address(address))


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_however_they_are_written(address: str):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "[::1]", "[::ffff:7f00:1]"]
)
def test_no_spelling_of_this_machine_is_sent_to(host: str):
    for url in (f"http://{host}:9/", f"https://{host}/"):
        with pytest.raises(OutgoingError):
            send("POST", url, public_only=True)
        with pytest.raises(OutgoingError):
            checked_url(url, public_only=True)


def test_one_private_address_among_public_ones_is_enough_to_refuse(monkeypatch):
    rows = [(2, 1, 6, "", (address, 80)) for address in ("8.8.8.8", "10.0.0.1")]
    monkeypatch.setattr(outgoing.socket, "getaddrinfo", lambda *_, **__: rows)
    with pytest.raises(PrivateAddressError):
        checked_url("http://rebinding.example/", public_only=True)


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    """The name resolves once; a second answer, as of a server that rebinds, is never asked for."""
    known, asked = socket.getaddrinfo, []

    def resolve(host: str, *args: object, **options: object):
        if host == "rebinding.example":
            asked.append(host)
            host = "127.0.0.1"
        return known(host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") as (port, received):
        answer = send("GET", f"http://rebinding.example:{port}/x?y=1")
    assert (answer.status, answer.body) == (200, b"ok")
    assert asked == ["rebinding.example"]
    assert received[0].startswith(b"GET /x?y=1 HTTP/1.1\r\nHost: rebinding.example")


def test_a_certificate_must_be_for_the_name_and_not_for_the_address(monkeypatch, tmp_path):
    """The name resolves to this machine, whose certificate counts only if it is for the name."""
    resolve_as_usual = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *args, **options: resolve_as_usual("127.0.0.1", *args, **options),
    )
    for subject, is_right in (("DNS:rate.example", True), ("IP:127.0.0.1", False)):
        gateway = Gateway(
            script=lambda *_: (200, "{}", {}), certificate=self_signed(tmp_path, subject)
        )
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        with standing(gateway):
            address = gateway.url.replace("127.0.0.1", "rate.example")
            if is_right:
                assert send("GET", address).status == 200
            else:
                with pytest.raises(OutgoingError, match="certificate verify failed"):
                    send("GET", address)
        assert len(gateway.seen) == is_right


def test_no_proxy_of_the_environment_is_between(monkeypatch):
    with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") as (port, received):
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        assert send("GET", f"http://127.0.0.1:{port}/").status == 200
    assert received


def test_a_redirect_is_an_answer_like_any_other():
    with answering(b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\n\r\n") as (port, _):
        assert send("GET", f"http://127.0.0.1:{port}/").status == 302


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_dribbles_is_hung_up_on(scheme, monkeypatch, tmp_path):
    pieces = [b"HTTP/1.1 200 OK\r\nX: "] + [b"y"] * 100
    tls = None
    if scheme == "https":
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self_signed(tmp_path))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    with answering(*pieces, pause=0.1, tls=tls) as (port, _):
        began = time.monotonic()
        with pytest.raises(OutgoingError, match=r"it took longer than 0\.5 seconds"):
            send("GET", f"{scheme}://127.0.0.1:{port}/", timeout=0.5)
        assert time.monotonic() - began < 5


def test_a_long_answer_is_cut(monkeypatch):
    monkeypatch.setattr(outgoing, "MOST_BYTES", 10)
    with answering(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1000) as (port, _):
        assert send("GET", f"http://127.0.0.1:{port}/").body == b"x" * 10


@pytest.mark.parametrize(
    "url",
    ["", "x", "ftp://x.example/", "file:///etc/passwd", "http://", "http://x:99999/", "http://[::1",
     "http://x.example/\r\nHost: y", "http://x.example/ä", "http://x.example:0/", "http:///x"],
)  # fmt: skip
def test_what_is_no_address_is_a_sentence(url: str):
    with pytest.raises(OutgoingError):
        send("GET", url)


def test_a_name_and_a_password_in_an_address_are_not_taken():
    with pytest.raises(OutgoingError, match="a password"):
        checked_url("http://user:secret@127.0.0.1/", public_only=False)


def test_nobody_there_is_a_sentence():
    with pytest.raises(OutgoingError, match="does not answer"):
        send("GET", "http://127.0.0.1:9/")
    with pytest.raises(OutgoingError, match="cannot be found"):
        send("GET", "http://nowhere.invalid/")
