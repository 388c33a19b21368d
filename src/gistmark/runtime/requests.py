"""What all requests to other servers share: no redirects, when to try again, what went wrong.

A request that failed temporarily may be sent again, after as long as the server asks for, or else
after pauses that double.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.error import URLError
from urllib.request import HTTPRedirectHandler

PAUSE = 1.0
"""How many seconds pass before the second try; twice as many before the third."""
_LOCAL = ("localhost", "127.0.0.1", "::1")


class NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: a secret must never be sent to the target of one."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def is_local(host: str | None) -> bool:
    """Whether a host is this machine, by its usual names."""
    return host in _LOCAL


def pause_before(retry: int, wanted: float | None = None, *, first: float | None = None) -> float:
    """How many seconds to wait before a retry, the first being 0; about `first` before that one."""
    if wanted is not None:
        return wanted
    doubled: float = (PAUSE if first is None else first) * 2**retry
    return doubled * random.uniform(0.5, 1)  # noqa: S311


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


def cause_of(error: Exception) -> object:
    """What lies behind the error of a request that nobody answered."""
    return error.reason if isinstance(error, URLError) else error


def why_unanswered(error: Exception) -> str:
    """What happened to a request that nobody answered, as the rest of a sentence."""
    cause = cause_of(error)
    if isinstance(cause, TimeoutError):
        return "did not answer in time"
    what = getattr(cause, "strerror", None) or type(cause).__name__
    return f"cannot be reached ({what})"


def shortened(text: str, most: int) -> str:
    """The beginning of what somebody else said, so that a message stays readable."""
    return text if len(text) <= most else f"{text[:most]}…"
