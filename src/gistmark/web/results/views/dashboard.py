"""The live dashboard of a campaign."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.web.accounts.permissions import PersonRequest, campaign_for_manager, require_login
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.views import listing
from gistmark.web.results.dashboard import PARTS, dashboard_of
from gistmark.web.results.exports import FORMATS


@never_cache
@require_safe
@require_login
def dashboard(request: PersonRequest, key: str) -> HttpResponse:
    """How a campaign goes; one that has not started shows what it needs for that.

    The page comes at once. Statistics that are not known yet are fetched by its script, or
    computed for this page with `?statistics=now`.
    """
    campaign = campaign_for_manager(request.user, key)
    if campaign.state == Campaign.State.DRAFT:
        return listing.campaign(request, key)
    board = dashboard_of(campaign, compute="statistics" in request.GET)
    context = {"campaign": campaign, "tab": "campaign", "board": board, "formats": FORMATS}
    return render(request, "results/dashboard.html", context)


@never_cache
@require_safe
@require_login
def numbers(request: PersonRequest, key: str) -> HttpResponse:
    """The parts of the dashboard as they are now, rendered, for the script of the page."""
    board = dashboard_of(campaign_for_manager(request.user, key), compute=True)
    parts = {
        name: render_to_string(f"results/parts/{name}.html", {"board": board}, request)
        for name in PARTS
    }
    return JsonResponse({"parts": parts})
