"""The second factor: the code at the log-in, setting it up, recovery codes, switching it off."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import GistmarkError
from gistmark.web.accounts.audit import note_refusal
from gistmark.web.accounts.forms import CodeForm, FirstCodeForm
from gistmark.web.accounts.models import User
from gistmark.web.accounts.permissions import PersonRequest, PersonView, require_login
from gistmark.web.accounts.sign_in import second_factor as factor
from gistmark.web.accounts.sign_in.attempts import TooManyAttemptsError
from gistmark.web.accounts.sign_in.devices import known_device, means_of
from gistmark.web.accounts.sign_in.second_factor import is_required_of, lacks_second_factor
from gistmark.web.accounts.views.entering import knows_password, log_in_now, waiting_for_code
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages

_FEW = 3
"""With so many recovery codes left, a person is told to make new ones."""


@never_cache
@sensitive_post_parameters()
@require_http_methods(GET_AND_POST)
def log_in_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code of somebody whose password was right, and log them in."""
    waiting = waiting_for_code(request)
    if waiting is None:
        return redirect("log-in")
    form = CodeForm(request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        status = _take_code(waiting.user, form, known_device(request, waiting.user))
        if status == 200:
            left = waiting.user.recovery_codes.count()
            if left <= _FEW:
                messages.warning(
                    request, f"Recovery codes left: {left}. Make new ones under Account."
                )
            return log_in_now(request, waiting.user, waiting.target, means=waiting.means)
    return render(request, "accounts/sign_in/log_in_code.html", {"form": form}, status=status)


def _for_those_with_a_reason(view: PersonView[[]]) -> Callable[[HttpRequest], HttpResponse]:
    """Let managers and admins in, and whoever has a second factor from an earlier role."""

    def guarded(request: PersonRequest) -> HttpResponse:
        if request.user.may_manage or factor.has_second_factor(request.user):
            return view(request)
        raise PermissionDenied("The second factor is for managers and admins.")

    guarded.__module__, guarded.__qualname__ = view.__module__, view.__qualname__
    return require_login(guarded)


@never_cache
@require_safe
@_for_those_with_a_reason
def second_factor(request: PersonRequest) -> HttpResponse:
    """Whether it is on, and what can be done about that."""
    return _page(request)


@require_POST
@_for_those_with_a_reason
def begin(request: PersonRequest) -> HttpResponse:
    """Draw a key, which the page then shows."""
    with errors_as_messages(request):
        factor.begin(request.user)
    return redirect("second-factor")


@never_cache
@sensitive_post_parameters()
@require_POST
@_for_those_with_a_reason
def confirm(request: PersonRequest) -> HttpResponse:
    """Switch it on with a first code, and show the recovery codes, this once."""
    form = FirstCodeForm(request.POST, has_password=request.user.has_usable_password())
    if not form.is_valid():
        return _page(request, first_form=form, status=400)
    if "password" in form.fields and not knows_password(request, form, "password"):
        return _page(request, first_form=form, status=400)
    try:
        key = request.session.session_key
        codes = factor.confirm(request.user, form.cleaned_data["code"], keep=key)
    except GistmarkError as error:
        form.add_error("code", str(error))
        return _page(request, first_form=form, status=_status(error))
    return _recovery_codes(request, codes)


@never_cache
@sensitive_post_parameters()
@require_POST
@_for_those_with_a_reason
def recovery_codes(request: PersonRequest) -> HttpResponse:
    """Replace the recovery codes by new ones, which are shown this once."""
    form = CodeForm(request.POST, auto_id="id_codes_%s")
    status = _take_code(request.user, form)
    if status != 200:
        return _page(request, codes_form=form, status=status)
    return _recovery_codes(request, factor.new_recovery_codes(request.user))


@sensitive_post_parameters()
@require_POST
@_for_those_with_a_reason
def switch_off(request: PersonRequest) -> HttpResponse:
    """Switch the second factor off, for somebody who has a code."""
    form = CodeForm(request.POST, auto_id="id_off_%s")
    status = _take_code(request.user, form)
    if status != 200:
        return _page(request, off_form=form, status=status)
    factor.switch_off(request.user, by=request.user)
    messages.success(request, "The second factor is off.")
    return redirect("account")


def _take_code(user: User, form: CodeForm, device: str | None = None) -> int:
    """Take the code on a form; the status of the page says what was wrong with it."""
    if not form.is_valid():
        return 400
    try:
        factor.check_code(user, form.cleaned_data["code"], device=device)
    except GistmarkError as error:
        form.add_error("code", str(error))
        if isinstance(error, TooManyAttemptsError):
            note_refusal(user)
        return _status(error)
    return 200


def _status(error: GistmarkError) -> int:
    return 429 if isinstance(error, TooManyAttemptsError) else 400


def _recovery_codes(request: PersonRequest, codes: list[str]) -> HttpResponse:
    return render(request, "accounts/sign_in/second_factor_codes.html", {"codes": "\n".join(codes)})


def _page(request: PersonRequest, *, status: int = 200, **forms: CodeForm) -> HttpResponse:
    user = request.user
    is_on = factor.has_second_factor(user)
    context = {
        "is_on": is_on,
        "is_required": is_required_of(user),
        "due": user.second_factor_due if lacks_second_factor(user, means_of(request)) else None,
        "left": user.recovery_codes.count(),
        "enrolment": None if is_on else factor.enrolment(user),
        "first_form": FirstCodeForm(has_password=user.has_usable_password()),
        "codes_form": CodeForm(auto_id="id_codes_%s"),
        "off_form": CodeForm(auto_id="id_off_%s"),
        **forms,
    }
    return render(request, "accounts/sign_in/second_factor.html", context, status=status)
