"""Who may see a page: everybody who is logged in, managers, or admins."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy

from gistmark.web.accounts.models import User
from gistmark.web.config.errors import refuse, wants_json

P = ParamSpec("P")


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
                request, 401, gettext("You are not logged in, or no longer; log in again.")
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
