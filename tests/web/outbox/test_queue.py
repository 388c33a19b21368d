"""The outbox: sent after the commit, tried again, given up, and forgotten."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from gistmark.web.config.storage.folder import new_encryption_key
from gistmark.web.outbox import queue
from gistmark.web.outbox.models import Delivery
from gistmark.web.outbox.queue import PAUSES, Delivered, deliver_due, enqueue, forget_old

pytestmark = pytest.mark.django_db
CONTENT = {"to": "ada@uni.example", "subject": "Hello", "text": "A secret link"}


def put_in(**changes: str) -> Delivery:
    return enqueue("mail", "test", {**CONTENT, **changes})


def make_due() -> None:
    Delivery.objects.filter(state="waiting").update(due_at=timezone.now())


def test_a_mail_arrives_once_and_is_forgotten(mailbox):
    put_in()
    stored = Delivery.objects.get()
    assert "ada" not in stored.content
    assert deliver_due() == Delivered(1, 0, 0)
    assert deliver_due() == Delivered(0, 0, 0)
    assert [str(mail["To"]) for mail in mailbox.mails] == ["ada@uni.example"]
    stored.refresh_from_db()
    assert (stored.state, stored.content, stored.tries) == ("sent", "", 1)


def test_what_is_rolled_back_is_not_sent(mailbox, django_capture_on_commit_callbacks):
    queue.woken.clear()
    with django_capture_on_commit_callbacks(execute=True):
        put_in()
        assert not queue.woken.is_set()
    assert queue.woken.is_set()


def test_a_server_that_is_away_is_tried_again_and_later_given_up(mailbox, settings):
    known = settings.MAIL
    settings.MAIL = replace(known, port=9)
    delivery = put_in()
    for tries, pause in enumerate(PAUSES, 1):
        assert deliver_due() == Delivered(0, 0, 1)
        delivery.refresh_from_db()
        assert delivery.tries == tries
        assert "does not answer" in delivery.error
        rest = delivery.due_at - timezone.now()
        assert pause - timedelta(minutes=1) < rest <= pause
        make_due()
    assert deliver_due() == Delivered(0, 1, 0)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.content) == ("failed", "")


def test_a_server_that_comes_back_gets_the_mail(mailbox, settings):
    known = settings.MAIL
    settings.MAIL = replace(known, port=9)
    put_in()
    deliver_due()
    settings.MAIL = known
    make_due()
    assert deliver_due().sent == 1
    assert len(mailbox.mails) == 1


@pytest.mark.parametrize(
    ("refusal", "state"), [("550 ada@uni.example unknown", "failed"), ("451 Later", "waiting")]
)
def test_a_bounce_ends_it_and_a_pause_does_not(mailbox, refusal, state):
    mailbox.refusal = refusal
    put_in()
    deliver_due()
    delivery = Delivery.objects.get()
    assert delivery.state == state
    assert delivery.error == f"The mail server refused the mail with code {refusal[:3]}."


def test_one_that_fails_does_not_hold_up_the_others(mailbox):
    put_in(to="not an address\r\nBcc: x@y.example")
    put_in()
    assert deliver_due() == Delivered(1, 1, 0)
    assert len(mailbox.mails) == 1


def test_what_was_claimed_comes_back_if_its_process_dies(mailbox):
    put_in()
    queue._claimed(10)
    assert deliver_due() == Delivered(0, 0, 0)
    Delivery.objects.update(due_at=timezone.now())
    assert deliver_due().sent == 1


def test_without_the_key_nothing_is_sent_and_it_waits(mailbox, settings):
    put_in()
    before = settings.ENCRYPTION_KEYS
    settings.ENCRYPTION_KEYS = [new_encryption_key()]
    assert deliver_due() == Delivered(0, 0, 1)
    settings.ENCRYPTION_KEYS = before
    make_due()
    assert deliver_due().sent == 1


def test_old_ones_are_dropped_and_those_that_wait_are_not(mailbox):
    put_in()
    deliver_due()
    put_in()
    Delivery.objects.update(created_at=timezone.now() - timedelta(days=400))
    Delivery.objects.filter(state="sent").update(ended_at=timezone.now() - timedelta(days=31))
    forget_old()
    assert Delivery.objects.get().state == "waiting"
