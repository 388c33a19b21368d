"""Which documents of a draft are judged, where not all are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction

from gistmark.errors import UsageError
from gistmark.records import Sampled
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import locked_draft, record
from gistmark.web.campaigns.services.corpora import material_of, store_sample
from gistmark.web.campaigns.services.protocols import practised_documents
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
    _store(campaign, current, chosen)
    record(campaign, by, "sampled", documents=len(chosen), of=len(names), method=request.by)
    return chosen


@transaction.atomic
def drop_sample(campaign: Campaign, by: User | None) -> None:
    """Let all documents of a draft be judged again."""
    current = locked_draft(campaign)
    _demand_own_sample(current)
    if current.sampling is not None:
        _store(campaign, current, ())
        record(campaign, by, "sample-dropped")


def _demand_own_sample(campaign: Campaign) -> None:
    """Refuse to change a sample that came with the corpus: its documents are all that there are."""
    if campaign.sampling is not None and campaign.sampling["given"]:
        raise ConflictError(
            "The corpus is a sample already, whose probabilities came with it; choose from the "
            "whole corpus instead."
        )


def _store(campaign: Campaign, current: Campaign, chosen: tuple[Sampled, ...]) -> None:
    store_sample(current, chosen)
    campaign.sampling = current.sampling
