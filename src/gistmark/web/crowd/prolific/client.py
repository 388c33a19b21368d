"""Requests to Prolific's API, with a time limit, and sent again only where that can do no harm.

A request that creates or pays something is sent once. If it stays without an answer, nobody knows
whether it was done; `UnsureError` says so, and whoever called looks it up before going on.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPMessage
from socket import gaierror
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, build_opener

from gistmark.errors import GistmarkError, UsageError
from gistmark.runtime.requests import (
    NoRedirects,
    cause_of,
    is_local,
    pause_before,
    retry_after,
    shortened,
    why_unanswered,
)

DEFAULT_ADDRESS = "https://api.prolific.com"
VARIABLE = "GISTMARK_PROLIFIC_URL"
_LARGEST = 32 * 1024**2
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
    headers: HTTPMessage


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
        for attempt in range(1, _TRIES + 1):
            try:
                return self._exchange(method, path, body, query)
            except _AgainError as again:
                pause = pause_before(attempt - 1, again.after, first=_PAUSE)
                waited += pause
                if again.was_sent and not repeatable:
                    raise UnsureError(f"{again} It may have been done all the same.") from None
                if attempt == _TRIES or waited > self.patience:
                    raise MarketError(f"{again} Please try again later.") from None
                self.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _exchange(
        self, method: str, path: str, body: object, query: Mapping[str, str] | None
    ) -> Reply:
        """One request and its answer."""
        url = self.address.rstrip("/") + path + (f"?{urlencode(query)}" if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = Request(url, data=data, method=method)  # noqa: S310
        request.add_header("Accept", "application/json")
        request.add_unredirected_header("Authorization", f"Token {self.token}")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with build_opener(NoRedirects).open(request, timeout=self.timeout) as answer:
                content = answer.read(_LARGEST)
                return Reply(answer.status, _decoded(content), answer.headers)
        except HTTPError as error:
            with error:
                raise self._refusal(error) from None
        except (OSError, HTTPException, ValueError) as error:
            raise _not_answered(error) from None

    def _refusal(self, error: HTTPError) -> GistmarkError:
        """What an answer with an error status means."""
        said = _message(error).replace(self.token, "…")
        if error.code == 429:
            return _AgainError(
                f"Prolific accepts no more requests just now{said}.",
                was_sent=False,
                after=retry_after(error.headers.get("Retry-After")),
            )
        if error.code >= 500:
            return _AgainError(
                f"Prolific failed with status {error.code}{said}.",
                was_sent=True,
                after=retry_after(error.headers.get("Retry-After")),
            )
        if error.code in (401, 403):
            return MarketError(f"Prolific does not accept the API token for this{said}.")
        if error.code == 404:
            return MarketError(f"Prolific does not know this{said}.")
        return MarketError(f"Prolific refused this{said or f' with status {error.code}'}.")


class _AgainError(GistmarkError):
    """A request that may succeed later; if it `was_sent`, the market may have acted on it."""

    def __init__(self, sentence: str, *, was_sent: bool, after: float | None = None) -> None:
        super().__init__(sentence)
        self.was_sent = was_sent
        self.after = after


def _not_answered(error: Exception) -> _AgainError:
    """A connection that failed; what was never connected was never sent."""
    cause = cause_of(error)
    if isinstance(cause, ValueError):
        return _AgainError("The answer of Prolific cannot be read.", was_sent=True)
    unsent = isinstance(cause, (ConnectionRefusedError, gaierror))
    return _AgainError(f"Prolific {why_unanswered(error)}.", was_sent=not unsent)


def _message(error: HTTPError) -> str:
    """The market's own words as the end of a sentence, or nothing."""
    try:
        body = _decoded(error.read(_LARGEST))
    except (OSError, HTTPException, ValueError):
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
