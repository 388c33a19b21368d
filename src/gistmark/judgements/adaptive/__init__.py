"""Campaigns that choose their tasks where these tell most, and stop when they know enough."""

from gistmark.judgements.adaptive.allocation import Choice, Merits, choose, merits_of
from gistmark.judgements.adaptive.evidence import (
    Decision,
    Evidence,
    Gap,
    Outlook,
    Replayed,
    gaps_of,
    outlook_of,
    replay,
)
from gistmark.judgements.adaptive.rule import Rule, pairs_of, promise, rule_for
from gistmark.judgements.adaptive.sequential import Bets, holds, interval

__all__ = [
    "Bets",
    "Choice",
    "Decision",
    "Evidence",
    "Gap",
    "Merits",
    "Outlook",
    "Replayed",
    "Rule",
    "choose",
    "gaps_of",
    "holds",
    "interval",
    "merits_of",
    "outlook_of",
    "pairs_of",
    "promise",
    "replay",
    "rule_for",
]
