"""What every page has: form fields that look alike, the errors of services shown to people, and
the header that says what may run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.forms import BaseForm
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest, HttpResponse

from gistmark.errors import GistmarkError

GET_AND_POST = ["GET", "HEAD", "POST"]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


def allow_frames(response: HttpResponse) -> HttpResponse:
    """Let a page have frames, of this platform alone."""
    response.headers["Content-Security-Policy"] = f"{POLICY}; frame-src 'self'"
    return response


def allow_framing(response: HttpResponse) -> HttpResponse:
    """Let a page stand in a frame of this platform; the older header has to allow it, too."""
    policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    response.headers["Content-Security-Policy"] = policy
    return response


class ContentSecurityPolicy:
    """Puts the policy on every response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class Renderer(TemplatesSetting):
    """Renders `{{ form }}` and `{{ field.as_field_group }}` with the platform's templates."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"


def form_status(*forms: BaseForm) -> int:
    """400 where something that was filled in could not be used."""
    return 400 if any(form.is_bound for form in forms) else 200


class ErrorsShown:
    """Shows an error of a service to the person at the page instead of raising it.

    Made by `errors_on` and `errors_as_messages`. The rest of the `with` block, such as the redirect
    to the next page, is skipped.
    """

    def __init__(self, show: Callable[[str], None], kind: type[GistmarkError]) -> None:
        self._show = show
        self._kind = kind

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> bool:
        if not isinstance(error, self._kind):
            return False
        self._show(str(error))
        return True


def errors_on(
    form: BaseForm, field: str | None = None, *, kind: type[GistmarkError] = GistmarkError
) -> ErrorsShown:
    """Show errors on the form: beside the field, or above all fields."""
    return ErrorsShown(partial(form.add_error, field), kind)


def errors_as_messages(request: HttpRequest) -> ErrorsShown:
    """Show errors as messages on the next page."""
    return ErrorsShown(partial(messages.error, request), GistmarkError)
