"""Accounts: listing, adding and removing people, for admins; and what is stored about people.

Everybody gets their own data; exports of others' and erasure are for admins.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from gistmark.errors import UsageError
from gistmark.web.accounts.imports import MOST_PEOPLE, create_people
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import find_user, remove_account
from gistmark.web.api.access import admin, person
from gistmark.web.api.schemas import Name, Page, responses
from gistmark.web.privacy.erasure import erase, plan_erasure
from gistmark.web.privacy.export import export_person, file_name
from gistmark.web.privacy.views.own import archive_response

router = Router()
Role = Literal["admin", "manager", "annotator"]
own = Router()


class AccountOut(Schema):
    """Somebody with an account; nobody can log in with one that is not open."""

    name: str
    role: str
    open: bool


class WantedAccounts(Page):
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
def list_accounts(request: HttpRequest, wanted: Query[WantedAccounts]) -> list[dict[str, Any]]:
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


class ErasurePlanOut(Schema):
    """What erasing somebody would do: how much is deleted, and how much stays.

    `problems` prevent it; `campaigns` first have to get another owner.
    """

    deleted: dict[str, int]
    kept: dict[str, int]
    redacted: dict[str, int]
    released: int
    campaigns: list[str]
    problems: list[str]


class Erasure(Schema):
    """That somebody is to be erased: their name once more, and who gets their campaigns."""

    confirm: Name
    campaigns_to: Name | None = None


class ErasedOut(Schema):
    """The name that the work is kept under; empty where there was none."""

    pseudonym: str


@own.get("/account/data", summary="Your data", response=responses(None))
def get_own_data(request: HttpRequest) -> HttpResponse:
    """Everything that is stored about you, as a ZIP archive of JSON files."""
    user = person(request)
    return archive_response(export_person(user, by=user), file_name(user))


@router.get("/{name}/data", summary="Somebody's data", response=responses(None))
def get_data_of(request: HttpRequest, name: Name) -> HttpResponse:
    """Everything that is stored about somebody, as a ZIP archive of JSON files; for admins."""
    by = admin(request)
    user = find_user(name)
    return archive_response(export_person(user, by=by), file_name(user))


@router.get("/{name}/erasure", summary="What erasing would do", response=responses(ErasurePlanOut))
def get_erasure_plan(request: HttpRequest, name: Name) -> dict[str, Any]:
    """What would become of somebody's data; for admins."""
    admin(request)
    plan = plan_erasure(find_user(name))
    return {field: getattr(plan, field) for field in ErasurePlanOut.model_fields}


@router.post("/{name}/erasure", summary="Erase a person", response=responses(ErasedOut))
def erase_person(request: HttpRequest, name: Name, wanted: Erasure) -> dict[str, str]:
    """Erase somebody; their judgements stay under a random name. For admins."""
    by = admin(request)
    user = find_user(name)
    if user == by:
        raise UsageError("You cannot erase your own account here.")
    if wanted.confirm != user.username:
        raise UsageError(f"'confirm' must be {user.username!r}.")
    owner = None if wanted.campaigns_to is None else find_user(wanted.campaigns_to)
    return {"pseudonym": erase(user, by=by, campaigns_to=owner).pseudonym}
