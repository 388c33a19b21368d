"""The forms about markets other than Prolific: how people come and go, and the market's file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms

from gistmark.web.crowd.markets import MARKETS, get_market
from gistmark.web.crowd.models import LONGEST_ID, Recruitment
from gistmark.web.crowd.settings import MOST_TASKS, OUTCOMES, Outcome, RecruitmentSettings
from gistmark.web.manage.forms.campaigns import LARGEST, ApprovalsForm

_OWN_PAGES = ("prolific",)
"""Markets that have pages of their own."""
_PARAMETERS = {
    "participant": "Parameter with the participant's id",
    "study": "Parameter with the study's id",
    "session": "Parameter with the id of the place or session",
}
_OUTCOMES: dict[Outcome, str] = {
    "completed": "Completed",
    "no_consent": "No consent",
    "failed_comprehension": "Failed comprehension",
    "screened_out": "Screened out",
    "too_late": "Too late",
}
_STATES = (
    (Recruitment.State.ACTIVE, "People can come in"),
    (Recruitment.State.ENDED, "Nobody new is let in; whoever has begun can finish"),
)


class MarketForm(forms.Form):
    """Which market, how many tasks, and for the generic market what its addresses look like."""

    market = forms.ChoiceField(label="Market", widget=forms.RadioSelect)
    tasks_per_participant = forms.IntegerField(
        label="Tasks for each participant", min_value=1, max_value=MOST_TASKS, initial=1
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [name for name in MARKETS if name not in _OWN_PAGES]
        market = self.fields["market"]
        assert isinstance(market, forms.ChoiceField), "it is declared above"
        market.choices = [(name, get_market(name).title) for name in names]
        market.initial = names[0]
        _add_ways(self)

    def settings(self, kept: RecruitmentSettings | None = None) -> RecruitmentSettings:
        """What was chosen; the rest is as it was."""
        cleaned = self.cleaned_data
        return replace(
            kept or RecruitmentSettings(),
            tasks_per_participant=cleaned["tasks_per_participant"],
            parameters={name: cleaned[_field(name)].strip() for name in _PARAMETERS},
            return_addresses={
                outcome: cleaned[outcome].strip() for outcome in OUTCOMES if cleaned[outcome]
            },
        )


class ChangeMarketForm(MarketForm):
    """The same once the market is chosen, with the study's id and whether people can come in."""

    field_order = ["state", "study", "tasks_per_participant"]
    state = forms.ChoiceField(label="State", choices=_STATES, widget=forms.RadioSelect)
    study = forms.CharField(
        label="The market's id of the study",
        max_length=LONGEST_ID,
        required=False,
        help_text="Once it is known, addresses with another id are refused.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["market"]


class ReconcileForm(ApprovalsForm):
    """The market's file of participants."""

    file = forms.FileField(
        label="The market's file of participants",
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=(
            "A CSV file with a column of the participants' or the sessions' ids; "
            f"at most {LARGEST // 1024**2} MB."
        ),
    )
    bonus = forms.CharField(
        label="Bonus for participants all of whose work counts",
        max_length=20,
        required=False,
        help_text="In the market's currency, such as 0.50.",
    )


def initial_of(recruitment: Recruitment) -> dict[str, object]:
    """What the form of a recruitment shows at first."""
    settings = recruitment.read_settings()
    names = get_market(recruitment.market).parameters(settings)
    ended = recruitment.state == Recruitment.State.ENDED
    return {
        "tasks_per_participant": settings.tasks_per_participant,
        "study": recruitment.study,
        "state": Recruitment.State.ENDED if ended else Recruitment.State.ACTIVE,
        **{_field(name): getattr(names, name) for name in _PARAMETERS},
        **dict(settings.return_addresses.items()),
    }


def _field(parameter: str) -> str:
    """The field of a parameter's name; `study` is the field of the study's own id."""
    return "study_parameter" if parameter == "study" else parameter


def _add_ways(form: forms.Form) -> None:
    """Fields for the parameters of the address, and for where each outcome leads."""
    for name, label in _PARAMETERS.items():
        form.fields[_field(name)] = forms.CharField(
            label=label,
            initial=name,
            max_length=50,
            required=name == "participant",
            help_text="" if name == "participant" else "Empty where the market sends none.",
        )
    for outcome, label in _OUTCOMES.items():
        form.fields[outcome] = forms.CharField(
            label=f"Return address: {label.lower()}",
            max_length=2000,
            required=False,
            widget=forms.TextInput(attrs={"placeholder": "https://…?code={code}"}),
        )
