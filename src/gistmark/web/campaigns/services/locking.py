"""The lock of a campaign: whoever changes its state or its settings holds it."""

from __future__ import annotations

from gistmark.web.campaigns.errors import ConflictError
from gistmark.web.campaigns.models import Campaign


def locked(campaign: Campaign) -> Campaign:
    """The campaign as it is now, locked until the transaction ends."""
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def locked_draft(campaign: Campaign) -> Campaign:
    """The same, for what may only be changed before the campaign starts."""
    current = locked(campaign)
    if current.state != Campaign.State.DRAFT:
        raise ConflictError(
            f"The campaign {current.name!r} has started; this can no longer be changed."
        )
    return current
