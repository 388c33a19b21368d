"""Recruiting on Prolific: studies of a campaign, made, published, paused and compared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.errors import UsageError
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.config.errors import ConflictError
from gistmark.web.config.storage.encryption import DecryptionError
from gistmark.web.crowd.markets import completion_codes
from gistmark.web.crowd.models import MarketAccount, Recruitment
from gistmark.web.crowd.prolific.accounts import MARKET, account_of, connect, disconnect
from gistmark.web.crowd.prolific.client import MarketError
from gistmark.web.crowd.prolific.hooks import subscribe
from gistmark.web.crowd.prolific.offers import Offer, filters_from, shown
from gistmark.web.crowd.prolific.studies import (
    ACTIONS,
    STEPS,
    Cost,
    add_places,
    change_study,
    cost_of,
    create_study,
    description_of,
    offer_for,
    title_of,
)
from gistmark.web.crowd.prolific.sync import Report, report_from, sync
from gistmark.web.crowd.recruitments import (
    change_recruitment,
    create_recruitment,
    latest_visits,
    study_address,
)
from gistmark.web.crowd.settings import OUTCOMES
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.manage.forms.recruitment import AccountForm, HandForm, PlacesForm, StudyForm
from gistmark.web.manage.pages import page

_DONE = {
    "create": "The draft is on Prolific. Look at it there if you like, then publish it.",
    "publish": "The study is published: participants can take places now.",
    "pause": "The study is paused: Prolific lets nobody new in.",
    "resume": "The study goes on.",
    "stop": "The study has ended on Prolific.",
}


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def recruit(request: PersonRequest, key: str) -> HttpResponse:
    """The studies of a campaign, and a form for a new one."""
    campaign = campaign_for_manager(request.user, key)
    if request.method != "POST":
        return _list(request, campaign, StudyForm.of(campaign, None))
    form = StudyForm.of(campaign, None, data=request.POST)
    if form.is_valid():
        with errors_on(form):
            account = account_of(request.user)
            settings = form.settings(account)
            offer_for(settings, account).demand_enough()
            made = create_recruitment(campaign, market=MARKET, settings=settings, by=request.user)
            return redirect("campaign-study", campaign.key, made.key)
    return _list(request, campaign, form)


@never_cache
@require_POST
@require_login
def account(request: PersonRequest, key: str) -> HttpResponse:
    """Store one's token, remove it, or have events sent."""
    campaign = campaign_for_manager(request.user, key)
    known, step = account_of(request.user), request.POST.get("step")
    with errors_as_messages(request):
        if step == "connect":
            form = AccountForm(request.POST)
            if not form.is_valid():
                raise UsageError("Enter the API token.")
            connect(request.user, **form.cleaned_data)
            messages.success(request, "Prolific accepts the token. It is stored.")
        elif known is None:
            raise ConflictError("No token of yours is stored.")
        elif step == "disconnect":
            disconnect(known, request.user)
            messages.success(request, "The token is removed.")
        elif step == "events":
            address = request.build_absolute_uri(reverse("crowd-hook", args=[known.key]))
            subscribe(known, address, request.user)
            messages.success(request, "Prolific sends its events here from now on.")
        else:
            raise UsageError("Choose what to do with the token.")
    return redirect("campaign-recruit", campaign.key)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def study(request: PersonRequest, key: str, study: str) -> HttpResponse:
    """One study: its settings until it is on Prolific, what it costs, and how it stands."""
    recruitment = recruitment_for(request, key, study)
    campaign = recruitment.campaign
    if request.method != "POST":
        return _study(request, recruitment, StudyForm.of(campaign, recruitment))
    form = StudyForm.of(campaign, recruitment, data=request.POST)
    if form.is_valid():
        with errors_on(form):
            if recruitment.study:
                raise ConflictError("The study is on Prolific; change it there.")
            known = account_of(request.user)
            settings = form.settings(known)
            offer_for(settings, known).demand_enough()
            kept = recruitment.read_settings()
            settings = replace(
                settings, parameters=kept.parameters, return_addresses=kept.return_addresses
            )
            change_recruitment(recruitment, request.user, settings=settings)
            messages.success(request, "The study is changed.")
            return redirect("campaign-study", campaign.key, recruitment.key)
    return _study(request, recruitment, form)


@never_cache
@require_POST
@require_login
def step(request: PersonRequest, key: str, study: str) -> HttpResponse:
    """Do something with a study: make its draft, publish, pause, compare, and so on."""
    recruitment = recruitment_for(request, key, study)
    with errors_as_messages(request):
        messages.success(request, _take_step(request, recruitment, request.POST.get("step", "")))
    return redirect("campaign-study", key, study)


