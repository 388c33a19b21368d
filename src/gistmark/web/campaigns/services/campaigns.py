"""A campaign as such: creating and finding it, its settings, its states, and its audit trail.

Whoever changes the state or the settings of a campaign holds its lock.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.protocols.settings import to_mapping
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Event, Membership
from gistmark.web.campaigns.services.corpora import store_corpus
from gistmark.web.campaigns.services.markets import demand_market
from gistmark.web.config.errors import ConflictError, NotAllowedError
from gistmark.web.interface.languages import checked_language

LONGEST_NAME = 200
LONGEST_LEASE = 60 * 24 * 90
LONGEST_RETENTION = 365 * 50
_SETTINGS = (
    "name",
    "lease_minutes",
    "registration_open",
    "completion_codes",
    "language",
    "retention_days",
)
_OF_STATE = ("state", "pilot_annotators", "started_at", "closed_at")
_STATES = Campaign.State
_NAMES: dict[str, str] = {_STATES.DRAFT: "a draft", _STATES.PILOT: "in its pilot"}
"""States as a sentence says them, where that is not their name."""


@transaction.atomic
def create_campaign(*, owner: User, name: str, protocol: Protocol, corpus: Corpus) -> Campaign:
    """Make a draft of a campaign; its owner manages it."""
    if not owner.may_manage:
        raise NotAllowedError(f"{owner.username!r} is an annotator and cannot own a campaign.")
    campaign = Campaign(owner=owner, name=checked_name(name), protocol=to_mapping(protocol))
    try:
        with transaction.atomic():
            campaign.save()
    except IntegrityError:
        raise name_is_taken(campaign.name) from None
    Membership.objects.create(
        campaign=campaign, user=owner, role=Membership.Role.MANAGER, has_managed=True
    )
    store_corpus(campaign, corpus)
    record(campaign, owner, "made", protocol=protocol.name, **corpus.counts())
    return campaign


def checked_name(name: str) -> str:
    """A campaign's name without blanks around it."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A campaign needs a name of 1 to {LONGEST_NAME} printable characters.")
    return name


def name_is_taken(name: str) -> UsageError:
    """The error for a name that another campaign has."""
    return UsageError(f"There is already a campaign named {name!r}; choose another name.")


def find_campaign(named: str) -> Campaign:
    """The campaign with this key or name."""
    campaign = Campaign.objects.select_related("owner").filter(Q(key=named) | Q(name=named)).first()
    if campaign is None:
        raise UsageError(
            f"There is no campaign with the key or name {named!r}; `gistmark campaign list` "
            "names all."
        )
    return campaign


@transaction.atomic
def change_settings(
    campaign: Campaign,
    by: User | None,
    *,
    name: str | None = None,
    lease_minutes: int | None = None,
    registration_open: bool | None = None,
    completion_codes: bool | None = None,
    language: str | None = None,
    retention_days: int | None = None,
) -> Campaign:
    """Change some settings; None leaves one as it is, and 0 days of retention are for good.

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
        if current.completion_codes:
            demand_market(current)
    if language is not None:
        current.language = checked_language(language)
    if retention_days is not None:
        current.retention_days = _checked_days(retention_days) or None
    try:
        with transaction.atomic():
            current.save(update_fields=_SETTINGS)
    except IntegrityError:
        raise name_is_taken(current.name) from None
    changed = {s: v for s, v in settings_of(current).items() if v != getattr(campaign, s)}
    for setting, value in changed.items():
        setattr(campaign, setting, value)
    if changed:
        record(campaign, by, "settings-changed", **changed)
    return campaign


def settings_of(campaign: Campaign) -> dict[str, Any]:
    """The settings that may change at any time, by name."""
    return {setting: getattr(campaign, setting) for setting in _SETTINGS}


def _demand_not_closed(campaign: Campaign) -> None:
    if campaign.state == Campaign.State.CLOSED:
        raise ConflictError(
            f"The campaign {campaign.name!r} is closed; whether it gives completion codes can no "
            "longer be changed."
        )


def _checked_days(days: int) -> int:
    if not 0 <= days <= LONGEST_RETENTION:
        raise UsageError(
            f"Retention is 1 to {LONGEST_RETENTION:,} days, or 0 for good, not {days}."
        )
    return days


def _checked_minutes(minutes: int) -> int:
    if not 1 <= minutes <= LONGEST_LEASE:
        raise UsageError(f"A lease lasts 1 to {LONGEST_LEASE:,} minutes (90 days), not {minutes}.")
    return minutes


@transaction.atomic
def pause(campaign: Campaign, by: User | None) -> Campaign:
    """Give out and take in nothing for a while; drafts can still be saved."""
    current = locked(campaign)
    demand_state(current, _STATES.RUNNING, "paused")
    return move(campaign, current, _STATES.PAUSED, "paused", by)


@transaction.atomic
def resume(campaign: Campaign, by: User | None) -> Campaign:
    """Go on after a pause."""
    current = locked(campaign)
    demand_state(current, _STATES.PAUSED, "resumed")
    return move(campaign, current, _STATES.RUNNING, "resumed", by)


@transaction.atomic
def close(campaign: Campaign, by: User | None) -> Campaign:
    """End the campaign for its annotators, for good; managers can still decide and export."""
    current = locked(campaign)
    if current.state not in (_STATES.RUNNING, _STATES.PAUSED):
        raise _wrong_state(current, "closed", "running or paused")
    current.closed_at = timezone.now()
    return move(campaign, current, _STATES.CLOSED, "closed", by)


def move(
    campaign: Campaign, current: Campaign, state: str, verb: str, by: User | None, **about: Any
) -> Campaign:
    """Store the new state and show it in the caller's campaign too."""
    current.state = state
    current.save(update_fields=_OF_STATE)
    for name in _OF_STATE:
        setattr(campaign, name, getattr(current, name))
    record(campaign, by, verb, **about)
    return campaign


def demand_state(campaign: Campaign, state: str, verb: str) -> None:
    """Refuse a step that only a campaign in this state can take, and none that is archived."""
    if campaign.archived_at is not None:
        raise ConflictError(
            f"The campaign {campaign.name!r} is archived and cannot be {verb}; restore it first."
        )
    if campaign.state != state:
        raise _wrong_state(campaign, verb, _NAMES.get(state, state))


def _wrong_state(campaign: Campaign, verb: str, wanted: str) -> ConflictError:
    now = _NAMES.get(campaign.state, campaign.state)
    return ConflictError(
        f"The campaign {campaign.name!r} is {now} and cannot be {verb}: only one that is "
        f"{wanted} can."
    )


def locked(campaign: Campaign) -> Campaign:
    """The campaign as it is now, locked until the transaction ends."""
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def locked_draft(campaign: Campaign) -> Campaign:
    """The same, for what may only be changed before the campaign starts."""
    current = locked(campaign)
    if current.in_pilot:
        raise ConflictError(
            f"The campaign {current.name!r} is in its pilot; this can be changed once the pilot "
            "has been thrown away."
        )
    if current.state != Campaign.State.DRAFT:
        raise ConflictError(
            f"The campaign {current.name!r} has started; this can no longer be changed."
        )
    return current


def record(campaign: Campaign, user: User | None, verb: str, /, **about: Any) -> Event:
    """Note who did what; None stands for the command line and for the platform itself."""
    return Event.objects.create(campaign=campaign, user=user, verb=verb, about=about)
