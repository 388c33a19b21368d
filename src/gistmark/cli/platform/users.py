"""`gistmark users`: accounts from the command line.

Secrets are prompted for or generated, never typed as arguments, where the shell's history would
keep them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.options import json_option
from gistmark.cli.output import print_json, print_table
from gistmark.cli.platform.privacy import erase, export
from gistmark.cli.platform.server import on_platform
from gistmark.errors import UsageError

if TYPE_CHECKING:
    pass

_ROLES = ("admin", "manager", "annotator")
_role_option = click.option(
    "--role", type=click.Choice(_ROLES), default="annotator", show_default=True
)
_address_option = click.option(
    "--address",
    metavar="URL",
    help="Where the platform is; by default the first of GISTMARK_HOSTS, or this machine.",
)


@click.group(epilog="Example: gistmark users add ada --role manager --generate")
def users() -> None:
    """Add people, list them, change what they may do, make links for them, and erase them."""


users.add_command(export)
users.add_command(erase)


@users.command(epilog="Example: gistmark users add ada --role manager")
@click.argument("name")
@_role_option
@click.option("--generate", is_flag=True, help="Generate a password and print it once.")
@on_platform
def add(name: str, role: str, generate: bool) -> None:
    """Make an account for NAME; you are asked for the password, or one is generated."""
    from gistmark.web.accounts.people import create_user, generate_password

    password = generate_password() if generate else _ask_password()
    user = create_user(name, role=role, password=password)
    click.echo(f"{user.username} is {user.role}.")
    if generate:
        click.echo(f"Password (shown only now): {password}")


@users.command("list", epilog="Example: gistmark users list --json")
@json_option()
@on_platform
def list_(as_json: bool) -> None:
    """List everybody."""
    from django.db.models import Count

    from gistmark.web.accounts.models import User

    rows = [
        {
            "name": user.username,
            "role": user.role,
            "active": user.is_active,
            "campaigns": user.campaigns,
            "last_log_in": user.last_login.isoformat() if user.last_login else None,
        }
        for user in User.objects.annotate(campaigns=Count("memberships")).order_by("username")
    ]
    if as_json:
        print_json(rows)
        return
    print_table(
        ("name", "role", "account", "campaigns", "last log-in"),
        [
            (
                row["name"],
                row["role"],
                "open" if row["active"] else "closed",
                row["campaigns"],
                row["last_log_in"] or "never",
            )
            for row in rows
        ],
    )


@users.command(epilog="Example: gistmark users role ada admin")
@click.argument("name")
@click.argument("role", type=click.Choice(_ROLES))
@on_platform
def role(name: str, role: str) -> None:
    """Give NAME another ROLE."""
    from gistmark.web.accounts.people import change_role, find_user

    user = find_user(name)
    change_role(user, role)
    click.echo(f"{user.username} is {user.role}.")


@users.command(epilog="Example: gistmark users rename ada ada.l")
@click.argument("name")
@click.argument("new_name")
@on_platform
def rename(name: str, new_name: str) -> None:
    """Give NAME the name NEW_NAME; all work stays with the account."""
    from gistmark.web.accounts import people

    user = people.find_user(name)
    people.rename(user, new_name)
    click.echo(f"{name} is {user.username} from now on.")


@users.command(epilog="Example: gistmark users remove ada")
@click.argument("name")
@on_platform
def remove(name: str) -> None:
    """Delete the account of NAME, or close it where work hangs on it."""
    from gistmark.web.accounts import people

    user = people.find_user(name)
    if people.remove_account(user):
        click.echo(f"The account of {name} is deleted.")
    else:
        click.echo(f"The account of {user.username} is closed; its work is kept.")


@users.command(epilog="Example: gistmark users deactivate ada")
@click.argument("name")
@on_platform
def deactivate(name: str) -> None:
    """Close the account of NAME; all work stays."""
    from gistmark.web.accounts import people

    user = people.find_user(name)
    people.deactivate(user)
    click.echo(f"The account of {user.username} is closed.")


@users.command(epilog="Example: gistmark users activate ada")
@click.argument("name")
@on_platform
def activate(name: str) -> None:
    """Open the account of NAME again."""
    from gistmark.web.accounts import people

    user = people.find_user(name)
    people.activate(user)
    click.echo(f"The account of {user.username} is open.")


@users.command(epilog="Example: gistmark users reset ada --address https://rate.example.org")
@click.argument("name")
@_address_option
@on_platform
def reset(name: str, address: str | None) -> None:
    """Make a link with which NAME sets a new password."""
    from gistmark.web.accounts.credentials import make_password_link
    from gistmark.web.accounts.people import find_user
    from gistmark.web.config.start import whole_address

    link = make_password_link(by=None, user=find_user(name))
    click.echo(whole_address("password", link.secret, base=address))


@users.command("reset-second-factor", epilog="Example: gistmark users reset-second-factor ada")
@click.argument("name")
@on_platform
def reset_second_factor(name: str) -> None:
    """Forget the second factor of NAME, who has lost the phone; all sessions of NAME end."""
    from gistmark.web.accounts.people import find_user
    from gistmark.web.accounts.second_factor.enrolment import switch_off

    user = find_user(name)
    if not switch_off(user, by=None):
        raise UsageError(f"{user.username} has no second factor.")
    click.echo(f"The second factor of {user.username} is reset.")


@users.command(epilog="Example: gistmark users invite --campaign 3f9c2ab17e --uses 30 --days 7")
@_role_option
@click.option("--campaign", metavar="KEY", help="The campaign that is joined, by key or name.")
@click.option("--uses", type=int, default=1, show_default=True, help="How many people may use it.")
@click.option("--days", type=int, default=14, show_default=True, help="How many days it is valid.")
@_address_option
@on_platform
def invite(role: str, campaign: str | None, uses: int, days: int, address: str | None) -> None:
    """Make a link with which somebody joins."""
    from gistmark.web.campaigns.services import find_campaign
    from gistmark.web.campaigns.services.invitations import make_invitation
    from gistmark.web.config.start import whole_address

    joined = None if campaign is None else find_campaign(campaign)
    invitation = make_invitation(by=None, role=role, campaign=joined, uses=uses, days=days)
    click.echo(whole_address("join", invitation.secret, base=address))


@users.command("import", epilog="Example: gistmark users import class.csv > links.csv")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@_address_option
@json_option()
@on_platform
def import_(file: Path, address: str | None, as_json: bool) -> None:
    """Make accounts from a CSV FILE with the columns name and, if you like, role and password.

    Prints the names and, for those without a password, a link that sets one.
    """
    from gistmark.web.accounts.imports import import_people
    from gistmark.web.config.start import whole_address

    imported = import_people(file.read_bytes(), by=None, file=file.name)
    rows = [
        {
            "name": each.user.username,
            "role": each.user.role,
            "link": each.secret and whole_address("password", each.secret, base=address),
        }
        for each in imported
    ]
    if as_json:
        print_json(rows)
        return
    click.echo("name,role,link")
    for row in rows:
        click.echo(f"{row['name']},{row['role']},{row['link'] or ''}")


def _ask_password() -> str:
    if not _is_terminal():
        raise UsageError("There is no terminal to ask for a password; --generate makes one.")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


def _is_terminal() -> bool:
    return sys.stdin.isatty()
