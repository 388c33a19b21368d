"""One's own e-mail: giving an address, confirming it, what is sent there, and a lost password."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.web.accounts import addresses
from gistmark.web.accounts.forms import ForgottenForm, MailAddressForm, MailsForm
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.accounts.sign_in.attempts import TooManyAttemptsError, visitor_address
from gistmark.web.accounts.sign_in.credentials import LinkError
from gistmark.web.config.errors import refuse
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages
from gistmark.web.outbox.senders import has_mail_server


def base_of(request: HttpRequest) -> str:
    """Where links in mails lead: the platform's own address, or the one that was asked for."""
    return settings.ADDRESS or f"{request.scheme}://{request.get_host()}"


@require_POST
@require_login
def set_address(request: PersonRequest) -> HttpResponse:
    """Store an address and send a link there."""
    _demand_mail()
    form = MailAddressForm(request.POST)
    with errors_as_messages(request):
        text = form.cleaned_data["address"] if form.is_valid() else ""
        addresses.set_address(request.user, text, base=base_of(request))
        messages.success(
            request, gettext("A link is on its way; the address is used once you have opened it.")
        )
    return redirect("account")


@require_POST
@require_login
def remove_address(request: PersonRequest) -> HttpResponse:
    """Forget the address."""
    addresses.remove_address(request.user)
    messages.success(request, gettext("Your address is removed."))
    return redirect("account")


@require_POST
@require_login
def choose_mails(request: PersonRequest) -> HttpResponse:
    """Choose what is sent."""
    form = MailsForm(request.POST, manages=request.user.may_manage)
    if form.is_valid():
        cleaned = form.cleaned_data
        addresses.choose_mails(
            request.user, reminders=cleaned["reminders"], digest=cleaned.get("digest", "never")
        )
        messages.success(request, gettext("Your choice is saved."))
    return redirect("account")


@never_cache
@require_http_methods(GET_AND_POST)
def confirm(request: HttpRequest, secret: str) -> HttpResponse:
    """Confirm an address; programs that look at links in mails only see the button."""
    try:
        if request.method == "POST":
            addresses.confirm_address(secret)
            messages.success(request, gettext("Your address is confirmed."))
            return redirect("home")
        person = addresses.read_address_link(secret)
    except LinkError as error:
        return refuse(request, 404, str(error))
    return render(request, "accounts/address.html", {"person": person})


@never_cache
@csrf_exempt
@require_http_methods(GET_AND_POST)
def stop_reminders(request: HttpRequest, secret: str) -> HttpResponse:
    """Send no more reminders; mail programs may press the button for their reader."""
    try:
        person = addresses.read_reminders_secret(secret)
        if request.method == "POST":
            addresses.stop_reminders(secret)
    except LinkError as error:
        return refuse(request, 404, str(error))
    context = {"person": person, "is_done": request.method == "POST"}
    return render(request, "accounts/reminders.html", context)


@never_cache
@require_http_methods(GET_AND_POST)
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link for a new password to the address of an account, if it has one."""
    _demand_mail()
    posted = request.method == "POST"
    form = ForgottenForm(request.POST if posted else None)
    status, is_done = 400 if posted else 200, False
    if form.is_valid():
        try:
            name = form.cleaned_data["name"]
            addresses.send_password_link(name, visitor_address(request), base=base_of(request))
            status, is_done = 200, True
        except TooManyAttemptsError as error:
            form.add_error(None, str(error))
            status = 429
    context = {"form": form, "is_done": is_done}
    return render(request, "accounts/sign_in/forgotten.html", context, status=status)


def _demand_mail() -> None:
    if not has_mail_server():
        raise Http404(gettext("There is no page at this address."))
