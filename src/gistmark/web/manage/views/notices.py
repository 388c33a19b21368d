"""What a campaign sends to the outside: invitations and reminders by e-mail, and webhooks."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.accounts.sign_in.credentials import MOST_DAYS
from gistmark.web.accounts.views.addresses import base_of
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.invitations import INVITATION_DAYS
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.interface.pages import errors_as_messages, errors_on, form_status
from gistmark.web.manage.pages import page
from gistmark.web.notices.mails import MOST_INVITED, invite_by_mail, remind, waiting_in
from gistmark.web.notices.webhooks import (
    LONGEST_URL,
    deliveries_of,
    make_webhook,
    remove_webhook,
    try_webhook,
)
from gistmark.web.outbox.senders import has_mail_server


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


@never_cache
@require_safe
@require_login
def notices(request: PersonRequest, key: str) -> HttpResponse:
    """Webhooks with their latest messages, and what can be sent by e-mail."""
    return _page(request, campaign_for_manager(request.user, key))


@never_cache
@require_POST
@require_login
def new_webhook(request: PersonRequest, key: str) -> HttpResponse:
    """Make a webhook and show its secret, this once."""
    campaign = campaign_for_manager(request.user, key)
    form = WebhookForm(request.POST)
    if form.is_valid():
        with errors_on(form, "url"):
            made = make_webhook(campaign, by=request.user, **form.cleaned_data)
            context = {"campaign": campaign, "made": made, "secret": made.secret}
            return render(request, "campaigns/people/new_webhook.html", context)
    return _page(request, campaign, webhook_form=form)


@require_POST
@require_login
def test_webhook(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Send a test message."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        try_webhook(campaign, pk)
        messages.success(request, "A test is on its way; reload this page to see its outcome.")
    return redirect("campaign-notices", campaign.key)


@require_POST
@require_login
def end_webhook(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Remove a webhook."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        remove_webhook(campaign, pk, by=request.user)
        messages.success(request, "The webhook is removed.")
    return redirect("campaign-notices", campaign.key)


@never_cache
@require_POST
@require_login
def invite(request: PersonRequest, key: str) -> HttpResponse:
    """Invite annotators by e-mail."""
    campaign = campaign_for_manager(request.user, key)
    form = MailInvitationForm(request.POST)
    if form.is_valid():
        with errors_on(form, "addresses"):
            cleaned = form.cleaned_data
            count = invite_by_mail(
                campaign,
                cleaned["addresses"],
                by=request.user,
                days=cleaned["days"],
                base=base_of(request),
            )
            messages.success(request, f"Invitations on their way: {count}.")
            return redirect("campaign-notices", campaign.key)
    return _page(request, campaign, invitation_form=form)


@require_POST
@require_login
def remind_all(request: PersonRequest, key: str) -> HttpResponse:
    """Remind the annotators who hold tasks."""
    campaign = campaign_for_manager(request.user, key)
    with errors_as_messages(request):
        count = remind(campaign, by=request.user, base=base_of(request))
        messages.success(request, f"Reminders on their way: {count}.")
    return redirect("campaign-notices", campaign.key)


def _page(
    request: PersonRequest,
    campaign: Campaign,
    *,
    webhook_form: WebhookForm | None = None,
    invitation_form: MailInvitationForm | None = None,
) -> HttpResponse:
    forms = {
        "webhook_form": webhook_form or WebhookForm(),
        "invitation_form": invitation_form or MailInvitationForm(),
    }
    webhooks = [(each, deliveries_of(each)) for each in campaign.webhooks.all()]
    return page(
        request,
        "people/notices",
        campaign,
        tab="notices",
        status=form_status(*forms.values()),
        webhooks=webhooks,
        has_mail=has_mail_server(),
        waiting=waiting_in(campaign) if has_mail_server() else None,
        **forms,
    )
