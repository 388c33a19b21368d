"""Fewer judgements: which documents of a campaign are judged, and when it knows enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.services.adaptive import go_on, stop
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.fewer import (
    AdaptiveSettings,
    adaptive_settings,
    choose_sample,
    drop_sample,
    let_stop,
    make_adaptive,
)
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.campaigns.services.uploads import read_scores_upload
from gistmark.web.interface.pages import errors_as_messages, errors_on, form_status
from gistmark.web.manage.pages import page

if TYPE_CHECKING:
    from gistmark.analysis.sampling import Request
    from gistmark.scoring import Scores

_BY = (
    ("random", "At random"),
    ("stratified", "Evenly from strata"),
    ("diversity", "By the diversity of the systems' summaries"),
    ("metric-variance", "By the variance of a metric over systems (needs scores)"),
    ("consistency", "By consistency with a metric's overall order (needs scores)"),
)
_PURPOSES = (
    ("means", "Means and rankings: draw with known probabilities, and weigh by them"),
    (
        "ranking",
        "The ranking alone: take the most informative ones; means are then not the corpus's",
    ),
)
_STRATA = (
    ("length", "Quarters by length"),
    ("lang", "Languages"),
    ("metric", "Quarters by a metric (needs scores)"),
)


class SampleForm(forms.Form):
    """How many documents are judged, and how they are chosen."""

    size = forms.IntegerField(label="Documents to judge", min_value=1, max_value=1_000_000)
    by = forms.ChoiceField(label="Chosen", choices=_BY)
    purpose = forms.ChoiceField(
        label="For",
        choices=_PURPOSES,
        help_text="At random and from strata, documents always have known probabilities.",
    )
    strata = forms.ChoiceField(label="Strata, if chosen from strata", choices=_STRATA)
    seed = forms.IntegerField(label="Seed", min_value=0, max_value=2**31 - 1, initial=0)
    scores = forms.FileField(
        label="Scores",
        required=False,
        allow_empty_file=True,
        help_text="A CSV, JSONL or Parquet file that gistmark score wrote.",
    )
    metric = forms.CharField(
        label="Metric",
        required=False,
        max_length=200,
        help_text="Such as rouge1.f; empty: the first one.",
    )

    def request(self) -> Request:
        """What was asked for."""
        from gistmark.analysis.sampling import Request

        given: dict[str, Any] = self.cleaned_data
        return Request(
            given["size"],
            given["by"],
            given["purpose"],
            given["strata"],
            given["metric"] or None,
            given["seed"],
        )


class AdaptiveForm(forms.Form):
    """Whether the campaign chooses its tasks adaptively, and when it stops."""

    enabled = forms.BooleanField(
        label="Choose the tasks that tell most about the systems", required=False
    )
    dimension = forms.ChoiceField(label="Dimension that decides", required=False)
    level = forms.FloatField(
        label="Probability of any false decision",
        min_value=0.0001,
        max_value=0.49,
        help_text="Shared among all pairs of systems.",
    )
    margin = forms.FloatField(
        label="Differences that do not matter",
        min_value=0,
        help_text=(
            "In points of the scale, or as a difference of shares of votes. Pairs that are known "
            "to be closer count as equal; with 0 only differences are decided."
        ),
    )
    floor = forms.FloatField(
        label="Share of tasks chosen by chance alone",
        min_value=0.01,
        max_value=1,
        help_text="So that estimates stay unbiased.",
    )
    stops = forms.BooleanField(
        label="Give out no more tasks once every pair of systems is decided", required=False
    )

    def __init__(self, campaign: Campaign, data: Mapping[str, Any] | None = None) -> None:
        settings = asdict(adaptive_settings(campaign) or AdaptiveSettings())
        super().__init__(data, initial=settings | {"enabled": campaign.adaptive is not None})
        names = [each.name for each in protocol_of(campaign).dimensions]
        choices = [("", "The first one"), *((name, name) for name in names)]
        self.fields["dimension"].choices = choices  # type: ignore[attr-defined]

    def settings(self) -> AdaptiveSettings | None:
        """What was filled in; None where the campaign is not to be adaptive."""
        given = dict(self.cleaned_data)
        return AdaptiveSettings(**given) if given.pop("enabled") else None


@never_cache
@require_safe
@require_login
def fewer(request: PersonRequest, key: str) -> HttpResponse:
    """Show both: the sample of documents, and the rule of an adaptive campaign."""
    return _page(request, campaign_for_manager(request.user, key))


@never_cache
@require_POST
@require_login
def sample(request: PersonRequest, key: str) -> HttpResponse:
    """Choose the documents that are judged."""
    campaign = campaign_for_manager(request.user, key)
    form = SampleForm(request.POST, request.FILES)
    if form.is_valid():
        with errors_on(form):
            scores = _scores(form.cleaned_data["scores"])
            chosen = choose_sample(campaign, form.request(), request.user, scores)
            messages.success(request, f"{len(chosen)} documents are chosen.")
            return redirect("campaign-fewer", campaign.key)
    return _page(request, campaign, sample_form=form)


@require_POST
@require_login
def drop(request: PersonRequest, key: str) -> HttpResponse:
    """Let all documents be judged."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        drop_sample(campaign, request.user)
        messages.success(request, "All documents are judged.")
    return redirect("campaign-fewer", campaign.key)


