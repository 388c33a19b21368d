"""One task: its page, and what the page saves and hands in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import GistmarkError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.annotate import services
from gistmark.web.annotate.bodies import read_draft, read_submission, refusal
from gistmark.web.annotate.models import Task
from gistmark.web.annotate.overview import consented
from gistmark.web.campaigns.errors import NotAllowedError
from gistmark.web.crowd.codes import shown_code


@never_cache
@require_safe
@require_login
def task(request: PersonRequest, pk: int) -> HttpResponse:
    """The page on which a task is done."""
    found = services.task_for(request.user, pk)
    if not consented(found.campaign, request.user):
        return redirect("work-begin", key=found.campaign.key)
    payload = services.browser_payload(found)
    context = {
        "task": found,
        "campaign": found.campaign,
        "payload": payload,
        "modules": _modules(),
        "code": shown_code(found, found.campaign),
    }
    name = "task" if payload["editable"] else "handed_in"
    return render(request, f"annotate/{name}.html", context)


@never_cache
@require_safe
@require_login
def payload(request: PersonRequest, pk: int) -> HttpResponse:
    """The task as JSON: all that the browser may know, and the draft."""
    try:
        return JsonResponse(services.browser_payload(_accepted(request.user, pk)))
    except GistmarkError as error:
        return refusal(error)


@require_http_methods(["PUT"])
@require_login
def draft(request: PersonRequest, pk: int) -> HttpResponse:
    """Save what is filled in so far."""
    try:
        found = _accepted(request.user, pk)
        body = read_draft(request)
        saved = services.save_draft(found, request.user, body.answer, body.version)
    except GistmarkError as error:
        return refusal(error)
    return JsonResponse({"version": saved.version, "saved_at": saved.saved_at})


@require_POST
@require_login
def submit(request: PersonRequest, pk: int) -> HttpResponse:
    """Hand in; the same key again gets the same reply."""
    try:
        found = _accepted(request.user, pk)
        body = read_submission(request)
        submission = services.submit(found, request.user, body.key, body.answer)
    except GistmarkError as error:
        return refusal(error)
    code = shown_code(submission.task, submission.task.campaign)
    return JsonResponse({"message": services.reply_to(submission), "completion_code": code})


@require_POST
@require_login
def release(request: PersonRequest, pk: int) -> HttpResponse:
    """Give a task back."""
    services.release(services.task_for(request.user, pk), request.user)
    messages.success(request, "You have given the task back. What you did on it is kept.")
    return redirect("work")


@cache
def _modules() -> tuple[str, ...]:
    """The scripts of the page, all of them asked for at once instead of one after another."""
    folder = Path(__file__).parents[2] / "static" / "annotate"
    return tuple(f"annotate/{file.name}" for file in sorted(folder.glob("*.js")))


def _accepted(user: User, pk: int) -> Task:
    """The task of somebody who has accepted what the campaign says about itself."""
    found = services.task_for(user, pk)
    if not consented(found.campaign, user):
        raise NotAllowedError("Read and accept first what the campaign says about itself.")
    return found
