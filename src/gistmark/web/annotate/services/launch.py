"""Starting a campaign, or a draft of what a plan says: slots are stored, work can be claimed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from django.db import transaction
from django.utils import timezone

from gistmark.corpus import load, sample_folder
from gistmark.errors import UsageError
from gistmark.judgements.protocols import get_protocol
from gistmark.judgements.tasks.items import Item, Items
from gistmark.judgements.tasks.slots import Slot
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, BatchItem, ItemSummary, Task
from gistmark.web.annotate.services.adaptive import arms_for
from gistmark.web.campaigns.models import Campaign, Summary
from gistmark.web.campaigns.services.archive import copy_draft
from gistmark.web.campaigns.services.campaigns import (
    LONGEST_NAME,
    create_campaign,
    demand_state,
    locked,
    move,
    record,
)
from gistmark.web.campaigns.services.fewer import choose_sample, drop_sample
from gistmark.web.campaigns.services.protocols import change_protocol, outlook, readiness
from gistmark.web.config.errors import NotReadyError
from gistmark.web.config.storage.transactions import retried
from gistmark.web.qualification.services.plans import copy_practice

SAMPLE = "Sample campaign"
SAMPLE_PROTOCOL = "likert"
_AT_ONCE = 1000
_VERSION = re.compile(r"(.+), version (\d{1,6})")


@retried
def start(campaign: Campaign, by: User | None) -> Campaign:
    """Make all slots and give out work; what the manager has not approved is not used."""
    current = locked(campaign)
    demand_state(current, Campaign.State.DRAFT, "started")
    plan = outlook(current)
    if plan.problems:
        raise NotReadyError(plan.problems)
    store_slots(current, plan.slots, plan.selection)
    current.started_at = timezone.now()
    return move(campaign, current, Campaign.State.RUNNING, "started", by, slots=len(plan.slots))


@retried
def copy_campaign(campaign: Campaign, name: str, by: User) -> Campaign:
    """A draft like a campaign, with its practice: everything but its people and their work."""
    copy = copy_draft(campaign, name, by)
    copy_practice(campaign, copy, by)
    return copy


@retried
def new_version(campaign: Campaign, by: User, name: str = "") -> Campaign:
    """A draft like a campaign, as its next version, whose name has a number unless one is given."""
    copy = copy_campaign(campaign, name or version_name(campaign), by)
    copy.previous = campaign
    copy.save(update_fields=["previous"])
    record(copy, by, "version-made", previous=campaign.key)
    record(campaign, by, "new-version", key=copy.key, name=copy.name)
    return copy


def version_name(campaign: Campaign) -> str:
    """A name for the next version of a campaign that no other has."""
    match = _VERSION.fullmatch(campaign.name)
    stem, number = (match[1], int(match[2])) if match else (campaign.name, 1)
    taken = set(Campaign.objects.filter(name__startswith=stem[:100]).values_list("name", flat=True))
    for each in range(number + 1, number + 2 + len(taken)):
        ending = f", version {each}"
        name = f"{stem[: LONGEST_NAME - len(ending)]}{ending}"
        if name not in taken:
            return name
    raise AssertionError("there are more names than campaigns")


def load_sample(owner: User) -> Campaign:
    """Make a campaign of the bundled sample, and start it where nothing is in the way."""
    with transaction.atomic():
        campaign = create_campaign(
            owner=owner,
            name=SAMPLE,
            protocol=get_protocol(SAMPLE_PROTOCOL),
            corpus=load(sample_folder()),
        )
        if not readiness(campaign):
            start(campaign, owner)
    return campaign


def store_slots(campaign: Campaign, slots: Iterable[Slot], items: Items) -> None:
    """Store slots, whole batches of them, with their items."""
    groups = [(number, list(each)) for number, each in groupby(slots, key=lambda s: s.batch)]
    known = items.by_id()
    arms = arms_for(campaign, ([known[id] for id in members[0].items] for _, members in groups))
    batches = Batch.objects.bulk_create(
        (
            Batch(campaign=campaign, number=number, open=len(members), arm=arm)
            for (number, members), arm in zip(groups, arms, strict=True)
        ),
        batch_size=_AT_ONCE,
    )
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
