"""Everybody on the platform, for admins: who there is, each person's page, and new people."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.errors import CorpusError, UsageError
from gistmark.web.accounts.audit import VERBS
from gistmark.web.accounts.forms import ImportForm, NewPersonForm, RenameForm, RoleForm
from gistmark.web.accounts.imports import Imported, import_list, import_people
from gistmark.web.accounts.models import AuditEntry, Link, User
from gistmark.web.accounts.people import (
    activate,
    change_role,
    create_user,
    deactivate,
    remove_account,
    rename,
)
from gistmark.web.accounts.permissions import PersonRequest, require_admin
from gistmark.web.accounts.sign_in.credentials import NewLink, make_password_link
from gistmark.web.accounts.sign_in.devices import end_all_sessions
from gistmark.web.accounts.sign_in.second_factor import (
    has_second_factor,
    lacks_second_factor,
    switch_off,
)
from gistmark.web.interface.pages import (
    GET_AND_POST,
    errors_as_messages,
    errors_on,
    form_status,
)

PAGE = 50
_ACCOUNTS = ("open", "closed")
PAGES = {Link.Kind.INVITATION: "join", Link.Kind.PASSWORD: "password"}


@require_safe
@require_admin
def people(request: PersonRequest) -> HttpResponse:
    """Everybody, or those with a name, a role or a state of the account that was chosen."""
    names = ("q", "role", "account")
    chosen = {name: request.GET.get(name, "").replace("\0", "").strip() for name in names}
    everybody = User.objects.annotate(campaigns=Count("memberships")).order_by("username")
    found = everybody.filter(username__icontains=chosen["q"]) if chosen["q"] else everybody
    if chosen["role"] in User.Role.values:
        found = found.filter(role=chosen["role"])
    if chosen["account"] in _ACCOUNTS:
        found = found.filter(is_active=chosen["account"] == "open")
    context = {
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "chosen": chosen,
        "also": f"&{urlencode(chosen)}" if any(chosen.values()) else "",
        "roles": User.Role.choices,
        "accounts": _ACCOUNTS,
    }
    return render(request, "accounts/people/people.html", context)


@require_POST
@require_admin
def remove(request: PersonRequest) -> HttpResponse:
    """Remove the chosen accounts; those with work are closed instead."""
    chosen = [int(pk) for pk in request.POST.getlist("people") if pk.isdecimal() and len(pk) < 19]
    users = list(User.objects.filter(pk__in=chosen).exclude(pk=request.user.pk))
    removed: list[str] = []
    closed: list[str] = []
    with errors_as_messages(request):
        for user in users:
            (removed if remove_account(user, by=request.user) else closed).append(user.username)
    if removed:
        messages.success(request, f"Removed: {', '.join(removed)}.")
    if closed:
        messages.warning(request, f"Closed, because their work is kept: {', '.join(closed)}.")
    if request.user.pk in chosen:
        messages.error(request, "You cannot remove your own account.")
    elif not users:
        messages.error(request, "Choose at least one account in the table.")
    return redirect("people")


@never_cache
@require_safe
@require_admin
def person(request: PersonRequest, pk: int) -> HttpResponse:
    """One person and what can be done with the account."""
    return _page(request, find_or_404(pk))


@require_POST
@require_admin
def role(request: PersonRequest, pk: int) -> HttpResponse:
    """Change somebody's role."""
    user = find_or_404(pk)
    form = RoleForm(request.POST)
    if form.is_valid():
        with errors_on(form, "role"):
            change_role(user, form.cleaned_data["role"], by=request.user)
            messages.success(request, f"{user.username} is now {user.get_role_display()}.")
            return redirect("person", pk)
    return _page(request, user, form=form, status=400)


@require_POST
@require_admin
def close_account(request: PersonRequest, pk: int) -> HttpResponse:
    """Close somebody's account."""
    user = find_or_404(pk)
    with errors_as_messages(request):
        deactivate(user, by=request.user)
        messages.success(request, f"The account of {user.username} is closed.")
    return redirect("person", pk)


@require_POST
@require_admin
def open_account(request: PersonRequest, pk: int) -> HttpResponse:
    """Open somebody's account again."""
    user = find_or_404(pk)
    with errors_as_messages(request):
        activate(user, by=request.user)
        messages.success(request, f"The account of {user.username} is open.")
    return redirect("person", pk)


