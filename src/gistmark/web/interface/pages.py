"""What every page has: form fields that look alike, errors shown to people, and the header that
says what may run.

`error_summary` stands at the top of every page, so that no view has to think of it: every error of
a form that could not be used, in the form's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import template
from django.contrib import messages
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm, Field
from django.forms.boundfield import BoundField
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from gistmark.errors import GistmarkError

GET_AND_POST = ["GET", "HEAD", "POST"]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
register = template.Library()


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


@dataclass(frozen=True, slots=True)
class FormError:
    """A sentence about what was filled in, and the id of the control that it is about."""

    sentence: str
    target: str = ""


@register.inclusion_tag("forms/errors.html", takes_context=True)
def error_summary(context: template.Context) -> dict[str, Any]:
    """The errors of all forms of a page, each with a link to its field."""
    forms = dict.fromkeys(_forms(context.flatten().values()))
    return {"form_errors": [error for form in forms for error in _errors(form)]}


def _forms(values: Iterable[object]) -> Iterator[BaseForm]:
    """The forms among what a page is rendered with, or in a list or mapping of it."""
    for each in values:
        several: Iterable[object] = (each,)
        if isinstance(each, dict):
            several = each.values()
        elif isinstance(each, (list, tuple)):
            several = each
        yield from (form for form in several if isinstance(form, BaseForm))


@register.filter
def error_sentences(field: BoundField) -> list[str]:
    """What is wrong with a field; an empty one is named, as "this field" names none."""
    if not field.errors:
        return []
    return [
        sentence
        for error in field.form.errors.as_data()[field.name]
        for sentence in (
            [gettext("“%(label)s” is required.") % {"label": field.label}]
            if str(error.message) == str(Field.default_error_messages["required"])
            else error.messages
        )
    ]


def _errors(form: BaseForm) -> Iterator[FormError]:
    if not form.is_bound:
        return
    for sentence in form.non_field_errors():
        yield FormError(str(sentence))
    for name in form.errors:
        if name != NON_FIELD_ERRORS:
            field = form[name]
            for sentence in error_sentences(field):
                yield FormError(_named(sentence, str(field.label)), _target(field))


def _named(sentence: str, label: str) -> str:
    """The sentence, with the label before it unless it is in it."""
    return sentence if label in sentence else f"{label}: {sentence}"


def _target(field: BoundField) -> str:
    """The control of a field; of several that choose one value, the first."""
    return field.id_for_label or f"{field.auto_id}_0"
