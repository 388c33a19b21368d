"""Markets other than Prolific: address and codes to paste, and their files with what was decided.

Work is told by its completion code in the file of a batch, visits by the market's ids in the file
of participants.
"""

from __future__ import annotations

from base64 import b64encode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.approvals import Filled, fill_batch, write_sheet
from gistmark.web.crowd.arrival import let_in as let_browser_in
from gistmark.web.crowd.markets import get_market
from gistmark.web.crowd.models import Recruitment, Visit
from gistmark.web.crowd.reconciling import Reconciled, reconcile_file
from gistmark.web.crowd.recruitments import (
    change_recruitment,
    create_recruitment,
    latest_visits,
    study_address,
)
from gistmark.web.crowd.settings import OUTCOMES, in_words
from gistmark.web.interface.pages import GET_AND_POST, errors_on, form_status
from gistmark.web.manage.forms.campaigns import ApprovalsForm
from gistmark.web.manage.forms.markets import (
    ChangeMarketForm,
    MarketForm,
    ReconcileForm,
    initial_of,
)
from gistmark.web.manage.pages import page

MOST_DIFFERENCES = 500
NO_CODES = "This campaign gives no completion codes."
MOST_UNDECIDED = 1000


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def new(request: PersonRequest, key: str) -> HttpResponse:
    """Recruit on another market."""
    campaign = campaign_for_manager(request.user, key)
    form = MarketForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with errors_on(form):
            made = create_recruitment(
                campaign,
                market=form.cleaned_data["market"],
                settings=form.settings(),
                by=request.user,
            )
            change_recruitment(made, request.user, state=Recruitment.State.ACTIVE)
            return redirect("campaign-market", campaign.key, made.key)
    status = form_status(form)
    return page(request, "crowd/market_new", campaign, tab="recruit", status=status, form=form)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def market(request: PersonRequest, key: str, study: str) -> HttpResponse:
    """One recruitment: what to paste, who came, and what may be changed."""
    recruitment = _recruitment(request, key, study)
    if request.method != "POST":
        return _page(request, recruitment)
    form = ChangeMarketForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            change_recruitment(
                recruitment,
                request.user,
                settings=form.settings(recruitment.read_settings()),
                study=form.cleaned_data["study"],
                state=form.cleaned_data["state"],
            )
            messages.success(request, "Saved.")
            return redirect("campaign-market", key, study)
    return _page(request, recruitment, form=form)


@never_cache
@require_POST
@require_login
def reconcile(request: PersonRequest, key: str, study: str) -> HttpResponse:
    """Take the market's file of participants, and give it back with what was decided."""
    recruitment = _recruitment(request, key, study)
    form = ReconcileForm(request.POST, request.FILES)
    if form.is_valid():
        with errors_on(form, "file"):
            result = reconcile_file(
                recruitment,
                form.cleaned_data["file"].read(),
                request.user,
                bonus=form.cleaned_data["bonus"],
            )
            return _page(request, recruitment, result=result)
    return _page(request, recruitment, reconcile_form=form)


@require_POST
@require_login
def let_in(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Let a participant go on in another browser."""
    campaign = campaign_for_manager(request.user, key)
    visits = Visit.objects.select_related("participant__user", "recruitment__campaign")
    visit = visits.filter(recruitment__campaign=campaign, pk=pk).first()
    if visit is None:
        raise Http404("This campaign has no such visit.")
    let_browser_in(visit, request.user)
    name = visit.participant.user.username
    messages.success(request, f"The next browser in which {name} arrives is let in.")
    prolific = visit.recruitment.market == "prolific"
    return redirect("campaign-study" if prolific else "campaign-market", key, visit.recruitment.key)


def _recruitment(request: PersonRequest, key: str, study: str) -> Recruitment:
    """A recruitment on another market, of a campaign that the person manages."""
    campaign = campaign_for_manager(request.user, key)
    others = campaign.recruitments.exclude(market="prolific").select_related("campaign")
    known = None if "\0" in study else others.filter(key=study).first()
    if known is None:
        raise Http404("This campaign does not recruit there.")
    return known


def _page(
    request: PersonRequest,
    recruitment: Recruitment,
    *,
    form: ChangeMarketForm | None = None,
    reconcile_form: ReconcileForm | None = None,
    result: Reconciled | None = None,
) -> HttpResponse:
    form = form or ChangeMarketForm(initial=initial_of(recruitment))
    reconcile_form = reconcile_form or ReconcileForm()
    market, settings = get_market(recruitment.market), recruitment.read_settings()
    visits, count = latest_visits(recruitment)
    return page(
        request,
        "crowd/market",
        recruitment.campaign,
        tab="recruit",
        status=form_status(form, reconcile_form),
        recruitment=recruitment,
        title=market.title,
        parameters=market.parameters(settings),
        address=study_address(recruitment, request.build_absolute_uri("/")),
        codes=[(in_words(each), recruitment.codes[each]) for each in OUTCOMES],
        visits=visits,
        count=count,
        form=form,
        reconcile_form=reconcile_form,
        **_shown(recruitment, result),
    )


def _shown(recruitment: Recruitment, result: Reconciled | None) -> dict[str, object]:
    """What the page tells of a file, and the file itself, which is kept nowhere else."""
    if result is None:
        return {}
    data = b64encode(write_sheet(result.sheet).encode()).decode()
    stem = slugify(recruitment.campaign.name)[:60] or "campaign"
    return {
        "result": result,
        "file": f"data:text/csv;charset=utf-8;base64,{data}",
        "name": f"{stem}-{recruitment.key}-participants.csv",
        "problems": result.differences[:MOST_DIFFERENCES],
        "more": max(0, len(result.differences) - MOST_DIFFERENCES),
    }


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def approvals(request: PersonRequest, key: str) -> HttpResponse:
    """Take the file of a market, and give it back with what was decided."""
    campaign = campaign_for_manager(request.user, key)
    if not campaign.completion_codes:
        raise ConflictError(NO_CODES)
    if request.method != "POST":
        return _approvals_page(request, campaign, ApprovalsForm())
    form = ApprovalsForm(request.POST, request.FILES)
    if form.is_valid():
        with errors_on(form, "file"):
            filled = fill_batch(campaign, form.cleaned_data["file"].read(), request.user)
            return _approvals_page(request, campaign, ApprovalsForm(), filled)
    return _approvals_page(request, campaign, form)


def _approvals_page(
    request: PersonRequest, campaign: Campaign, form: ApprovalsForm, filled: Filled | None = None
) -> HttpResponse:
    context = {"campaign": campaign, "tab": "work", "approvals_form": form}
    if filled is not None:
        context |= _shown_approvals(campaign, filled)
    return render(request, "crowd/approvals.html", context, status=form_status(form))


def _shown_approvals(campaign: Campaign, filled: Filled) -> dict[str, object]:
    """What the page tells of a file, and the file itself, which is kept nowhere else."""
    data = b64encode(write_sheet(filled.sheet).encode()).decode()
    return {
        "filled": filled,
        "address": f"data:text/csv;charset=utf-8;base64,{data}",
        "name": f"{slugify(campaign.name)[:60] or 'campaign'}-{campaign.key}-approvals.csv",
        "problems": filled.undecided[:MOST_UNDECIDED],
        "more": max(0, len(filled.undecided) - MOST_UNDECIDED),
    }
