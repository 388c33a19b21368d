"""What somebody's role lets them do with a request: see a page, and send how much.

Django writes an uploaded file to the disk before it asks who sends it. So the length that a
request announces is compared with what its sender may send, and nothing is read where it is more.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy

from gistmark.web.accounts.models import User
from gistmark.web.accounts.sign_in.credentials import read_token
from gistmark.web.config.errors import refuse, wants_json

P = ParamSpec("P")
MOST_OF_VISITORS = 512 * 1024
MOST_OF_ANNOTATORS = 6 * 1024**2
MOST_OF_MANAGERS = 64 * 1024**2
"""A corpus of 50 MB, and what a form adds."""


class PersonRequest(HttpRequest):
    """A request of somebody who is logged in."""

    user: User


View = Callable[Concatenate[HttpRequest, P], HttpResponse]
PersonView = Callable[Concatenate[PersonRequest, P], HttpResponse]


def require_login(view: PersonView[P]) -> View[P]:
    """Send visitors to the log-in page, and scripts a 401."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(cast(PersonRequest, request), *args, **kwargs)
        if wants_json(request):
            return refuse(
                request,
                401,
                gettext("You are not logged in, or your session has ended; log in again."),
            )
        return redirect_to_login(request.get_full_path())

    return guarded


def require_manager(view: PersonView[P]) -> View[P]:
    """Let only managers and admins in."""
    return _require(
        view, lambda user: user.may_manage, gettext_lazy("Only managers may see this page.")
    )


def require_admin(view: PersonView[P]) -> View[P]:
    """Let only admins in."""
    return _require(
        view, lambda user: user.is_admin, gettext_lazy("Only admins may see this page.")
    )


def _require(view: PersonView[P], allowed: Callable[[User], bool], sentence: object) -> View[P]:
    @wraps(view)
    def guarded(request: PersonRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not allowed(request.user):
            raise PermissionDenied(str(sentence))
        return view(request, *args, **kwargs)

    return require_login(guarded)


class LargeBodies:
    """Refuses what is larger than its sender may send; it comes after authentication."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not length.isdecimal() or int(length) <= MOST_OF_VISITORS:
            return self._get_response(request)
        if int(length) <= _most(_sender(request)):
            return self._get_response(request)
        return _refused(request)


def _sender(request: HttpRequest) -> User | None:
    if isinstance(request.user, User):
        return request.user
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    token = read_token(secret.strip()) if kind.lower() == "bearer" else None
    return None if token is None else token.user


def _most(sender: User | None) -> int:
    if sender is None:
        return MOST_OF_VISITORS
    return MOST_OF_MANAGERS if sender.may_manage else MOST_OF_ANNOTATORS


def _refused(request: HttpRequest) -> HttpResponse:
    """The refusal; the rest of the body is not waited for."""
    response = refuse(request, 413, gettext("The request is too large."))
    client = request.META.get("gunicorn.socket")
    if isinstance(client, socket.socket):
        response._resource_closers.append(lambda: _hang_up(client))  # type: ignore[attr-defined]
    return response


def _hang_up(client: socket.socket) -> None:
    with suppress(OSError):
        client.shutdown(socket.SHUT_RD)
