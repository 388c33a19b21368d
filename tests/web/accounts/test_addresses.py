"""E-mail addresses of people: used once confirmed; and links for lost passwords."""

from __future__ import annotations

import pytest
from django.test import Client

from gistmark.web.accounts.models import MailAddress
from gistmark.web.accounts.sign_in.attempts import PAIR_LIMIT
from gistmark.web.config.server.logs import redacted
from gistmark.web.outbox.queue import deliver_due
from web.factories import PASSWORD

pytestmark = pytest.mark.django_db
FORGOTTEN = "/log-in/forgotten/"


def confirmed(user, mailbox, log_in) -> Client:
    client = log_in(user)
    client.post("/account/address/", {"address": "ada@uni.example"})
    deliver_due()
    client.post(mailbox.link("address"))
    return client


def test_an_address_is_used_once_its_link_was_followed_by_a_button(mailbox, annotator, log_in):
    client = log_in(annotator)
    client.post("/account/address/", {"address": " ada@uni.example "})
    deliver_due()
    path = mailbox.link("address")
    assert redacted(path) == "/address/…/"
    assert Client().get(path).status_code == 200
    assert MailAddress.objects.get().verified_at is None
    assert "not confirmed yet" in client.get("/account/").text
    assert Client().post(path).status_code == 302
    assert MailAddress.objects.get().verified_at is not None
    assert "The address is confirmed." in client.get("/account/").text
    assert Client().post(path).status_code == 404


def test_a_link_confirms_the_address_that_it_was_sent_to_and_no_later_one(
    mailbox, annotator, log_in
):
    client = log_in(annotator)
    client.post("/account/address/", {"address": "mine@uni.example"})
    deliver_due()
    earlier = mailbox.link("address")
    client.post("/account/address/", {"address": "victim@uni.example"})
    assert client.post(earlier).status_code == 404
    assert MailAddress.objects.get().verified_at is None


@pytest.mark.parametrize("address", ["", "ada", "ada@", "a@b.example\nBcc: c@d.example", "x" * 300])
def test_what_is_no_address_is_a_sentence(mailbox, annotator, log_in, address):
    page = log_in(annotator).post("/account/address/", {"address": address}, follow=True)
    assert "This is not an e-mail address" in page.text
    assert not MailAddress.objects.exists()


def test_strangers_cannot_be_flooded_with_links(mailbox, annotator, log_in):
    client = log_in(annotator)
    for number in range(PAIR_LIMIT + 2):
        client.post("/account/address/", {"address": f"a{number}@uni.example"})
    deliver_due()
    assert len(mailbox.mails) == PAIR_LIMIT


def test_choices_are_kept_and_the_address_can_go(mailbox, manager, log_in):
    client = confirmed(manager, mailbox, log_in)
    client.post("/account/address/mails/", {"digest": "weekly"})
    known = MailAddress.objects.get()
    assert (known.reminders, known.digest) == (False, "weekly")
    client.post("/account/address/remove/")
    assert not MailAddress.objects.exists()


def test_annotators_get_no_digest_whatever_they_send(mailbox, annotator, log_in):
    client = confirmed(annotator, mailbox, log_in)
    client.post("/account/address/mails/", {"digest": "daily", "reminders": "on"})
    assert MailAddress.objects.get().digest == "never"


def test_a_lost_password_is_set_by_a_link_in_a_mail(mailbox, annotator, log_in):
    confirmed(annotator, mailbox, log_in)
    Client().post(FORGOTTEN, {"name": annotator.username.upper()})
    deliver_due()
    sent = {"password": "another-river-stone-42", "again": "another-river-stone-42"}
    assert Client().post(mailbox.link("password"), sent).status_code == 302
    annotator.refresh_from_db()
    assert annotator.check_password("another-river-stone-42")


def test_the_page_says_the_same_whoever_is_asked_for(mailbox, annotator, manager, log_in):
    confirmed(annotator, mailbox, log_in)
    mailbox.mails.clear()
    pages = {
        Client().post(FORGOTTEN, {"name": name}).text
        for name in (annotator.username, manager.username, "nobody-at-all")
    }
    assert len(pages) == 1
    deliver_due()
    assert len(mailbox.mails) == 1


def test_an_address_that_is_not_confirmed_gets_no_link(mailbox, annotator, log_in):
    log_in(annotator).post("/account/address/", {"address": "victim@uni.example"})
    Client().post(FORGOTTEN, {"name": annotator.username})
    deliver_due()
    assert [mail["Subject"] for mail in mailbox.mails] == ["Confirm your e-mail address"]


def test_asking_for_links_is_limited(mailbox, annotator):
    answers = [
        Client().post(FORGOTTEN, {"name": annotator.username}).status_code
        for _ in range(PAIR_LIMIT + 1)
    ]
    assert answers == [200] * PAIR_LIMIT + [429]
    sent = {"name": annotator.username, "password": PASSWORD}
    assert Client().post("/log-in/", sent).status_code == 302


def test_without_a_mail_server_nothing_is_promised(annotator, log_in, settings):
    settings.MAIL = None
    assert "E-mail" not in log_in(annotator).get("/account/").text
    assert FORGOTTEN not in Client().get("/log-in/").text
    assert Client().get(FORGOTTEN).status_code == 404
    assert (
        log_in(annotator).post("/account/address/", {"address": "a@b.example"}).status_code == 404
    )
