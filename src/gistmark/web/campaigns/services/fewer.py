"""Fewer judgements: which documents of a draft are judged, and tasks that are chosen adaptively.

Both are settled before a campaign starts.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction

from gistmark.errors import Problem, UsageError
from gistmark.judgements.adaptive import Rule, rule_for
from gistmark.judgements.protocols.settings import protocol_from
from gistmark.records import Sampled
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import locked, locked_draft, record
from gistmark.web.campaigns.services.corpora import material_of, practised_documents, store_sample
from gistmark.web.config.errors import ConflictError

if TYPE_CHECKING:
    from gistmark.analysis.sampling import Request
    from gistmark.scoring import Scores


@transaction.atomic
def choose_sample(
    campaign: Campaign, request: Request, by: User | None, scores: Scores | None = None
) -> tuple[Sampled, ...]:
    """Choose the documents that a draft's tasks are about; those for practice are none of them.

    A sample that was drawn here before is replaced; one that came with the corpus stays.
    """
    from gistmark.analysis.sampling import sample

    current = locked_draft(campaign)
    _demand_own_sample(current)
    practised = set(practised_documents(current))
    corpus = replace(material_of(current), sampling=())
    names = [name for name in corpus.document_ids if name not in practised]
    if not names:
        raise UsageError("There is no document to choose from.")
    chosen = sample(corpus.only(names), request, scores)
    _store_chosen(campaign, current, chosen)
    record(campaign, by, "sampled", documents=len(chosen), of=len(names), method=request.by)
    return chosen


@transaction.atomic
def drop_sample(campaign: Campaign, by: User | None) -> None:
    """Let all documents of a draft be judged again."""
    current = locked_draft(campaign)
    _demand_own_sample(current)
    if current.sampling is not None:
        _store_chosen(campaign, current, ())
        record(campaign, by, "sample-dropped")


def _demand_own_sample(campaign: Campaign) -> None:
    """Refuse to change a sample that came with the corpus: its documents are all that there are."""
    if campaign.sampling is not None and campaign.sampling["given"]:
        raise ConflictError(
            "The corpus is a sample already, whose probabilities came with it; choose from the "
            "whole corpus instead."
        )


def _store_chosen(campaign: Campaign, current: Campaign, chosen: tuple[Sampled, ...]) -> None:
    store_sample(current, chosen)
    campaign.sampling = current.sampling


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
    """Why an adaptive campaign cannot run; nothing where it can, or is not adaptive."""
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
    _store_settings(campaign, current, settings)
    record(campaign, by, "adaptive-on" if settings else "adaptive-off", **(current.adaptive or {}))
    return campaign


@transaction.atomic
def let_stop(campaign: Campaign, stops: bool, by: User | None) -> Campaign:
    """Let an adaptive campaign stop by itself, or not; that can be changed while it runs."""
    current = locked(campaign)
    settings = adaptive_settings(current)
    if settings is None:
        raise ConflictError(f"The campaign {current.name!r} is not adaptive.")
    _store_settings(campaign, current, replace(settings, stops=stops))
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


def _store_settings(
    campaign: Campaign, current: Campaign, settings: AdaptiveSettings | None
) -> None:
    campaign.adaptive = current.adaptive = None if settings is None else asdict(settings)
    current.save(update_fields=["adaptive"])
