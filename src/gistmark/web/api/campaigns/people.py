"""Who takes part in a campaign: members, invitations, allocation."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gistmark.errors import UsageError
from gistmark.judgements.tasks.slots import reasons_of
from gistmark.web.accounts.people import find_user, find_users
from gistmark.web.annotate.services.claims import allocate
from gistmark.web.annotate.services.leases import release_of
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, Name, Page, responses
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.campaigns.services.members import add_member, candidates_for, remove_member
from gistmark.web.results.dashboard.progress import members_of

router = Router()
Names = Annotated[list[Name], Field(min_length=1, max_length=1000)]


class MemberOut(Schema):
    """Somebody who takes part, with their tasks by state; a `machine` is not a person.

    What machines do counts in none of the campaign's own numbers.
    """

    name: str
    role: str
    machine: bool
    held: int
    done: int
    paid: int
    late: int
    rejected: int


class NewMember(Schema):
    """Somebody who has an account, or several people, and their role in the campaign."""

    name: Name = ""
    names: Annotated[list[Name], Field(max_length=1000)] = []
    role: Name = "annotator"


class CandidateOut(Schema):
    """Somebody with an account who does not take part yet."""

    name: str
    role: str


class NewInvitation(Schema):
    """How many people may use the link, and for how many days."""

    uses: Count = 1
    days: Count = 14


class InvitationOut(Schema):
    """The address to send; it is shown only now."""

    address: str


class Allocation(Schema):
    """Whom to give tasks, and how many each gets at most."""

    names: Names
    limit: Count | None = None


class AllocatedOut(Schema):
    """How many tasks each got, and how many could be given to nobody, in all and by reason."""

    tasks: dict[str, int]
    unallocated: int
    reasons: dict[str, int]


class Release(Schema):
    """Whose tasks to take back."""

    names: Names


class ReleasedOut(Schema):
    """How many tasks were released."""

    released: int


@router.get("/{key}/members", response=responses(list[MemberOut]), summary="List the members")
def list_members(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """Everybody who takes part, managers first."""
    return [
        {
            "name": each.name,
            "role": each.role,
            "machine": each.machine,
            "held": each.progress.held,
            "done": each.progress.done,
            "paid": each.progress.paid,
            "late": each.progress.late,
            "rejected": each.progress.rejected,
        }
        for each in members_of(managed(request, key))
    ]


@router.post("/{key}/members", response=responses(None, 204), summary="Add a member")
def add_member_to(request: HttpRequest, key: Key, member: NewMember) -> Status[None]:
    """Let people who have an account take part: all of those named, or none."""
    campaign = managed(request, key)
    names = [name for name in (member.name, *member.names) if name]
    if not names:
        raise UsageError("Name at least one person, in `name` or in `names`.")
    with transaction.atomic():
        for user in find_users(names):
            add_member(campaign, user, member.role, by=person(request))
    return Status(204, None)


@router.delete("/{key}/members/{name}", response=responses(None, 204), summary="Remove a member")
def remove_member_of(request: HttpRequest, key: Key, name: Name) -> Status[None]:
    """Remove somebody from the campaign; whoever has tasks here stays."""
    campaign = managed(request, key)
    remove_member(campaign, find_user(name), person(request))
    return Status(204, None)


@router.get(
    "/{key}/candidates", response=responses(list[CandidateOut]), summary="List who may be added"
)
def list_candidates(request: HttpRequest, key: Key, page: Query[Page]) -> list[dict[str, str]]:
    """Everybody with an open account who does not take part yet, by name."""
    candidates = candidates_for(managed(request, key)).order_by("username")
    part = candidates[page.offset : page.offset + page.limit]
    return [{"name": name, "role": role} for name, role in part.values_list("username", "role")]


@router.post("/{key}/invitations", response=responses(InvitationOut, 201), summary="Invite")
def invite(request: HttpRequest, key: Key, new: NewInvitation) -> Status[dict[str, str]]:
    """Make a link with which annotators join."""
    campaign = managed(request, key)
    made = make_invitation(by=person(request), campaign=campaign, uses=new.uses, days=new.days)
    return Status(201, {"address": request.build_absolute_uri(reverse("join", args=[made.secret]))})


@router.post("/{key}/allocations", response=responses(AllocatedOut), summary="Allocate tasks")
def allocate_tasks(request: HttpRequest, key: Key, wanted: Allocation) -> dict[str, Any]:
    """Share the open tasks out among annotators of the campaign."""
    campaign = managed(request, key)
    allocated = allocate(campaign, find_users(wanted.names), person(request), wanted.limit)
    return {
        "tasks": dict(allocated.tasks),
        "unallocated": len(allocated.unallocated),
        "reasons": dict(reasons_of(allocated.unallocated)),
    }


@router.post("/{key}/releases", response=responses(ReleasedOut), summary="Take tasks back")
def release_tasks(request: HttpRequest, key: Key, wanted: Release) -> dict[str, int]:
    """Release everything that these annotators hold; what they have begun is kept."""
    campaign = managed(request, key)
    return {"released": release_of(campaign, find_users(wanted.names), person(request))}
