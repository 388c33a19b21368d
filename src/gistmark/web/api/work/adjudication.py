"""Adjudication: the items that annotators disagree about, and decisions about them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status

from gistmark.errors import UsageError
from gistmark.web.annotate.models import Adjudication, BatchItem
from gistmark.web.annotate.services.adjudications import (
    adjudicate,
    adjudicate_as,
    adjudications_of,
    give_to,
    withdraw,
)
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, Name, Page, Text, responses
from gistmark.web.results.adjudication import disputed_item, disputed_items

router = Router()


class AdjudicationOut(Schema):
    """A decision about an item; sides of a choice go by `systems`, left first.

    `delegated` is whether it is the answer of an annotator who was given the item for this.
    """

    by: str
    systems: list[str]
    answer: dict[str, Any]
    delegated: bool
    note: str
    created_at: datetime


class DisputedOut(Schema):
    """An item that several have judged, and how far they disagree, most of all in `dimension`."""

    id: int
    document: str
    systems: list[str]
    judges: int
    disagreement: float
    dimension: str
    adjudication: AdjudicationOut | None


class DisputedItemsOut(Schema):
    """A page of items, those with most disagreement first, and how many there are in all."""

    items: list[DisputedOut]
    count: int


class NewAdjudication(Schema):
    """An answer of your own about the item, or the submission whose answer you take.

    An answer has the parts of an answer to a task, such as `ratings`; sides go by the item's own
    order of systems. What it leaves out stays undecided.
    """

    answer: dict[str, Any] | None = None
    submission: Count | None = None
    note: Text = ""


class Given(Schema):
    """The annotator who gets the item."""

    annotator: Name


class GivenOut(Schema):
    """The task that they have now."""

    task: int


@router.get("/{key}/adjudication", response=responses(DisputedItemsOut), summary="Disputed items")
def list_disputed(request: HttpRequest, key: Key, page: Query[Page]) -> dict[str, Any]:
    """The items that two or more have judged, in accepted work."""
    campaign = managed(request, key)
    disputed, decided = disputed_items(campaign), adjudications_of(campaign)
    part = disputed[page.offset : page.offset + page.limit]
    rows = BatchItem.objects.filter(pk__in=[each.item for each in part])
    known = rows.select_related("document").prefetch_related("summaries__summary").in_bulk()
    items = [
        {
            "id": each.item,
            **asdict(known[each.item].read()),
            "judges": each.judges,
            "disagreement": each.value,
            "dimension": each.dimension,
            "adjudication": _shown(decided.get(each.item)),
        }
        for each in part
    ]
    return {"items": items, "count": len(disputed)}


@router.post(
    "/{key}/adjudication/{int:item}", response=responses(AdjudicationOut), summary="Adjudicate"
)
def adjudicate_item(
    request: HttpRequest, key: Key, item: int, decision: NewAdjudication
) -> dict[str, Any] | None:
    """Decide about an item; the annotators' answers stay, and so do earlier decisions."""
    campaign, manager = managed(request, key), person(request)
    disputed_item(campaign, item)
    if (decision.answer is None) == (decision.submission is None):
        raise UsageError("Send either an answer or the submission whose answer to take.")
    if decision.submission is not None:
        made = adjudicate_as(campaign, item, manager, decision.submission, decision.note)
    else:
        made = adjudicate(campaign, item, manager, decision.answer, decision.note)
    return _shown(made)


@router.delete(
    "/{key}/adjudication/{int:item}", response=responses(None, 204), summary="Withdraw a decision"
)
def withdraw_adjudication(request: HttpRequest, key: Key, item: int) -> Status[None]:
    """Take the decision about an item back."""
    withdraw(managed(request, key), item, person(request))
    return Status(204, None)


@router.post(
    "/{key}/adjudication/{int:item}/give", response=responses(GivenOut), summary="Give to somebody"
)
def give_item(request: HttpRequest, key: Key, item: int, given: Given) -> dict[str, int]:
    """Give an item to an annotator who has not had it; what they answer decides about it."""
    campaign = managed(request, key)
    return {"task": give_to(campaign, item, person(request), given.annotator).pk}


def _shown(made: Adjudication | None) -> dict[str, Any] | None:
    if made is None:
        return None
    return {
        "by": made.by.username,
        "systems": made.systems,
        "answer": made.answer,
        "delegated": made.delegated,
        "note": made.note,
        "created_at": made.created_at,
    }
