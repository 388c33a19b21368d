"""Mails on the wire: their headers, TLS as it is set, and the log-in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.errors import UsageError
from gistmark.web.config.environment import MailServer, mail_server_from_environment
from gistmark.web.outbox.models import NotSentError
from gistmark.web.outbox.senders import send_mail
from web.outbox.mailbox import PASSWORD, USER, certificate, mail_server

CONTENT = {"to": "ada@uni.example", "subject": "Grüße “x”", "text": "Ärger\n\nlink"}


def test_a_mail_has_what_mail_programs_expect(mailbox):
    send_mail(7, {**CONTENT, "unsubscribe": "https://rate.example.org/reminders/x/"})
    (mail,) = mailbox.mails
    assert mail["Subject"] == "Grüße “x”"
    assert mail["From"] == "Gistmark <gistmark@uni.example>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Unsubscribe"] == "<https://rate.example.org/reminders/x/>"
    assert mail["Message-ID"].endswith("@uni.example>")
    assert mail.get_content().replace("\r\n", "\n") == "Ärger\n\nlink\n"


def test_the_platform_logs_in_where_it_has_a_name(mailbox, settings):
    settings.MAIL = replace(settings.MAIL, user=USER, password=PASSWORD)
    send_mail(1, CONTENT)
    assert len(mailbox.mails) == 1
    settings.MAIL = replace(settings.MAIL, password="wrong")
    with pytest.raises(NotSentError, match="refused the log-in"):
        send_mail(2, CONTENT)


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_what_should_be_encrypted_is_never_sent_in_the_clear(mailbox, settings, tls):
    settings.MAIL = replace(settings.MAIL, tls=tls)
    with pytest.raises(NotSentError):
        send_mail(1, CONTENT)
    assert mailbox.mails == []


@pytest.mark.parametrize("tls", ["starttls", "tls"])
def test_a_mail_is_encrypted_on_its_way_to_a_server_that_is_trusted(
    settings, tmp_path, monkeypatch, tls
):
    context, trusted = certificate(tmp_path)
    options = {"tls_context": context} if tls == "starttls" else {"ssl_context": context}
    with mail_server(require_starttls=tls == "starttls", **options) as (box, server):
        settings.MAIL = replace(server, tls=tls, user=USER, password=PASSWORD)
        with pytest.raises(NotSentError, match=r"certificate of 127\.0\.0\.1 is not trusted"):
            send_mail(1, CONTENT)
        assert box.mails == []
        monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
        send_mail(1, CONTENT)
    assert len(box.mails) == 1


def test_a_server_without_starttls_is_named_for_it(mailbox, settings):
    settings.MAIL = replace(settings.MAIL, tls="starttls")
    with pytest.raises(NotSentError, match="does not offer what the settings demand"):
        send_mail(1, CONTENT)


def test_without_a_server_nothing_is_sent(settings):
    settings.MAIL = None
    with pytest.raises(NotSentError, match="No mail server"):
        send_mail(1, CONTENT)


def test_the_server_comes_from_the_environment(monkeypatch, tmp_path):
    assert mail_server_from_environment() is None
    monkeypatch.setenv("GISTMARK_SMTP_HOST", "mail.uni.example")
    with pytest.raises(UsageError, match="GISTMARK_MAIL_FROM"):
        mail_server_from_environment()
    monkeypatch.setenv("GISTMARK_MAIL_FROM", "gistmark@uni.example")
    (tmp_path / "password").write_text("hidden\n")
    monkeypatch.setenv("GISTMARK_SMTP_PASSWORD_FILE", str(tmp_path / "password"))
    server = mail_server_from_environment()
    assert server == MailServer(
        "mail.uni.example", 587, "starttls", "gistmark@uni.example", "", "hidden"
    )
    assert "hidden" not in repr(server)
    monkeypatch.setenv("GISTMARK_SMTP_TLS", "tls")
    assert mail_server_from_environment().port == 465
    for name, value in (("GISTMARK_SMTP_TLS", "ssl"), ("GISTMARK_SMTP_PORT", "0")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            with pytest.raises(UsageError, match=name):
                mail_server_from_environment()
