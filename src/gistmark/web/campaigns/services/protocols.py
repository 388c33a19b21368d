"""The protocol of a campaign, what a draft would come to under it, and what keeps it from starting.

A protocol is stored whole, and changed only while the campaign is a draft. Its revision tells
whether it is still the one that somebody has looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction

from gistmark.corpus import Corpus
from gistmark.errors import Problem, UsageError
from gistmark.judgements.fields import AnswerError
from gistmark.judgements.protocols.own import as_form
from gistmark.judgements.protocols.protocol import Protocol
from gistmark.judgements.protocols.settings import configured, protocol_from, to_mapping
from gistmark.judgements.tasks.batches import PlannedBatch, judges_of, plan_batches
from gistmark.judgements.tasks.items import Item, Items, items_from
from gistmark.judgements.tasks.layout import Layout, layout_of
from gistmark.judgements.tasks.practice import read_right
from gistmark.judgements.tasks.task import what_lacks
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign, Membership
from gistmark.web.campaigns.services.campaigns import locked_draft, record
from gistmark.web.campaigns.services.corpora import (
    corpus_of,
    material_of,
    practised_documents,
    texts_of,
)
from gistmark.web.campaigns.services.fewer import not_adaptive
from gistmark.web.campaigns.services.markets import (
    demand_allowed,
    market_problems,
    market_warnings,
)
from gistmark.web.config.errors import ConflictError


def protocol_of(campaign: Campaign) -> Protocol:
    """What the campaign asks, with every setting."""
    return protocol_from(campaign.protocol)


@transaction.atomic
def change_protocol(campaign: Campaign, changes: Mapping[str, object], by: User | None) -> Protocol:
    """Change some settings; `gistmark.judgements.configured` says what changes look like."""
    current = locked_draft(campaign)
    protocol = configured(protocol_of(current), changes)
    return _store(campaign, current, protocol, by, sorted(changes))


@transaction.atomic
def replace_protocol(
    campaign: Campaign,
    mapping: Mapping[str, object],
    by: User | None,
    *,
    revision: str | None = None,
) -> Protocol:
    """Give a draft another protocol; with a `revision`, only if it still has the one of that."""
    current = locked_draft(campaign)
    if revision is not None and revision != revision_of(current):
        raise StaleProtocolError(current)
    protocol = protocol_from(mapping)
    after = to_mapping(protocol)
    changed = [name for name in after if after[name] != current.protocol.get(name)]
    return _store(campaign, current, protocol, by, changed) if changed else protocol


def edit_as_blocks(campaign: Campaign, by: User | None) -> tuple[str, ...]:
    """Turn a draft's protocol into the form that equals it; returns the checks that it lost."""
    before = protocol_of(campaign)
    form = replace_protocol(campaign, to_mapping(as_form(before)), by)
    return tuple(name for name in before.checks.actions if name not in form.checks.actions)


def revision_of(campaign: Campaign) -> str:
    """A short text that differs between any two protocols."""
    written = json.dumps(campaign.protocol, sort_keys=True)
    return sha256(written.encode()).hexdigest()[:16]


class StaleProtocolError(ConflictError):
    """Somebody has changed the protocol since it was read."""

    def __init__(self, campaign: Campaign) -> None:
        self.revision = revision_of(campaign)
        super().__init__(
            f"The protocol of {campaign.name!r} was changed after you opened it, in another tab or "
            "by another manager."
        )


def _store(
    campaign: Campaign, current: Campaign, protocol: Protocol, by: User | None, changed: list[str]
) -> Protocol:
    demand_allowed(protocol, current)
    mapping = to_mapping(protocol)
    if "\\u0000" in json.dumps(mapping):
        raise UsageError("The settings must not have NUL characters (U+0000).")
    campaign.protocol = current.protocol = mapping
    current.save(update_fields=["protocol"])
    drop_misfits(current, protocol)
    record(campaign, by, "protocol-changed", settings=changed)
    return protocol


def drop_misfits(campaign: Campaign, protocol: Protocol) -> None:
    """Take away right answers of practice items that do not fit the protocol any more.

    They are to be given anew before the campaign can start.
    """
    answered = campaign.practice_items.filter(right__isnull=False)
    items = list(answered.select_related("document", "summary", "other_summary"))
    names = [item.document.name for item in items]
    texts = texts_of(campaign, protocol, names)
    corpus = None
    if items and protocol.question_type.completed:
        corpus = material_of(campaign, names)
    for item in items:
        try:
            read_right(item.right, item.read(), protocol, texts=texts, corpus=corpus)
        except AnswerError:
            item.right = None
            item.save(update_fields=["right"])


