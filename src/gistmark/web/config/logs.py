"""What is written to the log: everything but the secrets of links.

The address of an invitation or of a link that sets a password opens a door, and errors are logged
with the address at which they happened.
"""

from __future__ import annotations

import logging
import re

_SECRET = re.compile(r"/(join|password)/[^/\s'\"?]+")


class RedactedFormatter(logging.Formatter):
    """Formats a record, with its traceback, and leaves secrets out of it."""

    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


def redact_servers_log() -> None:
    """Let the web server's own log leave secrets out too."""
    for handler in logging.getLogger("gunicorn.error").handlers:
        known = handler.formatter
        pattern = known._fmt if known is not None else None
        handler.setFormatter(RedactedFormatter(pattern, known.datefmt if known else None))


def redacted(text: str) -> str:
    """The text with the secrets of links left out."""
    return _SECRET.sub(r"/\1/…", text)
