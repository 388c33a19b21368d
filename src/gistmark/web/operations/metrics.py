"""What monitors learn: each request in the log, /health/, and /metrics in Prometheus' format.

`Observed` stands before everything else. So it sees each response as the visitor gets it, and
answers /metrics itself, for a Prometheus in the same network that knows neither host name nor TLS.

/metrics has requests as they were counted, and counts of the database. It is there only where
GISTMARK_METRICS_TOKEN is set, for whoever sends that as a bearer token. Nothing in it is about a
person or names a campaign. Requests are counted by `prometheus_client` in files that the processes
of one server share, so that each of them answers for all; everything else is counted in the
database when it is asked for, and so is the same whoever answers.
"""

from __future__ import annotations

import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.signals import got_request_exception
from django.db import DatabaseError, connection
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark._version import __version__
from gistmark.web.accounts.models import User
from gistmark.web.annotate.models import Submission, Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.config.server.logs import FIELDS, REQUEST_ID
from gistmark.web.config.storage.backups import last_backup
from gistmark.web.config.storage.folder import is_full
from gistmark.web.outbox.models import Delivery
from gistmark.web.results.models import Export

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.metrics_core import Metric
    from prometheus_client.registry import Collector

_LOG = logging.getLogger("gistmark.requests")
_NOWHERE = "none"
"""The route of an address that no view answers."""
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"
_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


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


def metrics(request: HttpRequest) -> HttpResponse:
    """All numbers, for a Prometheus that has the token."""
    if not settings.METRICS_TOKEN:
        return HttpResponse("There is no page at this address.\n", "text/plain", status=404)
    if request.method not in ("GET", "HEAD"):
        return HttpResponseNotAllowed(["GET", "HEAD"])
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not compare_digest(sent.encode(), settings.METRICS_TOKEN.encode()):
        refusal = HttpResponse("Send the token of /metrics.\n", "text/plain", status=401)
        refusal.headers["WWW-Authenticate"] = "Bearer"
        return refusal
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    return HttpResponse(generate_latest(_registry()), content_type=CONTENT_TYPE_LATEST)


def count_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count a request of a route; methods that nobody has heard of are one."""
    counters = _counters()
    known = method if method in _METHODS else "other"
    counters.requests.labels(route, known, str(status)).inc()
    counters.seconds.labels(route).observe(seconds)


def _count_error(sender: object, **_: object) -> None:  # noqa: ARG001
    error = sys.exc_info()[1]
    if settings.METRICS_TOKEN and isinstance(error, DatabaseError):
        _counters().errors.labels(type(error).__name__).inc()


got_request_exception.connect(_count_error, dispatch_uid="gistmark-metrics")


class _Counters:
    """What is counted as it happens, in this process or in files that several share."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram

        self.registry = CollectorRegistry()
        self.requests = Counter(
            "gistmark_requests", "Requests.", ["route", "method", "status"],
            registry=self.registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "gistmark_request_seconds", "How long requests took.", ["route"],
            buckets=_BUCKETS, registry=self.registry,
        )  # fmt: skip
        self.errors = Counter(
            "gistmark_database_errors", "Requests that failed because of the database.", ["kind"],
            registry=self.registry,
        )  # fmt: skip


@cache
def _counters() -> _Counters:
    return _Counters()


def _registry() -> CollectorRegistry:
    """What was counted by all processes, and what the database holds now."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    if os.environ.get(MULTIPROCESS):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(_counters().registry)
    registry.register(cast("Collector", _Stored()))
    return registry


class _Stored:
    """Counts of the database, made when they are asked for."""

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

        yield InfoMetricFamily("gistmark", "The version.", value={"version": __version__})
        for name, words, label, counts in _stored_counts():
            family = GaugeMetricFamily(name, words, labels=[label] if label else None)
            for value, count in counts.items():
                family.add_metric([value] if label else [], count)
            yield family


def _stored_counts() -> Iterator[tuple[str, str, str, dict[str, float]]]:
    """The name of each number, what it is, the name of its label, and the counts by the label."""
    yield "gistmark_submissions", "Submissions that are stored.", "", _one(Submission.objects.all())
    tasks = Task.objects.filter(machine=False)
    yield "gistmark_tasks", "Tasks by their state.", "state", _by(tasks, "state")
    waiting = Task.objects.filter(state=Task.State.OPEN, campaign__state=Campaign.State.RUNNING)
    yield "gistmark_open_slots", "Slots of running campaigns that nobody has.", "", _one(waiting)
    campaigns = _by(Campaign.objects.all(), "state")
    yield "gistmark_campaigns", "Campaigns by their state.", "state", campaigns
    yield "gistmark_accounts", "Accounts by their role.", "role", _by(User.objects.all(), "role")
    live = Session.objects.filter(expire_date__gt=timezone.now())
    yield "gistmark_sessions", "Sessions that have not ended.", "", _one(live)
    yield "gistmark_exports", "Exports by their state.", "state", _by(Export.objects.all(), "state")
    outbox = _by(Delivery.objects.all(), "state")
    yield "gistmark_deliveries", "E-mails and webhooks by their state.", "state", outbox
    made = last_backup(settings.DATA_FOLDER) if settings.DATA_FOLDER else None
    if made is not None:
        age = {"": (timezone.now() - made).total_seconds()}
        yield "gistmark_backup_age_seconds", "How long ago the last backup was made.", "", age


def _one(rows: QuerySet[Any]) -> dict[str, float]:
    return {"": float(rows.count())}


def _by(rows: QuerySet[Any], field: str) -> dict[str, float]:
    counted = rows.order_by().values_list(field).annotate(count=Count("pk"))
    return {str(value): float(count) for value, count in counted}


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:  # noqa: ARG001
    """200 where the database answers and the disk has space left, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return JsonResponse({"error": "The database does not answer."}, status=503)
    if is_full():
        return JsonResponse({"error": "The disk is full; nothing can be stored."}, status=503)
    return JsonResponse({"status": "ok", "version": __version__})
