"""The settings of a campaign that do not touch the work itself, so they may always change."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.locking import locked
from gistmark.web.campaigns.services.making import checked_name, name_is_taken

LONGEST_LEASE = 60 * 24 * 90
_SETTINGS = ("name", "lease_minutes", "registration_open")


@transaction.atomic
def change_settings(
    campaign: Campaign,
    by: User | None,
    *,
    name: str | None = None,
    lease_minutes: int | None = None,
    registration_open: bool | None = None,
) -> Campaign:
    """Change some settings; None leaves one as it is."""
    current = locked(campaign)
    if name is not None:
        current.name = checked_name(name)
    if lease_minutes is not None:
        current.lease_minutes = _checked_minutes(lease_minutes)
    if registration_open is not None:
        current.registration_open = registration_open
    try:
        with transaction.atomic():
            current.save(update_fields=_SETTINGS)
    except IntegrityError:
        raise name_is_taken(current.name) from None
    values = {setting: getattr(current, setting) for setting in _SETTINGS}
    changed = {s: value for s, value in values.items() if value != getattr(campaign, s)}
    for setting, value in changed.items():
        setattr(campaign, setting, value)
    if changed:
        record(campaign, by, "settings-changed", **changed)
    return campaign


def _checked_minutes(minutes: int) -> int:
    if not 1 <= minutes <= LONGEST_LEASE:
        raise UsageError(f"A lease lasts 1 to {LONGEST_LEASE:,} minutes (90 days), not {minutes}.")
    return minutes
