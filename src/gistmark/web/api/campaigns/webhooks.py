"""The webhooks of a campaign: addresses that get a message when work arrives or it ends."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Key, responses
from gistmark.web.notices.models import Webhook
from gistmark.web.notices.webhooks import (
    LONGEST_URL,
    deliveries_of,
    find_webhook,
    make_webhook,
    remove_webhook,
    try_webhook,
)
from gistmark.web.outbox.models import Delivery

router = Router()
Number = Annotated[int, Field(ge=1, le=2**63 - 1)]


class WebhookOut(Schema):
    """An address, and the events that are sent to it."""

    id: int
    url: str
    on_work: bool
    on_end: bool


class NewWebhookIn(Schema):
    """An address of a public server, and the events to send to it."""

    url: Annotated[str, Field(min_length=1, max_length=LONGEST_URL)]
    on_work: bool = True
    on_end: bool = True


class NewWebhookOut(WebhookOut):
    """The webhook with the secret that signs its messages, which is shown only now."""

    secret: str


class DeliveryOut(Schema):
    """A message, and what became of it: waiting, sent or failed."""

    id: int
    event: str
    state: str
    tries: int
    created_at: datetime
    error: str


@router.get("/{key}/webhooks", response=responses(list[WebhookOut]), summary="List webhooks")
def list_webhooks(request: HttpRequest, key: Key) -> list[Webhook]:
    """The webhooks of a campaign."""
    return list(managed(request, key).webhooks.all())


@router.post("/{key}/webhooks", response=responses(NewWebhookOut, 201), summary="Make a webhook")
def add_webhook(request: HttpRequest, key: Key, new: NewWebhookIn) -> Status[dict[str, Any]]:
    """Send events to an address from now on; earlier ones are not sent."""
    made = make_webhook(
        managed(request, key),
        new.url,
        by=person(request),
        on_work=new.on_work,
        on_end=new.on_end,
    )
    webhook = WebhookOut.from_orm(made.webhook)
    return Status(201, {**webhook.dict(), "secret": made.secret})


@router.delete("/{key}/webhooks/{id}", response=responses(None, 204), summary="Remove a webhook")
def delete_webhook(request: HttpRequest, key: Key, id: Number) -> Status[None]:
    """Send nothing more to an address; messages that wait are dropped."""
    remove_webhook(managed(request, key), id, by=person(request))
    return Status(204, None)


@router.post(
    "/{key}/webhooks/{id}/test", response=responses(DeliveryOut, 202), summary="Test a webhook"
)
def send_test(request: HttpRequest, key: Key, id: Number) -> Status[dict[str, Any]]:
    """Send a message that says that it is a test."""
    return Status(202, _described(try_webhook(managed(request, key), id)))


@router.get(
    "/{key}/webhooks/{id}/deliveries",
    response=responses(list[DeliveryOut]),
    summary="List the messages to a webhook",
)
def list_deliveries(request: HttpRequest, key: Key, id: Number) -> list[dict[str, Any]]:
    """The latest messages to an address, the newest first."""
    return [_described(each) for each in deliveries_of(find_webhook(managed(request, key), id))]


def _described(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.pk,
        "event": delivery.title,
        "state": delivery.state,
        "tries": delivery.tries,
        "created_at": delivery.created_at,
        "error": delivery.error,
    }