MOST_SLOTS = 500_000
"""More tasks than this are a slip, such as a number of judges with some digits too many."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The items and batches of a campaign, and what is in the way of its start.

    `selection.problems` are about what of the corpus will not be judged; they keep nothing from
    starting, and neither do `warnings`. `waiting` is how many generated checks nobody has approved,
    and `layout` what the design comes to.
    """

    selection: Items
    batches: tuple[PlannedBatch, ...]
    problems: tuple[Problem, ...]
    waiting: int
    warnings: tuple[str, ...] = ()
    layout: Layout | None = None

    @property
    def tasks(self) -> int:
        """How many tasks there are, one for each annotator of a batch."""
        return sum(batch.judges for batch in self.batches)


def outlook(campaign: Campaign) -> Outlook:
    """What would come of a campaign that starts now."""
    corpus, protocol = corpus_of(campaign), protocol_of(campaign)
    selection = _without_practice(campaign, items_from(corpus, protocol))
    selection = _of_sample(campaign, selection)
    waiting = sum(
        checks.filter(approved=False).count() for checks in (campaign.questions, campaign.planted)
    )
    if not selection.items:
        nothing = Problem("There is nothing to judge in the corpus.")
        return Outlook(selection, (), (nothing, *selection.problems), waiting)
    fewest = _fewest_tasks(selection.items, protocol, campaign.seed)
    if fewest > MOST_SLOTS:
        many = Problem(f"There would be {fewest:,} tasks; {MOST_SLOTS:,} are allowed.")
        return Outlook(selection, (), (many,), waiting)
    lacking = what_lacks(selection.items, protocol, corpus.questions, corpus.planted)
    lacking += _unanswered(campaign) + market_problems(protocol, campaign)
    lacking += not_adaptive(campaign) + _unknown_systems(selection.items, protocol)
    batches = plan_batches(
        selection.items, protocol, seed=campaign.seed, adaptive=campaign.adaptive is not None
    )
    layout = layout_of(batches, protocol, annotators=annotators_of(campaign))
    warnings = (*market_warnings(protocol, campaign), *_machine_heat_maps(protocol, corpus))
    return Outlook(selection, tuple(batches), lacking, waiting, warnings, layout)


def annotators_of(campaign: Campaign) -> int | None:
    """How many people take part so far; None where nobody does."""
    people = campaign.memberships.filter(role=Membership.Role.ANNOTATOR, user__machine=False)
    return people.filter(user__is_active=True).count() or None


def _fewest_tasks(items: Sequence[Item], protocol: Protocol, seed: int) -> int:
    """About how many tasks there will be, at least, before they are made."""
    judgements = sum(judges_of(items, protocol, seed=seed).values())
    questions = len(protocol.dimensions) if protocol.one_dimension_per_task else 1
    return -(-judgements * questions // protocol.items_per_task)


def _unknown_systems(items: Sequence[Item], protocol: Protocol) -> tuple[Problem, ...]:
    """The systems that have a number of judges of their own, but no summary to judge."""
    systems = sorted({name for item in items for name in item.systems})
    return tuple(
        Problem(
            f"judges_by_system names {name!r}, of which no summary is judged; the systems are "
            f"{', '.join(map(repr, systems))}."
        )
        for name in protocol.judges_by_system
        if name not in systems
    )


def _without_practice(campaign: Campaign, selection: Items) -> Items:
    """The items without those whose document is for practice, which become a problem."""
    names = practised_documents(campaign)
    if not names:
        return selection
    left = tuple(item for item in selection.items if item.document not in names)
    out = tuple(
        Problem(f"Document {name!r} is used for practice, so no task will have it.")
        for name in names
    )
    return Items(left, (*out, *selection.problems), selection.notes)


def _of_sample(campaign: Campaign, selection: Items) -> Items:
    """The items of sampled documents; that others are left out becomes a problem."""
    if campaign.sampling is None:
        return selection
    names = set(campaign.documents.filter(left_out=True).values_list("name", flat=True))
    if not names:
        return selection
    left = tuple(item for item in selection.items if item.document not in names)
    count = campaign.documents.count()
    out = Problem(f"{len(names)} of {count} documents were not sampled, so no task will have them.")
    return Items(left, (out, *selection.problems), selection.notes)


def _unanswered(campaign: Campaign) -> tuple[Problem, ...]:
    """The practice items whose right answer nobody has given yet."""
    waiting = campaign.practice_items.filter(right__isnull=True).select_related("document")
    return tuple(
        Problem(f"A practice item on document {each.document.name!r} has no right answer yet.")
        for each in waiting
    )


def readiness(campaign: Campaign) -> tuple[Problem, ...]:
    """What keeps a campaign from starting; nothing when it is ready."""
    return outlook(campaign).problems


def _machine_heat_maps(protocol: Protocol, corpus: Corpus) -> Iterator[str]:
    """That heat maps show what machines marked, and which."""
    if "heat-map" in protocol.shows and corpus.machine_names:
        names = ", ".join(sorted(corpus.machine_names))
        yield (
            f"Heat maps show what {names} marked, not people; above them annotators read whether a "
            "program marked it, but not which."
        )
