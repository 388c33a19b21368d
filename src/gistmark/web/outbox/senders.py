"""Handing over what waits: plain text to the mail server by SMTP, signed requests to webhooks.

A request is signed so that the receiver can tell who sent it, and when. `Gistmark-Signature` is
`sha256=` and the hexadecimal HMAC-SHA256 of the timestamp in `Gistmark-Timestamp` (seconds of the
Unix clock), a full stop, and the body as it was sent, with the webhook's secret as the key. A
receiver compares it in constant time and refuses old timestamps.
"""

from __future__ import annotations

import hmac
import json
import smtplib
import ssl
import time
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Any

from django.conf import settings

from gistmark.web.config.environment import MailServer
from gistmark.web.config.outgoing import OutgoingError, PrivateAddressError
from gistmark.web.config.outgoing import send as send_request
from gistmark.web.outbox.models import GivenUpError, NotSentError

TIMEOUT = 20.0


def has_mail_server() -> bool:
    """Whether there is a mail server, so that a page may speak of e-mail."""
    return settings.MAIL is not None


def send_mail(number: int, content: Mapping[str, Any]) -> None:
    """Hand a mail over to the server, or raise an error that says whether to try again."""
    server: MailServer | None = settings.MAIL
    if server is None:
        raise NotSentError("No mail server is configured.")
    message = _message(server, number, content)
    try:
        with _connected(server) as connection:
            connection.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        code = next(iter(error.recipients.values()))[0]
        raise _refused(code) from None
    except smtplib.SMTPAuthenticationError:
        raise NotSentError(f"The mail server {server.host} refused the log-in.") from None
    except smtplib.SMTPResponseException as error:
        raise _refused(error.smtp_code) from None
    except ssl.SSLCertVerificationError:
        raise NotSentError(f"The certificate of {server.host} is not trusted.") from None
    except smtplib.SMTPNotSupportedError:
        raise NotSentError(
            f"The mail server {server.host} does not offer what the settings demand "
            "(encryption by STARTTLS, or a log-in)."
        ) from None
    except (OSError, smtplib.SMTPException, ValueError) as error:
        reason = type(error).__name__
        raise NotSentError(f"The mail server {server.host} does not answer ({reason}).") from None


def _refused(code: int) -> Exception:
    """The server's text may repeat the address, so the code has to do."""
    sentence = f"The mail server refused the mail with code {code}."
    return GivenUpError(sentence) if 500 <= code < 600 else NotSentError(sentence)


def _message(server: MailServer, number: int, content: Mapping[str, Any]) -> EmailMessage:
    message = EmailMessage()
    message["From"] = server.sender
    message["To"] = content["to"]
    message["Subject"] = content["subject"]
    message["Date"] = formatdate(localtime=False)
    domain = parseaddr(server.sender)[1].rpartition("@")[2]
    message["Message-ID"] = make_msgid(idstring=str(number), domain=domain)
    message["Auto-Submitted"] = "auto-generated"
    if content.get("unsubscribe"):
        message["List-Unsubscribe"] = f"<{content['unsubscribe']}>"
    message.set_content(content["text"])
    return message


def _connected(server: MailServer) -> smtplib.SMTP:
    """A connection to the server, encrypted and logged in as the settings say."""
    context = ssl.create_default_context()
    if server.tls == "tls":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=TIMEOUT, context=context
        )
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
    try:
        if server.tls == "starttls":
            connection.starttls(context=context)
        if server.user:
            connection.login(server.user, server.password)
    except BaseException:
        connection.close()
        raise
    return connection


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """What stands in `Gistmark-Signature`."""
    signed = f"{timestamp}.".encode() + body
    return f"sha256={hmac.new(secret.encode(), signed, 'sha256').hexdigest()}"


def send_webhook(number: int, content: Mapping[str, Any]) -> None:
    """Send a signed request; an answer of 200 to 299 means that it has arrived."""
    body = json.dumps(content["payload"], sort_keys=True).encode()
    now = int(time.time())
    headers = {
        "Content-Type": "application/json",
        "Gistmark-Event": content["payload"]["event"],
        "Gistmark-Delivery": str(number),
        "Gistmark-Timestamp": str(now),
        "Gistmark-Signature": signature(content["secret"], now, body),
    }
    try:
        answer = send_request(
            "POST",
            content["url"],
            body=body,
            headers=headers,
            public_only=not settings.PRIVATE_WEBHOOKS,
        )
    except PrivateAddressError as error:
        raise GivenUpError(str(error)) from None
    except OutgoingError as error:
        raise NotSentError(str(error)) from None
    if not 200 <= answer.status < 300:
        raise NotSentError(f"The server answered {answer.status}.")
