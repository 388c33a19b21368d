"""The list of campaigns, and the page of one that has not started."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.web.accounts.permissions import (
    PersonRequest,
    campaign_for_manager,
    campaigns_managed_by,
    require_login,
    require_manager,
)
from gistmark.web.campaigns.services import outlook, progress_of, protocol_of
from gistmark.web.campaigns.views.showing import page, shown

PAGE = 50


@never_cache
@require_safe
@require_manager
def campaigns(request: PersonRequest) -> HttpResponse:
    """The campaigns that somebody manages, newest first."""
    managed = (
        campaigns_managed_by(request.user).select_related("owner").order_by("-created_at", "-pk")
    )
    found = Paginator(managed, PAGE).get_page(request.GET.get("page"))
    progress = progress_of(found)
    rows = [(campaign, progress[campaign.pk]) for campaign in found]
    return render(request, "campaigns/campaigns.html", {"page": found, "rows": rows})


@never_cache
@require_safe
@require_login
def campaign(request: PersonRequest, key: str) -> HttpResponse:
    """What a draft needs before it can start; from then on a campaign has a dashboard."""
    found = campaign_for_manager(request.user, key)
    seen = outlook(found)
    return page(
        request,
        "campaign",
        found,
        tab="campaign",
        outlook=seen,
        protocol=protocol_of(found),
        in_the_way=shown(seen.problems),
        left_out=shown(seen.found.problems),
    )
