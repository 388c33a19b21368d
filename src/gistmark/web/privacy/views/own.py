"""One's own data: to download it, and to have oneself erased."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.errors import UsageError
from gistmark.web.accounts.permissions import PersonRequest, require_login
from gistmark.web.interface.pages import GET_AND_POST
from gistmark.web.privacy.erasure import erase as erase_person
from gistmark.web.privacy.erasure import plan_erasure
from gistmark.web.privacy.export import export_person, file_name

_OWNS = "You own campaigns; an admin erases your account and gives them to somebody else."


@never_cache
@require_POST
@require_login
def data(request: PersonRequest) -> HttpResponse:
    """Everything that is stored about the person who asks."""
    archive = export_person(request.user, by=request.user)
    return archive_response(archive, file_name(request.user))


def archive_response(archive: bytes, name: str) -> HttpResponse:
    """An archive to be saved."""
    response = HttpResponse(archive, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def erase(request: PersonRequest) -> HttpResponse:
    """What erasing oneself comes to, and, confirmed with one's name, doing so."""
    user, error = request.user, ""
    if request.method == "POST":
        if request.POST.get("name", "").strip() == user.username:
            try:
                erase_person(user, by=user)
            except UsageError as refused:
                error = str(refused)
            else:
                logout(request)
                messages.success(request, gettext("Your account and your personal data are gone."))
                return redirect("log-in")
        else:
            error = gettext("This is not your name as it is written above.")
    plan = plan_erasure(user)
    problems = [*plan.problems, *([_OWNS] if plan.campaigns else [])]
    kept = sum(plan.kept.values())
    context = {"plan": plan, "problems": problems, "kept": kept, "error": error}
    return render(request, "privacy/erase_own.html", context, status=400 if error else 200)