@require_POST
@require_admin
def name(request: PersonRequest, pk: int) -> HttpResponse:
    """Give somebody another name."""
    user = find_or_404(pk)
    form = RenameForm(request.POST)
    if form.is_valid():
        with errors_on(form, "name"):
            before = user.username
            rename(user, form.cleaned_data["name"], by=request.user)
            messages.success(request, f"{before} is {user.username} from now on.")
            return redirect("person", pk)
    return _page(request, user, name_form=form, status=400)


@require_POST
@require_admin
def log_out(request: PersonRequest, pk: int) -> HttpResponse:
    """End all sessions of somebody."""
    user = find_or_404(pk)
    count = end_all_sessions(user, by=request.user)
    messages.success(request, f"{user.username} is logged out; sessions ended: {count}.")
    return redirect("person", pk)


@require_safe
@require_admin
def audit(request: PersonRequest) -> HttpResponse:
    """The platform's audit trail, the latest first, or that of one account."""
    name = request.GET.get("name", "").replace("\0", "").strip()
    entries = AuditEntry.objects.all()
    if name:
        entries = entries.filter(Q(name=name) | Q(by=name))
    page = Paginator(entries, PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [(each, VERBS.get(each.verb, each.verb)) for each in page],
        "name": name,
        "also": f"&{urlencode({'name': name})}" if name else "",
    }
    return render(request, "accounts/people/audit.html", context)


@never_cache
@require_POST
@require_admin
def reset_password(request: PersonRequest, pk: int) -> HttpResponse:
    """Make a link with which somebody sets a new password, and show it, this once."""
    user = find_or_404(pk)
    return _new_password_link(request, user)


@require_POST
@require_admin
def reset_factor(request: PersonRequest, pk: int) -> HttpResponse:
    """Forget the second factor of somebody who has lost the phone and the recovery codes."""
    user = find_or_404(pk)
    if switch_off(user, by=request.user):
        messages.success(
            request, f"The second factor of {user.username} is reset, and all sessions are ended."
        )
    else:
        messages.error(request, f"{user.username} has no second factor.")
    return redirect("person", pk)


def _page(
    request: PersonRequest,
    user: User,
    *,
    form: RoleForm | None = None,
    name_form: RenameForm | None = None,
    status: int = 200,
) -> HttpResponse:
    memberships = user.memberships.select_related("campaign").order_by("campaign__name")
    context = {
        "person": user,
        "role_form": form or RoleForm(initial={"role": user.role}),
        "name_form": name_form or RenameForm(initial={"name": user.username}),
        "memberships": memberships,
        "has_second_factor": has_second_factor(user),
        "lacks_second_factor": lacks_second_factor(user),
    }
    return render(request, "accounts/people/person.html", context, status=status)


def find_or_404(pk: int) -> User:
    """The person of this number; 404 where there is none."""
    user = User.objects.filter(pk=pk).first()
    if user is None:
        raise Http404("There is no such person.")
    return user


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def new_person(request: PersonRequest) -> HttpResponse:
    """Make an account and show the link that sets its password, this once."""
    form = NewPersonForm(request.POST) if request.method == "POST" else NewPersonForm()
    form.fields["role"].initial = "annotator"
    if form.is_valid():
        with errors_on(form, "name"):
            user = create_user(
                form.cleaned_data["name"], role=form.cleaned_data["role"], by=request.user
            )
            return _new_password_link(request, user, is_new=True)
    return render(
        request, "accounts/people/person_new.html", {"form": form}, status=form_status(form)
    )


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def import_(request: PersonRequest) -> HttpResponse:
    """Make accounts from a list or a CSV file, or say everything that is wrong with it."""
    posted = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if posted else ImportForm()
    problems: tuple[object, ...] = ()
    if form.is_valid():
        file, pasted = form.cleaned_data["file"], form.cleaned_data["pasted"]
        try:
            with errors_on(form, "file" if file else "pasted", kind=UsageError):
                imported = (
                    import_people(file.read(), by=request.user, file=file.name)
                    if file
                    else import_list(pasted, by=request.user)
                )
                context = {"count": len(imported), "table": links_table(request, imported)}
                return render(request, "accounts/people/imported.html", context)
        except CorpusError as error:
            problems = error.problems[: CorpusError.SHOWN]
    context = {"form": form, "problems": problems}
    return render(request, "accounts/people/import.html", context, status=form_status(form))


def _new_password_link(request: PersonRequest, user: User, *, is_new: bool = False) -> HttpResponse:
    made = make_password_link(by=request.user, user=user)
    secret = address_of(request, made)
    context = {"made": made, "secret": secret, "person": user, "is_new": is_new}
    return render(request, "accounts/people/new_password_link.html", context)


def address_of(request: HttpRequest, made: NewLink) -> str:
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
