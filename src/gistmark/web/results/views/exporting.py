"""Downloading a campaign's export."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.errors import GistmarkError
from gistmark.web.accounts.permissions import PersonRequest, campaign_for_manager, require_login
from gistmark.web.campaigns.services import record
from gistmark.web.config.errors import wants_json
from gistmark.web.results.exports import FORMATS, download


@never_cache
@require_safe
@require_login
def export(request: PersonRequest, key: str, format: str) -> HttpResponse:
    """A file with the work that counts; `?names=yes` and `?rejected=yes` as `export_to` says."""
    campaign = campaign_for_manager(request.user, key)
    if format not in FORMATS:
        raise Http404(f"Exports come as {', '.join(FORMATS)}.")
    chosen = {name: request.GET.get(name) == "yes" for name in ("names", "rejected")}
    try:
        response = download(campaign, format, **chosen)
    except GistmarkError as error:
        if wants_json(request):
            raise
        messages.error(request, str(error))
        return redirect("campaign", campaign.key)
    record(campaign, request.user, "exported", format=format, **chosen)
    return cast(HttpResponse, response)  # a streamed response is as good
