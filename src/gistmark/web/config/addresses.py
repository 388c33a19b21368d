"""Whole addresses for the command line, where no request tells the host."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from gistmark.errors import UsageError


def whole_address(page: str, *args: object, base: str | None = None) -> str:
    """The address of a page, on the platform at `base`."""
    return _checked(base or _usual_base()).rstrip("/") + reverse(page, args=args)


def _usual_base() -> str:
    host = settings.ALLOWED_HOSTS[0].lstrip("*.") or "localhost"
    return f"https://{host}" if settings.BEHIND_PROXY else f"http://{host}:8000"


def _checked(base: str) -> str:
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"{base!r} is no address; write it as https://rate.example.org.")
    return base
