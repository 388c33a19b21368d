"""Reviewing the submissions of a study on Prolific, and bonuses for good work."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import UsageError
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.crowd.models import BonusPayment, Recruitment, Visit
from gistmark.web.crowd.prolific.bonuses import (
    drop_bonuses,
    pay_bonuses,
    resolve_bonuses,
    set_up_bonuses,
)
from gistmark.web.crowd.prolific.offers import shown
from gistmark.web.crowd.prolific.review import (
    LEAST_MESSAGE,
    VisitWork,
    approve,
    draft_rejection,
    draft_return,
    reject,
    request_return,
    work_of,
)
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.manage.forms.recruitment import BonusForm, MessageForm
from gistmark.web.manage.pages import page
from gistmark.web.manage.views.crowd.recruitment import recruitment_for


@never_cache
@require_safe
@require_login
def review(request: PersonRequest, key: str, study: str) -> HttpResponse:
    """All submissions of a study with their work, to approve or to look at, and bonuses."""
    recruitment = recruitment_for(request, key, study)
    work = work_of(recruitment)
    currency = recruitment.account.currency if recruitment.account else ""
    bonuses = recruitment.bonus_payments.prefetch_related("bonuses__visit__participant__user")
    return page(
        request,
        "crowd/study_review",
        recruitment.campaign,
        tab="recruit",
        study=recruitment,
        work=work,
        suggested=sum(each.suggestion == "approve" for each in work),
        reward=shown(recruitment.read_settings().reward, currency),
        bonus_form=BonusForm(),
        payments=[(each, shown(each.total, currency)) for each in bonuses],
    )


@never_cache
@require_POST
@require_login
def approve_chosen(request: PersonRequest, key: str, study: str) -> HttpResponse:
    """Approve the chosen submissions."""
    recruitment = recruitment_for(request, key, study)
    with errors_as_messages(request):
        count = approve(recruitment, _chosen(request, recruitment), request.user)
        told = "1 submission is" if count == 1 else f"{count} submissions are"
        messages.success(request, f"{told} approved; Prolific pays.")
    return redirect("campaign-study-review", key, study)


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def submission(request: PersonRequest, key: str, study: str, pk: int) -> HttpResponse:
    """One submission: ask for its return, or reject it where the market's rules allow that."""
    recruitment = recruitment_for(request, key, study)
    work = next((each for each in work_of(recruitment) if each.visit.pk == pk), None)
    if work is None:
        raise Http404("This study has no such submission.")
    drafts = {"return": draft_return(work), "reject": draft_rejection(work)}
    forms = {
        name: MessageForm(initial={"message": draft}, auto_id=f"{name}_%s")
        for name, draft in drafts.items()
    }
    step = request.POST.get("step", "")
    if request.method == "POST":
        step = step if step in forms else "return"
        forms[step] = form = MessageForm(request.POST, auto_id=f"{step}_%s")
        if form.is_valid():
            with errors_on(form):
                _answer(work, step, form.cleaned_data["message"], request)
                return redirect("campaign-study-review", key, study)
    return page(
        request,
        "crowd/study_submission",
        recruitment.campaign,
        tab="recruit",
        status=form_status(*forms.values()),
        study=recruitment,
        each=work,
        forms=forms,
        least=LEAST_MESSAGE,
    )


@never_cache
@require_POST
@require_login
def bonuses(request: PersonRequest, key: str, study: str) -> HttpResponse:
    """Set bonuses up for the chosen, confirm their total, or give them up."""
    recruitment = recruitment_for(request, key, study)
    with errors_as_messages(request):
        messages.success(request, _bonus_step(request, recruitment, request.POST.get("step", "")))
    return redirect("campaign-study-review", key, study)


def _answer(work: VisitWork, step: str, message: str, request: PersonRequest) -> None:
    if step == "reject":
        reject(work, message, request.user)
        messages.success(request, f"The submission of {work.name} is rejected.")
    else:
        request_return(work.visit, message, request.user)
        messages.success(request, f"{work.name} is asked to return the submission.")


def _bonus_step(request: PersonRequest, recruitment: Recruitment, step: str) -> str:
    if step == "set-up":
        form = BonusForm(request.POST)
        if not form.is_valid():
            raise UsageError("A bonus is an amount such as 0.50.")
        amount = int(form.cleaned_data["amount"] * 100)
        set_up_bonuses(recruitment, _chosen(request, recruitment), amount, request.user)
        return "The bonuses are set up. Confirm their total to pay them."
    payment = _payment(request, recruitment)
    if step == "pay":
        total = request.POST.get("total", "")
        pay_bonuses(payment, int(total) if total.isdecimal() else -1, request.user)
        return "Prolific pays the bonuses in the next minutes."
    if step == "drop":
        drop_bonuses(payment, request.user)
        return "The bonuses are given up; nothing was paid."
    if step == "look-up":
        if resolve_bonuses(payment, request.user).state == BonusPayment.State.PAID:
            return "Prolific has paid these bonuses."
        return "Prolific has not paid these bonuses; confirm their total to pay them."
    raise UsageError("Choose what to do with the bonuses.")


def _payment(request: PersonRequest, recruitment: Recruitment) -> BonusPayment:
    given = request.POST.get("payment", "")
    known = recruitment.bonus_payments.filter(pk=int(given)) if given.isdecimal() else None
    payment = None if known is None or len(given) > 18 else known.first()
    if payment is None:
        raise UsageError("This study has no such payment of bonuses.")
    return payment


def _chosen(request: PersonRequest, recruitment: Recruitment) -> Sequence[Visit]:
    """The visits that were ticked."""
    given = [each for each in request.POST.getlist("visits") if each.isdecimal()]
    keys = [int(each) for each in given if len(each) <= 18]
    visits = recruitment.visits.filter(pk__in=keys).select_related("participant__user")
    chosen = list(visits)
    if not chosen:
        raise UsageError("Choose at least one submission.")
    return chosen
