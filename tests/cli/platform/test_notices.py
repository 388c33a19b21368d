"""`gistmark notices`, `campaign remind`, `users reset-second-factor` and `encryption`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result
from django.utils import timezone

from gistmark.cli.platform.check import encryption
from gistmark.cli.platform.notices import notices, remind
from gistmark.cli.platform.users import users
from gistmark.errors import UsageError
from gistmark.web.accounts.models import AuditEntry, MailAddress
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.outbox.queue import enqueue
from web.accounts.factors import switch_on
from web.factories import make_campaign, make_user
from web.outbox.mailbox import mail_server

pytestmark = pytest.mark.django_db
BASE = "https://rate.example.org"


def call(command, *arguments: object) -> Result:
    return CliRunner().invoke(command, [str(each) for each in arguments], catch_exceptions=False)


@pytest.fixture
def mailbox(settings):
    with mail_server() as (box, settings.MAIL):
        yield box


def test_what_waits_is_delivered(mailbox):
    enqueue("mail", "test", {"to": "ada@uni.example", "subject": "x", "text": "y"})
    done = call(notices, "deliver", "--json")
    assert json.loads(done.stdout) == {"sent": 1, "failed": 0, "waiting": 0}
    assert call(notices, "deliver").stdout == "Sent: 0. Given up: 0. Tried again later: 0.\n"


def test_a_mail_tries_the_settings_out(mailbox, settings):
    assert "has accepted the mail" in call(notices, "test-mail", "ada@uni.example").stdout
    assert len(mailbox.mails) == 1
    settings.MAIL = None
    with pytest.raises(UsageError, match="GISTMARK_SMTP_HOST"):
        call(notices, "test-mail", "ada@uni.example")


def test_reminders_and_digests_are_sent_at_once(mailbox):
    annotator, owner = make_user(), make_user("manager")
    campaign = make_campaign(annotators=(annotator,), owner=owner)
    give_consent(campaign, annotator)
    next_task(campaign, annotator)
    for user in (annotator, owner):
        MailAddress.objects.create(
            user=user, address=f"{user.role}@uni.example", verified_at=timezone.now(),
            digest="daily",
        )  # fmt: skip
    assert call(remind, campaign.key, "--address", BASE).stdout == "Reminders: 1.\n"
    assert call(notices, "digest", "--address", BASE).stdout == "Digests: 1.\n"
    assert [str(mail["To"]) for mail in mailbox.mails] == [
        "annotator@uni.example",
        "manager@uni.example",
    ]


def test_a_second_factor_is_reset():
    user = make_user("manager")
    switch_on(user)
    assert "is reset" in call(users, "reset-second-factor", user.username).stdout
    assert AuditEntry.objects.get(verb="second-factor-reset").by == ""
    with pytest.raises(UsageError, match="no second factor"):
        call(users, "reset-second-factor", user.username)


def test_keys_are_printed_and_secrets_encrypted_anew(settings):
    switch_on(make_user("manager"))
    key = call(encryption, "new-key").stdout.strip()
    settings.ENCRYPTION_KEYS = [key, *settings.ENCRYPTION_KEYS]
    assert "with the first key: 1." in call(encryption, "rotate").stdout
