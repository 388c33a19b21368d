"""How many documents and annotators a campaign needs, and a draft with these numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.services.launch import use_plan
from gistmark.web.campaigns.services.members import campaign_for_manager, campaigns_managed_by
from gistmark.web.interface.pages import errors_as_messages, errors_on
from gistmark.web.manage.forms.planning import PlanForm, UsePlanForm
from gistmark.web.manage.pages import page
from gistmark.web.results.planning import HEIGHT, WIDTH, chart_of, planning_of

if TYPE_CHECKING:
    from gistmark.analysis.planning import Plan, Planning


@never_cache
@require_safe
@require_login
def plan(request: PersonRequest, key: str) -> HttpResponse:
    """Ask what should be seen; with an answer, show what it takes."""
    campaign = campaign_for_manager(request.user, key)
    form = PlanForm(campaign, campaigns_managed_by(request.user), request.GET or None)
    planning: Planning | None = None
    if form.is_valid():
        with errors_on(form):
            planning = planning_of(campaign, form.wanted())
    shown = {} if planning is None else _shown(planning)
    status = 400 if form.errors else 200
    return page(request, "setup/plan", campaign, tab="settings", status=status, form=form, **shown)


@require_POST
@require_login
def use(request: PersonRequest, key: str) -> HttpResponse:
    """Put the numbers of a plan into the draft, or into a copy of a campaign that has started."""
    campaign = campaign_for_manager(request.user, key)
    form = UsePlanForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose a plan: a number of documents and one of annotators.")
        return redirect("campaign-plan", campaign.key)
    given = form.cleaned_data
    with errors_as_messages(request):
        draft = use_plan(
            campaign, given["documents"], given["annotators"], request.user, given["name"]
        )
        messages.success(
            request,
            f"{given['annotators']} annotators judge {given['documents']} documents, drawn at "
            "random where there are more.",
        )
        return redirect("campaign", draft.key)
    return redirect("campaign-plan", campaign.key)


def _shown(planning: Planning) -> dict[str, object]:
    from gistmark.analysis.planning.words import rests_on

    counts = sorted({each.annotators for each in planning.plans})
    by_size = {(each.documents, each.annotators): each for each in planning.plans}
    rows: list[tuple[int, list[Plan]]] = [
        (documents, [by_size[documents, count] for count in counts])
        for documents in sorted({each.documents for each in planning.plans})
    ]
    return {
        "planning": planning,
        "rests_on": rests_on(planning.spread),
        "counts": counts,
        "rows": [
            (documents, [(each, f"{100 * each.power:.0f} %", each.power >= planning.target)
                         for each in row])
            for documents, row in rows
        ],
        "chart": chart_of(planning),
        "size": (WIDTH, HEIGHT),
    }  # fmt: skip
