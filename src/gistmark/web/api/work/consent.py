"""Consent: what a campaign asks its people to agree to, and that they did."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema, Status

from gistmark.web.api.access import joined, person
from gistmark.web.api.schemas import Key, Name, responses
from gistmark.web.campaigns import services

router = Router()


class ConsentOut(Schema):
    """The text to agree to, which may be empty, its version, and whether you agreed to it."""

    text: str
    version: str
    given: bool


class ConsentIn(Schema):
    """The version of the text that was read; if it is no longer the current one, that is refused.

    Without a version it is the current one.
    """

    version: Name | None = None


@router.get("/{key}/consent", response=responses(ConsentOut), summary="Read the terms")
def get_consent(request: HttpRequest, key: Key) -> dict[str, Any]:
    """What the campaign asks you to agree to before your first task."""
    campaign = joined(request, key)
    return {
        "text": services.protocol_of(campaign).consent,
        "version": services.consent_version(campaign),
        "given": services.consented(campaign, person(request)),
    }


@router.post("/{key}/consent", response=responses(None, 204), summary="Accept the terms")
def give_consent(request: HttpRequest, key: Key, read: ConsentIn | None = None) -> Status[None]:
    """Say that you have read and accept what the campaign says about itself."""
    version = None if read is None else read.version
    services.give_consent(joined(request, key), person(request), version=version)
    return Status(204, None)
