"""A mail server on this machine that speaks SMTP, and keeps what it gets."""

from __future__ import annotations

import email
import email.policy
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from gistmark.web.config.mail import MailServer

USER, PASSWORD = "platform", "word-of-the-server"


class Mailbox:
    """What arrived; `refusal` is what the server says to the next recipients instead."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refusal = ""

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, _: Any
    ) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        assert envelope.rcpt_tos == [mail["To"]]
        self.mails.append(mail)
        return "250 OK"

    def last(self) -> str:
        """The text of the latest mail."""
        return str(self.mails[-1].get_content())

    def link(self, page: str) -> str:
        """The path of the address in the latest mail that leads to a page."""
        address = next(word for word in self.last().split() if f"/{page}/" in word)
        return f"/{page}/" + address.partition(f"/{page}/")[2]


def _log_in(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
    right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def mail_server(**options: Any) -> Iterator[tuple[Mailbox, MailServer]]:
    """A running server, and the settings with which the platform reaches it."""
    box, port = Mailbox(), _free_port()
    controller = Controller(
        box,
        hostname="127.0.0.1",
        port=port,
        authenticator=_log_in,
        auth_require_tls=False,
        **options,
    )
    controller.start()
    try:
        yield box, MailServer("127.0.0.1", port, "none", "Gistmark <gistmark@uni.example>")
    finally:
        controller.stop()
