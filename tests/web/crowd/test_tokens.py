"""The keys of a market: fetched when needed, kept, rotated, and missed while it does not answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import jwt
import pytest

from gistmark.web.crowd.tokens import (
    FRESH,
    PAUSE,
    STALE,
    KeyStore,
    KeysUnavailableError,
    fetch_keys,
)
from web.crowd.arriving import public_keys


class Published:
    """What the market publishes, counted, and a clock."""

    def __init__(self) -> None:
        self.names = ["first"]
        self.down = False
        self.requests = 0
        self.now = 0.0
        self.store = KeyStore(self.fetch, lambda: self.now)

    def fetch(self, _: str) -> dict[str, jwt.PyJWK]:
        self.requests += 1
        if self.down:
            raise KeysUnavailableError("down")
        keys = jwt.PyJWKSet.from_dict(public_keys(*self.names)).keys
        return {str(key.key_id): key for key in keys}

    def has(self, name: str) -> bool:
        return self.store.key("https://market.example/keys", name) is not None


def test_keys_are_fetched_once_a_day() -> None:
    market = Published()
    assert market.has("first")
    market.now = FRESH - 1
    assert market.has("first")
    assert market.requests == 1
    market.now = FRESH + 1
    assert market.has("first")
    assert market.requests == 2


def test_a_new_key_is_fetched_when_the_first_token_has_it() -> None:
    market = Published()
    assert market.has("first")
    market.names.append("second")
    market.now = PAUSE + 1
    assert market.has("second")


def test_unknown_keys_do_not_let_strangers_send_requests_to_the_market() -> None:
    market = Published()
    assert [market.has(f"made-up-{number}") for number in range(100)] == [False] * 100
    assert market.requests == 1


def test_a_key_that_the_market_withdrew_is_not_used_any_more() -> None:
    market = Published()
    assert market.has("first")
    market.names, market.now = ["second"], FRESH + 1
    assert not market.has("first")


def test_while_the_market_is_down_keys_of_the_last_week_do() -> None:
    market = Published()
    assert market.has("first")
    market.down, market.now = True, FRESH + 1
    assert market.has("first")
    market.now = STALE + 1
    with pytest.raises(KeysUnavailableError):
        market.has("first")


def test_without_keys_nothing_is_said_and_the_market_is_asked_once_a_minute() -> None:
    market = Published()
    market.down = True
    for _ in range(5):
        with pytest.raises(KeysUnavailableError):
            market.has("first")
    assert market.requests == 1
    market.down, market.now = False, PAUSE + 1
    assert market.has("first")


@contextmanager
def serving(status: int, body: bytes) -> Iterator[str]:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/keys"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_keys_come_over_the_network() -> None:
    with serving(200, json.dumps(public_keys("first", "second")).encode()) as address:
        assert set(fetch_keys(address)) == {"first", "second"}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b""),
        (302, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"keys": []}'),
        (200, b'{"keys": [{"kty": "RSA", "n": 7}]}'),
        (200, b"\xff\xfe"),
    ],
)
def test_whatever_the_market_answers_is_keys_or_one_error(status: int, body: bytes) -> None:
    with serving(status, body) as address, pytest.raises(KeysUnavailableError):
        fetch_keys(address)


def test_a_market_that_cannot_be_reached_is_one_error() -> None:
    with pytest.raises(KeysUnavailableError):
        fetch_keys("http://127.0.0.1:9/")
    with pytest.raises(KeysUnavailableError, match="https"):
        fetch_keys("http://market.example/keys")
