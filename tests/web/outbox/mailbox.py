"""A mail server on this machine that speaks SMTP, and keeps what it gets."""

from __future__ import annotations

import email
import email.policy
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from gistmark.web.config.environment import MailServer

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


def certificate(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """The context of a server with a certificate of its own for 127.0.0.1, and what trusts it."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    names = x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret, public = folder / "key.pem", folder / "certificate.pem"
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(made.public_bytes(Encoding.PEM))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(public, secret)
    return context, public


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
