"""The machines of a campaign: models that judge beside people."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.api.access import managed, person
from gistmark.web.api.schemas import Key, Name, responses
from gistmark.web.campaigns.services.members import (
    MODEL_LENGTH,
    URL_LENGTH,
    add_machine,
    machine_called,
)
from gistmark.web.results.dashboard.progress import MachineWork, machine_work

router = Router()


class MachineOut(Schema):
    """A machine, the model that it is, and its tasks; `left` are those that it has yet to do.

    `signature` says how the model was asked; it is empty before the first run.
    """

    name: str
    model: str
    url: str
    signature: str
    done: int
    undecided: int
    paid: int
    rejected: int
    given_back: int
    left: int


class NewMachine(Schema):
    """A model: its name at the server of `url`, or a local one; without a name, named after it."""

    model: Annotated[str, Field(min_length=1, max_length=MODEL_LENGTH)]
    url: Annotated[str, Field(max_length=URL_LENGTH)] = ""
    name: Name = ""


class MachineTokenOut(Schema):
    """A token for the machine's own tasks, which is shown only now."""

    token: str


@router.get("/{key}/machines", response=responses(list[MachineOut]), summary="List the machines")
def list_machines(request: HttpRequest, key: Key) -> list[dict[str, Any]]:
    """The models that judge in a campaign; their work counts in none of its own numbers."""
    return [_described(each) for each in machine_work(managed(request, key))]


@router.post("/{key}/machines", response=responses(MachineOut, 201), summary="Add a machine")
def create_machine(request: HttpRequest, key: Key, new: NewMachine) -> Status[dict[str, Any]]:
    """Let a model judge in the campaign, with an account of its own that has no password."""
    campaign = managed(request, key)
    made = add_machine(campaign, model=new.model, url=new.url, name=new.name, by=person(request))
    name = made.membership.user.username
    (work,) = (each for each in machine_work(campaign) if each.name == name)
    return Status(201, _described(work))


@router.post(
    "/{key}/machines/{name}/token",
    response=responses(MachineTokenOut, 201),
    summary="Make a token for a machine",
)
def create_machine_token(request: HttpRequest, key: Key, name: Name) -> Status[dict[str, str]]:
    """A token with which a program works as the machine: for its own tasks, and nothing else."""
    machine = machine_called(managed(request, key), name)
    by = f"made by {person(request).username}"[:100]
    return Status(201, {"token": make_token(machine.membership.user, by).secret})


def _described(work: MachineWork) -> dict[str, Any]:
    return {
        "name": work.name,
        "model": work.model,
        "url": work.url,
        "signature": work.signature,
        "done": work.progress.done,
        "undecided": work.progress.undecided,
        "paid": work.progress.paid,
        "rejected": work.progress.rejected,
        "given_back": work.progress.lapsed,
        "left": work.left,
    }
