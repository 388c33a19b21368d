"""The client of all requests: what it never does, what its errors say, and how long it waits."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from gistmark.errors import UsageError
from gistmark.runtime.http import (
    AgainError,
    HttpClient,
    NoReplyError,
    retry_after,
    send_until_answered,
)
from judges.campaign.gateway import Fate, Gateway, standing


def always(fate: Fate) -> Callable[[str, str], Fate]:
    return lambda method, path: fate


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_redirect_is_a_reply_and_its_target_gets_no_request():
    target = Gateway(script=always(200))
    with standing(target):
        gateway = Gateway(script=always((302, "", {"Location": target.url})))
        with standing(gateway), HttpClient(gateway.url, timeout=5) as client:
            reply = client.send("GET", "/x", headers={"Authorization": "Bearer secret"})
    assert (reply.status, reply.headers["location"]) == (302, target.url)
    assert target.seen == []


def test_a_token_with_a_space_at_its_end_is_sent_without_it():
    gateway = Gateway(script=always(200))
    with standing(gateway), HttpClient(gateway.url, timeout=5) as client:
        client.send("GET", "/", headers={"Authorization": "Bearer secret "})
    assert gateway.tokens == {"Bearer secret"}


def test_cookies_are_not_kept():
    gateway = Gateway(script=always((200, "{}", {"Set-Cookie": "session=1; Path=/"})))
    with standing(gateway), HttpClient(gateway.url, timeout=5, keep_open=True) as client:
        client.send("GET", "/")
        client.send("GET", "/")
    assert gateway.cookies == {None}


def test_a_reply_is_read_up_to_its_bound_and_its_type_has_no_parameters():
    fate = (200, "x" * 1000, {"Content-Type": "Text/Plain; charset=utf-8"})
    gateway = Gateway(script=always(fate))
    with standing(gateway), HttpClient(gateway.url, timeout=5) as client:
        reply = client.send("GET", "/", most_bytes=10)
    assert (reply.body, reply.content_type) == (b"x" * 10, "text/plain")


def test_only_what_was_refused_a_connection_counts_as_not_sent():
    with (
        HttpClient(f"http://127.0.0.1:{free_port()}", timeout=5) as client,
        pytest.raises(NoReplyError, match=r"cannot be reached \(Connection refused\)") as refused,
    ):
        client.send("POST", "/pay")
    assert not refused.value.was_sent
    gateway = Gateway(script=always("down"))
    with standing(gateway), HttpClient(gateway.url, timeout=5) as client:
        try:
            raise ConnectionRefusedError  # as when another request failed just before
        except ConnectionRefusedError:
            with pytest.raises(NoReplyError) as dropped:
                client.send("POST", "/pay")
    assert dropped.value.was_sent
    assert gateway.seen == ["POST /pay"]


def test_a_server_that_is_silent_may_have_received_the_request():
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        HttpClient(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2) as client,
        pytest.raises(NoReplyError, match=r"^did not answer in time$") as raised,
    ):
        client.send("POST", "/pay")
    assert (raised.value.timed_out, raised.value.was_sent) == (True, True)


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1080", "http://", "http://p:x", "ftp://p"])
def test_a_proxy_that_cannot_be_used_is_one_sentence(monkeypatch, proxy: str):
    monkeypatch.setenv("https_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    with pytest.raises(UsageError, match="proxy that HTTPS_PROXY names is no address"):
        HttpClient("https://rate.example.org", timeout=5)
    HttpClient("https://localhost", timeout=5).close()  # this machine is reached without it


def test_requests_go_through_the_proxy_except_where_no_proxy_names_the_host(monkeypatch):
    proxy = Gateway(script=always(200))
    monkeypatch.setenv("no_proxy", "near.invalid:8000")
    with standing(proxy):
        monkeypatch.setenv("http_proxy", proxy.url.removeprefix("http://"))
        with HttpClient("http://far.invalid:8000", timeout=5) as client:
            assert client.send("GET", "/x").status == 200
        with (
            HttpClient("http://near.invalid:8000", timeout=5) as client,
            pytest.raises(NoReplyError),
        ):
            client.send("GET", "/x")
    assert proxy.seen == ["GET http://far.invalid:8000/x"]


def test_the_last_error_is_raised_and_no_pause_follows_it():
    pauses: list[float] = []
    numbers: list[int] = []

    def fail() -> None:
        numbers.append(len(numbers))
        raise AgainError(f"try {numbers[-1]}")

    with pytest.raises(AgainError, match="try 2"):
        send_until_answered(fail, tries=3, pause=lambda retry, _: retry, sleep=pauses.append)
    assert pauses == [0, 1]
    with pytest.raises(AgainError, match="try 3"):
        send_until_answered(fail, tries=3, pause=lambda *_: None, sleep=pauses.append)
    assert pauses == [0, 1]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [(None, None), ("", None), ("5", 5.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None),
     ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("Wed, 99 Oct 2015 07:28:00 GMT", None)],
)  # fmt: skip
def test_seconds_and_past_dates(header: str | None, seconds: float | None) -> None:
    assert retry_after(header) == seconds


def test_a_date_that_is_to_come() -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(minutes=10), usegmt=True)
    assert retry_after(date) == pytest.approx(600, abs=5)
