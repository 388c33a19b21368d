"""The first visit: without any user, every page leads to the guided set-up.

Whoever sets up becomes admin, so a code is asked for that only the terminal of `gistmark serve`
shows. It is derived from the secret key: every worker knows it, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import create_user, hash_password
from gistmark.web.config.codes import derived_code, plain
from gistmark.web.config.errors import refuse, wants_json

_LETTERS = 16


def is_set_up() -> bool:
    """Whether there is a user."""
    return User.objects.exists()


def set_up_code() -> str:
    """The code that proves that somebody can read the server's terminal, such as `K7QF-2MZD-…`."""
    return derived_code("gistmark.set-up", "code", letters=_LETTERS)


def code_is_right(code: str) -> bool:
    """Whether this is the code, however it was typed."""
    return constant_time_compare(plain(code), plain(set_up_code()))


def create_first_admin(*, name: str, password: str) -> User:
    """Make the admin, once, whoever else does so at the same moment."""
    hashed = hash_password(password, name)
    with transaction.atomic():
        _keep_others_out()
        if is_set_up():
            raise UsageError("The platform is set up already; log in.")
        return create_user(name, role=User.Role.ADMIN, hashed=hashed)


class SetUpFirst:
    """Leads every visitor to the set-up until there is a user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._done = False

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == reverse("health"):
            return self._get_response(request)
        self._done = self._done or is_set_up()
        if self._done or request.path == reverse("set-up"):
            return self._get_response(request)
        if wants_json(request):
            return refuse(request, 503, "The platform is not set up yet; open it in a browser.")
        return redirect("set-up")


def _keep_others_out() -> None:
    """Let nobody else add a user until the transaction ends; SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {User._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")
