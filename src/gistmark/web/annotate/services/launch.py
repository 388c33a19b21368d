"""Starting a campaign, or a draft of what a plan says: slots are stored, work can be claimed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from gistmark.corpus import load, sample_folder
from gistmark.errors import UsageError
from gistmark.judgements.protocols import get_protocol
from gistmark.judgements.tasks.batches import PlannedBatch
from gistmark.judgements.tasks.items import Item
from gistmark.judgements.tasks.layout import Layout, layout_of
from gistmark.judgements.tasks.slots import slots_of
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
from gistmark.web.campaigns.services.protocols import (
    annotators_of,
    change_protocol,
    outlook,
    protocol_of,
    readiness,
)
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
    store_batches(current, plan.batches)
    current.started_at = timezone.now()
    return move(campaign, current, Campaign.State.RUNNING, "started", by, slots=plan.tasks)


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


def store_batches(campaign: Campaign, planned: Sequence[PlannedBatch], *, after: int = 0) -> None:
    """Store batches with their items and open slots; the first `after` ones are there already."""
    items = [list(batch.items) for batch in planned[after:]]
    arms = arms_for(campaign, items)
    batches = Batch.objects.bulk_create(
        (
            Batch(
                campaign=campaign,
                number=number,
                open=batch.judges,
                judges=batch.judges,
                dimension=batch.dimension,
                group=batch.group,
                arm=arm,
            )
            for number, (batch, arm) in enumerate(
                zip(planned[after:], arms, strict=True), start=after + 1
            )
        ),
        batch_size=_AT_ONCE,
    )
    _store_items(campaign, dict(zip(batches, items, strict=True)))
    slots = slots_of(planned)
    known = {batch.number: batch for batch in batches}
    Task.objects.bulk_create(
        (
            Task(campaign=campaign, batch=known[slot.batch], slot=slot.id, group=slot.group)
            for slot in slots
            if slot.batch in known
        ),
        batch_size=_AT_ONCE,
    )


def layout_in(campaign: Campaign) -> Layout | None:
    """What the design of a campaign comes to, or would come to; None where there are no tasks."""
    if campaign.state == Campaign.State.DRAFT:
        return outlook(campaign).layout
    batches = campaign.batches.filter(adjudicates=None).order_by("number")
    items: dict[int, dict[int, tuple[str, list[str]]]] = defaultdict(dict)
    columns = ("batch", "pk", "document__name", "summaries__summary__system")
    rows = BatchItem.objects.filter(batch__in=batches.values("pk"))
    for batch, item, document, system in rows.order_by(
        "batch", "position", "summaries__position"
    ).values_list(*columns):
        _, systems = items[batch].setdefault(item, (document, []))
        systems += [] if system is None else [system]
    planned = [
        PlannedBatch(
            tuple(Item(document, tuple(systems)) for document, systems in items[pk].values()),
            judges,
            dimension,
            group,
        )
        for pk, judges, dimension, group in batches.values_list(
            "pk", "judges", "dimension", "group"
        )
    ]
    return layout_of(planned, protocol_of(campaign), annotators=annotators_of(campaign))


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
