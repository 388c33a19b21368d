"""What the tests of the manager's pages share."""

from __future__ import annotations

from io import BytesIO

from django.urls import reverse

from gistmark.web.campaigns.models import Campaign


def url(name: str, campaign: Campaign, *arguments: object) -> str:
    """The address of a page of a campaign."""
    return reverse(name, args=[campaign.key, *arguments])


def upload(name: str, data: bytes) -> BytesIO:
    """A file as a browser sends it."""
    file = BytesIO(data)
    file.name = name
    return file
