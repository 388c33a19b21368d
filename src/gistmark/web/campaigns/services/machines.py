"""Machines of a campaign: models that judge beside people, each with an account of its own.

A machine works in one campaign only. Its account has no password; whoever runs it works by a token
for its own tasks. It agrees to no terms and practises nothing: both are for people.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import QuerySet

from gistmark.errors import UsageError
from gistmark.web.accounts.models import User
from gistmark.web.accounts.people import NAME_LENGTH, create_user
from gistmark.web.campaigns.models import Campaign, Machine
from gistmark.web.campaigns.services.campaigns import record
from gistmark.web.campaigns.services.members import add_member

MODEL_LENGTH = 200
URL_LENGTH = 500


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


@transaction.atomic
def add_machine(
    campaign: Campaign, *, model: str, url: str = "", name: str = "", by: User | None = None
) -> Machine:
    """Let a model take part; its account is made now, and named after the model unless told."""
    model, url = model.strip(), _checked_url(url)
    if not 1 <= len(model) <= MODEL_LENGTH:
        raise UsageError(f"The name of a model has 1 to {MODEL_LENGTH} characters.")
    user = create_user(name.strip() or _name(campaign, model), machine=True, by=by)
    membership = add_member(campaign, user, by=by)
    machine = Machine.objects.create(membership=membership, model=model, url=url)
    record(campaign, by, "machine-added", machine=user.username, model=model)
    return machine


def change_machine(machine: Machine, *, model: str, url: str) -> Machine:
    """Say that a machine is another model now; only before it has submitted anything.

    What it said under one model must not stand under another's name.
    """
    same = machine.model == model.strip()
    if not same and machine.membership.user.submissions.exists():
        raise UsageError(
            f"{machine.membership.user.username!r} has judged as the model {machine.model!r}; add "
            "another machine for another model."
        )
    machine.model, machine.url = model.strip(), _checked_url(url)
    machine.save(update_fields=["model", "url"])
    return machine


def _name(campaign: Campaign, model: str) -> str:
    """A name that no other account has, as names of accounts are written."""
    plain = re.sub(r"[^\w.+-]+", "-", model).strip("-") or "model"
    stem = f"machine-{plain}"[: NAME_LENGTH - 20] + f"-{campaign.key}"
    taken = set(User.objects.filter(username__startswith=stem).values_list("username", flat=True))
    numbered = (stem if number == 1 else f"{stem}-{number}" for number in range(1, len(taken) + 2))
    return next(each for each in numbered if each not in taken)


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
