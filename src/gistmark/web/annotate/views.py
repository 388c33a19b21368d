"""The annotator's pages: what there is to do, and one task at a time.

The page of a task saves and submits through the API (`gistmark.web.api.work.tasks`).
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate.codes import shown_code
from gistmark.web.annotate.models import Comment
from gistmark.web.annotate.overview import work_of
from gistmark.web.annotate.pages import joined_campaign, modules_of
from gistmark.web.annotate.services import capacity, claims, comments, drafts
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.consents import (
    asked_again,
    consent_version,
    consented,
    give_consent,
)
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.config.errors import ConflictError
from gistmark.web.interface.languages import use_language
from gistmark.web.interface.pages import GET_AND_POST
from gistmark.web.qualification.services.admission import admission

NOTHING_LEFT = gettext_noop(
    "There is nothing left for you to do in this campaign just now. Thank you!"
)


@never_cache
@require_safe
@require_login
def work(request: PersonRequest) -> HttpResponse:
    """All campaigns of this annotator, with their tasks."""
    return render(request, "annotate/work.html", {"campaigns": work_of(request.user)})


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def begin(request: PersonRequest, key: str) -> HttpResponse:
    """What a campaign is about, to be read and accepted before its first task."""
    campaign = joined_campaign(request, key)
    if request.method == "POST":
        try:
            give_consent(campaign, request.user, version=request.POST.get("version"))
        except ConflictError as changed:
            messages.warning(request, str(changed))
            return redirect("work-begin", key=key)
        return _to_next_task(request, campaign)
    context = {
        "campaign": campaign,
        "protocol": protocol_of(campaign),
        "admission": admission(campaign, request.user),
        "consented": consented(campaign, request.user),
        "asked_again": asked_again(campaign, request.user),
        "version": consent_version(campaign),
    }
    return render(request, "annotate/begin.html", context)


@require_POST
@require_login
def next_(request: PersonRequest, key: str) -> HttpResponse:
    """Claim the next task of a campaign and go there."""
    campaign = joined_campaign(request, key)
    if not consented(campaign, request.user):
        return redirect("work-begin", key=key)
    return _to_next_task(request, campaign)


@never_cache
@require_safe
@require_login
def task(request: PersonRequest, pk: int) -> HttpResponse:
    """The page on which a task is done."""
    own = drafts.task_for(request.user, pk)
    use_language(request, own.campaign.language)
    if not consented(own.campaign, request.user):
        return redirect("work-begin", key=own.campaign.key)
    if own.opened_at is None and not admission(own.campaign, request.user).ready:
        return redirect("work-practice", key=own.campaign.key)
    payload = drafts.browser_payload(own)
    context = {
        "task": own,
        "campaign": own.campaign,
        "payload": payload,
        "modules": modules_of(payload["kind"]),
        "code": shown_code(own, own.campaign),
        "reasons": Comment.Reason.choices,
        "longest_comment": comments.LONGEST_COMMENT,
        "is_last": capacity.is_last(own),
    }
    name = "task" if payload["editable"] else "submitted"
    return render(request, f"annotate/{name}.html", context)


@require_POST
@require_login
def release(request: PersonRequest, pk: int) -> HttpResponse:
    """Give a task back."""
    own = drafts.task_for(request.user, pk)
    use_language(request, own.campaign.language)
    reason, text = request.POST.get("reason", ""), request.POST.get("text", "")
    comments.give_back(own, request.user, reason=reason, text=text)
    messages.success(request, gettext("You have given the task back. What you did on it is kept."))
    return redirect("work")


def _to_next_task(request: PersonRequest, campaign: Campaign) -> HttpResponse:
    begun = campaign.tasks.filter(annotator=request.user, state="held", opened_at__isnull=False)
    if not begun.exists() and not admission(campaign, request.user).ready:
        return redirect("work-practice", key=campaign.key)
    task = claims.next_task(campaign, request.user)
    if task is None and request.user.from_market:
        return redirect("crowd-finish", key=campaign.key)
    if task is None:
        messages.info(request, gettext(NOTHING_LEFT))
        return redirect("work")
    return redirect("task", pk=task.pk)
