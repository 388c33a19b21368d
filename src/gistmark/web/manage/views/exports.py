"""The export: asked for, watched while it is written, and fetched; or of several campaigns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

from django import forms
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login, require_manager
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.members import campaign_for_manager, campaigns_managed_by
from gistmark.web.config.errors import wants_json
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.results.catalogue import EXPORTS
from gistmark.web.results.exports import (
    Choices,
    choices_of,
    download,
    export_format,
    export_of,
    look_at,
    request_export,
)
from gistmark.web.results.exports.combined import combined_corpus, packed_corpus
from gistmark.web.results.models import Export
from gistmark.web.results.statistics.study import MOMENT

_WORDS = {
    "names": "with the names of the annotators",
    "rejected": "with work that does not count",
    "undecided": "with undecided work counted as accepted",
    "adjudicated": "with adjudicated items in place of what annotators said",
    "participants": "with the participants' ids on their crowd market",
    "machines": "with the work of machines",
}


@never_cache
@require_safe
@require_login
def export(request: PersonRequest, key: str, format: str) -> HttpResponse:
    """A file with the work that counts, or the page of one that takes longer.

    `?names=yes` and the like are `exports.Choices`.
    """
    campaign = campaign_for_manager(request.user, key)
    if format not in EXPORTS:
        raise Http404(f"Exports come as {', '.join(EXPORTS)}.")
    names = ("names", "rejected", "adjudicated", "participants", "machines")
    yes = {name: request.GET.get(name) == "yes" for name in names}
    chosen = Choices(**yes, undecided=request.GET.get("undecided") == "count")
    if wants_json(request):
        return _fetched(request, request_export(campaign, format, chosen, wait=MOMENT))
    with errors_as_messages(request):
        return _fetched(request, request_export(campaign, format, chosen, wait=MOMENT))
    return redirect("campaign", campaign.key)


@never_cache
@require_safe
@require_login
def exported(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """How far an export is; its script asks for the same as JSON."""
    campaign = campaign_for_manager(request.user, key)
    found = look_at(export_of(campaign, pk))
    if wants_json(request):
        return JsonResponse({"state": found.state, "sentence": _sentence(found)})
    context = {
        "campaign": campaign,
        "tab": "campaign",
        "export": found,
        "sentence": _sentence(found),
        "label": export_format(found.format).label,
        "chosen": [words for name, words in _WORDS.items() if getattr(choices_of(found), name)],
    }
    return render(request, "results/export.html", context)


@never_cache
@require_safe
@require_login
def exported_file(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """The file of an export that is ready."""
    found = export_of(campaign_for_manager(request.user, key), pk)
    return cast(HttpResponse, download(found, request.user))  # a streamed one is as good


class _CampaignsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Several campaigns, each with its protocol, since two may have one name."""

    def label_from_instance(self, campaign: Campaign) -> str:
        return f"{campaign.name}: {campaign.protocol['name']} ({campaign.key})"


class CombineForm(forms.Form):
    """The campaigns that become one corpus."""

    campaigns = _CampaignsField(
        Campaign.objects.none(), to_field_name="key", widget=forms.CheckboxSelectMultiple
    )
    names = forms.BooleanField(label="With the names of the annotators", required=False)
    machines = forms.BooleanField(label="With the work of machines", required=False)


@never_cache
@require_http_methods(GET_AND_POST)
@require_manager
def combined(request: PersonRequest) -> HttpResponse:
    """Choose several campaigns, and download their work as one corpus."""
    started = campaigns_managed_by(request.user).exclude(state=Campaign.State.DRAFT)
    form = CombineForm(request.POST if request.method == "POST" else None)
    form.fields["campaigns"].queryset = started.order_by("name", "pk")  # type: ignore[attr-defined]
    if form.is_valid():
        with errors_on(form):
            return _combined(request, list(form.cleaned_data["campaigns"]), form.cleaned_data)
    context = {"form": form, "campaigns": started.count() > 1}
    return render(request, "campaigns/combine.html", context, status=form_status(form))


def _combined(
    request: PersonRequest, campaigns: Sequence[Campaign], chosen: Mapping[str, Any]
) -> HttpResponse:
    choices = Choices(names=chosen["names"], machines=chosen["machines"])
    with packed_corpus(combined_corpus(campaigns, choices)) as archive:
        content = archive.read_bytes()
    for campaign in campaigns:
        record(campaign, request.user, "exported", format="combined", **asdict(choices))
    response = HttpResponse(content, content_type="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="combined.zip"'
    return response


def _fetched(request: PersonRequest, found: Export) -> HttpResponse:
    """The file, or where to look for it."""
    if found.state in (Export.State.READY, Export.State.FAILED):
        return cast(HttpResponse, download(found, request.user))
    return redirect("campaign-exported", found.campaign.key, found.pk)


def _sentence(found: Export) -> str:
    if found.state == Export.State.READY:
        return f"The export is ready: {found.size / 1e6:,.1f} MB."
    if found.state == Export.State.FAILED:
        return found.problem
    if found.state == Export.State.WAITING or not found.total:
        return "The export waits for its turn."
    return f"The export is being written: {found.done:,} of {found.total:,} submissions."
