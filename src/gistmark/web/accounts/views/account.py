"""One's own way in: logging in and out, the password, the tokens, and the first set-up."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, logout, update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.web.accounts.addresses import address_of
from gistmark.web.accounts.audit import note_refusal
from gistmark.web.accounts.forms import (
    ChangePasswordForm,
    LogInForm,
    MailAddressForm,
    MailsForm,
    NewPasswordForm,
    SetUpForm,
    TokenForm,
)
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import set_password
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.accounts.sign_in import devices
from gistmark.web.accounts.sign_in.attempts import (
    TooManyAttemptsError,
    count_attempt,
    forget_failures,
    visitor_address,
)
from gistmark.web.accounts.sign_in.credentials import (
    LinkError,
    make_token,
    read_password_link,
    revoke_token,
    set_password_by_link,
)
from gistmark.web.accounts.sign_in.devices import known_device, means_of, note_session
from gistmark.web.accounts.sign_in.second_factor import (
    check_code,
    has_second_factor,
    lacks_second_factor,
)
from gistmark.web.accounts.sign_in.set_up import create_first_admin, is_set_up
from gistmark.web.accounts.views.entering import enter, knows_password, safe_target
from gistmark.web.accounts.views.sign_on import (
    only_admins_sentence,
    say_goodbye,
    takes_password_of,
    ways_in,
)
from gistmark.web.config.errors import refuse
from gistmark.web.interface.languages import checked_language, keep_choice
from gistmark.web.interface.pages import GET_AND_POST, errors_on, form_status
from gistmark.web.outbox.senders import has_mail_server

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
    target = safe_target(request.GET.get("next", ""), request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(target)
    form = LogInForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        try:
            user = _identify(request, form)
        except TooManyAttemptsError as error:
            form.add_error(None, str(error))
            status = 429
        else:
            if user is not None and not takes_password_of(user):
                return refuse(request, 403, only_admins_sentence())
            if user is not None:
                return enter(request, user, target, means="password")
            status = 400
    context = {"form": form, "has_mail": has_mail_server(), **ways_in(target)}
    return render(request, "accounts/sign_in/log_in.html", context, status=status)


@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    """End the session; that of the provider, if there is one, goes on until it is ended there."""
    by_provider = means_of(request) == "provider"
    logout(request)
    return say_goodbye(request) if by_provider and settings.OIDC else redirect("log-in")


@never_cache
@sensitive_post_parameters()
@require_http_methods(GET_AND_POST)
def password(request: HttpRequest, secret: str) -> HttpResponse:
    """Set a new password with a link; whoever was logged in here is logged out."""
    try:
        _, person = read_password_link(secret)
        form = NewPasswordForm(
            request.POST if request.method == "POST" else None, name=person.username
        )
        if form.is_valid():
            set_password_by_link(secret, form.cleaned_data["password"])
            logout(request)
            messages.success(request, gettext("The new password is set; log in with it."))
            return redirect("log-in")
    except LinkError as error:
        return refuse(request, 404, str(error))
    context = {"form": form, "person": person}
    return render(request, "accounts/sign_in/password.html", context, status=form_status(form))


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language that a visitor chose, and go back to the page."""
    response = HttpResponseRedirect(safe_target(request.POST.get("next", ""), request))
    keep_choice(response, checked_language(request.POST.get("language", "")))
    return response


def _identify(request: HttpRequest, form: LogInForm) -> User | None:
    """The user with this name and password; a refusal does not say which of them was wrong."""
    if not form.is_valid():
        return None
    name, password = form.cleaned_data["name"], form.cleaned_data["password"]
    address = visitor_address(request)
    person = _named(name)
    device = known_device(request, person)
    try:
        attempt = count_attempt(name, address, device=device)
    except TooManyAttemptsError:
        if person is not None:
            note_refusal(person)
        raise
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User):
        form.add_error(None, gettext(WRONG))
        return None
    attempt.delete()
    if address is not None:
        forget_failures(name, address, device=device)
    return user


def _named(name: str) -> User | None:
    try:
        return User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        return None


@never_cache
@require_safe
@require_login
def account(request: PersonRequest) -> HttpResponse:
    """Name, role, password, where one is logged in, tokens."""
    return _account_page(request)


