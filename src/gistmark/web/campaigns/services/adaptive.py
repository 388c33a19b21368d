"""Whether and how a campaign chooses its tasks adaptively, which is settled before it starts."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from django.db import transaction

from gistmark.errors import Problem, UsageError
from gistmark.judgements import protocol_from
from gistmark.judgements.adaptive import Rule, rule_for
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import locked, locked_draft, record
from gistmark.web.config.errors import ConflictError


@dataclass(frozen=True, slots=True)
class AdaptiveSettings:
    """What a manager settles: `gistmark.judgements.adaptive.Rule` says what it means.

    With `stops` the campaign gives out no more tasks once every pair of systems is decided. An
    empty dimension is the protocol's first.
    """

    dimension: str = ""
    level: float = 0.05
    margin: float = 0.0
    floor: float = 0.1
    stops: bool = True


def adaptive_settings(campaign: Campaign) -> AdaptiveSettings | None:
    """The settings of an adaptive campaign; None for any other."""
    return None if campaign.adaptive is None else AdaptiveSettings(**campaign.adaptive)


def rule_of(campaign: Campaign) -> Rule:
    """The rule of an adaptive campaign; a `UsageError` where its protocol does not suit."""
    settings = adaptive_settings(campaign)
    assert settings is not None, "only an adaptive campaign has a rule"
    return _rule(campaign, settings)


def not_adaptive(campaign: Campaign) -> tuple[Problem, ...]:
    """Why an adaptive campaign cannot be run so; nothing where it can, or where it is none."""
    if campaign.adaptive is None:
        return ()
    try:
        rule_of(campaign)
    except UsageError as error:
        return (Problem(str(error)),)
    return ()


@transaction.atomic
def make_adaptive(
    campaign: Campaign, settings: AdaptiveSettings | None, by: User | None
) -> Campaign:
    """Let a draft choose its tasks adaptively, or no longer with None."""
    current = locked_draft(campaign)
    if settings is not None:
        _rule(current, settings)
    _store(campaign, current, settings)
    record(campaign, by, "adaptive-on" if settings else "adaptive-off", **(current.adaptive or {}))
    return campaign


@transaction.atomic
def let_stop(campaign: Campaign, stops: bool, by: User | None) -> Campaign:
    """Let an adaptive campaign stop by itself, or not; that can be changed while it runs."""
    current = locked(campaign)
    settings = adaptive_settings(current)
    if settings is None:
        raise ConflictError(f"The campaign {current.name!r} is not adaptive.")
    _store(campaign, current, replace(settings, stops=stops))
    record(campaign, by, "adaptive-stopping", stops=stops)
    return campaign


def _rule(campaign: Campaign, settings: AdaptiveSettings) -> Rule:
    return rule_for(
        protocol_from(campaign.protocol),
        dimension=settings.dimension,
        level=settings.level,
        margin=settings.margin,
        floor=settings.floor,
    )


def _store(campaign: Campaign, current: Campaign, settings: AdaptiveSettings | None) -> None:
    campaign.adaptive = current.adaptive = None if settings is None else asdict(settings)
    current.save(update_fields=["adaptive"])
