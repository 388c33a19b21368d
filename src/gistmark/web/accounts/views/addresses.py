"""Links as whole addresses, to be sent to people."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest
from django.urls import reverse

from gistmark.web.accounts.importing import Imported
from gistmark.web.accounts.links import MadeLink
from gistmark.web.accounts.models import Link

PAGES = {Link.Kind.INVITATION: "join", Link.Kind.PASSWORD: "password"}


def address_of(request: HttpRequest, made: MadeLink) -> str:
    """The address of a link, on the host that the request came to."""
    return _whole(request, PAGES[Link.Kind(made.link.kind)], made.secret)


def links_table(request: HttpRequest, imported: Iterable[Imported]) -> str:
    """Names and links of those who have to set a password, as CSV."""
    rows = [
        f"{each.user.username},{_whole(request, 'password', each.secret)}"
        for each in imported
        if each.secret is not None
    ]
    return "\n".join(["name,link", *rows]) if rows else ""


def _whole(request: HttpRequest, page: str, secret: str) -> str:
    return request.build_absolute_uri(reverse(page, args=[secret]))
