"""The numbers of a plan put into a draft: how many documents are judged, and by how many."""

from __future__ import annotations

from django.db import transaction

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.annotate.services.launch import copy_campaign
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.protocols import change_protocol
from gistmark.web.campaigns.services.sampling import choose_sample, drop_sample


def documents_to_plan(campaign: Campaign) -> int:
    """How many documents of a campaign's corpus could be judged."""
    return campaign.documents.filter(for_practice=False, summaries__isnull=False).distinct().count()


@transaction.atomic
def use_plan(
    campaign: Campaign, documents: int, annotators: int, by: User, name: str = ""
) -> Campaign:
    """Let so many annotators judge so many documents, drawn at random: of this draft, or of a copy.

    A campaign that has started stays as it is; its copy has the name that is given.
    """
    from gistmark.analysis.sampling import Request

    available = documents_to_plan(campaign)
    if not 1 <= documents <= available:
        raise UsageError(f"The corpus has {available} documents to judge, not {documents}.")
    if annotators < 1:
        raise UsageError("A plan needs at least one annotator.")
    draft = campaign
    if campaign.state != Campaign.State.DRAFT:
        draft = copy_campaign(campaign, name or f"{campaign.name[:180]} (planned)", by)
    change_protocol(draft, {"judges": annotators}, by)
    if documents < available:
        choose_sample(draft, Request(documents, "random", seed=draft.seed), by)
    elif draft.sampling is not None and not draft.sampling["given"]:
        drop_sample(draft, by)
    return draft
