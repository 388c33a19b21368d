"""Looking through the work that was submitted, and deciding on it: one, many at once, and undo;
and what annotators said about it.

Forms that decide are sent by the pages' script, which gets JSON and stays where it is; without a
script they lead back to the page that they are on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.errors import UsageError
from gistmark.judgements.verdicts import Verdict
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Comment
from gistmark.web.annotate.pages import modules_of
from gistmark.web.annotate.services.comments import comments_of
from gistmark.web.annotate.services.decisions import (
    LeftAlone,
    decide,
    decide_many,
    last_group,
    undo,
)
from gistmark.web.annotate.services.submissions import LATE
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.members import campaign_for_manager
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import wants_json
from gistmark.web.interface.pages import errors_as_messages
from gistmark.web.manage.forms.campaigns import ApprovalsForm
from gistmark.web.results.review import (
    SHOWS,
    WorkFilter,
    annotators_with_work,
    counts_of,
    filter_from,
    listed,
    neighbours,
    numbers_of,
    reviewed,
    submission_of,
    submissions_of,
)

PAGE = 50
MOST_NAMED = 20
"""So many tasks that were left alone are named."""
COMMENTS_SHOWN = {
    "": "everything",
    Comment.Kind.COMMENT.value: "comments",
    Comment.Kind.PROBLEM.value: "problems",
    Comment.Kind.RELEASE.value: "why tasks were given back",
}


@never_cache
@require_safe
@require_login
def work(request: PersonRequest, key: str) -> HttpResponse:
    """The work of a campaign that matches a filter, that with flags first."""
    campaign = campaign_for_manager(request.user, key)
    wanted = filter_from(request.GET)
    counts = counts_of(campaign, wanted)
    pages = Paginator(listed(submissions_of(campaign, wanted)), PAGE)
    pages.count = counts[wanted.show]
    page = pages.get_page(request.GET.get("page"))
    query = urlencode(wanted.query)
    context = _frame(campaign, request, wanted) | {
        "page": page,
        "rows": [(each, shown_code(each.task, campaign)) for each in page],
        "tabs": [
            (name, label, counts[name], urlencode({**wanted.query, "show": name}))
            for name, label in SHOWS.items()
            if name != "machines" or counts[name]
        ],
        "annotators": annotators_with_work(campaign),
        "checks": [*protocol_of(campaign).checks.actions, LATE],
        "last": _last(campaign),
        "approvals_form": ApprovalsForm() if campaign.completion_codes else None,
        "also": f"&{query}" if query else "",
    }
    return render(request, "results/work.html", context)


@never_cache
@require_safe
@require_login
def submission(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """One submission as its annotator saw it, with what managers alone see."""
    campaign = campaign_for_manager(request.user, key)
    wanted = filter_from(request.GET)
    shown = reviewed(campaign, submission_of(campaign, pk))
    context = _frame(campaign, request, wanted) | {
        "reviewed": shown,
        "submission": shown.submission,
        "payload": shown.payload,
        "modules": modules_of(shown.payload["kind"]),
        "neighbours": neighbours(shown.submission, submissions_of(campaign, wanted)),
        "label": SHOWS[wanted.show],
    }
    return render(request, "results/submission.html", context)


@require_POST
@require_login
def decide_on(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Give one submission a verdict."""
    campaign = campaign_for_manager(request.user, key)
    chosen = submission_of(campaign, pk)

    def act() -> _Said:
        verdict, reason = _decision(request)
        return decide(chosen, request.user, verdict, reason).sentence, ()

    back = reverse("campaign-submission", args=[campaign.key, pk])
    return _answered(request, act, back)


@require_POST
@require_login
def decide_on_many(request: PersonRequest, key: str) -> HttpResponse:
    """Give a verdict to the submissions that are ticked, or to all that match the filter."""
    campaign = campaign_for_manager(request.user, key)

    def act() -> _Said:
        verdict, reason = _decision(request)
        numbers = _chosen(request, campaign)
        many = decide_many(campaign, numbers, request.user, verdict, reason)
        return many.sentence, many.left_alone

    return _answered(request, act, reverse("campaign-work", args=[campaign.key]))


@require_POST
@require_login
def undo_decisions(request: PersonRequest, key: str, group: int) -> HttpResponse:
    """Undo decisions that were made at once."""
    campaign = campaign_for_manager(request.user, key)

    def act() -> _Said:
        undone = undo(campaign, group, request.user)
        return undone.sentence, undone.left_alone

    return _answered(request, act, reverse("campaign-work", args=[campaign.key]))


_Said = tuple[str, tuple[LeftAlone, ...]]


def _frame(campaign: Campaign, request: PersonRequest, wanted: WorkFilter) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "tab": "work",
        "filter": wanted,
        "query": urlencode(wanted.query),
        "undo": last_group(campaign, request.user),
    }


_DECISIONS: Mapping[str, Verdict] = {"accept": "counts", "pay": "paid", "reject": "rejected"}


def _decision(request: PersonRequest) -> tuple[Verdict, str]:
    """The verdict, and the reason; one against the work is no reason for accepting it."""
    verdict = _DECISIONS.get(request.POST.get("decision", ""))
    if verdict is None:
        raise UsageError("Choose to accept the work, to pay but not count it, or to reject it.")
    return verdict, "" if verdict == "counts" else request.POST.get("reason", "")


def _chosen(request: PersonRequest, campaign: Campaign) -> list[int]:
    """The submissions to decide on; none that came in after the page was opened."""
    if request.POST.get("scope") != "filter":
        return numbers_of(request.POST.getlist("submission"))
    last = numbers_of([request.POST.get("last", "")])
    if not last:
        raise UsageError("The form does not say up to which submission to decide; reload the page.")
    rows = submissions_of(campaign, filter_from(request.GET)).filter(pk__lte=last[0])
    return list(rows.values_list("pk", flat=True))


def _last(campaign: Campaign) -> int:
    """The number of the newest submission."""
    newest = submissions_of(campaign, WorkFilter()).order_by("-pk")
    return newest.values_list("pk", flat=True).first() or 0


def _answered(request: PersonRequest, act: Callable[[], _Said], back: str) -> HttpResponse:
    """Do it, and say what came of it: as JSON to a script, else as messages on the page."""
    if wants_json(request):
        sentence, left = act()
        return JsonResponse({"message": sentence, "left": _named(left)})
    with errors_as_messages(request):
        sentence, left = act()
        messages.success(request, sentence)
        for each in _named(left):
            messages.warning(request, each)
    query = request.GET.urlencode()
    return redirect(f"{back}?{query}" if query else back)


def _named(left: tuple[LeftAlone, ...]) -> list[str]:
    rest = len(left) - MOST_NAMED
    return [*map(str, left[:MOST_NAMED]), *([f"And {rest} more."] if rest > 0 else [])]


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
        "shows": COMMENTS_SHOWN.items(),
        "also": f"&show={show}" if show in Comment.Kind.values else "",
    }
    return render(request, "results/comments.html", context)
