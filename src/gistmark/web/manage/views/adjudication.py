"""Adjudication: the items that annotators disagree about, and the decision about one."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import UsageError
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.models import BatchItem
from gistmark.web.annotate.pages import modules_of
from gistmark.web.annotate.services.adjudications import (
    adjudicate,
    adjudicate_as,
    adjudications_of,
    give_to,
    withdraw,
)
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages
from gistmark.web.results.adjudication import DEFINITIONS, Disputed, disputed_item, disputed_items
from gistmark.web.results.review import numbers_of

PAGE = 50
SHOWS = {"open": "Open", "decided": "Adjudicated", "all": "All"}


@never_cache
@require_safe
@require_login
def items(request: PersonRequest, key: str) -> HttpResponse:
    """The items that two or more have judged, those with most disagreement first."""
    campaign = campaign_for_manager(request.user, key)
    show = request.GET.get("show", "open")
    show = show if show in SHOWS else "open"
    decided = adjudications_of(campaign)
    parts = _parts(disputed_items(campaign), set(decided))
    page = Paginator(parts[show], PAGE).get_page(request.GET.get("page"))
    rows = BatchItem.objects.filter(pk__in=[each.item for each in page])
    known = rows.select_related("document").prefetch_related("summaries__summary").in_bulk()
    context = {
        "campaign": campaign,
        "tab": "work",
        "page": page,
        "rows": [(each, known[each.item], decided.get(each.item)) for each in page],
        "tabs": [(name, label, len(parts[name])) for name, label in SHOWS.items()],
        "show": show,
        "definition": DEFINITIONS.get(campaign.protocol["kind"], ""),
        "also": f"&show={show}",
    }
    return render(request, "results/adjudication.html", context)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def item(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """One item with its annotators side by side; a POST decides about it."""
    campaign = campaign_for_manager(request.user, key)
    if request.method == "POST":
        disputed_item(campaign, pk)
        with errors_as_messages(request):
            _decide(request, campaign, pk)
            messages.success(request, "The decision is stored; the annotators' answers stay.")
        return redirect("campaign-adjudicate", campaign.key, pk)
    disputed = disputed_item(campaign, pk)
    context = {
        "campaign": campaign,
        "tab": "work",
        "disputed": disputed,
        "payload": disputed.payload,
        "modules": modules_of(disputed.payload["kind"]),
        "definition": DEFINITIONS.get(campaign.protocol["kind"], ""),
        "next": _next(campaign, pk),
    }
    return render(request, "results/adjudicate.html", context)


@require_POST
@require_login
def give(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Give an item to an annotator who has not judged it."""
    campaign = campaign_for_manager(request.user, key)
    disputed_item(campaign, pk)
    name = request.POST.get("annotator", "")
    with errors_as_messages(request):
        give_to(campaign, pk, request.user, name)
        messages.success(request, f"{name} has the item as a task now.")
    return redirect("campaign-adjudicate", campaign.key, pk)


@require_POST
@require_login
def withdraw_decision(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Take the decision about an item back."""
    campaign = campaign_for_manager(request.user, key)
    disputed_item(campaign, pk)
    with errors_as_messages(request):
        withdraw(campaign, pk, request.user)
        messages.success(request, "The decision is withdrawn; the item is open again.")
    return redirect("campaign-adjudicate", campaign.key, pk)


def _decide(request: PersonRequest, campaign: Campaign, pk: int) -> None:
    note = request.POST.get("note", "")
    source = numbers_of([request.POST.get("submission", "")])
    if source:
        adjudicate_as(campaign, pk, request.user, source[0], note)
        return
    adjudicate(campaign, pk, request.user, _answer(request.POST.get("answer", "")), note)


def _answer(sent: str) -> Any:
    try:
        return json.loads(sent)
    except (ValueError, RecursionError):
        raise UsageError(
            "The form has no answer: take an annotator's, or allow JavaScript to give your own."
        ) from None


def _parts(disputed: list[Disputed], decided: set[int]) -> dict[str, list[Disputed]]:
    return {
        "open": [each for each in disputed if each.value and each.item not in decided],
        "decided": [each for each in disputed if each.item in decided],
        "all": disputed,
    }


def _next(campaign: Campaign, pk: int) -> int | None:
    """The item with most disagreement, other than this one, that nobody has decided about."""
    decided = adjudications_of(campaign)
    still = (each.item for each in _parts(disputed_items(campaign), set(decided))["open"])
    return next((each for each in still if each != pk), None)
