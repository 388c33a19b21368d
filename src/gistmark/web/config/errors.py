"""Errors: the kinds that services raise, and the page or JSON that a visitor sees.

Services refuse in three kinds, which a page or the API turns into a status.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from gistmark.errors import GistmarkError, Problem, grouped
from gistmark.web.config.storage.transactions import is_unavailable


class NotFoundError(GistmarkError):
    """There is no such thing, or it is none of this person's business (404)."""


class NotAllowedError(GistmarkError):
    """The person knows of the thing, but may not do this with it (403)."""


class ConflictError(GistmarkError):
    """The thing is not in a state for this: paused, submitted, changed by somebody else (409)."""


class NotReadyError(ConflictError):
    """A campaign cannot start; `problems` lists everything that is in the way."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        lines = "\n".join(f"  {problem}" for problem in grouped(self.problems))
        super().__init__(f"The campaign cannot start yet:\n{lines}")


TITLES = {
    400: gettext_lazy("That did not work"),
    401: gettext_lazy("Please log in"),
    403: gettext_lazy("Not allowed"),
    404: gettext_lazy("Nothing here"),
    405: gettext_lazy("Not this way"),
    409: gettext_lazy("Not now"),
    413: gettext_lazy("Too large"),
    429: gettext_lazy("Too many attempts"),
    503: gettext_lazy("Not available"),
}
RETRY_AFTER = 5
"""So many seconds a program should wait before it tries again."""
CSRF_SENTENCE = gettext_noop(
    "The page was open for too long, or this browser refuses cookies; "
    "go back, reload the page and try again."
)


def refuse(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """A response that says in one sentence why the request was not done."""
    if wants_json(request):
        return JsonResponse({"detail": sentence}, status=status)
    context = {"title": TITLES[status], "sentence": sentence}
    return render(request, "error.html", context, status=status)


def status_of(error: GistmarkError) -> int:
    """The HTTP status that says what kind of error this is."""
    kinds = ((NotFoundError, 404), (NotAllowedError, 403), (ConflictError, 409))
    return next((status for kind, status in kinds if isinstance(error, kind)), 400)


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, not a person."""
    if request.content_type == "application/json":
        return True
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """What a form without a valid CSRF token gets."""
    return refuse(request, 403, gettext(CSRF_SENTENCE))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """What a request that Django itself turns down gets, such as one for an unknown host."""
    return refuse(request, 400, gettext("The server could not make sense of this request."))


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What `PermissionDenied` becomes."""
    return refuse(request, 403, str(exception) or gettext("You may not see this page."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What `Http404` becomes; an address that no view answers tells nothing about the others."""
    reason = exception.args[0] if exception.args else ""
    if not isinstance(reason, str) or not reason:
        reason = gettext("There is no page at this address.")
    return refuse(request, 404, reason)


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an error of ours, or to a failing database, which nothing here may need."""
    if is_unavailable(sys.exc_info()[1]):
        return unavailable(request)
    sentence = gettext("Something went wrong on the server; the error is in its log.")
    if wants_json(request):
        return JsonResponse({"detail": sentence}, status=500)
    context = {"title": gettext("An error on our side"), "sentence": sentence}
    return render(None, "error.html", context, status=500)


def unavailable(request: HttpRequest) -> HttpResponse:
    """What a request gets while the database is busy or cannot be reached."""
    sentence = gettext(
        "The database is busy or cannot be reached just now; please try again in a moment."
    )
    response: HttpResponse = (
        JsonResponse({"detail": sentence}, status=503)
        if wants_json(request) or request.path.startswith("/api/")
        else render(None, "error.html", {"title": TITLES[503], "sentence": sentence}, status=503)
    )
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


class ErrorsAsSentences:
    """Turns a `GistmarkError` that no view handled into a response with its sentence.

    Django's bare refusal of a method gets a sentence too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or response.content:
            return response
        refusal = refuse(
            request,
            405,
            gettext("This address does not accept %(method)s.") % {"method": request.method},
        )
        refusal.headers["Allow"] = response.headers["Allow"]
        return refusal

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, GistmarkError):
            return refuse(request, status_of(exception), str(exception))
        return None
