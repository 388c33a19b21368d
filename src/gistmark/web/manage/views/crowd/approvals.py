"""Telling a crowd market which work is approved."""

from __future__ import annotations

from base64 import b64encode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.approvals import Filled, fill_batch, write_sheet
from gistmark.web.interface.pages import (
    GET_AND_POST,
    errors_on,
    form_status,
)
from gistmark.web.manage.forms.campaigns import ApprovalsForm

NO_CODES = "This campaign gives no completion codes."
MOST_SHOWN = 1000


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def approvals(request: PersonRequest, key: str) -> HttpResponse:
    """Take the file of a market, and give it back with what was decided."""
    campaign = campaign_for_manager(request.user, key)
    if not campaign.completion_codes:
        raise ConflictError(NO_CODES)
    if request.method != "POST":
        return _page(request, campaign, ApprovalsForm())
    form = ApprovalsForm(request.POST, request.FILES)
    if form.is_valid():
        with errors_on(form, "file"):
            filled = fill_batch(campaign, form.cleaned_data["file"].read(), request.user)
            return _page(request, campaign, ApprovalsForm(), filled)
    return _page(request, campaign, form)


def _page(
    request: PersonRequest, campaign: Campaign, form: ApprovalsForm, filled: Filled | None = None
) -> HttpResponse:
    context = {"campaign": campaign, "tab": "work", "approvals_form": form}
    if filled is not None:
        context |= _shown(campaign, filled)
    return render(request, "crowd/approvals.html", context, status=form_status(form))


def _shown(campaign: Campaign, filled: Filled) -> dict[str, object]:
    """What the page tells of a file, and the file itself, which is kept nowhere else."""
    data = b64encode(write_sheet(filled.sheet).encode()).decode()
    return {
        "filled": filled,
        "address": f"data:text/csv;charset=utf-8;base64,{data}",
        "name": f"{slugify(campaign.name)[:60] or 'campaign'}-{campaign.key}-approvals.csv",
        "problems": filled.undecided[:MOST_SHOWN],
        "more": max(0, len(filled.undecided) - MOST_SHOWN),
    }
