"""`gistmark users export` and `erase`: what is stored about a person, and how it goes away."""

from __future__ import annotations

from pathlib import Path

import click

from gistmark.cli.options import force_option, refuse_existing
from gistmark.cli.platform.server import on_platform
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
@click.option("--dry-run", is_flag=True, help="Only say what would happen.")
@click.option("--yes", is_flag=True, help="Do not ask whether to go on.")
@on_platform
def erase(name: str, campaigns_to: str | None, dry_run: bool, yes: bool) -> None:
    """Erase NAME: everything that tells who the person is; judgements stay under a random name.

    Where nobody has NAME any more, it is taken out of trails and notes. An erasure that was
    interrupted is finished by running it again. Backups and exports from before are not touched.
    """
    from gistmark.web.accounts.people import find_user, is_taken
    from gistmark.web.privacy.erasure import erase as erase_person
    from gistmark.web.privacy.erasure import erase_name, plan_erasure

    if not is_taken(name):
        count = 0 if dry_run else erase_name(name, by=None)
        known = f"it was taken out of {count} entries" if count else "nothing is stored about it"
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
    click.echo(f"Erased. {_work_of(erased.pseudonym)}")
    if not erased.overwritten:
        click.echo(
            "The database was busy: run this again with the same name to overwrite what was "
            "deleted in its file."
        )


def _work_of(pseudonym: str) -> str:
    return f"The work goes by {pseudonym}." if pseudonym else "There was no work to keep."
