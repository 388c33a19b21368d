"""Reminders, invitations and digests as mails that arrive at a real server."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import Link, MailAddress, User
from gistmark.web.annotate.services.claims import next_task
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.notices.mails import (
    MOST_INVITED,
    invite_by_mail,
    remind,
    send_digests,
    waiting_in,
)
from gistmark.web.notices.models import Reminder
from gistmark.web.outbox.models import Delivery
from gistmark.web.outbox.queue import deliver_due
from web.factories import PASSWORD, make_campaign, make_user
from web.results.working import work_on

pytestmark = pytest.mark.django_db
BASE = "https://rate.example.org"


def with_address(user: User, **changes: object) -> User:
    known = {"address": f"{user.username}@uni.example", "verified_at": timezone.now(), **changes}
    MailAddress.objects.create(user=user, **known)
    return user


def at_work(campaign, user: User) -> User:
    """Somebody who takes part and holds a task."""
    campaign.memberships.get_or_create(user=user)
    give_consent(campaign, user)
    next_task(campaign, user)
    return user


def recipients(mailbox) -> list[str]:
    deliver_due()
    return sorted(str(mail["To"]) for mail in mailbox.mails)


def test_those_are_reminded_who_hold_a_task_and_may_be(mailbox, annotator):
    campaign = make_campaign(judges=10)
    at_work(campaign, with_address(annotator))
    at_work(campaign, make_user())
    at_work(campaign, with_address(make_user(), verified_at=None))
    at_work(campaign, with_address(make_user(), reminders=False))
    closed = at_work(campaign, with_address(make_user()))
    User.objects.filter(pk=closed.pk).update(is_active=False)
    idle = with_address(make_user())
    campaign.memberships.create(user=idle)
    waiting = waiting_in(campaign)
    assert (waiting.with_work, waiting.to_remind) == (4, 1)
    assert remind(campaign, by=None, base=BASE) == 1
    assert recipients(mailbox) == [f"{annotator.username}@uni.example"]
    assert f"you have tasks in “{campaign.name}” that you have not submitted" in mailbox.last()
    assert f"{BASE}/work/" in mailbox.last()


def test_nobody_is_reminded_twice_within_some_days(mailbox, annotator, settings):
    campaign = make_campaign()
    at_work(campaign, with_address(annotator))
    assert [remind(campaign, by=None, base=BASE) for _ in range(2)] == [1, 0]
    Reminder.objects.update(
        sent_at=timezone.now() - timedelta(days=settings.REMINDER_DAYS, hours=1)
    )
    assert remind(campaign, by=None, base=BASE) == 1
    assert campaign.events.filter(verb="reminded").count() == 2


def test_the_link_in_a_reminder_ends_them_by_a_button(mailbox, annotator, admin):
    campaign = make_campaign()
    at_work(campaign, with_address(annotator))
    remind(campaign, by=None, base=BASE)
    deliver_due()
    path = mailbox.link("reminders")
    assert mailbox.mails[0]["List-Unsubscribe"] == f"<{BASE}{path}>"
    assert Client().get(path).status_code == 200
    assert MailAddress.objects.get().reminders
    assert Client(enforce_csrf_checks=True).post(path).status_code == 200
    assert not MailAddress.objects.get().reminders
    assert Client().post(path[:-4] + "xyz/").status_code == 404


def test_reminders_speak_the_language_of_the_campaign(mailbox, annotator):
    campaign = make_campaign()
    type(campaign).objects.update(language="de")
    campaign.refresh_from_db()
    at_work(campaign, with_address(annotator))
    remind(campaign, by=None, base=BASE)
    deliver_due()
    assert mailbox.last().startswith("Guten Tag")


def test_only_running_campaigns_with_a_mail_server_remind(mailbox, settings):
    with pytest.raises(UsageError, match="running"):
        remind(make_campaign(running=False), by=None)
    settings.MAIL = None
    with pytest.raises(UsageError, match="GISTMARK_SMTP_HOST"):
        remind(make_campaign(), by=None)


def test_each_address_gets_a_link_of_its_own(mailbox, admin):
    campaign = make_campaign(name="Bridges\nand rivers")
    text = "ada@uni.example, grace@uni.example\nADA@uni.example"
    assert invite_by_mail(campaign, text, by=campaign.owner, days=5, base=BASE) == 2
    assert recipients(mailbox) == ["ADA@uni.example", "grace@uni.example"]
    assert mailbox.mails[0]["Subject"] == "An invitation to “Bridges and rivers”"
    client = Client()
    sent = {"name": "grace", "password": PASSWORD, "again": PASSWORD}
    assert client.post(mailbox.link("join"), sent).status_code == 302
    assert User.objects.get(username="grace").memberships.get().campaign == campaign
    assert Client().get(mailbox.link("join")).status_code == 404
    assert "uni.example" not in str(list(Delivery.objects.values()))


def test_one_wrong_address_and_nobody_is_invited(mailbox):
    campaign = make_campaign()
    many = " ".join(f"a{number}@uni.example" for number in range(MOST_INVITED + 1))
    for text in ("ada@uni.example nobody", "", many):
        with pytest.raises(UsageError, match=r"addresses"):
            invite_by_mail(campaign, text, by=campaign.owner, base=BASE)
    close(campaign, campaign.owner)
    with pytest.raises(UsageError, match="closed"):
        invite_by_mail(campaign, "ada@uni.example", by=campaign.owner, base=BASE)
    assert not Link.objects.exists()
    assert recipients(mailbox) == []


def test_a_digest_comes_when_it_is_due_with_numbers_and_no_names(mailbox, annotator):
    owner = with_address(make_user("manager"), digest="daily")
    with_address(make_user("manager"), digest="never")
    campaign = make_campaign(owner=owner, annotators=(annotator,))
    make_campaign(name="of somebody else")
    give_consent(campaign, annotator)
    work_on(campaign, annotator)
    assert [send_digests(base=BASE) for _ in range(2)] == [1, 0]
    assert recipients(mailbox) == [f"{owner.username}@uni.example"]
    text = mailbox.last()
    assert "submissions that arrived: 1" in text
    assert f"{BASE}/campaigns/{campaign.key}/" in text
    assert "of somebody else" not in text
    assert annotator.username not in text
    MailAddress.objects.update(digested_at=timezone.now() - timedelta(hours=23))
    assert send_digests(base=BASE) == 1


def test_a_weekly_digest_is_weekly_and_nothing_running_is_no_mail(mailbox):
    owner = with_address(make_user("manager"), digest="weekly")
    assert send_digests(base=BASE) == 0
    make_campaign(owner=owner)
    MailAddress.objects.update(digested_at=timezone.now() - timedelta(days=3))
    assert send_digests(base=BASE) == 0
    MailAddress.objects.update(digested_at=timezone.now() - timedelta(days=7))
    assert send_digests(base=BASE) == 1


def test_a_former_manager_gets_no_digest(mailbox):
    owner = with_address(make_user("manager"), digest="daily")
    make_campaign(owner=owner)
    User.objects.filter(pk=owner.pk).update(role="annotator")
    assert send_digests(base=BASE) == 0
