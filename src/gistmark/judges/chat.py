"""Requests to a server that speaks the chat completions protocol of OpenAI.

vLLM, Ollama, llama.cpp, LM Studio and commercial services do. A request that failed for the moment
(no connection, no answer in time, 408, 429, 5xx) is sent again, after as long as the server asks
for, or else after pauses that double. After three requests in a row that failed for good the
server counts as down, and nothing more is sent. The key comes from GISTMARK_JUDGE_KEY alone; no
error, log, cache or signature shows it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from gistmark.errors import GistmarkError, UsageError
from gistmark.judges.limits import Meter
from gistmark.judges.transport import LATER, LONGEST_WAIT, demand_encrypted, demand_plain
from gistmark.runtime.http import (
    AgainError,
    HttpClient,
    HttpReply,
    NoReplyError,
    pause_before,
    send_until_answered,
    shortened,
)

KEY = "GISTMARK_JUDGE_KEY"
TRIES = 5
_DOWN = 3
_LONGEST_MESSAGE = 300
_ENDPOINT = "/chat/completions"
_SPENT = ("insufficient_quota", "billing")
_CHARACTERS_A_TOKEN = 4


class ServerError(GistmarkError):
    """The server accepts no request at all: it is down, or refuses the key or the model."""


class RefusedError(Exception):
    """The server refused this one request; the message is a reason for a missing value."""


class UnansweredError(Exception):
    """A request got no answer, however often it was sent; it may get one later."""


@dataclass(frozen=True)
class Completion:
    """What a server answered: the text, how it ended, and the tokens with their alternatives."""

    text: str
    finish: str
    refusal: str | None = None
    tokens: tuple[Mapping[str, Any], ...] | None = None


@dataclass
class ChatServer:
    """Where requests go, with the key of the environment, which no representation shows."""

    address: str
    meter: Meter
    timeout: float = 120.0
    key: str | None = field(default_factory=lambda: os.environ.get(KEY) or None, repr=False)
    _client: HttpClient = field(init=False, repr=False)
    _failures: int = field(default=0, repr=False)
    _down: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.address = checked_address(self.address)
        if self.key is not None:
            demand_plain(KEY, self.key)
            demand_encrypted(KEY, self.address, "use https, or unset it")
        self._client = HttpClient(self.address, timeout=self.timeout)

    def complete(self, body: Mapping[str, Any]) -> Completion:
        """Send a request, several times if it must be, and read the answer."""
        try:
            completion = send_until_answered(
                lambda: self._attempt(body), tries=TRIES, pause=_pause, sleep=self.meter.wait
            )
        except AgainError as again:
            reason = str(again)
            if again.after is not None and again.after > LONGEST_WAIT:
                reason = f"{again}, and asks for a pause of {again.after:.0f} s"
            self._failures += 1
            if self._failures >= _DOWN:
                self._down = reason
            raise UnansweredError(reason) from None
        except ServerError as error:
            self._down = str(error)
            raise
        self._failures = 0
        return completion

    def _attempt(self, body: Mapping[str, Any]) -> Completion:
        """One request within the limits, which count it, and its answer."""
        if self._down is not None:
            raise UnansweredError(self._down)
        read = sum(approximate_tokens(str(message["content"])) for message in body["messages"])
        expected = read, int(body.get("max_tokens") or body.get("max_completion_tokens") or 0)
        self.meter.admit(*expected)
        used = (0, 0)
        try:
            with self.meter.slot():
                reply = self._exchange(body)
            used = _usage(reply, expected)
            return _completion(reply)
        finally:
            self.meter.settle(expected, used)

    def _exchange(self, body: Mapping[str, Any]) -> Any:
        """One request and the JSON of its answer."""
        headers = {"Content-Type": "application/json"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        content = json.dumps(body).encode()
        try:
            reply = self._client.send("POST", _ENDPOINT, headers=headers, body=content)
        except NoReplyError as error:
            raise AgainError(f"the server {error}") from None
        if not 200 <= reply.status < 300:
            raise self._refusal(reply)
        try:
            return json.loads(reply.body)
        except ValueError:
            raise AgainError("the server's answer is not JSON") from None

    def _refusal(self, reply: HttpReply) -> Exception:
        """What an answer with an error status means."""
        text = _message(reply.body)
        if self.key is not None:
            text = text.replace(self.key, "…")
        reason = f": {text}" if text else ""
        if reply.status == 429 and any(word in text for word in _SPENT):
            return ServerError(f"The judge's server takes no more requests for this key{reason}.")
        if reply.status in LATER or reply.status >= 500:
            return AgainError(
                f"the server failed with status {reply.status}{reason}", reply.retry_after
            )
        if reply.status in (401, 403):
            refused = f"the key in {KEY}" if self.key else f"requests without a key; set {KEY}"
            return ServerError(f"The judge's server does not accept {refused}{reason}.")
        if reply.status == 404:
            return ServerError(
                f"The judge's server has no such address or model{reason}; the address usually "
                "ends in /v1."
            )
        if 300 <= reply.status < 400:
            return ServerError("The judge's server redirects requests; give its final address.")
        return RefusedError(f"the server refused the request with status {reply.status}{reason}")


def checked_address(address: str) -> str:
    """The base address of a server, without the end that all have; a wrong address is an error."""
    plain = address.strip().rstrip("/").removesuffix(_ENDPOINT)
    try:
        parts = urlsplit(plain)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(
            "The judge's address must begin with http:// or https:// and name a host, such as "
            "http://localhost:8000/v1."
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise UsageError(
            f"The judge's address must have no user, question mark or hash; a key goes into {KEY}."
        )
    return plain


def address_hash(address: str) -> str:
    """What a signature shows of a server: whether it is the same one, but not which one."""
    return sha256(address.encode()).hexdigest()[:12]


def approximate_tokens(text: str) -> int:
    """About how many tokens a text has: four characters each in ASCII, else one."""
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    return beyond + -(-(len(text) - beyond) // _CHARACTERS_A_TOKEN)


def _usage(reply: Any, expected: tuple[int, int]) -> tuple[int, int]:
    """The tokens that the server counted, or an estimate if it gives no count."""
    counted = reply.get("usage") if isinstance(reply, dict) else None
    if not isinstance(counted, dict):
        return expected
    pair = (counted.get("prompt_tokens"), counted.get("completion_tokens"))
    read, written = (
        number if isinstance(number, int) and number >= 0 else guess
        for number, guess in zip(pair, expected, strict=True)
    )
    return read, written


def _completion(reply: Any) -> Completion:
    """The first choice of an answer; one that does not fit the protocol counts as no answer."""
    try:
        choice = reply["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
    except (TypeError, KeyError, IndexError, AttributeError):
        raise AgainError("the server's answer is no chat completion") from None
    logprobs = choice.get("logprobs")
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    usable = isinstance(tokens, list) and all(isinstance(token, dict) for token in tokens)
    return Completion(
        text=content if isinstance(content, str) else "",
        finish=str(choice.get("finish_reason") or ""),
        refusal=refusal if isinstance(refusal, str) and refusal else None,
        tokens=tuple(tokens) if usable and tokens else None,
    )


def _pause(retry: int, again: AgainError) -> float | None:
    """How long to wait before a retry; None if the server asks for a longer pause than any."""
    seconds = pause_before(retry, again.after)
    return seconds if seconds <= LONGEST_WAIT else None


def _message(content: bytes) -> str:
    """The server's own words, in one line."""
    try:
        body = json.loads(content)
    except ValueError:
        return ""
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, dict):
        parts = [inner.get("message") or inner.get("detail"), inner.get("code")]
        inner = " ".join(str(part) for part in parts if isinstance(part, str))
    line = " ".join(inner.split()).rstrip(".") if isinstance(inner, str) else ""
    return shortened(line, _LONGEST_MESSAGE)
