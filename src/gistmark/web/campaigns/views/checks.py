"""The review of the checks: True/False statements and planted summaries, all in one list."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, campaign_for_manager, require_login
from gistmark.web.campaigns.services import approve_all, generate_checks, protocol_of
from gistmark.web.campaigns.views.showing import page, told

PAGE = 30
_SHOWN_PROBLEMS = 10


@never_cache
@require_safe
@require_login
def checks(request: PersonRequest, key: str) -> HttpResponse:
    """What there is, what waits for approval, and what the protocol needs."""
    campaign = campaign_for_manager(request.user, key)
    waiting = request.GET.get("show") == "waiting"
    questions = campaign.questions.select_related("document").order_by("approved", "id")
    planted = campaign.planted.select_related("document").order_by("approved", "id")
    if waiting:
        questions, planted = questions.filter(approved=False), planted.filter(approved=False)
    return page(
        request,
        "checks",
        campaign,
        tab="checks",
        protocol=protocol_of(campaign),
        questions=Paginator(questions, PAGE).get_page(request.GET.get("questions")),
        planted=Paginator(planted, PAGE).get_page(request.GET.get("planted")),
        waits=campaign.questions.filter(approved=False).count()
        + campaign.planted.filter(approved=False).count(),
        only_waiting=waiting,
    )


@require_POST
@require_login
def generate(request: PersonRequest, key: str) -> HttpResponse:
    """Make what is missing."""
    campaign = campaign_for_manager(request.user, key)
    with told(request):
        made = generate_checks(campaign, request.user)
        messages.success(
            request, f"Made {made.questions} statements and {made.planted} planted triples."
        )
        for problem in made.problems[:_SHOWN_PROBLEMS]:
            messages.warning(request, str(problem))
        if len(made.problems) > _SHOWN_PROBLEMS:
            more = len(made.problems) - _SHOWN_PROBLEMS
            messages.warning(request, f"... and {more} more documents for which there are none.")
    return redirect("campaign-checks", campaign.key)


@require_POST
@require_login
def approve_waiting(request: PersonRequest, key: str) -> HttpResponse:
    """Approve everything that waits."""
    campaign = campaign_for_manager(request.user, key)
    with told(request):
        count = approve_all(campaign, request.user)
        messages.success(request, f"Approved: {count}.")
    return redirect("campaign-checks", campaign.key)
