"""People and metrics together: a campaign's mean ratings with the help of stored scores."""

from __future__ import annotations

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.interface.pages import GET_AND_POST, errors_on
from gistmark.web.manage.pages import page
from gistmark.web.results.exports import file_stem
from gistmark.web.results.statistics.helping import (
    drop_helper,
    scores_file,
    store_helper,
    stored_helper,
)
from gistmark.web.results.statistics.study import statistics_soon

_POPULATIONS = (
    ("beyond", "Documents beyond these"),
    ("corpus", "The documents of this corpus alone"),
)


class HelperForm(forms.Form):
    """A file of scores, and which of them help."""

    scores = forms.FileField(
        label="Scores",
        allow_empty_file=True,
        help_text="A CSV, JSONL or Parquet file that gistmark score wrote, of all documents of the "
        "corpus. Scores of this campaign’s summaries are kept with it.",
    )
    helper = forms.CharField(
        label="Helper",
        max_length=500,
        initial="all",
        help_text="A metric such as rouge1.f, several such as rouge1+js, or all.",
    )
    population = forms.ChoiceField(label="Intervals hold for", choices=_POPULATIONS)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def helper(request: PersonRequest, key: str) -> HttpResponse:
    """Show intervals by people alone and with the stored scores; take scores to store."""
    campaign = campaign_for_manager(request.user, key)
    filled = (request.POST, request.FILES) if request.method == "POST" else ()
    form = HelperForm(*filled)
    if form.is_valid():
        given = form.cleaned_data
        with errors_on(form):
            file = given["scores"]
            store_helper(
                campaign, file.name or "", file.chunks(),
                helper=given["helper"], population=given["population"], by=request.user,
            )  # fmt: skip
            return redirect("campaign-helper", key=campaign.key)
    stored = stored_helper(campaign)
    results, older = statistics_soon(campaign) if stored is not None else (None, None)
    known = None if results is None or older is not None else results.helped
    status = 400 if form.errors else 200
    return page(
        request, "setup/helper", campaign, tab="campaign", status=status, form=form, stored=stored,
        helped=known,
    )  # fmt: skip


@never_cache
@require_POST
@require_login
def remove(request: PersonRequest, key: str) -> HttpResponse:
    """Delete the stored scores."""
    campaign = campaign_for_manager(request.user, key)
    drop_helper(campaign, request.user)
    return redirect("campaign-helper", key=campaign.key)


@never_cache
@require_safe
@require_login
def scores(request: PersonRequest, key: str) -> HttpResponse:
    """The stored scores as CSV."""
    campaign = campaign_for_manager(request.user, key)
    stored = stored_helper(campaign)
    if stored is None:
        raise Http404("No scores are stored with this campaign.")
    response = HttpResponse(scores_file(stored), content_type="text/csv; charset=utf-8")
    name = f"{file_stem(campaign)}-scores.csv"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
