"""The settings of a campaign and of its protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.judgements.fields import FaultyInputError
from gistmark.judgements.protocols import unchanged_texts
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.services.launch import copy_campaign
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.archive import delete_draft
from gistmark.web.campaigns.services.campaigns import change_settings
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.campaigns.services.protocols import change_protocol, protocol_of
from gistmark.web.interface.languages import ENGLISH, language_name
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.manage.forms.settings import ChangesForm, CopyForm, ProtocolForm, SettingsForm
from gistmark.web.manage.pages import page
from gistmark.web.manage.views.setup.fewer import in_words
from gistmark.web.privacy.retention import retention_of

_SAVED = "The settings are saved."


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def settings(request: PersonRequest, key: str) -> HttpResponse:
    """Show all settings; change those that may always change."""
    campaign = campaign_for_manager(request.user, key)
    if request.method != "POST":
        return _page(request, campaign)
    form = SettingsForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            change_settings(campaign, request.user, **form.cleaned_data)
            return _saved(request, campaign)
    return _page(request, campaign, settings_form=form)


@never_cache
@require_POST
@require_login
def protocol(request: PersonRequest, key: str) -> HttpResponse:
    """Change the usual settings of the protocol."""
    campaign = campaign_for_manager(request.user, key)
    form = ProtocolForm(protocol_of(campaign), request.POST)
    if form.is_valid() and _change(request, campaign, form, form.changes()):
        return _saved(request, campaign)
    return _page(request, campaign, protocol_form=form)


@never_cache
@require_POST
@require_login
def changes(request: PersonRequest, key: str) -> HttpResponse:
    """Change any setting of the protocol by JSON."""
    campaign = campaign_for_manager(request.user, key)
    form = ChangesForm(request.POST)
    if form.is_valid() and _change(request, campaign, form, form.cleaned_data["changes"]):
        return _saved(request, campaign)
    return _page(request, campaign, changes_form=form)


@never_cache
@require_POST
@require_login
def copy(request: PersonRequest, key: str) -> HttpResponse:
    """Make a draft like this campaign."""
    campaign = campaign_for_manager(request.user, key)
    form = CopyForm(request.POST)
    if form.is_valid():
        with errors_on(form, "copy_name"):
            draft = copy_campaign(campaign, form.cleaned_data["copy_name"], request.user)
            messages.success(request, f"This is a copy of {campaign.name}.")
            return redirect("campaign", draft.key)
    return _page(request, campaign, copy_form=form)


@require_POST
@require_login
def delete(request: PersonRequest, key: str) -> HttpResponse:
    """Delete a draft."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        delete_draft(campaign)
        messages.success(request, f"The draft {campaign.name} is deleted.")
        return redirect("campaigns")
    return redirect("campaign-settings", campaign.key)


def _change(
    request: PersonRequest,
    campaign: Campaign,
    form: ProtocolForm | ChangesForm,
    changes: Mapping[str, object],
) -> bool:
    """Whether the protocol was changed; where it was not, the form shows every fault."""
    with errors_on(form):
        try:
            change_protocol(campaign, changes, request.user)
        except FaultyInputError as error:
            for fault in error.faults:
                form.add_fault(fault)
    return not form.errors


def _saved(request: PersonRequest, campaign: Campaign) -> HttpResponse:
    messages.success(request, _SAVED)
    return redirect("campaign-settings", campaign.key)


def _page(
    request: PersonRequest,
    campaign: Campaign,
    *,
    settings_form: SettingsForm | None = None,
    protocol_form: ProtocolForm | None = None,
    changes_form: ChangesForm | None = None,
    copy_form: CopyForm | None = None,
) -> HttpResponse:
    forms = {
        "settings_form": settings_form or SettingsForm.of(campaign),
        "protocol_form": protocol_form or ProtocolForm(protocol_of(campaign)),
        "changes_form": changes_form or ChangesForm(),
        "copy_form": copy_form or CopyForm.of(campaign),
    }
    registration = request.build_absolute_uri(reverse("register", args=[campaign.key]))
    foreign = campaign.language not in ("", ENGLISH)
    return page(
        request,
        "setup/settings",
        campaign,
        tab="settings",
        status=form_status(*forms.values()),
        registration_address=registration,
        protocol_json=json.dumps(campaign.protocol, indent=2, ensure_ascii=False),
        untranslated=unchanged_texts(protocol_of(campaign)) if foreign else (),
        language=language_name(campaign.language),
        fewer=in_words(campaign),
        retention=retention_of(campaign) if campaign.retention_days else None,
        **forms,
    )
