"""Webhooks: other servers are told when work arrives and when a campaign ends.

What is to be told is found by comparing what a webhook was told last with what is there now, beside
the requests; so submitting work waits for nothing, and nothing is forgotten by a crash. A message
holds numbers and the campaign's key, and nothing about a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User, generate_secret
from gistmark.web.annotate.models import Submission
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.config.errors import NotFoundError
from gistmark.web.config.outgoing import OutgoingError, checked_url
from gistmark.web.config.storage.encryption import DecryptionError, decrypt, encrypt
from gistmark.web.notices.models import Webhook
from gistmark.web.outbox.models import Delivery
from gistmark.web.outbox.queue import enqueue
from gistmark.web.results.dashboard.progress import progress_of

MOST = 5
PAUSE = timedelta(minutes=1)
"""Work that arrives within so long is told together."""
LISTED = 20
LONGEST_URL = 500
WORK, END, TEST = "work-arrived", "campaign-ended", "test"


@dataclass(frozen=True, slots=True)
class NewWebhook:
    """A webhook and its secret, which nobody can read again."""

    webhook: Webhook
    secret: str


def make_webhook(
    campaign: Campaign, url: str, *, by: User | None, on_work: bool = True, on_end: bool = True
) -> NewWebhook:
    """Send events to an address from now on; earlier ones are not sent."""
    url = _checked(url.strip())
    if not (on_work or on_end):
        raise UsageError("Choose at least one of the events.")
    if campaign.webhooks.count() >= MOST:
        raise UsageError(f"A campaign has at most {MOST} webhooks; remove one first.")
    secret = generate_secret()
    webhook = Webhook(
        campaign=campaign, url=url, secret=encrypt(secret), on_work=on_work, on_end=on_end,
        created_by=by, submissions=_submissions(campaign), closed_at=campaign.closed_at,
    )  # fmt: skip
    try:
        with transaction.atomic():
            webhook.save()
            record(campaign, by, "webhook-made", webhook=webhook.pk)
    except IntegrityError:
        raise UsageError("The campaign has a webhook with this address already.") from None
    return NewWebhook(webhook, secret)


def find_webhook(campaign: Campaign, pk: int) -> Webhook:
    """A webhook of this campaign."""
    webhook = campaign.webhooks.filter(pk=pk).first()
    if webhook is None:
        raise NotFoundError("There is no such webhook.")
    return webhook


def remove_webhook(campaign: Campaign, pk: int, *, by: User | None) -> None:
    """Send nothing more to an address; messages that wait are dropped."""
    webhook = find_webhook(campaign, pk)
    with transaction.atomic():
        Delivery.objects.filter(about=webhook.about).delete()
        record(campaign, by, "webhook-removed", webhook=webhook.pk)
        webhook.delete()


def try_webhook(campaign: Campaign, pk: int) -> Delivery:
    """Send a message that says that it is a test."""
    return _tell(find_webhook(campaign, pk), TEST)


def deliveries_of(webhook: Webhook) -> list[Delivery]:
    """The latest messages to an address, with what became of them."""
    return list(Delivery.objects.filter(about=webhook.about)[:LISTED])


def announce() -> int:
    """Put in what has come up for any webhook; tells how many messages there are."""
    rows = Webhook.objects.values_list("pk", "closed_at", "campaign__closed_at")
    return sum(_announce(pk) for pk, told, ended in rows if ended is None or told != ended)


@transaction.atomic
def _announce(pk: int) -> int:
    """The messages for one webhook, which is locked meanwhile."""
    webhook = Webhook.objects.select_for_update().filter(pk=pk).first()
    if webhook is None:
        return 0
    campaign, count = webhook.campaign, 0
    present = _submissions(campaign)
    rested = webhook.told_at is None or webhook.told_at <= timezone.now() - PAUSE
    has_ended = campaign.closed_at is not None and campaign.closed_at != webhook.closed_at
    if webhook.on_work and present > webhook.submissions and (rested or has_ended):
        _tell(webhook, WORK, new=present - webhook.submissions)
        webhook.submissions, webhook.told_at, count = present, timezone.now(), 1
    elif present < webhook.submissions:
        webhook.submissions = present
    if webhook.on_end and has_ended:
        _tell(webhook, END)
        count += 1
    webhook.closed_at = campaign.closed_at
    webhook.save(update_fields=["submissions", "told_at", "closed_at"])
    return count


def _tell(webhook: Webhook, event: str, **more: int) -> Delivery:
    campaign = webhook.campaign
    progress = progress_of([campaign])[campaign.pk]
    payload: dict[str, Any] = {
        "event": event,
        "campaign": campaign.key,
        "state": campaign.state,
        "at": timezone.now().isoformat(timespec="seconds"),
        "submissions": _submissions(campaign),
        "done": progress.done,
        "wanted": progress.wanted,
        **more,
    }
    try:
        secret = decrypt(webhook.secret)
    except DecryptionError as error:
        raise UsageError(f"{error} Remove the webhook and add it again.") from None
    content = {"url": webhook.url, "secret": secret, "payload": payload}
    return enqueue(Delivery.Kind.WEBHOOK, event, content, about=webhook.about)


def _checked(url: str) -> str:
    if len(url) > LONGEST_URL:
        raise UsageError(f"An address has at most {LONGEST_URL} characters.")
    private = bool(settings.PRIVATE_WEBHOOKS)
    if not private and url[:8].lower() != "https://":
        raise UsageError("The address of a webhook begins with https://.")
    try:
        return checked_url(url, public_only=not private)
    except OutgoingError as error:
        raise UsageError(str(error)) from None


def _submissions(campaign: Campaign) -> int:
    """How many tasks people have submitted; a later edit of one is the same work."""
    current = Submission.objects.filter(task__campaign=campaign, current=True)
    return current.filter(task__machine=False).count()
