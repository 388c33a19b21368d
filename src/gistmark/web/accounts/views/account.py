"""One's own account: the password and the tokens of the API."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from gistmark.errors import UsageError
from gistmark.web.accounts.attempts import (
    TooManyAttemptsError,
    forget_failures,
    note_failure,
    refuse_guessing,
    visitor_address,
)
from gistmark.web.accounts.forms import ChangePasswordForm, TokenForm
from gistmark.web.accounts.people import set_password
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.accounts.tokens import make_token, revoke_token


@never_cache
@require_safe
@require_login
def account(request: PersonRequest) -> HttpResponse:
    """Name, role, password, tokens."""
    return _page(request)


@never_cache
@sensitive_post_parameters()
@require_POST
@require_login
def change_password(request: PersonRequest) -> HttpResponse:
    """Change the password; other sessions end, this one goes on with a new key."""
    form = ChangePasswordForm(request.POST, name=request.user.username)
    if form.is_valid() and _knows_old(request, form):
        set_password(request.user, form.cleaned_data["password"])
        update_session_auth_hash(request, request.user)
        messages.success(request, "The password is changed; other devices are logged out.")
        return redirect("account")
    return _page(request, password_form=form, status=400)


@never_cache
@require_POST
@require_login
def new_token(request: PersonRequest) -> HttpResponse:
    """Make a token and show its secret, this once."""
    form = TokenForm(request.POST)
    if form.is_valid():
        try:
            made = make_token(request.user, form.cleaned_data["name"])
        except UsageError as error:
            form.add_error("name", str(error))
        else:
            return render(request, "accounts/made_token.html", {"made": made})
    return _page(request, token_form=form, status=400)


@require_POST
@require_login
def revoke(request: PersonRequest, pk: int) -> HttpResponse:
    """Make a token useless."""
    revoke_token(request.user, pk)
    messages.success(request, "The token is revoked.")
    return redirect("account")


def _page(
    request: PersonRequest,
    *,
    password_form: ChangePasswordForm | None = None,
    token_form: TokenForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "password_form": password_form or ChangePasswordForm(),
        "token_form": token_form or TokenForm(),
        "tokens": request.user.tokens.all(),
    }
    return render(request, "accounts/account.html", context, status=status)


def _knows_old(request: PersonRequest, form: ChangePasswordForm) -> bool:
    """Whether the present password is right; who holds a stolen session cannot try for long."""
    name, address = request.user.username, visitor_address(request)
    try:
        refuse_guessing(name, address)
    except TooManyAttemptsError as error:
        form.add_error(None, str(error))
        return False
    if not request.user.check_password(form.cleaned_data["old"]):
        note_failure(name, address)
        form.add_error("old", "This is not your present password.")
        return False
    forget_failures(name, address)
    return True
