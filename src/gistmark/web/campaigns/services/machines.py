"""Machines: models that judge in a campaign beside people, each with an account of its own there.

Such an account has no password; whoever runs the machine works by a token for its own tasks, which
managers make and revoke. It agrees to no terms and practises nothing: both are for people.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import QuerySet

from gistmark.errors import UsageError
from gistmark.web.accounts.models import Token, User
from gistmark.web.accounts.people import NAME_LENGTH, create_user
from gistmark.web.accounts.sign_in.credentials import (
    TOKEN_NAME_LENGTH,
    NewToken,
    make_token,
    revoke_token,
)
from gistmark.web.campaigns.models import Campaign, Machine
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.members import add_member
from gistmark.web.config.errors import ConflictError, NotAllowedError, NotFoundError

MODEL_LENGTH = 200
URL_LENGTH = 500
SIGNATURE_LENGTH = 1_000
SIGNATURES_LENGTH = 10_000
_AND = "; "


def machines_of(campaign: Campaign) -> QuerySet[Machine]:
    """The machines of a campaign in the order in which they came."""
    rows = Machine.objects.filter(membership__campaign=campaign)
    return rows.select_related("membership__user").order_by("pk")


def machine_called(campaign: Campaign, name: str) -> Machine:
    """The machine of this name in a campaign."""
    machine = machines_of(campaign).filter(membership__user__username=name).first()
    if machine is None:
        known = [each.membership.user.username for each in machines_of(campaign)]
        listed = f"it has {', '.join(map(repr, known))}" if known else "it has none"
        raise UsageError(f"The campaign {campaign.name!r} has no machine {name!r}; {listed}.")
    return machine


def own_machine(campaign: Campaign, user: User) -> Machine:
    """The machine of a campaign that this account is; an error for people."""
    machine = machines_of(campaign).filter(membership__user=user).first()
    if machine is None:
        raise NotAllowedError(
            f"{user.username!r} is not a machine of the campaign; managers add machines, and make "
            "their tokens, under People > Machines."
        )
    return machine


@transaction.atomic
def add_machine(
    campaign: Campaign, *, model: str, url: str = "", name: str = "", by: User | None = None
) -> Machine:
    """Let a model take part; its account is made now, and named after the model unless told."""
    model, url = _checked_model(model), _checked_url(url)
    user = create_user(name.strip() or _name(campaign, model), machine=True, by=by)
    membership = add_member(campaign, user, by=by)
    machine = Machine.objects.create(membership=membership, model=model, url=url)
    record(campaign, by, "machine-added", machine=user.username, model=model)
    return machine


@transaction.atomic
def change_machine(
    machine: Machine, *, model: str, url: str | None = None, by: User | None = None
) -> Machine:
    """Say that a machine is another model now; only before it has submitted anything.

    What it said under one model must not stand under another's name. Without `url` that stays.
    """
    before, machine.model = machine.model, _checked_model(model)
    name = machine.membership.user.username
    if machine.model != before:
        if machine.membership.user.submissions.exists():
            raise UsageError(
                f"{name!r} has judged as the model {before!r}; add another machine for another "
                "model."
            )
        record(machine.membership.campaign, by, "machine-changed", machine=name,
               model=machine.model)  # fmt: skip
    machine.url = machine.url if url is None else _checked_url(url)
    machine.save(update_fields=["model", "url"])
    return machine


@transaction.atomic
def note_signature(machine: Machine, signature: str) -> Machine:
    """Store how a machine is queried; where an earlier run did otherwise, exports have both."""
    current = Machine.objects.select_for_update(of=("self",)).get(pk=machine.pk)
    known = current.signature
    if f"{_AND}{signature}{_AND}" not in f"{_AND}{known}{_AND}":
        current.signature = f"{known}{_AND}{signature}" if known else signature
        if len(current.signature) > SIGNATURES_LENGTH:
            raise UsageError(
                f"All signatures of a machine have at most {SIGNATURES_LENGTH} characters; add "
                "another machine."
            )
        current.save(update_fields=["signature"])
    machine.signature = current.signature
    return machine


def tokens_of(machine: Machine) -> QuerySet[Token]:
    """The tokens of a machine, the newest first; who made each is in its name."""
    return machine.membership.user.tokens.all()


@transaction.atomic
def make_machine_token(machine: Machine, by: User | None) -> NewToken:
    """A token with which a program works as the machine: for its own tasks, and nothing else.

    `by` is None for the command line.
    """
    user = machine.membership.user
    if not user.is_active:
        raise ConflictError(f"The account of {user.username!r} is closed; an admin can open it.")
    name = "made on the command line" if by is None else f"made by {by.username}"
    made = make_token(user, name[:TOKEN_NAME_LENGTH], by=by)
    record(machine.membership.campaign, by, "machine-token-made", machine=user.username)
    return made


@transaction.atomic
def revoke_machine_token(machine: Machine, pk: int, by: User | None) -> None:
    """Make a token of a machine useless, at once."""
    user = machine.membership.user
    if not user.tokens.filter(pk=pk).exists():
        raise NotFoundError(f"{user.username!r} has no such token; it may be revoked already.")
    revoke_token(user, pk, by=by)
    record(machine.membership.campaign, by, "machine-token-revoked", machine=user.username)


def _name(campaign: Campaign, model: str) -> str:
    """A name that no other account has, as names of accounts are written."""
    plain = re.sub(r"[^\w.+-]+", "-", model).strip("-") or "model"
    stem = f"machine-{plain}"[: NAME_LENGTH - 20] + f"-{campaign.key}"
    taken = set(User.objects.filter(username__startswith=stem).values_list("username", flat=True))
    numbered = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(each for each in numbered if each not in taken)


def _checked_model(model: str) -> str:
    model = model.strip()
    if not 1 <= len(model) <= MODEL_LENGTH:
        raise UsageError(f"The name of a model has 1 to {MODEL_LENGTH} characters.")
    return model


def _checked_url(url: str) -> str:
    """The address of the model's server, which must hold no password or key; it may be empty."""
    url = url.strip()
    if not url:
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.hostname or len(url) > URL_LENGTH:
        raise UsageError(
            f"The address of a model's server is like http://localhost:8000/v1, not {url[:100]!r}."
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            "The address of a model's server must hold no name, password or query: its key is "
            "given to the command, in the environment variable GISTMARK_JUDGE_KEY."
        )
    return url
