"""Webhooks against a real server: signed, told once, tried again, never to private networks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.campaigns.services.campaigns import close
from gistmark.web.campaigns.services.consents import give_consent
from gistmark.web.config.errors import NotFoundError
from gistmark.web.notices.models import Webhook
from gistmark.web.notices.webhooks import (
    MOST,
    announce,
    deliveries_of,
    make_webhook,
    remove_webhook,
    try_webhook,
)
from gistmark.web.outbox.models import Delivery
from gistmark.web.outbox.queue import deliver_due
from gistmark.web.outbox.worker import deliver_all
from web.factories import make_campaign, make_user
from web.notices.receiver import Receiver, is_signed, receiving
from web.results.working import work_on

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def running() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def receiver(running: Receiver, settings) -> Receiver:
    settings.PRIVATE_WEBHOOKS = True
    running.requests.clear()
    running.status = 204
    return running


@pytest.fixture
def campaign(annotator):
    campaign = make_campaign(annotators=(annotator,))
    give_consent(campaign, annotator)
    return campaign


def test_work_and_the_end_are_told_once_with_a_signature(receiver, campaign, annotator):
    made = make_webhook(campaign, receiver.url, by=campaign.owner)
    assert deliver_all().sent == 0
    work_on(campaign, annotator)
    assert deliver_all().sent == 1
    assert deliver_all().sent == 0
    close(campaign, campaign.owner)
    assert deliver_all().sent == 1
    assert deliver_all().sent == 0
    events = [(each["event"], each["campaign"], each["submissions"]) for each in receiver.messages]
    assert events == [("work-arrived", campaign.key, 1), ("campaign-ended", campaign.key, 1)]
    assert receiver.messages[0]["new"] == 1
    for headers, body in receiver.requests:
        assert is_signed(made.secret, headers, body)
        assert not is_signed("another-secret", headers, body)
        assert not is_signed(made.secret, headers, body + b" ")
    assert len({headers["Gistmark-Delivery"] for headers, _ in receiver.requests}) == 2


def test_no_message_names_a_person_or_a_text(receiver, campaign, annotator):
    make_webhook(campaign, receiver.url, by=campaign.owner)
    work_on(campaign, annotator)
    deliver_all()
    (message,) = receiver.messages
    assert set(message) == {
        "event", "campaign", "state", "at", "submissions", "new", "done", "wanted",
    }  # fmt: skip
    assert annotator.username not in str(message)


def test_work_within_a_minute_is_told_together(receiver, campaign, annotator):
    make_webhook(campaign, receiver.url, by=campaign.owner)
    colleague = make_user()
    for user in (annotator, colleague):
        campaign.memberships.get_or_create(user=user)
        give_consent(campaign, user)
    work_on(campaign, annotator)
    assert announce() == 1
    work_on(campaign, colleague)
    assert announce() == 0
    Webhook.objects.update(told_at=timezone.now() - timedelta(minutes=2))
    assert announce() == 1
    deliver_due()
    assert [each["new"] for each in receiver.messages] == [1, 1]


def test_what_happened_before_is_not_told(receiver, campaign, annotator):
    work_on(campaign, annotator)
    close(campaign, campaign.owner)
    make_webhook(campaign, receiver.url, by=campaign.owner)
    assert announce() == 0


def test_each_is_told_what_it_wants(receiver, campaign, annotator):
    make_webhook(campaign, receiver.url, by=campaign.owner, on_work=False)
    work_on(campaign, annotator)
    close(campaign, campaign.owner)
    deliver_all()
    assert [each["event"] for each in receiver.messages] == ["campaign-ended"]


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_does_not_arrive_is_tried_again(receiver, campaign, status):
    receiver.status = status
    made = make_webhook(campaign, receiver.url, by=campaign.owner)
    try_webhook(campaign, made.webhook.pk)
    assert deliver_due().waiting == 1
    assert len(receiver.requests) == 1
    (delivery,) = deliveries_of(made.webhook)
    assert (delivery.title, delivery.tries) == ("test", 1)
    assert delivery.error == f"The server answered {status}."
    receiver.status = 200
    Delivery.objects.update(due_at=timezone.now())
    assert deliver_due().sent == 1


def test_the_secret_is_in_no_column_and_no_message(receiver, campaign):
    made = make_webhook(campaign, receiver.url, by=campaign.owner)
    try_webhook(campaign, made.webhook.pk)
    stored = str(list(Webhook.objects.values())) + str(list(Delivery.objects.values()))
    deliver_due()
    assert made.secret not in stored
    assert made.secret not in str(receiver.requests)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("https://127.0.0.1/", "private network"),
        ("https://localhost/", "private network"),
        ("https://169.254.169.254/latest/meta-data", "private network"),
        ("https://[::1]/", "private network"),
        ("https://[::ffff:10.0.0.1]/", "private network"),
        ("http://example.org/", "begins with https://"),
        ("file:///etc/passwd", "begins with https://"),
        ("https://user:secret@127.0.0.1/", "user name or a password"),
        ("https://nowhere.invalid/", "cannot be found"),
        ("https://" + "x" * 600, "at most 500 characters"),
    ],
)
def test_addresses_that_are_refused(campaign, url, sentence):
    with pytest.raises(UsageError, match=sentence):
        make_webhook(campaign, url, by=campaign.owner)
    assert not Webhook.objects.exists()


def test_an_address_that_became_private_is_given_up(receiver, campaign, settings):
    made = make_webhook(campaign, receiver.url, by=campaign.owner)
    try_webhook(campaign, made.webhook.pk)
    settings.PRIVATE_WEBHOOKS = False
    assert deliver_due().failed == 1
    assert receiver.requests == []


def test_a_campaign_has_a_few_webhooks_that_differ(receiver, campaign):
    make_webhook(campaign, receiver.url, by=campaign.owner)
    with pytest.raises(UsageError, match="already"):
        make_webhook(campaign, receiver.url, by=campaign.owner)
    with pytest.raises(UsageError, match="at least one"):
        make_webhook(campaign, receiver.url + "x", by=None, on_work=False, on_end=False)
    for number in range(MOST - 1):
        make_webhook(campaign, f"{receiver.url}{number}", by=campaign.owner)
    with pytest.raises(UsageError, match=f"at most {MOST}"):
        make_webhook(campaign, f"{receiver.url}more", by=campaign.owner)


def test_one_that_is_removed_is_told_nothing_more(receiver, campaign):
    made = make_webhook(campaign, receiver.url, by=campaign.owner)
    try_webhook(campaign, made.webhook.pk)
    with pytest.raises(NotFoundError):
        remove_webhook(make_campaign(running=False), made.webhook.pk, by=None)
    remove_webhook(campaign, made.webhook.pk, by=campaign.owner)
    assert deliver_due().sent == 0
    verbs = set(campaign.events.values_list("verb", flat=True))
    assert {"webhook-made", "webhook-removed"} <= verbs
