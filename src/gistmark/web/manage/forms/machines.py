"""The form of a machine."""

from __future__ import annotations

from django import forms

from gistmark.web.accounts.people import NAME_LENGTH
from gistmark.web.campaigns.services.machines import MODEL_LENGTH, URL_LENGTH


class MachineForm(forms.Form):
    """A model that judges in a campaign."""

    model = forms.CharField(
        label="Model",
        max_length=MODEL_LENGTH,
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
        help_text="Its name at the server, such as gpt-4o-mini, or the name of a local model.",
    )
    url = forms.CharField(
        label="Address of its server",
        required=False,
        max_length=URL_LENGTH,
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
        help_text="One that speaks the chat completions protocol, such as "
        "http://localhost:8000/v1; leave it empty for a local model.",
    )
    name = forms.CharField(
        label="Name of the machine",
        required=False,
        max_length=NAME_LENGTH,
        help_text="As managers see it; without one it is named after the model.",
    )
