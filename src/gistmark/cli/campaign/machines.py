"""`gistmark campaign machines`: models that judge in a campaign, and the tokens they work by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json, print_table

if TYPE_CHECKING:
    from gistmark.web.campaigns.models import Machine


@click.group(epilog="Example: gistmark campaign machines add News --model qwen")
def machines() -> None:
    """Let models judge in a campaign beside people, and make or revoke their tokens.

    `gistmark campaign judge` runs a machine; where the platform's data are, it needs no token.
    """


@machines.command("list", epilog="Example: gistmark campaign machines list News --json")
@click.argument("campaign")
@json_option()
@on_platform
def list_(campaign: str, as_json: bool) -> None:
    """List the machines of CAMPAIGN and their tokens.

    Tokens are listed by number; the tokens themselves are never shown.
    """
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.machines import machines_of

    known = machines_of(find_campaign(campaign)).prefetch_related("membership__user__tokens")
    facts = [_facts(machine) for machine in known]
    if as_json:
        print_json(facts)
        return
    rows = []
    for each in facts:
        shown = [_shown(token) for token in each["tokens"]] or ["none"]
        named = (each["name"], each["model"], each["server"] or "–")
        rows.append((*named, shown[0]))
        rows += [("", "", "", other) for other in shown[1:]]
    print_table(("machine", "model", "server", "tokens"), rows)


@machines.command(epilog="Example: gistmark campaign machines add News --model qwen --name judge-1")
@click.argument("campaign")
@click.option("--model", required=True, help="The model's name, as its server knows it.")
@click.option("--server", default="", metavar="URL", help="The address of the model's server.")
@click.option("--name", default="", help="The machine's name; without it, that of the model.")
@on_platform
def add(campaign: str, model: str, server: str, name: str) -> None:
    """Add a machine to CAMPAIGN and print its name."""
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.machines import add_machine

    machine = add_machine(find_campaign(campaign), model=model, url=server, name=name)
    click.echo(machine.membership.user.username)


@machines.command(epilog="Example: gistmark campaign machines token News judge-1 > token.txt")
@click.argument("campaign")
@click.argument("machine")
@on_platform
def token(campaign: str, machine: str) -> None:
    """Create a token for MACHINE of CAMPAIGN and print it, this once.

    It gives access to this machine's tasks and to nothing else. Only the token goes to the standard
    output; where the machine runs, set GISTMARK_MACHINE_TOKEN to it.
    """
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.machines import machine_called, make_machine_token

    new = make_machine_token(machine_called(find_campaign(campaign), machine), by=None)
    click.echo(
        f"Token {new.token.pk} of {machine}, shown only now, is valid until "
        f"{new.token.ends_at:%Y-%m-%d}:",
        err=True,
    )
    click.echo(new.secret)


@machines.command(epilog="Example: gistmark campaign machines revoke News judge-1 17")
@click.argument("campaign")
@click.argument("machine")
@click.argument("number", type=int)
@on_platform
def revoke(campaign: str, machine: str, number: int) -> None:
    """Revoke the token NUMBER of a MACHINE.

    A run that uses it stops at its next request. `machines list` shows the numbers.
    """
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.machines import machine_called, revoke_machine_token

    revoke_machine_token(machine_called(find_campaign(campaign), machine), number, by=None)
    click.echo(f"Token {number} of {machine} is revoked.")


def _facts(machine: Machine) -> dict[str, Any]:
    user = machine.membership.user
    return {
        "name": user.username,
        "model": machine.model,
        "server": machine.url,
        "tokens": [
            {
                "number": each.pk,
                "name": each.name,
                "ends": each.ends_at.isoformat(),
                "last_used": each.used_at.isoformat() if each.used_at else None,
                "ended": each.has_ended,
            }
            for each in user.tokens.all()
        ],
    }


def _shown(token: dict[str, Any]) -> str:
    until = f"ended {token['ends'][:10]}" if token["ended"] else f"until {token['ends'][:10]}"
    used = f"last used {token['last_used'][:10]}" if token["last_used"] else "never used"
    return f"{token['number']}: {token['name']}, {until}, {used}"
