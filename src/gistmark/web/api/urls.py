"""The addresses of this app, and those at which the page of a task saved and submitted before.

A page that was open during an upgrade still runs the older script. It goes on with its work: the
older addresses are the API's operations, and their errors have the sentence in `error` too.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import path, resolve, reverse
from django.views.decorators.csrf import csrf_exempt

from gistmark.web.api.docs import docs
from gistmark.web.api.service import api


def _alias(operation: str) -> Callable[[HttpRequest, int], HttpResponse]:
    """A view that does what an operation of the API on a task does; that one checks CSRF itself."""

    @csrf_exempt
    def view(request: HttpRequest, id: int) -> HttpResponse:
        match = resolve(reverse(f"api:{operation}", args=[id]))
        response: HttpResponse = match.func(request, *match.args, **match.kwargs)
        if response.status_code < 400 or "json" not in response.headers["Content-Type"]:
            return response
        error = json.loads(response.content)
        response.content = json.dumps(error | {"error": error["detail"]})
        return response

    return view


urlpatterns = [
    path("api/docs", docs, name="api-docs"),
    path("api/", api.urls),
    path("tasks/<int:id>/payload/", _alias("open_task")),
    path("tasks/<int:id>/draft/", _alias("save_draft")),
    path("tasks/<int:id>/submit/", _alias("submit_task")),
]
