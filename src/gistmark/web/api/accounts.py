"""Everybody's accounts, for admins: who there is, new people, and those who leave."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.urls import reverse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gistmark.errors import UsageError
from gistmark.web.accounts.imports import MOST_PEOPLE, create_people
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import find_user, remove_account
from gistmark.web.api.access import admin
from gistmark.web.api.schemas import Name, Page, responses

router = Router()
Role = Literal["admin", "manager", "annotator"]


class AccountOut(Schema):
    """Somebody with an account; nobody can log in with one that is not open."""

    name: str
    role: str
    open: bool


class Wanted(Page):
    """Whose accounts: those with this in their name, of this role, open or closed."""

    name: Name = ""
    role: Role | None = None
    open: bool | None = None


class NewAccount(Schema):
    """A new person."""

    name: Name
    role: Role = "annotator"


class NewAccounts(Schema):
    """New people: all of them get an account, or none."""

    people: Annotated[list[NewAccount], Field(min_length=1, max_length=MOST_PEOPLE)]


class LinkOut(Schema):
    """The address where a new person sets a password; it is shown only now."""

    name: str
    address: str


class RemovedOut(Schema):
    """Whether the account is gone; one with work is closed instead, and its work is kept."""

    removed: bool


@router.get("", response=responses(list[AccountOut]), summary="List accounts")
def list_accounts(request: HttpRequest, wanted: Query[Wanted]) -> list[dict[str, Any]]:
    """Everybody, by name; for admins."""
    admin(request)
    users = User.objects.order_by("username")
    if wanted.name:
        users = users.filter(username__icontains=wanted.name)
    if wanted.role is not None:
        users = users.filter(role=wanted.role)
    if wanted.open is not None:
        users = users.filter(is_active=wanted.open)
    part = users[wanted.offset : wanted.offset + wanted.limit]
    return [{"name": each.username, "role": each.role, "open": each.is_active} for each in part]


@router.post("", response=responses(list[LinkOut], 201), summary="Add accounts")
def add_accounts(request: HttpRequest, new: NewAccounts) -> Status[list[dict[str, str]]]:
    """Make accounts, each with a link that sets its password; for admins."""
    rows = [{"name": each.name, "role": each.role} for each in new.people]
    made = create_people(rows, by=admin(request))
    return Status(
        201,
        [
            {
                "name": each.user.username,
                "address": request.build_absolute_uri(reverse("password", args=[each.secret])),
            }
            for each in made
        ],
    )


@router.delete("/{name}", response=responses(RemovedOut), summary="Remove an account")
def remove_account_of(request: HttpRequest, name: Name) -> dict[str, bool]:
    """Remove an account, or close it where work hangs on it; for admins."""
    by = admin(request)
    user = find_user(name)
    if user == by:
        raise UsageError("You cannot remove your own account.")
    return {"removed": remove_account(user, by=by)}
