"""The list of campaigns, the page of a draft, a new one, its pilot, and the steps of its life."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.permissions import (
    PersonRequest,
    require_admin,
    require_login,
    require_manager,
)
from gistmark.web.annotate.services.launch import load_sample, start
from gistmark.web.annotate.services.pilots import (
    MOST_ANNOTATORS,
    discard_pilot,
    keep_pilot,
    pilot_of,
    start_pilot,
)
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.archive import archive, restore
from gistmark.web.campaigns.services.campaigns import close, create_campaign, pause, resume
from gistmark.web.campaigns.services.members import campaign_for_manager, campaigns_managed_by
from gistmark.web.campaigns.services.protocols import outlook, protocol_of
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.manage.forms.campaigns import NewCampaignForm
from gistmark.web.manage.pages import page, shown
from gistmark.web.results.dashboard.progress import progress_of

PAGE = 50
STEPS: Mapping[str, tuple[Callable[[Campaign, User | None], Campaign], str]] = {
    "start": (start, "The campaign runs. Annotators can take tasks now."),
    "pause": (pause, "The campaign is paused. Drafts can still be saved."),
    "resume": (resume, "The campaign runs again."),
    "close": (close, "The campaign is closed."),
    "archive": (archive, "The campaign is archived: the list shows it only on request."),
    "restore": (restore, "The campaign is in the list again."),
}
ARCHIVED = "archived"
PILOT_KEPT = "The campaign runs, and the work of the pilot counts."
PILOT_DISCARDED = "The work of the pilot is thrown away. The campaign is a draft again."
PILOT_STARTED = "The pilot runs. {annotators} annotators can take tasks now."


@never_cache
@require_safe
@require_manager
def campaigns(request: PersonRequest) -> HttpResponse:
    """The campaigns that somebody manages, newest first, or those that are searched for."""
    chosen = {name: request.GET.get(name, "").replace("\0", "").strip() for name in ("q", "state")}
    managed = campaigns_managed_by(request.user)
    shown = _matching(managed, **chosen).select_related("owner").order_by("-created_at", "-pk")
    page = Paginator(shown, PAGE).get_page(request.GET.get("page"))
    progress = progress_of(page)
    context = {
        "page": page,
        "rows": [(campaign, progress[campaign.pk]) for campaign in page],
        "chosen": chosen,
        "also": f"&{urlencode(chosen)}" if any(chosen.values()) else "",
        "states": [*Campaign.State.choices, (ARCHIVED, "Archived")],
        "any": any(chosen.values()) or managed.exists(),
    }
    return render(request, "campaigns/campaigns.html", context)


def _matching(campaigns: QuerySet[Campaign], q: str, state: str) -> QuerySet[Campaign]:
    """Campaigns of this state whose name has these words; archived ones only where wanted."""
    found = campaigns.filter(archived_at__isnull=state != ARCHIVED)
    if state in Campaign.State.values:
        found = found.filter(state=state)
    return found.filter(name__icontains=q) if q else found


@never_cache
@require_safe
@require_login
def campaign(request: PersonRequest, key: str) -> HttpResponse:
    """What a draft needs before it can start; from then on a campaign has a dashboard."""
    draft = campaign_for_manager(request.user, key)
    seen = outlook(draft)
    return page(
        request,
        "campaign",
        draft,
        tab="campaign",
        outlook=seen,
        protocol=protocol_of(draft),
        in_the_way=shown(seen.problems),
        left_out=shown(seen.selection.problems),
    )


@never_cache
@require_http_methods(GET_AND_POST)
@require_manager
def new(request: PersonRequest) -> HttpResponse:
    """Ask for a name, a corpus and a protocol; everything else can wait."""
    managed = campaigns_managed_by(request.user)
    filled = (request.POST, request.FILES) if request.method == "POST" else ()
    form = NewCampaignForm(managed, *filled)
    if form.is_valid():
        with form.errors_shown("name"):
            made = _create(request, form)
            composed = form.chosen_protocol.question_type.composed
            return redirect("campaign-design" if composed else "campaign", made.key)
    context = {"form": form, **shown(form.problems)}
    return render(request, "campaigns/new.html", context, status=form_status(form))


@require_POST
@require_login
def state(request: PersonRequest, key: str) -> HttpResponse:
    """Start, pause, resume or close."""
    campaign = campaign_for_manager(request.user, key)
    step = STEPS.get(request.POST.get("step", ""))
    if step is None:
        messages.error(request, f"A step is one of {', '.join(STEPS)}.")
    else:
        move, sentence = step
        with errors_as_messages(request):
            move(campaign, request.user)
            messages.success(request, sentence)
    return redirect("campaign", campaign.key)


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def sample(request: PersonRequest) -> HttpResponse:
    """Offer the sample campaign."""
    if request.method != "POST":
        return render(request, "campaigns/setup/sample.html")
    try:
        campaign = load_sample(request.user)
    except GistmarkError as error:
        context = {"sentence": str(error)}
        return render(request, "campaigns/setup/sample.html", context, status=400)
    messages.success(request, f"{campaign.name} is loaded.")
    return redirect("campaign", campaign.key)


def _create(request: PersonRequest, form: NewCampaignForm) -> Campaign:
    corpus = form.cleaned_data["corpus"]
    campaign = create_campaign(
        owner=request.user,
        name=form.cleaned_data["name"],
        protocol=form.chosen_protocol,
        corpus=corpus,
    )
    for note in corpus.notes[:10]:
        messages.info(request, str(note))
    messages.success(request, "The campaign has been created. Look it over, then start it.")
    return campaign


class PilotForm(forms.Form):
    """How large a pilot is."""

    annotators = forms.IntegerField(
        label="Annotators",
        min_value=1,
        max_value=MOST_ANNOTATORS,
        initial=2,
        help_text="The first who claim a task take part; each does all tasks of the pilot.",
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
        return _pilot_page(request, campaign, PilotForm())
    step = request.POST.get("step")
    if step in ("keep", "discard"):
        return _end_pilot(request, campaign, keep=step == "keep")
    form = PilotForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            start_pilot(campaign, request.user, **form.cleaned_data)
            messages.success(request, PILOT_STARTED.format(**form.cleaned_data))
            return redirect("campaign", campaign.key)
    return _pilot_page(request, campaign, form)


def _end_pilot(request: PersonRequest, campaign: Campaign, *, keep: bool) -> HttpResponse:
    with errors_as_messages(request):
        if keep:
            keep_pilot(campaign, request.user)
        else:
            told = DiscardForm(request.POST)
            count = told.cleaned_data["submissions"] if told.is_valid() else -1
            discard_pilot(campaign, request.user, submissions=count)
        messages.success(request, PILOT_KEPT if keep else PILOT_DISCARDED)
        return redirect("campaign", campaign.key)
    return redirect("campaign-pilot", campaign.key)


def _pilot_page(request: PersonRequest, campaign: Campaign, form: PilotForm) -> HttpResponse:
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
