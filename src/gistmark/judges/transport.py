"""What all requests to servers share: secrets that travel encrypted, and when to try again.

A request that failed for the moment may be sent again, after as long as the server asks for, or
else after pauses that double.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.error import URLError
from urllib.parse import urlsplit

from gistmark.errors import UsageError

PAUSE = 1.0
"""So many seconds pass before the second try, twice as many before the third."""
LONGEST_WAIT = 120.0
"""A server that asks for a longer pause is not waited for."""
LATER = frozenset({408, 425, 429})
_LOCAL = ("localhost", "127.0.0.1", "::1")


class AgainError(Exception):
    """A request that may succeed later; `after` is how long the server asks to wait."""

    def __init__(self, reason: str, after: float | None = None) -> None:
        super().__init__(reason)
        self.after = after


def is_local(host: str | None) -> bool:
    """Whether a host is this machine, by its usual names."""
    return host in _LOCAL


def demand_plain(name: str, secret: str) -> None:
    """Refuse a secret of an environment variable that no header can hold."""
    if not secret.isascii() or not secret.isprintable():
        raise UsageError(f"{name} must have plain characters only.")


def demand_encrypted(name: str, address: str, advice: str = "use https") -> None:
    """Refuse an address to which a secret would travel unencrypted."""
    parts = urlsplit(address)
    if parts.scheme == "http" and not is_local(parts.hostname):
        raise UsageError(f"{name} would travel to {parts.hostname} unencrypted; {advice}.")


def pause_before(retry: int, wanted: float | None = None) -> float:
    """How many seconds to wait before a retry, the first being 0."""
    return PAUSE * 2**retry * random.uniform(0.5, 1) if wanted is None else wanted  # noqa: S311


def why_unanswered(error: Exception) -> str:
    """What happened to a request that nobody answered, as the rest of a sentence."""
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, TimeoutError):
        return "did not answer in time"
    what = getattr(cause, "strerror", None) or type(cause).__name__
    return f"cannot be reached ({what})"


def retry_after(header: str | None) -> float | None:
    """How long a server asks to wait, by its header Retry-After: in seconds, or until a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        wait = parsedate_to_datetime(header) - datetime.now(UTC)
    except (TypeError, ValueError):
        return None
    return max(0.0, wait.total_seconds())
