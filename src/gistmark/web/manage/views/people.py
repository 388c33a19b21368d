"""The people of a campaign: who takes part, what they have and are given; and its machines."""

from __future__ import annotations

import shlex

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gistmark.judgements.tasks.slots import reasons_of
from gistmark.web.accounts.audit import note
from gistmark.web.accounts.models import Link, User
from gistmark.web.accounts.people import find_users
from gistmark.web.accounts.permissions import PersonRequest, require_admin, require_login
from gistmark.web.accounts.sign_in.credentials import TOKEN_DAYS, NewLink
from gistmark.web.accounts.views.addresses import base_of
from gistmark.web.accounts.views.people import address_of
from gistmark.web.annotate.services.claims import allocate
from gistmark.web.annotate.services.leases import release_of
from gistmark.web.campaigns.models import Campaign, Machine
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.campaigns.services.machines import (
    add_machine,
    machines_of,
    make_machine_token,
    revoke_machine_token,
    tokens_of,
)
from gistmark.web.campaigns.services.members import (
    add_member,
    campaign_for_manager,
    candidates_for,
    remove_member,
)
from gistmark.web.interface.pages import GET_AND_POST, errors_as_messages, errors_on, form_status
from gistmark.web.manage.forms.campaigns import (
    AddForm,
    ChosenForm,
    InvitationForm,
    InviteForm,
    MachineForm,
)
from gistmark.web.manage.pages import page
from gistmark.web.results.dashboard.progress import machine_work, members_of

_LARGE = 10
"""More members than this can be filtered by name."""


@never_cache
@require_safe
@require_login
def people(request: PersonRequest, key: str) -> HttpResponse:
    """Who takes part, and how far they are."""
    return _page(request, campaign_for_manager(request.user, key))


@never_cache
@require_POST
@require_login
def add(request: PersonRequest, key: str) -> HttpResponse:
    """Let people who have an account take part: all of those named, or none."""
    campaign = campaign_for_manager(request.user, key)
    form = AddForm(candidates_for(campaign), request.POST)
    if form.is_valid():
        with errors_on(form, "name"), transaction.atomic():
            users = find_users(form.cleaned_data["names"])
            for user in users:
                add_member(campaign, user, form.cleaned_data["role"], by=request.user)
            names = ", ".join(user.username for user in users)
            messages.success(request, f"Now taking part: {names}.")
            return redirect("campaign-people", campaign.key)
    return _page(request, campaign, add_form=form)


@never_cache
@require_POST
@require_login
def invite_to(request: PersonRequest, key: str) -> HttpResponse:
    """Make a link for annotators, and show it, this once."""
    campaign = campaign_for_manager(request.user, key)
    form = InviteForm(request.POST)
    if form.is_valid():
        with errors_on(form):
            made = make_invitation(by=request.user, campaign=campaign, **form.cleaned_data)
            return _new_invitation(request, made, campaign)
    return _page(request, campaign, invite_form=form)


@never_cache
@require_POST
@require_login
def allocate_tasks(request: PersonRequest, key: str) -> HttpResponse:
    """Allocate open tasks to the chosen annotators."""
    campaign = campaign_for_manager(request.user, key)
    form = ChosenForm(members_of(campaign), request.POST)
    if form.is_valid():
        with errors_on(form):
            shares = allocate(campaign, _chosen(form), request.user, form.cleaned_data["limit"])
            messages.success(request, f"Tasks allocated: {sum(shares.tasks.values())}.")
            for reason, count in reasons_of(shares.unallocated):
                messages.warning(request, f"Tasks still open: {count}. {reason}")
            return redirect("campaign-people", campaign.key)
    return _page(request, campaign, chosen_form=form)


@never_cache
@require_POST
@require_login
def release(request: PersonRequest, key: str) -> HttpResponse:
    """Take the tasks that the chosen annotators hold back from them."""
    campaign = campaign_for_manager(request.user, key)
    form = ChosenForm(members_of(campaign), request.POST)
    if form.is_valid():
        count = release_of(campaign, _chosen(form), request.user)
        messages.success(request, f"Tasks released: {count}. What was begun is kept.")
        return redirect("campaign-people", campaign.key)
    return _page(request, campaign, chosen_form=form)


@never_cache
@require_POST
@require_login
def remove(request: PersonRequest, key: str) -> HttpResponse:
    """Let the chosen annotators take part no longer; those who have tasks stay."""
    campaign = campaign_for_manager(request.user, key)
    form = ChosenForm(members_of(campaign), request.POST)
    if not form.is_valid():
        return _page(request, campaign, chosen_form=form)
    removed = []
    for user in _chosen(form):
        with errors_as_messages(request):
            remove_member(campaign, user, request.user)
            removed.append(user.username)
    if removed:
        messages.success(request, f"No longer taking part: {', '.join(removed)}.")
    return redirect("campaign-people", campaign.key)


