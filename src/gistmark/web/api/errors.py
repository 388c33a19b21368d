"""Errors of the API: always JSON, `{"detail": sentence}`, with the status that fits."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext_lazy
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from gistmark.errors import GistmarkError
from gistmark.judgements.fields import FaultyInputError
from gistmark.web.annotate.services.drafts import StaleDraftError
from gistmark.web.campaigns.services.protocols import StaleProtocolError
from gistmark.web.config.errors import status_of
from gistmark.web.qualification.services.attempts import StalePracticeError

PREFIX = "/api/"
_SHOWN = 5
_LONGEST = 300
"""So many characters of a field's name and of its problem are shown."""
_SENTENCES = {
    400: gettext_lazy("The server could not make sense of this request."),
    401: "Log in, or send a token in the header 'Authorization: Bearer TOKEN'.",
    403: gettext_lazy("This is not allowed."),
    404: gettext_lazy("There is nothing at this address."),
    405: "This address does not accept this method.",
    413: gettext_lazy("The request is too large."),
    500: gettext_lazy("Something went wrong on the server; the error is in its log."),
    503: "The platform is not set up yet; open it in a browser.",
}


def add_handlers(api: NinjaAPI) -> None:
    """Teach the API what our errors mean."""

    def on_ours(request: HttpRequest, error: Any) -> HttpResponse:
        return api.create_response(request, _described(error), status=status_of(error))

    def on_missing(request: HttpRequest, error: Any) -> HttpResponse:
        return _refuse(api, request, 404, str(error))

    def on_forbidden(request: HttpRequest, error: Any) -> HttpResponse:
        return _refuse(api, request, 403, str(error))

    def on_invalid(request: HttpRequest, error: Any) -> HttpResponse:
        return _refuse(api, request, 422, _sentence(error.errors))

    def on_refused(request: HttpRequest, error: Any) -> HttpResponse:
        ours = error.__cause__ if isinstance(error.__cause__, GistmarkError) else None
        return _refuse(api, request, error.status_code, str(ours) if ours else "")

    def on_large(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        return _refuse(api, request, 413)

    def on_odd(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
        return _refuse(api, request, 400)

    api.add_exception_handler(GistmarkError, on_ours)
    api.add_exception_handler(Http404, on_missing)
    api.add_exception_handler(PermissionDenied, on_forbidden)
    api.add_exception_handler(ValidationError, on_invalid)
    api.add_exception_handler(HttpError, on_refused)
    api.add_exception_handler(SuspiciousOperation, on_odd)
    api.add_exception_handler(RequestDataTooBig, on_large)


class ErrorsAsJson:
    """Turns what Django itself refuses under the API's address into JSON too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if not request.path.startswith(PREFIX) or response.status_code < 400:
            return response
        if _says_detail(response):
            return response
        sentence = _SENTENCES.get(response.status_code, _SENTENCES[400])
        refusal = JsonResponse({"detail": sentence}, status=response.status_code)
        if "Allow" in response.headers:
            refusal.headers["Allow"] = response.headers["Allow"]
        return refusal


def _described(error: GistmarkError) -> dict[str, Any]:
    """The sentence, and what a program can use beside it: faults by field, the newer draft."""
    reply: dict[str, Any] = {"detail": str(error)}
    if isinstance(error, FaultyInputError):
        reply["faults"] = [asdict(fault) for fault in error.faults]
    if isinstance(error, StaleDraftError):
        reply |= {"draft": error.draft.answer, "version": error.draft.version}
    if isinstance(error, StaleProtocolError):
        reply["revision"] = error.revision
    if isinstance(error, StalePracticeError):
        reply |= {"draft": error.draft, "version": error.version}
    return reply


def _refuse(api: NinjaAPI, request: HttpRequest, status: int, sentence: str = "") -> HttpResponse:
    return api.create_response(request, {"detail": sentence or _SENTENCES[status]}, status=status)


def _sentence(errors: list[dict[str, Any]]) -> str:
    """What is wrong with the fields of a request, in words."""
    problems = [
        f"{'.'.join(map(str, each['loc']))[:_LONGEST]}: {each['msg'][:_LONGEST]}"
        for each in errors[:_SHOWN]
    ]
    more = f"; and {len(errors) - _SHOWN} more" if len(errors) > _SHOWN else ""
    return "; ".join(problems) + more + "."


def _says_detail(response: HttpResponse) -> bool:
    if "json" not in response.headers.get("Content-Type", "") or response.streaming:
        return False
    try:
        return "detail" in json.loads(response.content)
    except (ValueError, TypeError):
        return False
