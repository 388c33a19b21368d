"""What the rules of crowd markets mean for a campaign (`gistmark.judgements.checks.markets`).

They bind a campaign whose annotators come from a market; others may set their checks as they like,
and are warned. A campaign that has started keeps its settings.
"""

from __future__ import annotations

from gistmark.errors import Problem
from gistmark.judgements.checks import markets
from gistmark.judgements.fields import ProtocolError
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.protocols.settings import protocol_from
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.errors import ConflictError


def demand_allowed(protocol: Protocol, campaign: Campaign) -> None:
    """Refuse checks that lead to what the market forbids, each with the rule."""
    faults = tuple(markets.market_faults(protocol.checks))
    if faults and campaign.recruits_on_market:
        raise ProtocolError(faults)


def demand_market(campaign: Campaign) -> None:
    """Refuse to recruit on a market under checks that lead to what markets forbid."""
    faults = [*markets.market_faults(protocol_from(campaign.protocol).checks)]
    if faults:
        sentences = " ".join(fault.message for fault in faults)
        raise ConflictError(
            f"The campaign {campaign.name!r} cannot recruit on a crowd market yet. {sentences}"
        )


def market_problems(protocol: Protocol, campaign: Campaign) -> tuple[Problem, ...]:
    """The same as what keeps a campaign from starting, for drafts that were set so before."""
    faults = tuple(markets.market_faults(protocol.checks))
    if not faults or not campaign.recruits_on_market:
        return ()
    return tuple(Problem(fault.message) for fault in faults)


def market_warnings(protocol: Protocol, campaign: Campaign) -> tuple[str, ...]:
    """What would be refused if the campaign's annotators came from a market."""
    names = [
        fault.field.removeprefix("checks.") for fault in markets.market_faults(protocol.checks)
    ]
    if not names or campaign.recruits_on_market:
        return ()
    return tuple(
        f"The check {name!r} rejects work, so this campaign cannot recruit on a crowd market: "
        f"{markets.RULE}."
        for name in names
    )


def failures_needed(campaign: Campaign) -> int:
    """How many attention checks a task must fail to be rejected for them.

    The longest of its studies decides; where people come with completion codes alone, nobody knows
    how long the market said that it takes.
    """
    studies = list(campaign.recruitments.values_list("settings", flat=True))
    if not studies and not campaign.completion_codes:
        return 1
    minutes = [each.get("minutes") for each in studies]
    known = bool(minutes) and None not in minutes and not campaign.completion_codes
    return markets.failures_needed(max(minutes) if known else None)
