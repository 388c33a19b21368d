"""The pilot of a campaign: starting it, and keeping its work or throwing it away."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.services import discard_pilot, keep_pilot, pilot_of, start_pilot
from gistmark.web.annotate.services.pilots import MOST_ANNOTATORS
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.manage.pages import page

KEPT = "The campaign runs, and the work of the pilot counts."
DISCARDED = "The work of the pilot is thrown away. The campaign is a draft again."
STARTED = "The pilot runs. {annotators} annotators can take tasks now."


class PilotForm(forms.Form):
    """How large a pilot is."""

    annotators = forms.IntegerField(
        label="Annotators",
        min_value=1,
        max_value=MOST_ANNOTATORS,
        initial=2,
        help_text="Those of the campaign's annotators who come first; each does all tasks.",
    )
    tasks = forms.IntegerField(
        label="Tasks for each", min_value=1, required=False, help_text="Empty: all of them."
    )


class DiscardForm(forms.Form):
    """How many submissions the manager was told of."""

    submissions = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def pilot(request: PersonRequest, key: str) -> HttpResponse:
    """Start a pilot of a draft, or end the one that runs."""
    campaign = campaign_for_manager(request.user, key)
    if request.method != "POST":
        return _page(request, campaign, PilotForm())
    step = request.POST.get("step")
    if step in ("keep", "discard"):
        return _end(request, campaign, keep=step == "keep")
    form = PilotForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            start_pilot(campaign, request.user, **form.cleaned_data)
            messages.success(request, STARTED.format(**form.cleaned_data))
            return redirect("campaign", campaign.key)
    return _page(request, campaign, form)


def _end(request: PersonRequest, campaign: Campaign, *, keep: bool) -> HttpResponse:
    with errors_as_messages(request):
        if keep:
            keep_pilot(campaign, request.user)
        else:
            told = DiscardForm(request.POST)
            count = told.cleaned_data["submissions"] if told.is_valid() else -1
            discard_pilot(campaign, request.user, submissions=count)
        messages.success(request, KEPT if keep else DISCARDED)
        return redirect("campaign", campaign.key)
    return redirect("campaign-pilot", campaign.key)


def _page(request: PersonRequest, campaign: Campaign, form: PilotForm) -> HttpResponse:
    return page(
        request,
        "setup/pilot",
        campaign,
        tab="pilot",
        status=form_status(form),
        form=form,
        judges=campaign.protocol["judges"],
        pilot=pilot_of(campaign) if campaign.in_pilot else None,
    )
