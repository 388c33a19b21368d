"""Keeping the list of campaigns tidy: copying one, deleting a draft, archiving and restoring."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone

from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Planted, Question
from gistmark.web.campaigns.services.campaigns import (
    create_campaign,
    locked,
    locked_draft,
    record,
    settings_of,
)
from gistmark.web.campaigns.services.corpora import material_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError

_NOT_COPIED = ("name", "registration_open")
_AT_ONCE = 500


@transaction.atomic
def copy_draft(campaign: Campaign, name: str, by: User) -> Campaign:
    """A draft with the settings, the protocol, the corpus and the checks of a campaign.

    Neither people nor work come along, and nobody can register until a manager allows it.
    """
    protocol, corpus = protocol_of(campaign), material_of(campaign)
    if protocol.kind == "units":
        corpus = replace(corpus, units=())  # they were merged from what annotators wrote
    copy = create_campaign(owner=by, name=name, protocol=protocol, corpus=corpus)
    for setting, value in settings_of(campaign).items():
        if setting not in _NOT_COPIED:
            setattr(copy, setting, value)
    copy.adaptive = campaign.adaptive
    copy.save()
    _copy_checks(campaign, copy)
    record(copy, by, "copied", source=campaign.name)
    return copy


@transaction.atomic
def delete_draft(campaign: Campaign) -> None:
    """Delete a campaign that has not started, with its corpus and its checks."""
    current = locked_draft(campaign)
    try:
        current.delete()
    except ProtectedError:
        raise ConflictError(
            f"The campaign {current.name!r} has work of annotators, which is kept; archive it "
            "instead."
        ) from None


@transaction.atomic
def archive(campaign: Campaign, by: User | None) -> Campaign:
    """Hide a campaign from the lists; it stays as it is, and can be exported and restored."""
    current = locked(campaign)
    if current.state == Campaign.State.RUNNING:
        raise ConflictError(
            f"The campaign {current.name!r} is running; pause or close it before you archive it."
        )
    if current.in_pilot:
        raise ConflictError(
            f"The campaign {current.name!r} is in its pilot; end that before you archive it."
        )
    if current.archived_at is None:
        current.archived_at = timezone.now()
        current.save(update_fields=["archived_at"])
        record(current, by, "archived")
    campaign.archived_at = current.archived_at
    return campaign


@transaction.atomic
def restore(campaign: Campaign, by: User | None) -> Campaign:
    """Show a campaign in the lists again."""
    current = locked(campaign)
    if current.archived_at is not None:
        current.archived_at = None
        current.save(update_fields=["archived_at"])
        record(current, by, "restored")
    campaign.archived_at = None
    return campaign


def _copy_checks(campaign: Campaign, copy: Campaign) -> None:
    """Statements and planted summaries, those that wait for approval too."""
    documents = dict(copy.documents.values_list("name", "pk"))
    questions = list(campaign.questions.select_related("document").order_by("pk"))
    planted = list(campaign.planted.select_related("document").order_by("pk"))
    every: list[Question | Planted] = [*questions, *planted]
    for check in every:
        check.pk, check.campaign = None, copy
        check.document_id = None if check.document is None else documents[check.document.name]
    Question.objects.bulk_create(questions, batch_size=_AT_ONCE)
    Planted.objects.bulk_create(planted, batch_size=_AT_ONCE)
