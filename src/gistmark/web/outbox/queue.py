"""The queue: what is put in is sent after the transaction, tried again, and given up in the end.

A request never waits for another server. A delivery is claimed before it is tried, and comes back
by itself if whoever claimed it dies; so something may be sent twice, but nothing is lost.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from threading import Event
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from gistmark.errors import GistmarkError
from gistmark.web.config.storage.encryption import decrypt, encrypt
from gistmark.web.config.storage.transactions import shared_lock
from gistmark.web.outbox.models import Delivery, GivenUpError
from gistmark.web.outbox.senders import send_mail, send_webhook

PAUSES = tuple(timedelta(minutes=each) for each in (1, 5, 30, 120, 360, 720, 1440))
"""How long it rests after each try that failed; after the last it is given up."""
KEPT = timedelta(days=30)
_CLAIM = timedelta(minutes=5)
_ERROR_LENGTH = 300
_LOG = logging.getLogger(__name__)
SENDERS: Mapping[str, Callable[[int, Mapping[str, Any]], None]] = {
    Delivery.Kind.MAIL: send_mail,
    Delivery.Kind.WEBHOOK: send_webhook,
}
woken = Event()
"""Set when something was put in, so that the thread that delivers need not wait."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of the deliveries that were due."""

    sent: int
    failed: int
    waiting: int


def enqueue(
    kind: str,
    title: str,
    content: Mapping[str, Any],
    *,
    about: str = "",
    person: int | None = None,
) -> Delivery:
    """Put something in; it is sent once the transaction is committed."""
    delivery = Delivery.objects.create(
        kind=kind,
        title=title,
        about=about,
        person_id=person,
        content=encrypt(json.dumps(content)),
        due_at=timezone.now(),
    )
    transaction.on_commit(woken.set)
    return delivery


def deliver_due(most: int = 500, *, wait: bool = True) -> Delivered:
    """Send what is due, one process at a time; without `wait`, nothing if another one does so."""
    with shared_lock("outbox", wait=wait) as ours:
        outcomes = [_deliver(each) for each in _claimed(most)] if ours else []
    return Delivered(
        outcomes.count(Delivery.State.SENT),
        outcomes.count(Delivery.State.FAILED),
        outcomes.count(Delivery.State.WAITING),
    )


def forget_old() -> None:
    """Drop what ended long ago."""
    Delivery.objects.filter(ended_at__lt=timezone.now() - KEPT).delete()


def _claimed(most: int) -> list[Delivery]:
    """What is due, hidden from others for the time that sending takes."""
    with transaction.atomic():
        due = Delivery.objects.filter(state=Delivery.State.WAITING, due_at__lte=timezone.now())
        if connection.vendor == "postgresql":
            due = due.select_for_update(skip_locked=True)
        claimed = list(due.order_by("due_at", "id")[:most])
        numbers = [each.pk for each in claimed]
        Delivery.objects.filter(pk__in=numbers).update(due_at=timezone.now() + _CLAIM)
    return claimed


def _deliver(delivery: Delivery) -> str:
    """Try once; whatever goes wrong is noted and never raised."""
    delivery.tries += 1
    try:
        SENDERS[delivery.kind](delivery.pk, json.loads(decrypt(delivery.content)))
    except GivenUpError as error:
        return _end(delivery, Delivery.State.FAILED, str(error))
    except Exception as error:
        if not isinstance(error, GistmarkError):
            _LOG.exception("Delivery %s failed.", delivery.pk)
        if delivery.tries > len(PAUSES) or not isinstance(error, GistmarkError):
            return _end(delivery, Delivery.State.FAILED, str(error))
        delivery.due_at = timezone.now() + PAUSES[delivery.tries - 1]
        delivery.error = str(error)[:_ERROR_LENGTH]
        delivery.save(update_fields=["tries", "due_at", "error"])
        return Delivery.State.WAITING
    return _end(delivery, Delivery.State.SENT, "")


def _end(delivery: Delivery, state: Delivery.State, error: str) -> str:
    delivery.state, delivery.error, delivery.content = state, error[:_ERROR_LENGTH], ""
    delivery.ended_at = timezone.now()
    delivery.save(update_fields=["state", "tries", "error", "content", "ended_at"])
    return state
