"""The database: SQLite in the data folder, or what DATABASE_URL says."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from gistmark.errors import UsageError
from gistmark.web.config.data_folder import database_file

_POSTGRES = ("postgres", "postgresql")
_WAIT = 20
"""How many seconds a writer waits for another one, with SQLite."""


def database(url: str | None, folder: Path | None) -> dict[str, Any]:
    """Django's settings for the database; without an address or a folder it is in memory."""
    if not url:
        return _sqlite(":memory:" if folder is None else database_file(folder))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"DATABASE_URL cannot be read: {error}.") from None
    if parts.scheme == "sqlite":
        return _sqlite("/" + unquote(parts.path).lstrip("/"))
    if parts.scheme not in _POSTGRES or not parts.path.strip("/"):
        raise UsageError(
            "DATABASE_URL must be postgres://user:password@host:port/name or sqlite:///path."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def _sqlite(name: str) -> dict[str, Any]:
    """Writers take their lock at the start of a transaction, so none is refused half-way."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {
            "timeout": _WAIT,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }
