"""The practice of a campaign as its manager sets it up: settings, items, comprehension questions.

It may be changed as long as the campaign is not closed. A change counts for attempts that begin
later: those that have begun keep the items as they were, and scores stay. Documents of practice
items are left out of the real tasks, unless the manager wants otherwise; that is settled when the
campaign starts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Max

from gistmark.errors import UsageError
from gistmark.judgements.questions import Texts
from gistmark.judgements.tasks.items import Item, items_from
from gistmark.judgements.tasks.practice import (
    MOST_ITEMS,
    MOST_QUESTIONS,
    Practice,
    practice_from,
)
from gistmark.judgements.tasks.practice import ComprehensionQuestion as Question
from gistmark.web.accounts.models import User
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import locked, record
from gistmark.web.campaigns.services.corpora import corpus_of, texts_of
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError, NotFoundError
from gistmark.web.qualification.models import (
    ComprehensionQuestion,
    PracticeItem,
    PracticeSettings,
)

_VERB = "practice-changed"
SETTINGS = ("pass_mark", "tries", "required", "qualification", "leaves_out")


def settings_of(campaign: Campaign) -> PracticeSettings:
    """The settings of a campaign's practice; unsaved, with the usual values, where it has none."""
    found = PracticeSettings.objects.filter(campaign=campaign).first()
    return found or PracticeSettings(campaign=campaign)


def items_of(campaign: Campaign) -> list[PracticeItem]:
    """The practice items in their order, those without a right answer too."""
    items = campaign.practice_items.select_related("document", "summary", "other_summary")
    return list(items)


def usable_items(campaign: Campaign) -> list[PracticeItem]:
    """The practice items that have a right answer."""
    return [item for item in items_of(campaign) if item.right is not None]


def practice_of(campaign: Campaign) -> Practice:
    """The whole practice as the rules know it; `Practice.to_mapping` is its file."""
    settings = settings_of(campaign)
    return Practice(
        **{name: getattr(settings, name) for name in SETTINGS},
        items=tuple(item.read() for item in items_of(campaign)),
        comprehension=tuple(each.read() for each in campaign.comprehension.all()),
    )


def judged_items(campaign: Campaign) -> tuple[Item, ...]:
    """All that a practice item may be: what there is to judge in the corpus."""
    return items_from(corpus_of(campaign), protocol_of(campaign)).items


@transaction.atomic
def replace_practice(campaign: Campaign, mapping: object, by: User | None) -> Practice:
    """Put another practice, from a file or the API, in the place of the one that there is."""
    _lock(campaign)
    practice = _read(campaign, mapping)
    _store(campaign, practice)
    record(campaign, by, _VERB, items=len(practice.items), questions=len(practice.comprehension))
    return practice


@transaction.atomic
def copy_practice(source: Campaign, target: Campaign, by: User | None = None) -> Practice:
    """Bring the practice of one campaign along to another one.

    What the other has nothing to judge for is left out, and a right answer that its protocol does
    not take is to be given anew.
    """
    _lock(target)
    practice = practice_of(source)
    judged = {(each.document, frozenset(each.systems)) for each in judged_items(target)}
    items = [each for each in practice.items if (each.document, frozenset(each.systems)) in judged]
    if source.protocol != target.protocol:
        items = [replace(each, right=None) for each in items]
    practice = _read(target, replace(practice, items=tuple(items)).to_mapping())
    _store(target, practice)
    record(target, by, _VERB, copied_from=source.key, items=len(practice.items))
    return practice


@transaction.atomic
def change_practice_settings(campaign: Campaign, by: User | None, **changes: Any) -> Practice:
    """Change some of `SETTINGS`."""
    _lock(campaign)
    practice = _read(campaign, practice_of(campaign).to_mapping() | changes)
    _store_settings(campaign, practice)
    record(campaign, by, _VERB, **changes)
    return practice


@transaction.atomic
def save_item(
    campaign: Campaign,
    by: User | None,
    *,
    item: PracticeItem | None = None,
    document: str,
    systems: tuple[str, ...] = (),
    tolerance: float | None = None,
    reason: str = "",
) -> PracticeItem:
    """Add a practice item, or change one; the right answer stays if the item is the same."""
    _lock(campaign)
    given: dict[str, Any] = {"document": document, "systems": list(systems), "reason": reason}
    if tolerance is not None:
        given["tolerance"] = tolerance
    if item is None and campaign.practice_items.count() >= MOST_ITEMS:
        raise UsageError(f"A practice has at most {MOST_ITEMS} items.")
    read = _read(campaign, {"items": [given]}).items[0]
    stored = item or PracticeItem(campaign=campaign, position=_next_position(campaign))
    if item is None or item.read().document != document or item.read().systems != systems:
        stored.right = None
    stored.document = campaign.documents.get(name=document)
    _set_summaries(stored, systems)
    stored.tolerance, stored.reason = read.tolerance, read.reason
    stored.save()
    _store_settings(campaign, practice_of(campaign))
    record(campaign, by, _VERB, item=stored.pk)
    return stored


@transaction.atomic
def set_right(item: PracticeItem, right: object, by: User | None) -> PracticeItem:
    """Give the right answer to an item, as the annotators' controls send it."""
    _lock(item.campaign)
    plain = replace(item.read(), right=None)
    mapping = {"document": plain.document, "systems": list(plain.systems), "right": right}
    read = _read(item.campaign, {"items": [mapping]}).items[0]
    item.right = dict(read.right or {})
    item.save(update_fields=["right"])
    record(item.campaign, by, _VERB, item=item.pk)
    return item


