"""Looking through the work that was submitted, deciding on it, and telling a crowd market."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.services import decide
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.config.errors import ConflictError
from gistmark.web.config.pages import (
    GET_AND_POST,
    errors_as_messages,
    errors_on,
    form_status,
)
from gistmark.web.crowd.approvals import Filled, fill_batch
from gistmark.web.crowd.sheets import write_sheet
from gistmark.web.manage.forms.campaigns import ApprovalsForm
from gistmark.web.results.review import SHOWS, current_submissions, reviewed, submission_of

PAGE = 20
NO_CODES = "This campaign gives no completion codes."
MOST_SHOWN = 1000


@never_cache
@require_safe
@require_login
def work(request: PersonRequest, key: str) -> HttpResponse:
    """The work of a campaign, that with flags first."""
    campaign = campaign_for_manager(request.user, key)
    show, annotator = _chosen(request)
    submissions = current_submissions(campaign, show, annotator)
    page = Paginator(submissions, PAGE).get_page(request.GET.get("page"))
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
    with errors_as_messages(request):
        if not accepted and request.POST.get("decision") != "reject":
            messages.error(request, "Choose whether to accept or to reject the work.")
        else:
            decided = decide(submission, request.user, accepted, "" if accepted else reason)
            messages.success(request, decided.sentence)
    show, annotator = _chosen(request)
    query = urlencode({"show": show, "annotator": annotator})
    return redirect(f"{reverse('campaign-work', args=[campaign.key])}?{query}")


def _chosen(request: PersonRequest) -> tuple[str, str]:
    """What the address asks for; anything unknown is everything."""
    show = request.GET.get("show", "all")
    annotator = request.GET.get("annotator", "").replace("\x00", "")
    return show if show in SHOWS else "all", annotator


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def approvals(request: PersonRequest, key: str) -> HttpResponse:
    """Take the file of a market, and give it back with what was decided."""
    campaign = campaign_for_manager(request.user, key)
    if not campaign.completion_codes:
        raise ConflictError(NO_CODES)
    if request.method != "POST":
        return _page(request, campaign, ApprovalsForm())
    form = ApprovalsForm(request.POST, request.FILES)
    if form.is_valid():
        with errors_on(form, "file"):
            filled = fill_batch(campaign, form.cleaned_data["file"].read(), request.user)
            return _page(request, campaign, ApprovalsForm(), filled)
    return _page(request, campaign, form)


def _page(
    request: PersonRequest, campaign: Campaign, form: ApprovalsForm, filled: Filled | None = None
) -> HttpResponse:
    context = {"campaign": campaign, "tab": "work", "approvals_form": form}
    if filled is not None:
        context |= _shown(campaign, filled)
    return render(request, "crowd/approvals.html", context, status=form_status(form))


def _shown(campaign: Campaign, filled: Filled) -> dict[str, object]:
    """What the page tells of a file, and the file itself, which is kept nowhere else."""
    data = b64encode(write_sheet(filled.sheet).encode()).decode()
    return {
        "filled": filled,
        "address": f"data:text/csv;charset=utf-8;base64,{data}",
        "name": f"{slugify(campaign.name)[:60] or 'campaign'}-{campaign.key}-approvals.csv",
        "problems": filled.undecided[:MOST_SHOWN],
        "more": max(0, len(filled.undecided) - MOST_SHOWN),
    }