@never_cache
@require_POST
@require_login
def adaptive(request: PersonRequest, key: str) -> HttpResponse:
    """Set the rule of a draft; of a campaign that has started, whether it stops by itself."""
    campaign = campaign_for_manager(request.user, key)
    if campaign.state != Campaign.State.DRAFT:
        with errors_as_messages(request):
            let_stop(campaign, "stops" in request.POST, request.user)
            messages.success(request, "This is saved.")
        return redirect("campaign-fewer", campaign.key)
    form = AdaptiveForm(campaign, request.POST)
    if form.is_valid():
        with errors_on(form):
            make_adaptive(campaign, form.settings(), request.user)
            messages.success(request, "This is saved.")
            return redirect("campaign-fewer", campaign.key)
    return _page(request, campaign, adaptive_form=form)


@require_POST
@require_login
def stop_or_go_on(request: PersonRequest, key: str) -> HttpResponse:
    """Stop giving out tasks of an adaptive campaign, or go on."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        if request.POST.get("step") == "go-on":
            go_on(campaign, request.user)
            messages.success(request, "Tasks are given out again.")
        else:
            stop(campaign, request.user)
            messages.success(request, "No more tasks are given out.")
    return redirect("campaign", campaign.key)


def in_words(campaign: Campaign) -> str:
    """What a campaign does to need fewer judgements, in a sentence or two."""
    every = campaign.documents.count()
    left_out = campaign.documents.filter(left_out=True).count()
    documents = "All documents of the corpus are judged."
    if campaign.sampling is not None:
        method = campaign.sampling["method"]
        documents = f"{every - left_out} documents are judged, chosen by {method}."
        if left_out:
            documents = f"{every - left_out} of {every} documents are judged, chosen by {method}."
    if campaign.adaptive is None:
        return f"{documents} Tasks are given out evenly."
    ends = "and stops by itself" if campaign.adaptive["stops"] else "until you stop it"
    return f"{documents} The campaign chooses the tasks that tell most, {ends}."


def _scores(upload: UploadedFile[Any] | None) -> Scores | None:
    if upload is None:
        return None
    return read_scores_upload(upload.name or "", upload.chunks())


def _page(
    request: PersonRequest,
    campaign: Campaign,
    *,
    sample_form: SampleForm | None = None,
    adaptive_form: AdaptiveForm | None = None,
) -> HttpResponse:
    forms = {
        "sample_form": sample_form or SampleForm(),
        "adaptive_form": adaptive_form or AdaptiveForm(campaign),
    }
    return page(
        request,
        "setup/fewer",
        campaign,
        tab="settings",
        status=form_status(*forms.values()),
        in_words=in_words(campaign),
        given=campaign.sampling is not None and campaign.sampling["given"],
        **forms,
    )
