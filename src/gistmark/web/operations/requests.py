"""What is noted about every request: in the log, and in the counters that /metrics shows.

It stands before everything else. So it sees each response as the visitor gets it, and answers
/metrics itself, for a Prometheus in the same network that knows neither host name nor TLS.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from gistmark.web.config.server.logs import FIELDS, REQUEST_ID
from gistmark.web.operations.metrics import count_request, metrics

_LOG = logging.getLogger("gistmark.requests")
_NOWHERE = "none"
"""The route of an address that no view answers."""


class Observed:
    """Notes how long a request took and what came of it, by the name of its route."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/metrics":
            return metrics(request)
        began, number = time.perf_counter(), secrets.token_hex(8)
        mark = REQUEST_ID.set(number)
        try:
            response = self._get_response(request)
            response.headers["X-Request-ID"] = number
            self._note(request, response, time.perf_counter() - began)
        finally:
            REQUEST_ID.reset(mark)
        return response

    def _note(self, request: HttpRequest, response: HttpResponse, seconds: float) -> None:
        route, status = route_of(request), response.status_code
        if settings.METRICS_TOKEN:
            count_request(route, request.method or "", status, seconds)
        if not _LOG.isEnabledFor(logging.INFO):
            return
        fields = {
            "method": request.method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "role": role_of(request),
        }
        if settings.LOG_ADDRESSES:
            fields["address"] = request.META.get("REMOTE_ADDR", "")
        _LOG.info("request", extra={FIELDS: fields})


def route_of(request: HttpRequest) -> str:
    """The name of the view that answered, or how its address is written, never the address."""
    match = request.resolver_match
    return _NOWHERE if match is None else match.view_name or match.route or _NOWHERE


def role_of(request: HttpRequest) -> str:
    """What the person who asked is on the platform; nobody is looked up for this."""
    user = getattr(request, "auth", None) or getattr(request, "_cached_user", None)
    return str(getattr(user, "role", "visitor"))
