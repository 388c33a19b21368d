"""Everybody on the platform, for admins: who there is, and each person's page."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from gistmark.errors import UsageError
from gistmark.web.accounts.forms import RoleForm
from gistmark.web.accounts.links import make_password_link
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import activate, change_role, deactivate
from gistmark.web.accounts.permissions import PersonRequest, require_admin
from gistmark.web.accounts.views.addresses import address_of

PAGE = 50


@require_safe
@require_admin
def people(request: PersonRequest) -> HttpResponse:
    """Everybody, or those whose name has the words that were searched for."""
    wanted = request.GET.get("q", "").replace("\0", "").strip()
    everybody = User.objects.annotate(campaigns=Count("memberships")).order_by("username")
    found = everybody.filter(username__icontains=wanted) if wanted else everybody
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    return render(request, "accounts/people.html", {"page": page, "wanted": wanted})


@never_cache
@require_safe
@require_admin
def person(request: PersonRequest, pk: int) -> HttpResponse:
    """One person and what can be done with the account."""
    return _page(request, _find(pk))


@require_POST
@require_admin
def role(request: PersonRequest, pk: int) -> HttpResponse:
    """Change somebody's role."""
    found = _find(pk)
    form = RoleForm(request.POST)
    if form.is_valid():
        try:
            change_role(found, form.cleaned_data["role"])
        except UsageError as error:
            form.add_error("role", str(error))
        else:
            messages.success(request, f"{found.username} is now {found.get_role_display()}.")
            return redirect("person", pk)
    return _page(request, found, form=form, status=400)


@require_POST
@require_admin
def close_account(request: PersonRequest, pk: int) -> HttpResponse:
    """Close somebody's account."""
    found = _find(pk)
    try:
        deactivate(found)
    except UsageError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"The account of {found.username} is closed.")
    return redirect("person", pk)


@require_POST
@require_admin
def open_account(request: PersonRequest, pk: int) -> HttpResponse:
    """Open somebody's account again."""
    found = _find(pk)
    activate(found)
    messages.success(request, f"The account of {found.username} is open.")
    return redirect("person", pk)


@never_cache
@require_POST
@require_admin
def reset_password(request: PersonRequest, pk: int) -> HttpResponse:
    """Make a link with which somebody sets a new password, and show it, this once."""
    found = _find(pk)
    made = make_password_link(by=request.user, user=found)
    context = {"made": made, "person": found, "address": address_of(request, made)}
    return render(request, "accounts/made_password_link.html", context)


def _page(
    request: PersonRequest, found: User, *, form: RoleForm | None = None, status: int = 200
) -> HttpResponse:
    memberships = found.memberships.select_related("campaign").order_by("campaign__name")
    context = {
        "person": found,
        "role_form": form or RoleForm(initial={"role": found.role}),
        "memberships": memberships,
    }
    return render(request, "accounts/person.html", context, status=status)


def _find(pk: int) -> User:
    found = User.objects.filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such person.")
    return found
