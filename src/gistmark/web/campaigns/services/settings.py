"""The settings of a campaign that do not touch the work itself, so they may change later."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.errors import ConflictError
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.locking import locked
from gistmark.web.campaigns.services.making import checked_name, name_is_taken

LONGEST_LEASE = 60 * 24 * 90
_SETTINGS = ("name", "lease_minutes", "registration_open", "completion_codes")


@transaction.atomic
def change_settings(
    campaign: Campaign,
    by: User | None,
    *,
    name: str | None = None,
    lease_minutes: int | None = None,
    registration_open: bool | None = None,
    completion_codes: bool | None = None,
) -> Campaign:
    """Change some settings; None leaves one as it is.

    Completion codes stay as they are once the campaign is closed: people have been paid by them.
    """
    current = locked(campaign)
    if name is not None:
        current.name = checked_name(name)
    if lease_minutes is not None:
        current.lease_minutes = _checked_minutes(lease_minutes)
    if registration_open is not None:
        current.registration_open = registration_open
    if completion_codes not in (None, current.completion_codes):
        _demand_not_closed(current)
        current.completion_codes = bool(completion_codes)
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


def _demand_not_closed(campaign: Campaign) -> None:
    if campaign.state == Campaign.State.CLOSED:
        raise ConflictError(
            f"The campaign {campaign.name!r} is closed; whether it gives completion codes can no "
            "longer be changed."
        )


def _checked_minutes(minutes: int) -> int:
    if not 1 <= minutes <= LONGEST_LEASE:
        raise UsageError(f"A lease lasts 1 to {LONGEST_LEASE:,} minutes (90 days), not {minutes}.")
    return minutes
