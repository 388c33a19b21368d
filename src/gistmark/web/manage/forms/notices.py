"""The forms about notices: a webhook, and invitations by e-mail."""

from __future__ import annotations

from django import forms

from gistmark.web.accounts.sign_in.credentials import MOST_DAYS
from gistmark.web.campaigns.services.invitations import INVITATION_DAYS
from gistmark.web.notices.mails import MOST_INVITED
from gistmark.web.notices.webhooks import LONGEST_URL


class WebhookForm(forms.Form):
    """An address that is told what happens."""

    url = forms.CharField(
        label="Address",
        max_length=LONGEST_URL,
        widget=forms.TextInput(attrs={"inputmode": "url", "spellcheck": "false"}),
        help_text="A server of yours that takes POST requests, such as https://example.org/hook.",
    )
    on_work = forms.BooleanField(label="When work arrives", required=False, initial=True)
    on_end = forms.BooleanField(label="When the campaign ends", required=False, initial=True)


class MailInvitationForm(forms.Form):
    """Addresses that get an invitation each."""

    addresses = forms.CharField(
        label="E-mail addresses",
        max_length=MOST_INVITED * 260,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        help_text=f"One on each line, at most {MOST_INVITED}. "
        "They are forgotten once the mails are sent.",
    )
    days = forms.IntegerField(
        label="Days that the links are valid",
        min_value=1,
        max_value=MOST_DAYS,
        initial=INVITATION_DAYS,
    )
