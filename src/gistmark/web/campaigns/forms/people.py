"""The forms about the people of a campaign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from gistmark.web.accounts.links import INVITATION_DAYS, MOST_DAYS, MOST_USES
from gistmark.web.accounts.people import NAME_LENGTH
from gistmark.web.campaigns.models import Membership
from gistmark.web.campaigns.services import Member

_MOST_TASKS = 1_000_000


class AddForm(forms.Form):
    """Somebody who has an account."""

    name = forms.CharField(
        label="Name",
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false"}),
    )
    role = forms.ChoiceField(
        label="Takes part as",
        choices=Membership.Role.choices,
        initial=Membership.Role.ANNOTATOR,
    )


class InviteForm(forms.Form):
    """A link with which annotators join the campaign."""

    uses = forms.IntegerField(label="How many people", min_value=1, max_value=MOST_USES, initial=1)
    days = forms.IntegerField(
        label="Days until it ends", min_value=1, max_value=MOST_DAYS, initial=INVITATION_DAYS
    )


class ChosenForm(forms.Form):
    """Some of the annotators, to allocate tasks to or to release them from."""

    people = forms.MultipleChoiceField(label="Annotators", widget=forms.CheckboxSelectMultiple)
    limit = forms.IntegerField(
        label="Tasks for each, at most",
        required=False,
        min_value=1,
        max_value=_MOST_TASKS,
        widget=forms.NumberInput(attrs={"class": "is-short"}),
        help_text="Leave it empty to share out everything that is open.",
    )

    def __init__(self, members: Iterable[Member], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        annotators = [each.name for each in members if each.role == Membership.Role.ANNOTATOR]
        names = [(name, name) for name in annotators]
        self.fields["people"].choices = names  # type: ignore[attr-defined]
