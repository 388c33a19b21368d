"""What an adaptive campaign has decided, as its dashboard and the API show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gistmark.judgements.adaptive import Outlook, Rule, outlook_of, promise
from gistmark.web.annotate.models import AdaptiveState
from gistmark.web.annotate.services.adaptive import chooses_adaptively, evidence_in
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.fewer import adaptive_settings

SHOWN = 100
"""So many pairs a dashboard lists."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """How far an adaptive campaign is; `pairs` are the study's records, undecided ones first.

    They are there once the statistics are; `hidden` counts those that are not listed.
    """

    rule: Rule
    outlook: Outlook
    through: bool
    known: bool
    stops: bool
    stopped_at: datetime | None
    pairs: Sequence[dict[str, Any]]
    hidden: int

    @property
    def promise(self) -> str:
        """How surely no decision is false, and what that assumes."""
        return promise(self.rule.level, through=self.through)


def decisions_of(campaign: Campaign, sequential: Sequence[dict[str, Any]] = ()) -> Decisions | None:
    """What is decided; None where the campaign is not adaptive, or its tasks are not chosen so."""
    settings = adaptive_settings(campaign)
    if settings is None or not chooses_adaptively(campaign):
        return None
    state = AdaptiveState.objects.filter(campaign=campaign).first()
    if state is None:
        return None
    evidence = evidence_in(campaign, state)
    ordered = sorted(sequential, key=lambda pair: bool(pair["decided"]))
    return Decisions(
        evidence.rule,
        outlook_of(evidence),
        any(decision.through for decision in evidence.decisions.values()),
        evidence.known,
        settings.stops,
        state.stopped_at,
        ordered[:SHOWN],
        max(0, len(ordered) - SHOWN),
    )
