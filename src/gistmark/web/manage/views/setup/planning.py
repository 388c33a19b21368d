"""How many documents and annotators a campaign needs, and a draft with these numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.services.launch import use_plan
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.campaigns import LONGEST_NAME
from gistmark.web.campaigns.services.members import campaign_for_manager, campaigns_managed_by
from gistmark.web.interface.pages import errors_as_messages, errors_on
from gistmark.web.manage.pages import page
from gistmark.web.results.planning import HEIGHT, WIDTH, Wanted, chart_of, planning_of, usual_kind

if TYPE_CHECKING:
    from gistmark.analysis.planning import Plan, Planning

_KINDS = (("ratings", "Ratings"), ("choices", "Pairwise choices"))
_MOST = 1_000_000


def _number(label: str, help_text: str = "", **limits: Any) -> forms.FloatField:
    return forms.FloatField(label=label, required=False, help_text=help_text, **limits)


class PlanForm(forms.Form):
    """What is to be planned; nothing is changed by it."""

    kind = forms.ChoiceField(label="What annotators give", choices=_KINDS)
    difference = _number("Difference to detect, in points", "For ratings.", min_value=0)
    share = _number(
        "Share of choices that the better system wins, in percent", "For pairwise choices.",
        min_value=50, max_value=100,
    )  # fmt: skip
    pilot = forms.ModelChoiceField(
        Campaign.objects.none(), label="Learn from the work of", required=False,
        empty_label="No campaign: I type the numbers",
        help_text="A pilot, or an earlier campaign that asked the same.",
    )  # fmt: skip
    summary = _number("Standard deviation of single summaries", "Typed, for ratings.", min_value=0)
    residual = _number("Standard deviation of the rest", "Typed, for ratings.", min_value=0)
    favour = _number(
        "How far an annotator favours a system", "Typed, for ratings: a standard deviation.",
        min_value=0,
    )  # fmt: skip
    strict = _number(
        "How far annotators differ in strictness", "Typed, for ratings: a standard deviation.",
        min_value=0,
    )  # fmt: skip
    alike = _number(
        "How alike annotators choose between the same two summaries",
        "Typed, for choices: a correlation from 0 to 1.", min_value=0, max_value=0.99,
    )  # fmt: skip
    taste = _number(
        "How alike one annotator chooses between the same two systems",
        "Typed, for choices: a correlation from 0 to 1.", min_value=0, max_value=0.99,
    )  # fmt: skip
    power = _number("Power, in percent", min_value=1, max_value=99.9)
    both = forms.BooleanField(
        label="The result should hold for other annotators too", required=False
    )
    seconds = _number("Seconds for one summary or choice", "Empty: as in the pilot.", min_value=0)
    rate = _number("What an hour costs", min_value=0)
    currency = forms.CharField(label="Currency", required=False, max_length=10)

    def __init__(
        self, campaign: Campaign, campaigns: QuerySet[Campaign], data: Mapping[str, Any] | None
    ) -> None:
        initial = {"kind": usual_kind(campaign), "power": 80, "difference": 0.3, "share": 60}
        super().__init__(data, initial=initial)
        others = campaigns.exclude(state=Campaign.State.DRAFT)
        self.fields["pilot"].queryset = others  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        wanted = "difference" if cleaned.get("kind") == "ratings" else "share"
        if not self.errors and not cleaned.get(wanted):
            self.add_error(wanted, "Say how large a difference should be detected.")
        return cleaned

    def wanted(self) -> Wanted:
        """What was asked for."""
        given = self.cleaned_data
        ratings = given["kind"] == "ratings"
        first, second, third = (
            (given["summary"], given["residual"], given["favour"])
            if ratings
            else (given["alike"], None, given["taste"])
        )
        return Wanted(
            given["kind"], given["difference"] if ratings else given["share"] / 100,
            given["pilot"], first, second, third or 0.0, (given["power"] or 80) / 100,
            given["both"], given["seconds"], given["rate"], given["currency"].strip(),
            given["strict"] or 0.0,
        )  # fmt: skip


class UsePlanForm(forms.Form):
    """The numbers of a plan, and for a campaign that has started the name of its copy."""

    documents = forms.IntegerField(label="Documents", min_value=1, max_value=_MOST)
    annotators = forms.IntegerField(label="Annotators", min_value=1, max_value=_MOST)
    name = forms.CharField(label="Name of the draft", required=False, max_length=LONGEST_NAME)


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
    from gistmark.analysis.planning.words import percent, rests_on

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
            (documents, [(each, percent(each.power), each.sure >= planning.target)
                         for each in row])
            for documents, row in rows
        ],
        "chart": chart_of(planning),
        "size": (WIDTH, HEIGHT),
    }  # fmt: skip
