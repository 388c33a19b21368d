"""The audit trail of a campaign."""

from __future__ import annotations

from typing import Any

from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Event


def record(campaign: Campaign, user: User | None, verb: str, /, **about: Any) -> Event:
    """Note who did what; None stands for the command line and for the platform itself."""
    return Event.objects.create(campaign=campaign, user=user, verb=verb, about=about)
