"""Tokens with which a market proves whose session an address is: JSON Web Tokens, signed RS256.

The market's public keys are fetched when a token needs one that is not here, and kept for a day.
While the market cannot be reached, keys of the last week do; without any, nothing can be said
about a token, and `KeysUnavailableError` says that.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any
from urllib.parse import urlsplit

import jwt

from gistmark.errors import GistmarkError
from gistmark.runtime.http import HttpClient, NoReplyError, is_local

FRESH = 60 * 60 * 24
"""So many seconds keys are used without asking again."""
STALE = FRESH * 7
"""So many seconds they are used while the market does not answer."""
PAUSE = 60
"""So many seconds pass before the market is asked again for a key that it did not have."""
LEEWAY = 30
"""By so many seconds the clocks of market and platform may differ."""
_LONGEST = 8192
_LARGEST = 1024**2
_PATIENCE = 5

Keys = Mapping[str, jwt.PyJWK]


class KeysUnavailableError(GistmarkError):
    """The market's keys are not here, and it does not answer."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token that is valid says: whose session it is, and for which address it was made."""

    session: str
    audience: str
    parameters: Mapping[str, Any]


def read_token(token: str, keys_address: str) -> Claims | None:
    """What a token says; None where it is not valid (any more)."""
    if len(token) > _LONGEST:
        return None
    try:
        key = _STORE.key(keys_address, str(jwt.get_unverified_header(token).get("kid", "")))
        if key is None:
            return None
        claims = jwt.decode(
            token,
            key.key,
            algorithms=["RS256"],
            leeway=LEEWAY,
            options={"require": ["exp", "sub", "aud"], "verify_aud": False},
        )
    except (jwt.PyJWTError, ValueError):
        return None
    audience, parameters = claims["aud"], claims.get("prolific")
    if not isinstance(audience, str) or not isinstance(parameters, dict):
        return None
    return Claims(claims["sub"], audience, parameters)


def fetch_keys(address: str) -> Keys:
    """The public keys of a market, by their ids."""
    parts = urlsplit(address)
    if parts.scheme != "https" and not is_local(parts.hostname):
        raise KeysUnavailableError(
            f"The keys of a market are fetched over https only, not from {address}."
        )
    try:
        with HttpClient(address, timeout=_PATIENCE) as client:
            reply = client.send("GET", most_bytes=_LARGEST)
    except NoReplyError as error:
        raise KeysUnavailableError(f"The server of the market's keys {error}.") from error
    if reply.status != 200:
        raise KeysUnavailableError(f"The market's keys cannot be fetched (status {reply.status}).")
    try:
        keys = jwt.PyJWKSet.from_dict(json.loads(reply.body)).keys
    except (ValueError, AttributeError, jwt.PyJWTError) as error:
        raise KeysUnavailableError(f"The market's keys cannot be read: {error}.") from error
    return {key.key_id: key for key in keys if key.key_id and key.key_type == "RSA"}


@dataclass
class _Fetched:
    """The keys of one address: when they came, and when the market was last asked."""

    keys: Keys = field(default_factory=dict)
    at: float = -STALE
    asked_at: float = -STALE
    failed: bool = False


class KeyStore:
    """Keeps the keys of markets, for all threads of a process."""

    def __init__(
        self, fetch: Callable[[str], Keys] = fetch_keys, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._fetch = fetch
        self._clock = clock
        self._fetched: dict[str, _Fetched] = {}
        self._lock = Lock()

    def key(self, address: str, key_id: str) -> jwt.PyJWK | None:
        """The key of this id; None where the market has no such key."""
        with self._lock:
            known = self._fetched.setdefault(address, _Fetched())
            now = self._clock()
            if key_id in known.keys and now - known.at < FRESH:
                return known.keys[key_id]
            if now - known.asked_at >= PAUSE:
                self._ask(address, known, now)
            if key_id in known.keys and now - known.at < STALE:
                return known.keys[key_id]
            if known.failed:
                raise KeysUnavailableError("The market's keys cannot be fetched just now.")
            return None

    def _ask(self, address: str, known: _Fetched, now: float) -> None:
        known.asked_at = now
        try:
            known.keys, known.at, known.failed = self._fetch(address), now, False
        except KeysUnavailableError:
            known.failed = True


_STORE = KeyStore()
