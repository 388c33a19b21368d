"""Requests to a platform: what is tried again, and what is an error in one sentence."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from threading import Thread

import pytest

from gistmark.errors import UsageError
from gistmark.judges.campaign import client
from gistmark.judges.campaign.client import TRIES, Api, PlatformError, platform_at
from gistmark.judges.campaign.machine import TOKEN, MachineClient, token_of_environment
from judges.campaign.gateway import Fate, Gateway, self_signed, standing

SECRET = "gm_secret-of-a-machine"
FINE = (200, json.dumps([{"key": "0123456789", "name": "News"}]), {})


@pytest.fixture
def stand() -> Iterator[Callable[..., Gateway]]:
    """Starts gateways, which stop at the end of the test."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(standing(Gateway(**settings)))


def fates(*each: Fate) -> Callable[[str, str], Fate]:
    """One after the other."""
    left = iter(each)
    return lambda method, path: next(left)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client waited, without waiting."""
    pauses: list[float] = []
    made = Api.__init__

    def quick(self: Api, *args: object, **options: object) -> None:
        made(self, *args, **{**options, "sleep": pauses.append})  # type: ignore[arg-type]

    monkeypatch.setattr(Api, "__init__", quick)
    return pauses


def test_what_fails_for_the_moment_is_sent_again_after_pauses_that_double(stand, slept):
    gateway = stand(script=fates(FINE, "down", 502, 503, 504, 429, FINE))
    with platform_at(gateway.url) as api:
        api.request("GET", "campaigns", SECRET)
        assert api.request("GET", "campaigns", SECRET) == json.loads(FINE[1])
    assert slept[0] == 0  # a connection that was closed meanwhile is opened again at once
    for pause, longest in zip(slept[1:], (1, 2, 4, 8), strict=True):
        assert longest / 2 <= pause <= longest


def test_a_platform_that_asks_for_a_pause_gets_it_but_not_any(stand, slept):
    busy, endless = (503, "{}", {"Retry-After": "5"}), (503, "{}", {"Retry-After": "3600"})
    gateway = stand(script=fates(FINE, busy, endless))
    with platform_at(gateway.url) as api:
        api.request("GET", "campaigns", SECRET)
        with pytest.raises(PlatformError, match=r"cannot answer now \(status 503\)\."):
            api.request("GET", "campaigns", SECRET)
    assert slept == [5]


def test_after_the_last_try_it_is_an_error_that_names_the_platform(stand, slept):
    gateway = stand(script=fates(FINE, *["down"] * TRIES))
    with platform_at(gateway.url) as api:
        api.request("GET", "campaigns", SECRET)
        with pytest.raises(PlatformError, match="cannot be reached") as raised:
            api.request("GET", "campaigns", SECRET)
    assert raised.value.status is None
    assert gateway.url in str(raised.value)
    assert len(gateway.seen) == 1 + TRIES
    assert sum(slept) <= 63  # 1 + 2 + 4 + 8 + 16 + 32


def test_a_wrong_address_is_an_error_at_once(slept):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    for address, why in (
        (f"http://127.0.0.1:{free}", "(Connection refused)"),
        ("https://no-such-host.invalid", "("),
    ):
        with platform_at(address) as api, pytest.raises(PlatformError) as raised:
            api.request("GET", "campaigns", SECRET)
        assert f"The platform at {address} cannot be reached {why}" in str(raised.value)
    assert not slept


@pytest.mark.parametrize(
    ("fate", "said"),
    [
        (
            (200, "<html>Welcome</html>", {}),
            "is not a Gistmark platform (it answered with status 200 and no JSON)",
        ),
        (404, "is not a Gistmark platform (it answered with status 404 and no JSON)"),
        ((301, "", {"Location": "https://elsewhere.example"}), "redirects requests"),
        ((403, '{"detail": "Not\\nyours."}', {}), "refused the request (403): Not yours."),
        ((400, "[]", {}), "refused the request (400): it gave no reason."),
        ((500, '{"detail": "See the log."}', {}), "refused the request (500): See the log."),
    ],
)
def test_a_refusal_is_one_sentence_and_is_not_tried_again(stand, slept, fate, said):
    gateway = stand(script=fates(fate))
    with platform_at(gateway.url) as api, pytest.raises(PlatformError) as raised:
        api.request("GET", "campaigns", SECRET)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.status == (fate if isinstance(fate, int) else fate[0])
    assert (len(gateway.seen), slept) == (1, [])


@pytest.mark.parametrize("reply", ["{}", "[1]", '[{"id": 1}]', '"x"', "null"])
def test_json_of_something_else_is_no_platform(stand, reply: str):
    gateway = stand(script=fates((200, reply, {})))
    with platform_at(gateway.url) as api, pytest.raises(PlatformError, match="is not a Gistmark"):
        MachineClient.of(api, SECRET, "News")


def test_no_error_shows_the_token(stand):
    gateway = stand(script=fates((400, json.dumps({"detail": f"What is {SECRET}?"}), {})))
    with platform_at(gateway.url) as api, pytest.raises(PlatformError, match="What is …") as raised:
        api.request("GET", "campaigns", SECRET)
    assert SECRET not in str(raised.value)
    assert gateway.tokens == {f"Bearer {SECRET}"}


def test_a_token_travels_encrypted_or_to_this_machine_only():
    for address in ("http://rate.example.org", "http://192.168.0.7:8000", "http://127.0.0.2"):
        with pytest.raises(UsageError, match="unencrypted; use https"), platform_at(address):
            pass
    for address in ("https://rate.example.org", "http://localhost:8000", "http://[::1]:8000"):
        with platform_at(address):  # nothing is sent yet
            pass


@pytest.mark.parametrize(
    "address",
    ["rate.example.org", "ftp://rate.example.org", "https://", "https://h/path", "https://h?x=1",
     "https://me:secret@rate.example.org", "https://h:99999", "https://["],
)  # fmt: skip
def test_what_is_no_address_is_said_without_repeating_it(address: str):
    with pytest.raises(UsageError, match="is a scheme and a host") as raised, platform_at(address):
        pass
    assert "secret" not in str(raised.value)


def test_a_certificate_must_be_trusted(stand, slept, tmp_path, monkeypatch):
    certificate = self_signed(tmp_path)
    gateway = stand(script=fates(FINE), certificate=certificate)
    with platform_at(gateway.url) as api, pytest.raises(PlatformError) as raised:
        api.request("GET", "campaigns", SECRET)
    assert "The certificate of 127.0.0.1 is not trusted (self-signed certificate)" in str(
        raised.value
    )
    assert "SSL_CERT_FILE" in str(raised.value)
    assert not gateway.tokens
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
    with platform_at(gateway.url) as api:
        assert api.request("GET", "campaigns", SECRET)
    assert gateway.tokens == {f"Bearer {SECRET}"}
    assert not slept


def test_a_server_without_tls_is_said_to_have_none(stand, slept):
    gateway = stand(script=fates(FINE))
    address = gateway.url.replace("http://", "https://")
    with platform_at(address) as api, pytest.raises(PlatformError) as raised:
        api.request("GET", "campaigns", SECRET)
    assert f"No TLS connection can be made to {address}" in str(raised.value)
    assert (gateway.tokens, slept) == (set(), [])


def test_https_goes_through_the_proxy_of_the_environment(monkeypatch):
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        port = proxy.getsockname()[1]
        monkeypatch.setenv("https_proxy", f"http://me:p%40ss@127.0.0.1:{port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.setattr(client, "PATIENCE", 10)

        def refuse() -> None:
            connection, _ = proxy.accept()
            with connection:
                asked.append(connection.recv(65536))
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

        thread = Thread(target=refuse)
        thread.start()
        with platform_at("https://rate.example.org") as api, pytest.raises(PlatformError):
            api.request("GET", "campaigns", SECRET)
        thread.join()
    assert asked[0].startswith(b"CONNECT rate.example.org:443 HTTP/1.")
    assert b"Proxy-Authorization: Basic bWU6cEBzcw==" in asked[0]  # me:p@ss
    assert SECRET.encode() not in asked[0]


@pytest.mark.parametrize(("value", "said"), [(None, "needs the machine's token"),
                                             ("  ", "needs the machine's token"),
                                             ("gm_ä", "printable ASCII characters")])  # fmt: skip
def test_the_token_is_that_of_the_environment(monkeypatch, value: str | None, said: str):
    monkeypatch.delenv(TOKEN, raising=False)
    if value is not None:
        monkeypatch.setenv(TOKEN, value)
    with pytest.raises(UsageError, match=said):
        token_of_environment()
    monkeypatch.setenv(TOKEN, f"{SECRET}\n")
    assert token_of_environment() == SECRET
