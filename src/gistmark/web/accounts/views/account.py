"""One's own way in: logging in and out, the password, the tokens, and the first set-up."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_noop
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
from gistmark.web.accounts.credentials import (
    LinkError,
    make_token,
    read_link,
    revoke_token,
    set_password_by_link,
)
from gistmark.web.accounts.forms import (
    ChangePasswordForm,
    LogInForm,
    NewPasswordForm,
    SetUpForm,
    TokenForm,
)
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.people import set_password
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.accounts.set_up import create_first_admin, is_set_up
from gistmark.web.config.errors import refuse
from gistmark.web.config.languages import checked_language, keep_choice
from gistmark.web.config.pages import GET_AND_POST, errors_on, form_status

WRONG = gettext_noop("The name or the password is wrong, or the account is closed.")


@require_safe
@require_login
def home(request: PersonRequest) -> HttpResponse:
    """Managers start at their campaigns, annotators at their work."""
    return redirect("campaigns" if request.user.may_manage else "work")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(GET_AND_POST)
def log_in(request: HttpRequest) -> HttpResponse:
    """Ask for name and password; the session gets a new key."""
    target = _safe_target(request.GET.get("next", ""), request)
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


@never_cache
@sensitive_post_parameters()
@require_http_methods(GET_AND_POST)
def password(request: HttpRequest, secret: str) -> HttpResponse:
    """Set a new password with a link; whoever was logged in here is logged out."""
    try:
        link = read_link(secret, Link.Kind.PASSWORD)
        assert link.user is not None, "the database refuses password links without a user"
        form = NewPasswordForm(
            request.POST if request.method == "POST" else None, name=link.user.username
        )
        if form.is_valid():
            set_password_by_link(secret, form.cleaned_data["password"])
            logout(request)
            messages.success(request, gettext("The new password is set; log in with it."))
            return redirect("log-in")
    except LinkError as error:
        return refuse(request, 404, str(error))
    context = {"form": form, "person": link.user}
    return render(request, "accounts/password.html", context, status=form_status(form))


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language that a visitor chose, and go back to the page."""
    response = redirect(_safe_target(request.POST.get("next", ""), request))
    keep_choice(response, checked_language(request.POST.get("language", "")))
    return response


def _identify(request: HttpRequest, form: LogInForm) -> User | None:
    """The user with this name and password; a refusal does not say which of them was wrong."""
    if not form.is_valid():
        return None
    name, password = form.cleaned_data["name"], form.cleaned_data["password"]
    address = visitor_address(request)
    refuse_guessing(name, address)
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User):
        note_failure(name, address)
        form.add_error(None, gettext(WRONG))
        return None
    if address is not None:
        forget_failures(name, address)
    return user


def _safe_target(target: str, request: HttpRequest) -> str:
    """Where to go on: a page of this site that was named, or the start page."""
    allowed = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if allowed else "/"


@never_cache
@require_safe
@require_login
def account(request: PersonRequest) -> HttpResponse:
    """Name, role, password, tokens."""
    return _account_page(request)


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
        messages.success(request, gettext("The password is changed; other devices are logged out."))
        return redirect("account")
    return _account_page(request, password_form=form, status=400)


@never_cache
@require_POST
@require_login
def new_token(request: PersonRequest) -> HttpResponse:
    """Make a token and show its secret, this once."""
    form = TokenForm(request.POST)
    if form.is_valid():
        with errors_on(form, "name"):
            made = make_token(request.user, form.cleaned_data["name"])
            context = {"token": made.token, "secret": made.secret}
            return render(request, "accounts/new_token.html", context)
    return _account_page(request, token_form=form, status=400)


@require_POST
@require_login
def revoke(request: PersonRequest, pk: int) -> HttpResponse:
    """Make a token useless."""
    revoke_token(request.user, pk)
    messages.success(request, gettext("The token is revoked."))
    return redirect("account")


def _account_page(
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
    with errors_on(form):
        refuse_guessing(name, address)
        if request.user.check_password(form.cleaned_data["old"]):
            forget_failures(name, address)
            return True
        note_failure(name, address)
        form.add_error("old", gettext("This is not your present password."))
    return False


@never_cache
@sensitive_post_parameters()
@require_http_methods(GET_AND_POST)
def set_up(request: HttpRequest) -> HttpResponse:
    """Make the first admin; once there is one, the page leads to the start."""
    if is_set_up():
        return redirect("home")
    if request.method != "POST":
        form = SetUpForm(initial={"code": request.GET.get("code", "")})
        return render(request, "accounts/set_up.html", {"form": form})
    form = SetUpForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            cleaned = form.cleaned_data
            admin = create_first_admin(name=cleaned["name"], password=cleaned["password"])
            login(request, admin)
            return redirect("set-up-sample")
    return render(request, "accounts/set_up.html", {"form": form}, status=400)
