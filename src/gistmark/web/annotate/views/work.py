"""My work: the campaigns that somebody annotates for, and the tasks that they have in each."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.web.accounts.permissions import (
    PersonRequest,
    campaign_for_member,
    require_login,
)
from gistmark.web.annotate.overview import consented, work_of
from gistmark.web.annotate.services import next_task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import give_consent, protocol_of

NOTHING_LEFT = "There is nothing left for you to do in this campaign just now. Thank you!"


@never_cache
@require_safe
@require_login
def work(request: PersonRequest) -> HttpResponse:
    """All campaigns of this annotator, with their tasks."""
    return render(request, "annotate/work.html", {"campaigns": work_of(request.user)})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@require_login
def begin(request: PersonRequest, key: str) -> HttpResponse:
    """What a campaign is about, to be read and accepted before its first task."""
    campaign = campaign_for_member(request.user, key)
    if request.method == "POST":
        give_consent(campaign, request.user)
        return _to_next_task(request, campaign)
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "consented": consented(campaign, request.user),
    }
    return render(request, "annotate/begin.html", context)


@require_POST
@require_login
def next_(request: PersonRequest, key: str) -> HttpResponse:
    """Take the next task of a campaign and go there."""
    campaign = campaign_for_member(request.user, key)
    if not consented(campaign, request.user):
        return redirect("work-begin", key=key)
    return _to_next_task(request, campaign)


def _to_next_task(request: PersonRequest, campaign: Campaign) -> HttpResponse:
    task = next_task(campaign, request.user)
    if task is None:
        messages.info(request, NOTHING_LEFT)
        return redirect("work")
    return redirect("task", pk=task.pk)
