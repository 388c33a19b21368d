"""Making a campaign, and moving it from state to state."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.errors import CorpusError, GistmarkError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.permissions import (
    PersonRequest,
    campaign_for_manager,
    campaigns_managed_by,
    require_login,
    require_manager,
)
from gistmark.web.campaigns.forms.making import NewCampaignForm
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import close, create_campaign, pause, resume, start
from gistmark.web.campaigns.views.showing import GET_AND_POST, shown, status_of, told

STEPS: Mapping[str, tuple[Callable[[Campaign, User | None], Campaign], str]] = {
    "start": (start, "The campaign runs. Annotators can take tasks now."),
    "pause": (pause, "The campaign is paused. Drafts can still be saved."),
    "resume": (resume, "The campaign runs again."),
    "close": (close, "The campaign is closed."),
}


@never_cache
@require_http_methods(GET_AND_POST)
@require_manager
def new(request: PersonRequest) -> HttpResponse:
    """Ask for a name, a corpus and a protocol; everything else can wait."""
    managed = campaigns_managed_by(request.user)
    filled = (request.POST, request.FILES) if request.method == "POST" else ()
    form = NewCampaignForm(managed, *filled)
    if form.is_valid():
        made = _made(request, form)
        if made is not None:
            return redirect("campaign", made.key)
    context = {"form": form, **shown(form.problems)}
    return render(request, "campaigns/new.html", context, status=status_of(form))


@require_POST
@require_login
def state(request: PersonRequest, key: str) -> HttpResponse:
    """Start, pause, resume or close."""
    found = campaign_for_manager(request.user, key)
    step = STEPS.get(request.POST.get("step", ""))
    if step is None:
        messages.error(request, f"A step is one of {', '.join(STEPS)}.")
    else:
        move, sentence = step
        with told(request):
            move(found, request.user)
            messages.success(request, sentence)
    return redirect("campaign", found.key)


def _made(request: PersonRequest, form: NewCampaignForm) -> Campaign | None:
    """The new campaign; None where the form has been told what is wrong."""
    corpus = form.cleaned_data["corpus"]
    try:
        campaign = create_campaign(
            owner=request.user,
            name=form.cleaned_data["name"],
            protocol=form.chosen_protocol,
            corpus=corpus,
        )
    except CorpusError as error:
        form.problems = error.problems
        form.add_error("source", "The corpus cannot be used; below is what is wrong.")
        return None
    except GistmarkError as error:
        form.add_error("name", str(error))
        return None
    for note in corpus.notes[:10]:
        messages.info(request, str(note))
    messages.success(request, "The campaign is made. Look it over, then start it.")
    return campaign
