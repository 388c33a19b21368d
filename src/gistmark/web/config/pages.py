"""What every page has: form fields that look alike, and the header that says what may run; and
the page for monitors.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import DatabaseError, connection
from django.forms.renderers import TemplatesSetting
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark._version import __version__

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


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


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """200 where the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"error": "The database does not answer."}, status=503)
    return JsonResponse({"status": "ok", "version": __version__})
