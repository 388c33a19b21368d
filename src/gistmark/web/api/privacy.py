"""What is stored about people: one's own data, and for admins exports and erasure."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema

from gistmark.errors import UsageError
from gistmark.web.accounts.people import find_user
from gistmark.web.api.access import admin, person
from gistmark.web.api.schemas import Name, responses
from gistmark.web.privacy.erasure import erase, plan_erasure
from gistmark.web.privacy.export import export_person, file_name
from gistmark.web.privacy.views.own import archive_response

own = Router()
router = Router()


class PlanOut(Schema):
    """What erasing somebody would come to: numbers of what goes and of what stays.

    `problems` keep it from being done; `campaigns` have to get another owner.
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
    """What the work goes by from now on; empty where there was none."""

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


@router.get("/{name}/erasure", summary="What erasing would do", response=responses(PlanOut))
def get_erasure_plan(request: HttpRequest, name: Name) -> dict[str, Any]:
    """What would become of somebody's data; for admins."""
    admin(request)
    plan = plan_erasure(find_user(name))
    return {field: getattr(plan, field) for field in PlanOut.model_fields}


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