@never_cache
@require_http_methods(GET_AND_POST)
@require_admin
def invitations(request: PersonRequest) -> HttpResponse:
    """Make an invitation, or see those that are valid."""
    form = InvitationForm(request.POST) if request.method == "POST" else InvitationForm()
    if form.is_valid():
        made = make_invitation(by=request.user, **form.cleaned_data)
        return _new_invitation(request, made)
    valid = Link.objects.filter(
        kind=Link.Kind.INVITATION, uses_left__gt=0, ends_at__gt=timezone.now()
    ).select_related("campaign", "created_by")
    context = {"form": form, "invitations": valid}
    return render(request, "accounts/people/invite.html", context, status=form_status(form))


@require_POST
@require_admin
def withdraw(request: PersonRequest, pk: int) -> HttpResponse:
    """Make an invitation useless."""
    gone, _ = Link.objects.filter(pk=pk, kind=Link.Kind.INVITATION).delete()
    if gone:
        note("invitation-withdrawn", by=request.user)
    messages.success(request, "The invitation is withdrawn.")
    return redirect("people-invite")


def _new_invitation(
    request: PersonRequest, made: NewLink, campaign: Campaign | None = None
) -> HttpResponse:
    """The page with the link, as managers of the campaign see it, or admins."""
    context = {"made": made, "secret": address_of(request, made), "campaign": campaign}
    return render(request, "accounts/people/new_invitation.html", context)


def _chosen(form: ChosenForm) -> list[User]:
    return list(User.objects.filter(username__in=form.cleaned_data["people"]))


def _page(
    request: PersonRequest,
    campaign: Campaign,
    *,
    add_form: AddForm | None = None,
    invite_form: InviteForm | None = None,
    chosen_form: ChosenForm | None = None,
) -> HttpResponse:
    members = members_of(campaign)
    wanted = request.GET.get("q", "").strip().casefold()
    forms = {
        "add_form": add_form or AddForm(candidates_for(campaign)),
        "invite_form": invite_form or InviteForm(),
        "chosen_form": chosen_form or ChosenForm(members),
    }
    status = form_status(*forms.values())
    chosen = request.POST.getlist("people")
    return page(
        request,
        "people/people",
        campaign,
        tab="people",
        status=status,
        members=[each for each in members if wanted in each.name.casefold()],
        is_large=len(members) > _LARGE,
        wanted=wanted,
        chosen=chosen,
        **forms,
    )


@never_cache
@require_http_methods(GET_AND_POST)
@require_login
def machines(request: PersonRequest, key: str) -> HttpResponse:
    """Which machines judge, how far they are, their tokens, how to run them; one can be added."""
    campaign = campaign_for_manager(request.user, key)
    form = MachineForm(request.POST) if request.method == "POST" else MachineForm()
    if form.is_valid():
        with errors_on(form, "model"):
            made = add_machine(campaign, by=request.user, **form.cleaned_data)
            messages.success(request, f"The machine {made.membership.user.username} takes part.")
            return redirect("campaign-machines", campaign.key)
    known = machines_of(campaign).prefetch_related("membership__user__tokens")
    return page(
        request,
        "people/machines",
        campaign,
        tab="people",
        status=form_status(form),
        form=form,
        machines=[
            (each, work, tokens_of(each), _commands(request, campaign, each))
            for each, work in zip(known, machine_work(campaign), strict=True)
        ],
        days=TOKEN_DAYS,
    )


@never_cache
@require_POST
@require_login
def machine_token(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    """Make a token for a machine's own tasks, and show it, this once."""
    campaign = campaign_for_manager(request.user, key)
    machine = _machine(campaign, pk)
    made = make_machine_token(machine, request.user)
    context = {
        "campaign": campaign,
        "machine": machine,
        "made": made,
        "secret": made.secret,
        "commands": _commands(request, campaign, machine),
    }
    return render(request, "campaigns/people/machine_token.html", context)


@require_POST
@require_login
def revoke_of_machine(request: PersonRequest, key: str, machine: int, pk: int) -> HttpResponse:
    """Make a token of a machine useless."""
    campaign = campaign_for_manager(request.user, key)
    owner = _machine(campaign, machine)
    with errors_as_messages(request):
        revoke_machine_token(owner, pk, by=request.user)
        messages.success(request, "The token is revoked: no program can use it any more.")
    return redirect("campaign-machines", campaign.key)


def _commands(request: PersonRequest, campaign: Campaign, machine: Machine) -> dict[str, str]:
    """What runs a machine on any computer, by a token, and where the platform's data are."""
    judge = ["gistmark", "campaign", "judge", campaign.key]
    server = ["--judge-url", machine.url] if machine.url else []
    anywhere = ["--url", base_of(request), *server, "--judge-model", machine.model]
    here = ["--name", machine.membership.user.username]
    return {"anywhere": shlex.join(judge + anywhere), "here": shlex.join(judge + here)}


def _machine(campaign: Campaign, pk: int) -> Machine:
    machine = machines_of(campaign).filter(pk=pk).first()
    if machine is None:
        raise Http404("The campaign has no such machine.")
    return machine
