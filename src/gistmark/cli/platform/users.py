"""`gistmark users`: accounts from the command line, and what is stored about a person.

Secrets are prompted for or generated, never typed as arguments, where the shell's history would
keep them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import force_option, json_option, refuse_existing
from gistmark.cli.terminal.output import print_json, print_table
from gistmark.errors import UsageError


@click.command(epilog="Example: gistmark users export ada ada.zip")
@click.argument("name")
@click.argument("target", type=click.Path(path_type=Path, dir_okay=False), metavar="TARGET.zip")
@force_option()
@on_platform
def export(name: str, target: Path, force: bool) -> None:
    """Write everything that is stored about NAME to TARGET, a ZIP archive of JSON files.

    What the checks said about somebody's work is in it once the campaign is closed.
    """
    from gistmark.web.accounts.people import find_user
    from gistmark.web.privacy.export import export_person

    user = find_user(name)
    refuse_existing(target, force=force)
    target.write_bytes(export_person(user, by=None))
    click.echo(f"Wrote {target}.")


@click.command(epilog="Example: gistmark users erase ada --campaigns-to grace")
@click.argument("name")
@click.option(
    "--campaigns-to", metavar="OWNER", help="Who gets the campaigns that the person owns."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be erased.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@on_platform
def erase(name: str, campaigns_to: str | None, dry_run: bool, yes: bool) -> None:
    """Erase everything that tells who NAME is; judgements stay under a random name.

    Where nobody has the name NAME any more, it is removed from trails and notes. To finish an
    erasure that was interrupted, run it again. Earlier backups and exports are not touched.
    """
    from gistmark.web.accounts.people import find_user, is_taken
    from gistmark.web.privacy.erasure import erase as erase_person
    from gistmark.web.privacy.erasure import erase_name, plan_erasure

    if not is_taken(name):
        count = 0 if dry_run else erase_name(name, by=None)
        known = f"it was removed from {count} entries" if count else "nothing is stored about it"
        click.echo(f"Nobody has the name {name!r}; {'nothing was done' if dry_run else known}.")
        return
    user = find_user(name)
    owner = None if campaigns_to is None else find_user(campaigns_to)
    plan = plan_erasure(user)
    if plan.problems:
        raise UsageError(" ".join(plan.problems))
    for sentence in plan.sentences:
        click.echo(sentence)
    if dry_run:
        return
    if not yes:
        click.confirm("This cannot be undone. Go on?", abort=True)
    erased = erase_person(user, by=None, campaigns_to=owner)
    if erased.pseudonym:
        click.echo(f"Erased. The work is kept under the name {erased.pseudonym}.")
    else:
        click.echo("Erased. There was no work to keep.")
    if not erased.overwritten:
        click.echo(
            "The database was busy: run this again with the same name to overwrite what was "
            "deleted in its file."
        )


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
    """Add people, list them, change what they may do, create links for them, and erase them."""


users.add_command(export)
users.add_command(erase)


@users.command(epilog="Example: gistmark users add ada --role manager")
@click.argument("name")
@_role_option
@click.option("--generate", is_flag=True, help="Generate a password and print it once.")
@on_platform
def add(name: str, role: str, generate: bool) -> None:
    """Create an account for NAME; you are asked for the password, or one is generated."""
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
            (row["name"], row["role"], "open" if row["active"] else "closed", row["campaigns"],
             row["last_log_in"] or "never")
            for row in rows
        ],
    )  # fmt: skip


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
    """Delete the account of NAME, or close it where it has work."""
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
    """Create a link with which NAME sets a new password."""
    from gistmark.web.accounts.people import find_user
    from gistmark.web.accounts.sign_in.credentials import make_password_link
    from gistmark.web.config.start import whole_address

    link = make_password_link(by=None, user=find_user(name))
    click.echo(whole_address("password", link.secret, base=address))


@users.command("reset-second-factor", epilog="Example: gistmark users reset-second-factor ada")
@click.argument("name")
@on_platform
def reset_second_factor(name: str) -> None:
    """Remove the second factor of NAME, who has lost the device; all sessions of NAME end."""
    from gistmark.web.accounts.people import find_user
    from gistmark.web.accounts.sign_in.second_factor import switch_off

    user = find_user(name)
    if not switch_off(user, by=None):
        raise UsageError(f"{user.username} has no second factor.")
    click.echo(f"The second factor of {user.username} is reset.")


@users.command(epilog="Example: gistmark users invite --campaign 3f9c2ab17e --uses 30 --days 7")
@_role_option
@click.option("--campaign", metavar="KEY", help="The campaign to join, by key or name.")
@click.option("--uses", type=int, default=1, show_default=True, help="How many people may use it.")
@click.option("--days", type=int, default=14, show_default=True, help="How many days it is valid.")
@_address_option
@on_platform
def invite(role: str, campaign: str | None, uses: int, days: int, address: str | None) -> None:
    """Create a link with which somebody joins."""
    from gistmark.web.campaigns.services.campaigns import find_campaign
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
    """Create accounts from a CSV FILE with the columns name and, if you like, role and password.

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
        raise UsageError("There is no terminal to ask for a password; use --generate.")
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password


def _is_terminal() -> bool:
    return sys.stdin.isatty()