@transaction.atomic
def remove_item(item: PracticeItem, by: User | None) -> None:
    """Take an item out of the practice; the answers that were given to it stay."""
    campaign = item.campaign
    _lock(campaign)
    item.delete()
    leave_out_practised(campaign)
    record(campaign, by, _VERB, removed=1)


@transaction.atomic
def move_item(item: PracticeItem, up: bool, by: User | None) -> None:
    """Let an item change places with its neighbour; annotators get them shuffled all the same."""
    _lock(item.campaign)
    items = list(item.campaign.practice_items.all())
    index = next(number for number, each in enumerate(items) if each.pk == item.pk)
    other = index - 1 if up else index + 1
    if 0 <= other < len(items):
        items[index], items[other] = items[other], items[index]
    for position, each in enumerate(items):
        each.position = position
    PracticeItem.objects.bulk_update(items, ["position"])
    record(item.campaign, by, _VERB, item=item.pk)


@transaction.atomic
def save_question(
    campaign: Campaign,
    by: User | None,
    question: Question,
    stored: ComprehensionQuestion | None = None,
) -> ComprehensionQuestion:
    """Add a comprehension question, or change one."""
    _lock(campaign)
    if stored is None and campaign.comprehension.count() >= MOST_QUESTIONS:
        raise UsageError(f"There are at most {MOST_QUESTIONS} comprehension questions.")
    whole = Practice(comprehension=(question,)).to_mapping()
    read = _read(campaign, whole).comprehension[0]
    last = campaign.comprehension.aggregate(last=Max("position"))["last"]
    stored = stored or ComprehensionQuestion(campaign=campaign, position=(last or 0) + 1)
    stored.question, stored.options = read.question, list(read.options)
    stored.right, stored.explanation = read.right, read.explanation
    stored.save()
    record(campaign, by, _VERB, question=stored.pk)
    return stored


@transaction.atomic
def remove_question(question: ComprehensionQuestion, by: User | None) -> None:
    """Ask a question no more."""
    _lock(question.campaign)
    question.delete()
    record(question.campaign, by, _VERB, removed_questions=1)


def item_of(campaign: Campaign, pk: int) -> PracticeItem:
    """A practice item of this campaign."""
    items = campaign.practice_items.select_related("document", "summary", "other_summary")
    item = items.filter(pk=pk).first()
    if item is None:
        raise NotFoundError("The campaign has no such practice item.")
    return item


def comprehension_of(campaign: Campaign, pk: int) -> ComprehensionQuestion:
    """A comprehension question of this campaign."""
    question = campaign.comprehension.filter(pk=pk).first()
    if question is None:
        raise NotFoundError("The campaign has no such comprehension question.")
    return question


def _lock(campaign: Campaign) -> None:
    if locked(campaign).state == Campaign.State.CLOSED:
        raise ConflictError(
            f"The campaign {campaign.name!r} is closed; its practice stays as it is."
        )


def _read(campaign: Campaign, mapping: object) -> Practice:
    if "\\u0000" in json.dumps(mapping, default=repr):
        raise UsageError("A practice must not have NUL characters (U+0000).")
    items = mapping.get("items") if isinstance(mapping, Mapping) else None
    protocol = protocol_of(campaign)
    texts = texts_of(campaign, protocol) if items else Texts()
    judged = judged_items(campaign) if items else ()
    corpus = corpus_of(campaign) if items and protocol.question_type.completed else None
    return practice_from(mapping, protocol, judged=judged, texts=texts, corpus=corpus)


def _store(campaign: Campaign, practice: Practice) -> None:
    campaign.practice_items.all().delete()
    campaign.comprehension.all().delete()
    documents = {each.name: each for each in campaign.documents.defer("texts")}
    rows = []
    for position, each in enumerate(practice.items):
        item = PracticeItem(
            campaign=campaign,
            position=position,
            document=documents[each.document],
            right=each.right,
            tolerance=each.tolerance,
            reason=each.reason,
        )
        _set_summaries(item, each.systems)
        rows.append(item)
    PracticeItem.objects.bulk_create(rows)
    ComprehensionQuestion.objects.bulk_create(
        ComprehensionQuestion(
            campaign=campaign,
            position=position,
            question=each.question,
            options=list(each.options),
            right=each.right,
            explanation=each.explanation,
        )
        for position, each in enumerate(practice.comprehension)
    )
    _store_settings(campaign, practice)


def _store_settings(campaign: Campaign, practice: Practice) -> None:
    values = {name: getattr(practice, name) for name in SETTINGS}
    PracticeSettings.objects.update_or_create(campaign=campaign, defaults=values)
    leave_out_practised(campaign)


def leave_out_practised(campaign: Campaign) -> None:
    """Mark the documents that no real task will have; once there are tasks, nothing changes."""
    if campaign.state != Campaign.State.DRAFT:
        return
    practice = practice_of(campaign)
    names = {item.document for item in practice.items} if practice.leaves_out else set()
    campaign.documents.filter(for_practice=True).exclude(name__in=names).update(for_practice=False)
    campaign.documents.filter(name__in=names).update(for_practice=True)


def _next_position(campaign: Campaign) -> int:
    last = campaign.practice_items.aggregate(last=Max("position"))["last"]
    return 0 if last is None else int(last) + 1


def _set_summaries(item: PracticeItem, systems: tuple[str, ...]) -> None:
    """Make an item one about the summaries of these systems, in this order."""
    known = {each.system: each for each in item.document.summaries.filter(system__in=systems)}
    chosen = [known[system] for system in systems]
    item.summary = chosen[0] if chosen else None
    item.other_summary = chosen[1] if len(chosen) > 1 else None
    item.further_systems = [each.system for each in chosen[2:]]
