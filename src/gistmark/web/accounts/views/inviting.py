"""New people, for admins: one at a time, by invitation, or many from a file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from gistmark.errors import CorpusError, UsageError
from gistmark.web.accounts.forms import ImportForm, InvitationForm, NewPersonForm
from gistmark.web.accounts.importing import FILE_BYTES, import_people
from gistmark.web.accounts.links import make_invitation, make_password_link
from gistmark.web.accounts.models import Link
from gistmark.web.accounts.people import create_user
from gistmark.web.accounts.permissions import PersonRequest, require_admin
from gistmark.web.accounts.views.addresses import address_of, links_table

GET_AND_POST = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def new_person(request: PersonRequest) -> HttpResponse:
    """Make an account and show the link that sets its password, this once."""
    form = NewPersonForm(request.POST) if request.method == "POST" else NewPersonForm()
    form.fields["role"].initial = "annotator"
    if form.is_valid():
        try:
            user = create_user(form.cleaned_data["name"], role=form.cleaned_data["role"])
        except UsageError as error:
            form.add_error("name", str(error))
        else:
            made = make_password_link(by=request.user, user=user)
            address = address_of(request, made)
            context = {"made": made, "address": address, "person": user, "is_new": True}
            return render(request, "accounts/made_password_link.html", context)
    return render(request, "accounts/person_new.html", {"form": form}, status=_status(form))


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def invite(request: PersonRequest) -> HttpResponse:
    """Make an invitation, or see those that hold."""
    form = InvitationForm(request.POST) if request.method == "POST" else InvitationForm()
    if form.is_valid():
        made = make_invitation(by=request.user, **form.cleaned_data)
        context = {"made": made, "address": address_of(request, made)}
        return render(request, "accounts/made_invitation.html", context)
    invitations = Link.objects.filter(
        kind=Link.Kind.INVITATION, uses_left__gt=0, ends_at__gt=timezone.now()
    ).select_related("campaign", "created_by")
    context = {"form": form, "invitations": invitations}
    return render(request, "accounts/invite.html", context, status=_status(form))


@require_POST
@require_admin
def withdraw(request: PersonRequest, pk: int) -> HttpResponse:
    """Make an invitation useless."""
    Link.objects.filter(pk=pk, kind=Link.Kind.INVITATION).delete()
    messages.success(request, "The invitation is withdrawn.")
    return redirect("people-invite")


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def import_(request: PersonRequest) -> HttpResponse:
    """Make accounts from a CSV file, or say everything that is wrong with it."""
    posted = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if posted else ImportForm()
    problems: tuple[object, ...] = ()
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            if file.size > FILE_BYTES:
                raise UsageError(f"The file is larger than {FILE_BYTES // 1024} KB.")
            imported = import_people(file.read(), by=request.user, file=file.name)
        except CorpusError as error:
            problems = error.problems[: CorpusError.SHOWN]
        except UsageError as error:
            form.add_error("file", str(error))
        else:
            context = {"count": len(imported), "table": links_table(request, imported)}
            return render(request, "accounts/imported.html", context)
    context = {"form": form, "problems": problems}
    return render(request, "accounts/import.html", context, status=_status(form))


def _status(form: NewPersonForm | InvitationForm | ImportForm) -> int:
    return 400 if form.is_bound else 200
