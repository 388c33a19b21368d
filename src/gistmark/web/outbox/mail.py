"""E-mail: put in the outbox as plain text, and handed over to the mail server by SMTP."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from typing import Any

from django.conf import settings

from gistmark.web.config.environment import MailServer
from gistmark.web.outbox.models import GivenUpError, NotSentError

TIMEOUT = 20.0


def is_configured() -> bool:
    """Whether there is a mail server, so that a page may speak of e-mail."""
    return settings.MAIL is not None


def send(number: int, content: Mapping[str, Any]) -> None:
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
