"""The life of a campaign: draft, running, paused, closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from django.db import transaction
from django.utils import timezone

from gistmark.judgements import Item, Items, Slot
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, BatchItem, ItemSummary, Task
from gistmark.web.campaigns.errors import ConflictError, NotReadyError
from gistmark.web.campaigns.models import Campaign, Summary
from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.locking import locked
from gistmark.web.campaigns.services.readiness import outlook

_STATES = Campaign.State
_AT_ONCE = 1000


@transaction.atomic
def start(campaign: Campaign, by: User | None) -> Campaign:
    """Make all slots and give out work; what the manager has not approved is not used."""
    current = locked(campaign)
    _demand(current, _STATES.DRAFT, "started")
    seen = outlook(current)
    if seen.problems:
        raise NotReadyError(seen.problems)
    _store_slots(current, seen.slots, seen.found)
    current.started_at = timezone.now()
    return _move(campaign, current, _STATES.RUNNING, "started", by, slots=len(seen.slots))


@transaction.atomic
def pause(campaign: Campaign, by: User | None) -> Campaign:
    """Give out and take in nothing for a while; drafts can still be saved."""
    current = locked(campaign)
    _demand(current, _STATES.RUNNING, "paused")
    return _move(campaign, current, _STATES.PAUSED, "paused", by)


@transaction.atomic
def resume(campaign: Campaign, by: User | None) -> Campaign:
    """Go on after a pause."""
    current = locked(campaign)
    _demand(current, _STATES.PAUSED, "resumed")
    return _move(campaign, current, _STATES.RUNNING, "resumed", by)


@transaction.atomic
def close(campaign: Campaign, by: User | None) -> Campaign:
    """End the campaign for its annotators, for good; managers can still decide and export."""
    current = locked(campaign)
    if current.state not in (_STATES.RUNNING, _STATES.PAUSED):
        raise _wrong_state(current, "closed", "running or paused")
    current.closed_at = timezone.now()
    return _move(campaign, current, _STATES.CLOSED, "closed", by)


def _store_slots(campaign: Campaign, slots: Iterable[Slot], items: Items) -> None:
    groups = [(number, list(each)) for number, each in groupby(slots, key=lambda s: s.batch)]
    batches = Batch.objects.bulk_create(
        (Batch(campaign=campaign, number=number, open=len(members)) for number, members in groups),
        batch_size=_AT_ONCE,
    )
    known = items.by_id()
    _store_items(
        campaign,
        {
            batch: [known[id] for id in members[0].items]
            for batch, (_, members) in zip(batches, groups, strict=True)
        },
    )
    Task.objects.bulk_create(
        (
            Task(campaign=campaign, batch=batch, slot=slot.id)
            for batch, (_, members) in zip(batches, groups, strict=True)
            for slot in members
        ),
        batch_size=_AT_ONCE,
    )


def _store_items(campaign: Campaign, batches: Mapping[Batch, Sequence[Item]]) -> None:
    documents = dict(campaign.documents.values_list("name", "pk"))
    summaries = {
        (document, system): pk
        for pk, document, system in Summary.objects.filter(document__campaign=campaign).values_list(
            "pk", "document__name", "system"
        )
    }
    pairs = [
        (batch, position, item)
        for batch, items in batches.items()
        for position, item in enumerate(items)
    ]
    rows = BatchItem.objects.bulk_create(
        (
            BatchItem(batch=batch, position=position, document_id=documents[item.document])
            for batch, position, item in pairs
        ),
        batch_size=_AT_ONCE,
    )
    ItemSummary.objects.bulk_create(
        (
            ItemSummary(item=row, position=position, summary_id=summaries[item.document, system])
            for row, (_, _, item) in zip(rows, pairs, strict=True)
            for position, system in enumerate(item.systems)
        ),
        batch_size=_AT_ONCE,
    )


def _move(
    campaign: Campaign, current: Campaign, state: str, verb: str, by: User | None, **about: int
) -> Campaign:
    """Store the new state and show it in the caller's campaign too."""
    current.state = state
    current.save(update_fields=["state", "started_at", "closed_at"])
    for name in ("state", "started_at", "closed_at"):
        setattr(campaign, name, getattr(current, name))
    record(campaign, by, verb, **about)
    return campaign


def _demand(campaign: Campaign, state: str, verb: str) -> None:
    if campaign.state != state:
        raise _wrong_state(campaign, verb, "a draft" if state == _STATES.DRAFT else state)


def _wrong_state(campaign: Campaign, verb: str, wanted: str) -> ConflictError:
    now = "a draft" if campaign.state == _STATES.DRAFT else campaign.state
    return ConflictError(
        f"The campaign {campaign.name!r} is {now} and cannot be {verb}: only one that is "
        f"{wanted} can."
    )
