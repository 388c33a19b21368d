"""Content units: how far each document is, merging those of one, and making the second stage."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages
from gistmark.web.manage.pages import page
from gistmark.web.results.merging import (
    WRITING,
    DocumentUnits,
    document_units,
    make_second_stage,
    merge_as_proposed,
    merging_status,
    save_units,
)

PAGE = 100


@never_cache
@require_safe
@require_login
def units(request: PersonRequest, key: str) -> HttpResponse:
    """The documents of a campaign, with how far their units are."""
    campaign = campaign_for_manager(request.user, key)
    every = merging_status(campaign)
    return page(
        request,
        "units",
        campaign,
        tab="units",
        page=Paginator(every, PAGE).get_page(request.GET.get("page")),
        writing=campaign.protocol["kind"] == WRITING,
        count=len(every),
        merged=sum(each.merged > 0 for each in every),
        waiting=sum(each.written > 0 and not each.merged for each in every),
        total=sum(each.merged for each in every),
        name=f"{campaign.name}: presence"[:200],
    )


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def document(request: PersonRequest, key: str, position: int) -> HttpResponse:
    """The units of one document side by side; a POST stores how they are merged."""
    campaign = campaign_for_manager(request.user, key)
    known = document_units(campaign, position)
    if request.method != "POST":
        return _editor(request, campaign, known)
    sent: Any = []
    try:
        sent = _sent(request.POST.get("units", ""))
        save_units(campaign, position, request.user, sent, request.POST.get("version"))
    except GistmarkError as error:
        return _editor(request, campaign, known, sent=sent, problems=str(error).splitlines())
    messages.success(request, f"The units of {known.document.name} are saved.")
    following = _next(campaign, position) if "next" in request.POST else position
    if following is None:
        return redirect("campaign-units", campaign.key)
    return redirect("campaign-units-document", campaign.key, following)


@require_POST
@require_login
def propose(request: PersonRequest, key: str) -> HttpResponse:
    """Merge every document that waits as its page proposes it."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        count = merge_as_proposed(campaign, request.user)
        messages.success(
            request,
            f"The units of {count} document{'' if count == 1 else 's'} are merged as proposed. "
            "Look them over before you make the second stage.",
        )
    return redirect("campaign-units", campaign.key)


@require_POST
@require_login
def second_stage(request: PersonRequest, key: str) -> HttpResponse:
    """Make the draft in which summaries are marked."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        stage = make_second_stage(campaign, request.user, request.POST.get("name", ""))
        messages.success(request, "The second stage is a draft now. Look it over, then start it.")
        return redirect("campaign", stage.key)
    return redirect("campaign-units", campaign.key)


def _editor(
    request: PersonRequest,
    campaign: Campaign,
    known: DocumentUnits,
    *,
    sent: object = None,
    problems: list[str] | None = None,
) -> HttpResponse:
    units = known.merged or known.proposed
    payload = {
        "written": [
            {
                "annotator": each.annotator,
                "units": [
                    {"id": unit.id, "text": unit.text, "reference": unit.reference}
                    for unit in each.units
                ],
            }
            for each in known.written
        ],
        "units": sent if isinstance(sent, list) and sent else [asdict(each) for each in units],
        "changed": bool(problems),
    }
    return page(
        request,
        "units_document",
        campaign,
        tab="units",
        status=400 if problems else 200,
        known=known,
        payload=payload,
        problems=problems or [],
        fixed=_is_fixed(campaign),
        following=_next(campaign, known.document.position),
    )


def _is_fixed(campaign: Campaign) -> bool:
    """Whether the units cannot be changed any more."""
    writing = campaign.protocol["kind"] == WRITING
    return not writing and campaign.state != Campaign.State.DRAFT


def _next(campaign: Campaign, position: int) -> int | None:
    later = campaign.documents.filter(texts__isnull=False, position__gt=position)
    return later.values_list("position", flat=True).first()


def _sent(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError("The form has no units; merging needs JavaScript.") from None
