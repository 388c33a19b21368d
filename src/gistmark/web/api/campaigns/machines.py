"""The machines of a campaign: models that judge beside people."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from gistmark.web.accounts.models import Token
from gistmark.web.annotate.services.machines import batches_left
from gistmark.web.api.access import joined, managed, person
from gistmark.web.api.schemas import Key, Name, responses
from gistmark.web.campaigns.models import Machine
from gistmark.web.campaigns.services.machines import (
    MODEL_LENGTH,
    SIGNATURE_LENGTH,
    URL_LENGTH,
    add_machine,
    change_machine,
    machine_called,
    make_machine_token,
    note_signature,
    own_machine,
    revoke_machine_token,
    tokens_of,
)
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.results.dashboard.progress import MachineWork, machine_work

router = Router()


class MachineOut(Schema):
    """A machine, the model that it is, and its tasks; `left` are those that it has yet to do.

    `signature` says how the model was queried; it is empty before the first run.
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
    """A model: at the server of `url`, or a local one; `name` is by default the model's name."""

    model: Annotated[str, Field(min_length=1, max_length=MODEL_LENGTH)]
    url: Annotated[str, Field(max_length=URL_LENGTH)] = ""
    name: Name = ""


class MachineTokenOut(Schema):
    """A token of a machine, without its secret."""

    id: int
    name: str
    created_at: datetime
    used_at: datetime | None
    ends_at: datetime


class NewMachineTokenOut(MachineTokenOut):
    """A token for the machine's own tasks; `token` is shown only now."""

    token: str


class OwnMachineOut(Schema):
    """The machine that you are, and its campaign; `left` tasks are yet to be done.

    `kind` and `blocks` say what the campaign asks; it gives out work if `gives_work`.
    """

    name: str
    model: str
    url: str
    signature: str
    campaign: str
    state: str
    gives_work: bool
    kind: str
    blocks: list[dict[str, Any]]
    left: int


class OwnMachineIn(Schema):
    """Which model you are, unless you have submitted something already, and how it is queried."""

    model: Annotated[str, Field(min_length=1, max_length=MODEL_LENGTH)] | None = None
    signature: Annotated[str, Field(min_length=1, max_length=SIGNATURE_LENGTH)] | None = None


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


@router.get(
    "/{key}/machines/{name}/tokens",
    response=responses(list[MachineTokenOut]),
    summary="List the tokens of a machine",
)
def list_machine_tokens(request: HttpRequest, key: Key, name: Name) -> list[Token]:
    """The tokens with which programs work as the machine, the newest first."""
    return list(tokens_of(machine_called(managed(request, key), name)))


@router.post(
    "/{key}/machines/{name}/tokens",
    response=responses(NewMachineTokenOut, 201),
    summary="Make a token for a machine",
)
def create_machine_token(request: HttpRequest, key: Key, name: Name) -> Status[dict[str, Any]]:
    """A token with which a program works as the machine: for its own tasks, and nothing else."""
    made = make_machine_token(machine_called(managed(request, key), name), person(request))
    shown = MachineTokenOut.from_orm(made.token).dict()
    return Status(201, {**shown, "token": made.secret})


@router.delete(
    "/{key}/machines/{name}/tokens/{int:id}",
    response=responses(None, 204),
    summary="Revoke a token of a machine",
)
def revoke_token_of_machine(request: HttpRequest, key: Key, name: Name, id: int) -> Status[None]:
    """Make a token useless, at once."""
    machine = machine_called(managed(request, key), name)
    revoke_machine_token(machine, id, by=person(request))
    return Status(204, None)


@router.get("/{key}/machine", response=responses(OwnMachineOut), summary="Which machine I am")
def get_own_machine(request: HttpRequest, key: Key) -> dict[str, Any]:
    """The machine that the token is for, and what there is to do; people are refused."""
    return _own(own_machine(joined(request, key), person(request)))


@router.patch("/{key}/machine", response=responses(OwnMachineOut), summary="Say what I am")
def change_own_machine(request: HttpRequest, key: Key, about: OwnMachineIn) -> dict[str, Any]:
    """Say which model you are and how it is queried, as a run does before it begins."""
    user = person(request)
    machine = own_machine(joined(request, key), user)
    if about.model is not None:
        change_machine(machine, model=about.model, by=user)
    if about.signature is not None:
        note_signature(machine, about.signature)
    return _own(machine)


def _own(machine: Machine) -> dict[str, Any]:
    user, campaign = machine.membership.user, machine.membership.campaign
    protocol = protocol_of(campaign)
    return {
        "name": user.username,
        "model": machine.model,
        "url": machine.url,
        "signature": machine.signature,
        "campaign": campaign.name,
        "state": campaign.state,
        "gives_work": campaign.gives_work,
        "kind": protocol.kind,
        "blocks": protocol.question_type.payload(protocol).get("blocks", []),
        "left": batches_left(campaign, user),
    }


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
