"""Adjudication: a decision about an item that its annotators disagree about.

A manager decides, with an answer of their own or with that of an annotator, or gives the item to
an annotator who has not judged it. Each decision is a record of its own; submissions stay as they
are, and of several decisions about an item the last one holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Max, QuerySet
from django.utils import timezone

from gistmark import judgements
from gistmark.errors import UsageError
from gistmark.judgements.answers import read_answer
from gistmark.judgements.questions.base import Reading
from gistmark.judgements.tasks.items import Item
from gistmark.judgements.tasks.task import Entry, completed, task_from
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import (
    Adjudication,
    Batch,
    BatchItem,
    ItemSummary,
    Submission,
    Task,
)
from gistmark.web.annotate.outcomes import outcome_of
from gistmark.web.annotate.services.claims import demand_running, lock_memberships
from gistmark.web.annotate.services.drafts import open_task
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import locked, record
from gistmark.web.campaigns.services.corpora import material_of, texts_of
from gistmark.web.campaigns.services.members import manages
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError
from gistmark.web.config.storage.transactions import retried

LONGEST_NOTE = 2000
KEY = "1"
"""What the only entry of an adjudicated item goes by."""


def item_of(campaign: Campaign, pk: int) -> BatchItem:
    """An item of this campaign."""
    items = BatchItem.objects.filter(batch__campaign=campaign, batch__adjudicates=None, pk=pk)
    related = items.select_related("batch", "document").prefetch_related("summaries__summary")
    item = related.first()
    if item is None:
        raise NotFoundError("The campaign has no such item.")
    return item


def entry_for(item: Item) -> Entry:
    """The item as the only entry of a task."""
    return Entry(KEY, item.document, item.systems)


def entry_of(submission: Submission, item: Item) -> Entry | None:
    """The entry of a submission that is about the item; planted ones are about none."""
    assert submission.task.content is not None, "a task that was submitted was opened"
    for entry in task_from(submission.task.content).entries:
        same = (entry.document, sorted(entry.systems)) == (item.document, sorted(item.systems))
        if same and entry.planted is None:
            return entry
    return None


def adjudicate(
    campaign: Campaign, pk: int, manager: User, answer: object, note: str = ""
) -> Adjudication:
    """Decide about an item with an answer of one's own, in the order of the item's systems.

    It need not have all dimensions; those that it lacks stay undecided.
    """
    _demand_manager(manager, campaign)
    row = item_of(campaign, pk)
    item, protocol = row.read(), protocol_of(campaign)
    task = judgements.Task(
        "", manager.username, 0, (entry_for(item),), dimension=row.batch.dimension
    )
    if protocol.question_type.completed:
        task = completed(task, protocol, material_of(campaign, [item.document]))
    texts = texts_of(campaign, protocol, [item.document])
    read = read_answer({"items": {KEY: answer}}, protocol, task, texts=texts, draft=True)
    reading = Reading(protocol.limited_to(task.dimension), draft=True, texts=texts)
    parts = protocol.question_type.decided(read.items[KEY], entry_for(item), reading)
    if not parts:
        raise UsageError("Nothing is decided: answer at least one question.")
    return _store(campaign, row, item.systems, parts, manager, note)


def adjudicate_as(
    campaign: Campaign, pk: int, manager: User, submission: int, note: str = ""
) -> Adjudication:
    """Decide about an item as one of its annotators answered."""
    _demand_manager(manager, campaign)
    row = item_of(campaign, pk)
    rows = Submission.objects.filter(
        task__campaign=campaign,
        task__machine=False,
        task__batch__dimension=row.batch.dimension,
        current=True,
        pk=submission,
    )
    source = rows.select_related("task").first()
    entry = None if source is None else entry_of(source, row.read())
    if source is None or entry is None:
        raise NotFoundError("The campaign has no such answer about this item.")
    parts = _parts(source, entry)
    return _store(campaign, row, entry.systems, parts, manager, note, source)


@retried
def withdraw(campaign: Campaign, pk: int, manager: User) -> None:
    """Take the decision about an item back; the one before does not come into force again."""
    _demand_manager(manager, campaign)
    row = item_of(campaign, pk)
    if in_force(row.adjudications.select_related("source__task")) is None:
        raise ConflictError("Nothing is decided about this item.")
    row.adjudications.filter(withdrawn=False).update(withdrawn=True)
    record(campaign, manager, "adjudication-withdrawn", item=row.read().id)


@retried
def give_to(campaign: Campaign, pk: int, manager: User, name: str) -> Task:
    """Give an item to an annotator who has not judged it, as a task like any other."""
    _demand_manager(manager, campaign)
    row = item_of(campaign, pk)
    # So that they claim no other task about its document meanwhile.
    lock_memberships(campaign, User.objects.filter(username=name))
    current = locked(campaign)
    demand_running(current)
    if current.in_pilot:
        raise ConflictError("A pilot has no adjudication; keep it or throw it away first.")
    user = candidates(campaign, row).filter(username=name).first()
    if user is None:
        raise ConflictError(
            f"{name!r} is not an annotator of this campaign, or has had this item already."
        )
    numbers = Batch.objects.filter(campaign=campaign).aggregate(last=Max("number"))
    number = numbers["last"] + 1
    group = row.batch.group
    batch = Batch.objects.create(
        campaign=campaign,
        number=number,
        open=0,
        judges=0,
        dimension=row.batch.dimension,
        group=group,
        adjudicates=row,
    )
    _copy(row, batch)
    task = Task.objects.create(
        campaign=campaign,
        batch=batch,
        slot=f"{number}.1",
        state=Task.State.HELD,
        annotator=user,
        allocated=True,
        claimed_at=timezone.now(),
        group=group,
    )
    # An opened task stays its annotator's when it is given back, and nobody else can claim it.
    open_task(task)
    record(campaign, manager, "adjudication-given", item=row.read().id, annotator=name)
    return task


def candidates(campaign: Campaign, item: BatchItem) -> QuerySet[User]:
    """The people among the annotators who have never had this item, nor another of its group."""
    had = Task.objects.filter(annotator__isnull=False)
    busy = [*had.filter(batch=item.batch_id).values_list("annotator", flat=True)]
    busy += had.filter(batch__adjudicates=item).values_list("annotator", flat=True)
    if item.batch.group is not None:
        same = had.filter(campaign=campaign, group=item.batch.group)
        busy += same.values_list("annotator", flat=True)
    joined = Membership.objects.filter(campaign=campaign, role=Membership.Role.ANNOTATOR)
    people = User.objects.filter(is_active=True, machine=False, pk__in=joined.values("user"))
    return people.exclude(pk__in=busy).order_by("username")


def store_delegated(submission: Submission, content: judgements.Task) -> None:
    """Keep what an annotator answered who was given an item to adjudicate."""
    row = submission.task.batch.adjudicates
    assert row is not None, "the batch adjudicates an item"
    entry = entry_of(submission, row.read())
    assert entry is not None, f"task {content.slot} is about its item"
    Adjudication.objects.create(
        item=row,
        systems=list(entry.systems),
        answer=_parts(submission, entry),
        by=submission.annotator,
        source=submission,
        delegated=True,
    )


def in_force(adjudications: Iterable[Adjudication]) -> Adjudication | None:
    """The one that holds, of those about one item in their order."""
    held = [each for each in adjudications if not each.withdrawn and _counts(each)]
    return held[-1] if held else None


def adjudications_of(campaign: Campaign) -> dict[int, Adjudication]:
    """The adjudications that hold, by the number of their item."""
    rows = Adjudication.objects.filter(item__batch__campaign=campaign, withdrawn=False)
    related = rows.select_related("item__document", "by", "source__task")
    return {each.item_id: each for each in related.order_by("pk") if _counts(each)}


def _counts(adjudication: Adjudication) -> bool:
    """Whether nothing has become of its source that takes its force away."""
    source = adjudication.source
    if source is None or not adjudication.delegated:
        return True
    return source.current and outcome_of(source.task) == "accepted"


def _parts(submission: Submission, entry: Entry) -> dict[str, Any]:
    """What a submission answers about an entry, without the time that it took."""
    given = submission.answer["items"].get(entry.key, {})
    return {name: value for name, value in given.items() if name != "seconds"}


@retried
def _store(
    campaign: Campaign,
    row: BatchItem,
    systems: Iterable[str],
    parts: Mapping[str, Any],
    manager: User,
    note: str,
    source: Submission | None = None,
) -> Adjudication:
    note = note.strip()
    if len(note) > LONGEST_NOTE or "\x00" in note:
        raise UsageError(f"A note is text of at most {LONGEST_NOTE} characters.")
    made = Adjudication.objects.create(
        item=row, systems=list(systems), answer=parts, by=manager, source=source, note=note
    )
    record(campaign, manager, "adjudicated", item=row.read().id)
    return made


def _copy(row: BatchItem, batch: Batch) -> None:
    copy = BatchItem.objects.create(batch=batch, position=0, document=row.document)
    ItemSummary.objects.bulk_create(
        ItemSummary(item=copy, position=each.position, summary_id=each.summary_id)
        for each in row.summaries.all()
    )


def _demand_manager(manager: User, campaign: Campaign) -> None:
    if not manages(manager, campaign):
        raise NotAllowedError("Only a manager of the campaign adjudicates.")
    if campaign.protocol["kind"] == "units":
        raise ConflictError("Content units are not adjudicated but merged, on the page Units.")
