"""The life of a campaign: draft, running, paused, closed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from django.db import transaction
from django.utils import timezone

from gistmark.corpus import Corpus
from gistmark.errors import Problem
from gistmark.judgements import Items, Protocol, Slot, items_from, make_slots, what_lacks
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Batch, Task
from gistmark.web.campaigns.errors import ConflictError, NotReadyError
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.audit import record
from gistmark.web.campaigns.services.corpora import corpus_of, material_of
from gistmark.web.campaigns.services.locking import locked
from gistmark.web.campaigns.services.protocols import protocol_of

_STATES = Campaign.State
_AT_ONCE = 1000
MOST_SLOTS = 500_000
"""More tasks than this are a slip, such as a number of judges with some digits too many."""


def readiness(campaign: Campaign) -> tuple[Problem, ...]:
    """What keeps a campaign from starting; nothing when it is ready."""
    corpus, protocol = corpus_of(campaign), protocol_of(campaign)
    return _in_the_way(corpus, protocol, items_from(corpus, protocol))


def left_out(campaign: Campaign) -> tuple[Problem, ...]:
    """What of the corpus will not be judged, and why; it keeps nothing from starting."""
    return items_from(material_of(campaign), protocol_of(campaign)).problems


@transaction.atomic
def start(campaign: Campaign, by: User | None) -> Campaign:
    """Make all slots and give out work; what the manager has not approved is not used."""
    current = locked(campaign)
    _demand(current, _STATES.DRAFT, "started")
    corpus, protocol = corpus_of(current), protocol_of(current)
    items = items_from(corpus, protocol)
    problems = _in_the_way(corpus, protocol, items)
    if problems:
        raise NotReadyError(problems)
    slots = make_slots(items.items, protocol, seed=current.seed)
    _store_slots(current, slots, items)
    current.started_at = timezone.now()
    return _move(campaign, current, _STATES.RUNNING, "started", by, slots=len(slots))


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


def _in_the_way(corpus: Corpus, protocol: Protocol, found: Items) -> tuple[Problem, ...]:
    if not found.items:
        return (Problem("There is nothing to judge in the corpus."), *found.problems)
    slots = -(-len(found.items) // protocol.items_per_task) * protocol.judges
    if slots > MOST_SLOTS:
        return (Problem(f"There would be {slots:,} tasks; {MOST_SLOTS:,} are allowed."),)
    return what_lacks(found.items, protocol, corpus.questions, corpus.planted)


def _store_slots(campaign: Campaign, slots: Iterable[Slot], items: Items) -> None:
    known = items.by_id()
    groups = [(number, list(each)) for number, each in groupby(slots, key=lambda s: s.batch)]
    batches = Batch.objects.bulk_create(
        (
            Batch(
                campaign=campaign,
                number=number,
                items=[[known[id].document, *known[id].systems] for id in members[0].items],
                open=len(members),
            )
            for number, members in groups
        ),
        batch_size=_AT_ONCE,
    )
    Task.objects.bulk_create(
        (
            Task(campaign=campaign, batch=batch, slot=slot.id)
            for batch, (_, members) in zip(batches, groups, strict=True)
            for slot in members
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
