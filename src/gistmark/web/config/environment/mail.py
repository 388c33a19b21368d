"""The mail server, from environment variables; without one the platform sends no e-mail.

GISTMARK_SMTP_HOST           the server; without it nothing is sent, and no page speaks of e-mail
GISTMARK_SMTP_TLS            `starttls`, `tls` from the first byte, or `none`
GISTMARK_SMTP_PORT           by default 587, 465 or 25, as the line above says
GISTMARK_SMTP_USER           the name to log in with, if there is one
GISTMARK_SMTP_PASSWORD_FILE  a file with its password (or GISTMARK_SMTP_PASSWORD)
GISTMARK_MAIL_FROM           whom mails are from, such as Gistmark <gistmark@uni.example>
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from email.utils import parseaddr

from gistmark.errors import UsageError
from gistmark.web.config.environment.variables import choice, number, secret

_PORTS = {"starttls": 587, "tls": 465, "none": 25}


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mails are handed over, and whom they are from."""

    host: str
    port: int
    tls: str
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)


def mail_server_from_environment() -> MailServer | None:
    """The mail server, or None where no host is named."""
    host = os.environ.get("GISTMARK_SMTP_HOST", "").strip()
    if not host:
        return None
    tls = choice("GISTMARK_SMTP_TLS", *_PORTS)
    sender = os.environ.get("GISTMARK_MAIL_FROM", "").strip()
    if "@" not in parseaddr(sender)[1] or not sender.isprintable():
        raise UsageError(
            "GISTMARK_SMTP_HOST is set, so GISTMARK_MAIL_FROM has to be an address that mails are "
            "from."
        )
    return MailServer(
        host=host,
        port=number("GISTMARK_SMTP_PORT", _PORTS[tls], least=1, most=65_535),
        tls=tls,
        sender=sender,
        user=os.environ.get("GISTMARK_SMTP_USER", ""),
        password=secret("GISTMARK_SMTP_PASSWORD"),
    )
