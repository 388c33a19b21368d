"""For admins: what is stored about somebody, and erasing them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import find_user
from gistmark.web.accounts.permissions import PersonRequest, require_admin
from gistmark.web.accounts.views.people import find_or_404
from gistmark.web.interface.pages import GET_AND_POST
from gistmark.web.privacy.erasure import erase as erase_person
from gistmark.web.privacy.erasure import plan_erasure
from gistmark.web.privacy.export import export_person, file_name
from gistmark.web.privacy.views.own import archive_response


@never_cache
@require_POST
@require_admin
def data(request: PersonRequest, pk: int) -> HttpResponse:
    """Everything that is stored about somebody."""
    user = find_or_404(pk)
    return archive_response(export_person(user, by=request.user), file_name(user))


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def erase(request: PersonRequest, pk: int) -> HttpResponse:
    """What erasing somebody comes to, and, confirmed with their name, doing so."""
    user, error = find_or_404(pk), ""
    if request.method == "POST":
        try:
            return _erase(request, user)
        except GistmarkError as refused:
            error = str(refused)
    owners = User.objects.filter(role__in=["admin", "manager"], is_active=True).exclude(pk=pk)
    context = {"person": user, "plan": plan_erasure(user), "owners": owners, "error": error}
    return render(request, "privacy/erase_person.html", context, status=400 if error else 200)


def _erase(request: PersonRequest, user: User) -> HttpResponse:
    if user.pk == request.user.pk:
        raise UsageError("Your own account is erased under Account.")
    if request.POST.get("name", "").strip() != user.username:
        raise UsageError(f"Type {user.username} to confirm.")
    owner = request.POST.get("owner", "").strip()
    erased = erase_person(user, by=request.user, campaigns_to=find_user(owner) if owner else None)
    what = (
        f"Their work is kept under the name {erased.pseudonym}."
        if erased.pseudonym
        else "There was no work."
    )
    messages.success(request, f"The person is erased. {what}")
    if not erased.overwritten:
        messages.warning(
            request,
            "The database was busy, so bytes of what was deleted may still be in its file until "
            "somebody else is erased or it is vacuumed. Backups have none of them.",
        )
    return redirect("people")
