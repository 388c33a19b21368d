"""A campaign as its annotators see it: the terms, and one task after another."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.errors import UsageError
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.pages import modules_of
from gistmark.web.annotate.services import preview_task
from gistmark.web.campaigns.services import protocol_of
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.interface.languages import use_language


@never_cache
@require_safe
@require_login
def begin(request: PersonRequest, key: str) -> HttpResponse:
    """What an annotator reads and accepts before the first task."""
    campaign = campaign_for_manager(request.user, key)
    use_language(request, campaign.language)
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "practises": campaign.practice_items.exists() or campaign.comprehension.exists(),
    }
    return render(request, "annotate/preview_begin.html", context)


@never_cache
@require_safe
@require_login
def task(request: PersonRequest, key: str) -> HttpResponse:
    """A task of the campaign, the first or `?task=N`; its script has the answer checked."""
    campaign = campaign_for_manager(request.user, key)
    previewed = preview_task(campaign, request.user, _number(request.GET.get("task", "1")))
    use_language(request, campaign.language)
    context = {
        "campaign": campaign,
        "seen": previewed.preview,
        "payload": previewed.payload,
        "modules": modules_of(previewed.payload["kind"]),
    }
    return render(request, "annotate/preview.html", context)


def _number(given: str) -> int:
    if not given.isascii() or not given.isdigit() or len(given) > 9:
        raise UsageError("The number of a task is a whole number from 1.")
    return int(given)
