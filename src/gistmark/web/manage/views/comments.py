"""The comments of a campaign's annotators."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.models import Comment
from gistmark.web.annotate.services import comments_of
from gistmark.web.campaigns.services.members import campaign_for_manager

PAGE = 50
SHOWS = {
    "": "everything",
    Comment.Kind.COMMENT.value: "comments",
    Comment.Kind.PROBLEM.value: "problems",
    Comment.Kind.RELEASE.value: "why tasks were given back",
}


@never_cache
@require_safe
@require_login
def comments(request: PersonRequest, key: str) -> HttpResponse:
    """What annotators say about their tasks, and why they gave some back; the newest first."""
    campaign = campaign_for_manager(request.user, key)
    show = request.GET.get("show", "")
    said = comments_of(campaign)
    if show in Comment.Kind.values:
        said = said.filter(kind=show)
    context = {
        "campaign": campaign,
        "tab": "comments",
        "page": Paginator(said, PAGE).get_page(request.GET.get("page")),
        "show": show,
        "shows": SHOWS.items(),
        "also": f"&show={show}" if show in Comment.Kind.values else "",
    }
    return render(request, "results/comments.html", context)
