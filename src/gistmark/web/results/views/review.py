"""Looking through the work that was handed in, and deciding on it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.errors import GistmarkError
from gistmark.web.accounts.permissions import PersonRequest, campaign_for_manager, require_login
from gistmark.web.annotate.services import decide
from gistmark.web.crowd.forms import ApprovalsForm
from gistmark.web.results.review import SHOWS, handed_in, reviewed, submission_of

PAGE = 20


@never_cache
@require_safe
@require_login
def work(request: PersonRequest, key: str) -> HttpResponse:
    """The work of a campaign, that with flags first."""
    campaign = campaign_for_manager(request.user, key)
    show, annotator = _chosen(request)
    page = Paginator(handed_in(campaign, show, annotator), PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "tab": "work",
        "page": page,
        "rows": reviewed(campaign, page),
        "approvals_form": ApprovalsForm() if campaign.completion_codes else None,
        "show": show,
        "shows": SHOWS.items(),
        "annotator": annotator,
        "chosen": urlencode({"show": show, "annotator": annotator}),
        "also": "&" + urlencode({"show": show, "annotator": annotator}),
    }
    return render(request, "results/work.html", context)


@require_POST
@require_login
def decide_on(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Accept or reject one submission, and go back to the list."""
    campaign = campaign_for_manager(request.user, key)
    submission = submission_of(campaign, pk)
    accepted = request.POST.get("decision") == "accept"
    reason = request.POST.get("reason", "")
    try:
        if not accepted and request.POST.get("decision") != "reject":
            messages.error(request, "Choose whether to accept or to reject the work.")
        else:
            decided = decide(submission, request.user, accepted, "" if accepted else reason)
            messages.success(request, decided.sentence)
    except GistmarkError as error:
        messages.error(request, str(error))
    show, annotator = _chosen(request)
    query = urlencode({"show": show, "annotator": annotator})
    return redirect(f"{reverse('campaign-work', args=[campaign.key])}?{query}")


def _chosen(request: PersonRequest) -> tuple[str, str]:
    """What the address asks for; anything unknown is everything."""
    show = request.GET.get("show", "all")
    annotator = request.GET.get("annotator", "").replace("\x00", "")
    return show if show in SHOWS else "all", annotator
