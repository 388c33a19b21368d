"""Who takes part in a campaign: members, invitations, allocation."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from django.urls import reverse
from ninja import Router, Schema, Status
from pydantic import Field

from gistmark.judgements.slots import reasons_of
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import find_user
from gistmark.web.annotate.services import allocate, release_of
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Count, Key, Name, responses
from gistmark.web.campaigns.services import add_member
from gistmark.web.campaigns.services.invitations import make_invitation
from gistmark.web.results.progress import members_of

router = Router()
Names = Annotated[list[Name], Field(min_length=1, max_length=1000)]


class MemberOut(Schema):
    """Somebody who takes part, with their tasks by state."""

    name: str
    role: str
    held: int
    done: int
    rejected: int


class NewMember(Schema):
    """Somebody who has an account, and their role in the campaign."""

    name: Name
    role: Name = "annotator"


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
    """How many tasks each got, how many nobody could be given, and how many for which reason."""

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
            "held": each.progress.held,
            "done": each.progress.done,
            "rejected": each.progress.rejected,
        }
        for each in members_of(managed(request, key))
    ]


@router.post("/{key}/members", response=responses(None, 204), summary="Add a member")
def add_member_to(request: HttpRequest, key: Key, member: NewMember) -> Status[None]:
    """Let somebody who has an account take part."""
    campaign = managed(request, key)
    add_member(campaign, find_user(member.name), member.role, by=person(request))
    return Status(204, None)


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
    allocated = allocate(campaign, _users(wanted.names), person(request), wanted.limit)
    return {
        "tasks": dict(allocated.tasks),
        "unallocated": len(allocated.unallocated),
        "reasons": dict(reasons_of(allocated.unallocated)),
    }


@router.post("/{key}/releases", response=responses(ReleasedOut), summary="Take tasks back")
def release_tasks(request: HttpRequest, key: Key, wanted: Release) -> dict[str, int]:
    """Release everything that these annotators hold; what they have begun is kept."""
    campaign = managed(request, key)
    return {"released": release_of(campaign, _users(wanted.names), person(request))}


def _users(names: list[str]) -> list[User]:
    """The people of these names; an unknown one is an error."""
    known = {user.username: user for user in User.objects.filter(username__in=names)}
    return [known.get(name) or find_user(name) for name in names]
