"""Coming and going: the start page, logging in and out."""

from __future__ import annotations

from django.contrib.auth import authenticate, login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.web.accounts.attempts import (
    TooManyAttemptsError,
    forget_failures,
    note_failure,
    refuse_guessing,
    visitor_address,
)
from gistmark.web.accounts.forms import LogInForm
from gistmark.web.accounts.models import User
from gistmark.web.accounts.permissions import PersonRequest, require_login

WRONG = "The name or the password is wrong, or the account is closed."


@require_safe
@require_login
def home(request: PersonRequest) -> HttpResponse:
    """Managers start at their campaigns, annotators at their work."""
    return redirect("campaigns" if request.user.may_manage else "work")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    """Ask for name and password; the session gets a new key."""
    target = _safe_target(request)
    if request.user.is_authenticated:
        return redirect(target)
    form = LogInForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        try:
            user = _identify(request, form)
        except TooManyAttemptsError as error:
            form.add_error(None, str(error))
            status = 429
        else:
            if user is not None:
                login(request, user)
                return redirect(target)
            status = 400
    return render(request, "accounts/log_in.html", {"form": form}, status=status)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """End the session."""
    logout(request)
    return redirect("log-in")


def _identify(request: HttpRequest, form: LogInForm) -> User | None:
    """Whose name and password these are; who it is not is not told."""
    if not form.is_valid():
        return None
    name, password = form.cleaned_data["name"], form.cleaned_data["password"]
    address = visitor_address(request)
    refuse_guessing(name, address)
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User):
        note_failure(name, address)
        form.add_error(None, WRONG)
        return None
    if address is not None:
        forget_failures(name, address)
    return user


def _safe_target(request: HttpRequest) -> str:
    """Where to go after logging in: a page of this site, or the start page."""
    target = request.GET.get("next", "")
    allowed = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if allowed else "/"
