"""What is written to the log: everything but the secrets of links, and who came from a market.

With GISTMARK_LOG=json the log is JSON lines, one for each request too. They have the name of the
route instead of the address, the role of a person instead of the name, and of an error its kind and
where it happened, since its message may quote what somebody entered.

The address of an invitation or of a link that sets a password opens a door, the one by which people
come from a crowd market names them, and errors are logged with the address at which they happened.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from contextvars import ContextVar
from copy import copy
from datetime import UTC, datetime
from typing import Any

_SECRET = re.compile(r"/(join|password|address|reminders)/[^/\s'\"?]+")
_PARTICIPANT = re.compile(r"(/crowd/[^\s'\"?]*\?)[^\s'\"]+")


_QUERY = re.compile(r"\?[^\s'\"]+")
_REFUSED = "django.security"
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The number of the request that this thread answers; the visitor gets it as X-Request-ID."""
FIELDS = "gistmark_fields"
"""The attribute of a record with what a JSON line has beside its message."""


class RedactedFormatter(logging.Formatter):
    """Formats a record, with its traceback, and leaves secrets out of it.

    A refused request has no traceback: strangers can send as many as they like, and no code failed.
    """

    def format(self, record: logging.LogRecord) -> str:
        if record.name.startswith(_REFUSED):
            record = copy(record)
            record.exc_info = record.exc_text = None
        return redacted(super().format(record))


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON, without anything that names a person."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": at.isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self._message(record),
        }
        if request := REQUEST_ID.get():
            line["request"] = request
        line |= getattr(record, FIELDS, {})
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["at"] = [f"{each.filename}:{each.lineno} {each.name}" for each in frames]
        return json.dumps(line, ensure_ascii=False, default=str)

    def _message(self, record: logging.LogRecord) -> str:
        """The message; of Django's own about requests, the part before what a visitor sent."""
        if record.name.startswith(_REFUSED):
            return record.name.rpartition(".")[2]
        if record.name.startswith("django.request") and isinstance(record.args, tuple):
            return str(record.args[0]) if record.args else "request"
        return _QUERY.sub("?…", redacted(record.getMessage()))


def redact_servers_log() -> None:
    """Let the web server's own log leave secrets out too."""
    from django.conf import settings

    for handler in logging.getLogger("gunicorn.error").handlers:
        if settings.LOG_AS_JSON:
            handler.setFormatter(JsonFormatter())
            continue
        known = handler.formatter
        pattern = known._fmt if known is not None else None
        handler.setFormatter(RedactedFormatter(pattern, known.datefmt if known else None))


def redacted(text: str) -> str:
    """The text with the secrets of links and the ids of participants left out."""
    return _PARTICIPANT.sub(r"\1…", _SECRET.sub(r"/\1/…", text))