@never_cache
@sensitive_post_parameters()
@require_POST
@require_login
def change_password(request: PersonRequest) -> HttpResponse:
    """Change the password; other sessions end, this one goes on with a new key."""
    form = ChangePasswordForm(request.POST, name=request.user.username)
    if form.is_valid() and knows_password(request, form, "old"):
        set_password(request.user, form.cleaned_data["password"])
        update_session_auth_hash(request, request.user)
        note_session(request, request.user)
        messages.success(
            request,
            gettext(
                "The password is changed; other devices are logged out and all tokens revoked."
            ),
        )
        return redirect("account")
    return _account_page(request, password_form=form, status=400)


@never_cache
@require_POST
@require_login
def new_token(request: PersonRequest) -> HttpResponse:
    """Make a token and show its secret, this once."""
    form = TokenForm(request.POST, needs_code=has_second_factor(request.user))
    if form.is_valid() and _has_second_factor_at_hand(request, form):
        with errors_on(form, "name"):
            cleaned = form.cleaned_data
            made = make_token(
                request.user, cleaned["name"], days=cleaned["days"], scope=cleaned["scope"]
            )
            context = {"token": made.token, "secret": made.secret}
            return render(request, "accounts/new_token.html", context)
    return _account_page(request, token_form=form, status=400)


def _has_second_factor_at_hand(request: PersonRequest, form: TokenForm) -> bool:
    """Whether the code on the form is right; a token lasts, so a stolen session makes none."""
    if lacks_second_factor(request.user, means_of(request)):
        form.add_error(None, gettext("Set up the second factor before you make a token."))
        return False
    if "code" not in form.fields:
        return True
    with errors_on(form, "code"):
        check_code(request.user, form.cleaned_data["code"])
        return True
    return False


@require_POST
@require_login
def end_session(request: PersonRequest, pk: int) -> HttpResponse:
    """Log out in another browser."""
    devices.end_session(request.user, pk)
    messages.success(request, gettext("This device is logged out."))
    return redirect("account")


@require_POST
@require_login
def end_sessions(request: PersonRequest) -> HttpResponse:
    """Log out everywhere but here."""
    devices.end_all_sessions(request.user, by=request.user, but=request.session.session_key)
    messages.success(request, gettext("All other devices are logged out."))
    return redirect("account")


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
    if request.method != "HEAD":
        note_session(request, request.user)
    context = {
        "sessions": devices.open_sessions(request, request.user),
        "password_form": password_form or ChangePasswordForm(),
        "token_form": token_form or TokenForm(needs_code=has_second_factor(request.user)),
        "has_second_factor": has_second_factor(request.user),
        **_mails(request.user),
        "is_connected": request.user.identities.exists(),
        **ways_in(),
        "tokens": request.user.tokens.all(),
    }
    return render(request, "accounts/account.html", context, status=status)


def _mails(user: User) -> dict[str, object]:
    """What the page says about e-mail; nothing where there is no mail server."""
    if not has_mail_server() or user.from_market:
        return {"has_mail": False}
    known = address_of(user)
    chosen = {"reminders": known.reminders, "digest": known.digest} if known else {}
    return {
        "has_mail": True,
        "mail_address": known,
        "address_form": MailAddressForm(initial={"address": known.address if known else ""}),
        "mails_form": MailsForm(manages=user.may_manage, initial=chosen),
    }


@never_cache
@sensitive_post_parameters()
@require_http_methods(GET_AND_POST)
def set_up(request: HttpRequest) -> HttpResponse:
    """Make the first admin; once there is one, the page leads to the start."""
    if is_set_up():
        return redirect("home")
    if request.method != "POST":
        form = SetUpForm(initial={"code": request.GET.get("code", "")})
        return render(request, "accounts/sign_in/set_up.html", {"form": form})
    form = SetUpForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            cleaned = form.cleaned_data
            admin = create_first_admin(name=cleaned["name"], password=cleaned["password"])
            return enter(request, admin, reverse("set-up-sample"), means="password")
    return render(request, "accounts/sign_in/set_up.html", {"form": form}, status=400)
