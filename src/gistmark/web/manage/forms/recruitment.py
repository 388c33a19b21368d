"""The forms of studies on Prolific: what a study is, whose token is used, reviews and bonuses."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms

from gistmark.web.campaigns.models import Campaign
from gistmark.web.crowd.models import MarketAccount, Recruitment
from gistmark.web.crowd.prolific.bonuses import MOST_AMOUNT
from gistmark.web.crowd.prolific.offers import (
    LEAST_PER_HOUR,
    Filters,
    filters_from,
    suggested_minutes,
)
from gistmark.web.crowd.prolific.review import LONGEST_MESSAGE
from gistmark.web.crowd.settings import (
    MOST_MINUTES,
    MOST_PLACES,
    MOST_REWARD,
    MOST_TASKS,
    RecruitmentSettings,
)
from gistmark.web.results.dashboard.progress import timings_of

_USUAL_MINUTES = 10
_FAIR = 1.5
"""Prolific recommends half as much again as its least rate."""


class StudyForm(forms.Form):
    """What a study on Prolific is: work, time, pay, and whom it is for."""

    title = forms.CharField(
        label="Title that participants see",
        max_length=200,
        required=False,
        help_text="Empty: “Judge summaries of short texts”.",
    )
    description = forms.CharField(
        label="Description that participants see",
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Empty: a few sentences with the number of tasks and the time.",
    )
    places = forms.IntegerField(
        label="Places", min_value=1, max_value=MOST_PLACES, help_text="How many participants."
    )
    tasks_per_participant = forms.IntegerField(
        label="Tasks for each participant", min_value=1, max_value=MOST_TASKS
    )
    minutes = forms.IntegerField(label="Minutes", min_value=1, max_value=MOST_MINUTES)
    reward = forms.DecimalField(
        label="Reward for each participant",
        min_value=Decimal("0.01"),
        max_value=Decimal(MOST_REWARD) / 100,
        decimal_places=2,
    )
    currency = forms.ChoiceField(
        label="Currency", choices=[(each, each) for each in LEAST_PER_HOUR], required=False
    )
    languages = forms.CharField(
        label="Fluent in one of these languages",
        required=False,
        help_text="As Prolific names them, separated by commas: English, German. Empty: any.",
    )
    countries = forms.CharField(
        label="Living in one of these countries",
        required=False,
        help_text="As Prolific names them: United Kingdom, Germany. Empty: any.",
    )
    approval_rate = forms.IntegerField(
        label="Lowest approval rate, in percent", min_value=0, max_value=100, required=False
    )
    exclude_earlier = forms.BooleanField(
        label="Leave out participants of earlier studies of this campaign", required=False
    )
    approve_automatically = forms.BooleanField(
        label="Approve and pay participants as soon as they complete it",
        required=False,
        help_text="For studies in which nothing is to be reviewed.",
    )
    require_token = forms.BooleanField(
        label="Let people in only by addresses that Prolific has signed",
        required=False,
        help_text="Only workspaces with secured study addresses have this.",
    )

    @classmethod
    def of(cls, campaign: Campaign, recruitment: Recruitment | None, **data: Any) -> StudyForm:
        """The form as a study is set, or as a new one usually is."""
        settings = None if recruitment is None else recruitment.read_settings()
        form = cls(initial=_usual(campaign) if settings is None else _filled(settings), **data)
        median = timings_of(campaign).median
        if median is not None:
            form.fields[
                "minutes"
            ].help_text = (
                f"The median of the accepted tasks so far is {median / 60:.1f} minutes for each."
            )
        return form

    def settings(self, account: MarketAccount | None) -> RecruitmentSettings:
        """What was filled in; an account's currency is the workspace's."""
        given = dict(self.cleaned_data)
        filters = Filters(
            _listed(given.pop("languages")),
            _listed(given.pop("countries")),
            given.pop("approval_rate") or 0,
        )
        given["reward"] = int(given["reward"] * 100)
        given["currency"] = account.currency if account else given["currency"] or "GBP"
        return RecruitmentSettings(filters=filters.to_mapping(), **given)


class AccountForm(forms.Form):
    """A token, which is shown to nobody again."""

    token = forms.CharField(
        label="API token of Prolific",
        max_length=500,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text="Made on Prolific under Settings, “API tokens”. It is stored encrypted.",
    )
    workspace = forms.CharField(
        label="Workspace", max_length=200, required=False, help_text="Needed if you have several."
    )


class PlacesForm(forms.Form):
    """More places for a study that is on Prolific."""

    places = forms.IntegerField(label="Places in all", min_value=1, max_value=MOST_PLACES)


class HandForm(forms.Form):
    """What is known of a study that was made on Prolific's own pages."""

    study = forms.CharField(
        label="Id of the study on Prolific",
        max_length=100,
        required=False,
        help_text="It stands in the address of the study's page there.",
    )
    state = forms.ChoiceField(
        label="People can come in",
        choices=[
            ("active", "Yes"),
            ("paused", "Yes, but the study is paused on Prolific"),
            ("ended", "Only those who have been here before"),
        ],
    )


class MessageForm(forms.Form):
    """What a participant is told."""

    message = forms.CharField(
        label="Message to the participant",
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 5}),
    )


class BonusForm(forms.Form):
    """The same bonus for everybody who is chosen."""

    amount = forms.DecimalField(
        label="Bonus for each",
        min_value=Decimal("0.01"),
        max_value=Decimal(MOST_AMOUNT) / 100,
        decimal_places=2,
    )


def _usual(campaign: Campaign) -> dict[str, Any]:
    minutes = suggested_minutes(timings_of(campaign).median, 1) or _USUAL_MINUTES
    fair = LEAST_PER_HOUR["GBP"] * _FAIR * minutes / 60
    return {
        "places": 10,
        "tasks_per_participant": 1,
        "minutes": minutes,
        "reward": _money(round(fair)),
        "currency": "GBP",
        "approval_rate": 95,
        "exclude_earlier": True,
    }


def _filled(settings: RecruitmentSettings) -> dict[str, Any]:
    filters = filters_from(settings.filters)
    return {
        **{
            name: getattr(settings, name)
            for name in StudyForm.base_fields
            if hasattr(settings, name)
        },
        "reward": _money(settings.reward),
        "languages": ", ".join(filters.languages),
        "countries": ", ".join(filters.countries),
        "approval_rate": filters.approval_rate or None,
    }


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _money(amount: int) -> Decimal:
    """An amount with two digits behind the point, as a form shows it."""
    return (Decimal(amount) / 100).quantize(Decimal("0.01"))
