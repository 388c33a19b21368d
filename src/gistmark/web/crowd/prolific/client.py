"""Requests to Prolific's API, with a time limit, and sent again only where that can do no harm.

A request that creates or pays something is sent once. If it stays without an answer, nobody knows
whether it was done; `UnsureError` says so, and whoever called looks it up before going on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from gistmark.errors import GistmarkError, UsageError
from gistmark.runtime.http import (
    AgainError,
    HttpClient,
    HttpReply,
    NoReplyError,
    is_local,
    pause_before,
    send_until_answered,
    shortened,
)

DEFAULT_ADDRESS = "https://api.prolific.com"
VARIABLE = "GISTMARK_PROLIFIC_URL"
_LONGEST_MESSAGE = 400
_TRIES = 4
_PAUSE = 0.5
"""So many seconds pass before the second try, twice as many before the third."""


class MarketError(GistmarkError):
    """The market refused a request, or cannot be reached; nothing was done."""


class UnsureError(MarketError):
    """A request was sent and not answered: it may have been done, or not."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the market answered."""

    status: int
    body: Any
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Client:
    """Sends requests with somebody's token, which no error and no representation shows.

    `patience` is how many seconds a request may wait in all before it is sent again.
    """

    token: str = field(repr=False)
    address: str = DEFAULT_ADDRESS
    timeout: float = 20.0
    patience: float = 10.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def __post_init__(self) -> None:
        if not self.token.isascii() or not self.token.isprintable() or " " in self.token:
            raise UsageError("An API token of Prolific has no spaces and only plain characters.")
        parts = urlsplit(self.address)
        secure = parts.scheme == "https" or (parts.scheme == "http" and is_local(parts.hostname))
        if not secure or not parts.netloc:
            raise UsageError(
                f"{VARIABLE} must be an https address, not {self.address!r}: a token is sent there."
            )

    def get(self, path: str, query: Mapping[str, str] | None = None) -> Any:
        """What there is at an address of the API."""
        return self.send("GET", path, query=query, repeatable=True).body

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, str] | None = None,
        repeatable: bool,
    ) -> Reply:
        """Send a request; one that is not `repeatable` goes out again only if it was not taken."""
        waited = 0.0

        def pause(retry: int, again: AgainError) -> float | None:
            nonlocal waited
            if again.was_sent and not repeatable:
                return None
            seconds = pause_before(retry, again.after, first=_PAUSE)
            waited += seconds
            return seconds if waited <= self.patience else None

        try:
            return send_until_answered(
                lambda: self._exchange(method, path, body, query),
                tries=_TRIES,
                pause=pause,
                sleep=self.sleep,
            )
        except AgainError as again:
            if again.was_sent and not repeatable:
                raise UnsureError(f"{again} It may have been done all the same.") from None
            raise MarketError(f"{again} Please try again later.") from None

    def _exchange(
        self, method: str, path: str, body: object, query: Mapping[str, str] | None
    ) -> Reply:
        """One request and its answer."""
        content = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Token {self.token}"}
        if content is not None:
            headers["Content-Type"] = "application/json"
        target = path + (f"?{urlencode(query)}" if query else "")
        try:
            with HttpClient(self.address.rstrip("/"), timeout=self.timeout) as client:
                reply = client.send(method, target, headers=headers, body=content)
        except NoReplyError as error:
            raise AgainError(f"Prolific {error}.", was_sent=error.was_sent) from None
        if not 200 <= reply.status < 300:
            raise self._refusal(reply)
        try:
            return Reply(reply.status, _decoded(reply.body), reply.headers)
        except ValueError:
            raise AgainError("The answer of Prolific cannot be read.") from None

    def _refusal(self, reply: HttpReply) -> GistmarkError:
        """What an answer with an error status means."""
        reason = _message(reply.body).replace(self.token, "…")
        if reply.status == 429:
            return AgainError(
                f"Prolific accepts no more requests just now{reason}.",
                reply.retry_after,
                was_sent=False,
            )
        if reply.status >= 500:
            return AgainError(
                f"Prolific failed with status {reply.status}{reason}.", reply.retry_after
            )
        if reply.status in (401, 403):
            return MarketError(f"Prolific does not accept the API token for this{reason}.")
        if reply.status == 404:
            return MarketError(f"Prolific does not know this{reason}.")
        return MarketError(f"Prolific refused this{reason or f' with status {reply.status}'}.")


def _message(content: bytes) -> str:
    """The market's own words as the end of a sentence, or nothing."""
    try:
        body = _decoded(content)
    except ValueError:
        return ""
    told = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(told, dict) and ("title" in told or "detail" in told):
        told = [told.get("title"), told.get("detail")]
    parts = _texts(told)
    words = ": ".join(dict.fromkeys(part.strip().rstrip(".") for part in parts if part.strip()))
    return f": {shortened(words, _LONGEST_MESSAGE)}" if words else ""


def _texts(told: object) -> list[str]:
    """All texts in a detail: one, a list of them, or lists by field."""
    if isinstance(told, str):
        return [told]
    if isinstance(told, list):
        return [text for each in told for text in _texts(each)]
    if isinstance(told, dict):
        return [f"{name} – {text}" for name, each in told.items() for text in _texts(each)]
    return []


def _decoded(content: bytes) -> Any:
    """JSON, or None where there is none; anything else raises a ValueError."""
    return json.loads(content) if content.strip() else None
