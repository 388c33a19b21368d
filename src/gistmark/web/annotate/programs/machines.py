"""Machines that a command runs on the platform's own data: which one is meant, and its token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gistmark.judgements.protocols.settings import to_mapping
from gistmark.judges.campaign import machine as judging
from gistmark.web.accounts.sign_in.credentials import make_token
from gistmark.web.campaigns.models import Campaign, Machine
from gistmark.web.campaigns.services.machines import add_machine, change_machine, machines_of
from gistmark.web.campaigns.services.protocols import protocol_of

_TOKEN_DAYS = 7


def demand_ready(campaign: Campaign) -> None:
    """Refuse a campaign whose tasks a machine cannot do, or cannot do now."""
    judging.demand_ready(
        to_mapping(protocol_of(campaign)),
        campaign=campaign.name,
        state=campaign.state,
        works=campaign.gives_work,
    )


def prepare_machine(campaign: Campaign, *, model: str, url: str = "", name: str = "") -> Machine:
    """The machine of a campaign that is this model, made now where there is none.

    A `name` chooses among several, or names a new one.
    """
    demand_ready(campaign)
    known = machines_of(campaign)
    own = known.filter(membership__user__username=name) if name else known.filter(model=model)
    found = own.first()
    if found is None:
        return add_machine(campaign, model=model, url=url, name=name)
    return change_machine(found, model=model, url=url)


@contextmanager
def token_for(machine: Machine) -> Iterator[str]:
    """A token of the machine for as long as it is needed."""
    made = make_token(machine.membership.user, "gistmark campaign judge", days=_TOKEN_DAYS)
    try:
        yield made.secret
    finally:
        made.token.delete()