def _take_step(request: PersonRequest, recruitment: Recruitment, step: str) -> str:
    """Do it; a sentence says what was done."""
    if step == "create":
        known = account_of(request.user)
        if known is None:
            raise ConflictError("Store an API token of Prolific first.")
        origin = request.build_absolute_uri("/").rstrip("/")
        create_study(recruitment, known, request.user, origin=origin)
    elif step in ACTIONS:
        change_study(recruitment, step, request.user)
    elif step == "sync":
        report = sync(recruitment, request.user)
        return f"Compared with Prolific: {sum(report.there.values())} submissions there."
    elif step == "places":
        form = PlacesForm(request.POST)
        if not form.is_valid():
            raise UsageError("Say how many places the study should have in all.")
        add_places(recruitment, form.cleaned_data["places"], request.user)
        return "The places are added."
    elif step == "by-hand":
        hand = HandForm(request.POST)
        if not hand.is_valid() or recruitment.account is not None:
            raise UsageError("Say whether people can come in, and the study's id if you know it.")
        change_recruitment(recruitment, request.user, **hand.cleaned_data)
        return "Saved."
    else:
        raise UsageError("Choose what to do with the study.")
    return _DONE[step]


def recruitment_for(request: PersonRequest, key: str, study: str) -> Recruitment:
    """A study on Prolific of a campaign that the person manages."""
    campaign = campaign_for_manager(request.user, key)
    studies = campaign.recruitments.filter(market=MARKET).select_related("campaign", "account")
    found = None if "\0" in study else studies.filter(key=study).first()
    if found is None:
        raise Http404("This campaign has no such study.")
    return found


def _list(request: PersonRequest, campaign: Campaign, form: StudyForm) -> HttpResponse:
    return page(
        request,
        "crowd/recruit",
        campaign,
        tab="recruit",
        status=form_status(form),
        form=form,
        account=account_of(request.user),
        account_form=AccountForm(),
        studies=campaign.recruitments.select_related("account__owner"),
        is_https=request.is_secure(),
    )


def _study(request: PersonRequest, recruitment: Recruitment, form: StudyForm) -> HttpResponse:
    known = recruitment.account or account_of(request.user)
    is_draft = recruitment.state == Recruitment.State.DRAFT
    offer, cost, problem = _priced(recruitment, known if is_draft else None)
    origin = request.build_absolute_uri("/").rstrip("/")
    visits, count = latest_visits(recruitment)
    report = report_from(recruitment.report)
    return page(
        request,
        "crowd/study",
        recruitment.campaign,
        tab="recruit",
        status=form_status(form),
        study=recruitment,
        visits=visits,
        count=count,
        settings=recruitment.read_settings(),
        form=form,
        account=known,
        is_mine=known is not None and known.owner_id == request.user.pk,
        money=_money(offer, cost),
        cost=cost,
        problem=problem,
        steps=STEPS.get(recruitment.market_status, ()),
        report=report,
        counts=[] if report is None else _counts(report),
        paste=_paste(recruitment, origin),
        hand_form=HandForm(initial={"study": recruitment.study, "state": recruitment.state}),
        places_form=PlacesForm(initial={"places": recruitment.read_settings().places}),
    )


def _priced(recruitment: Recruitment, known: MarketAccount | None) -> tuple[Offer, Cost, str]:
    """What a study pays and costs, as the market says or, where it does not answer, as usual."""
    settings = recruitment.read_settings()
    try:
        offer = offer_for(settings, known, quick=True)
        return offer, cost_of(offer, known, quick=True), ""
    except (MarketError, DecryptionError) as error:
        offer = offer_for(settings, None)
        return offer, cost_of(offer, None), str(error)


def _money(offer: Offer, cost: Cost) -> dict[str, str]:
    amounts = {
        "reward": offer.reward,
        "per_hour": offer.per_hour,
        "least": offer.least,
        "least_reward": offer.least_reward,
        "rewards": offer.rewards,
        "cost": cost.amount,
    }
    return {name: shown(amount, offer.currency) for name, amount in amounts.items()}


def _counts(report: Report) -> list[tuple[str, int, int]]:
    """Submissions by status, there and here."""
    statuses = sorted({*report.there, *report.here})
    return [(each, report.there.get(each, 0), report.here.get(each, 0)) for each in statuses]


def _paste(recruitment: Recruitment, origin: str) -> dict[str, Any]:
    """Everything that a study needs on Prolific, to be pasted by hand."""
    return {
        "title": title_of(recruitment),
        "description": description_of(recruitment),
        "address": study_address(recruitment, origin),
        "codes": [
            {
                "outcome": outcome.replace("_", " "),
                "code": each["code"],
                "type": each["code_type"],
                "action": each["actions"][0]["action"],
            }
            for outcome, each in zip(OUTCOMES, completion_codes(recruitment), strict=True)
        ],
        "filters": filters_from(recruitment.read_settings().filters).sentences(),
    }
