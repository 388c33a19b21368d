"""`gistmark campaign approvals`: which work of a crowd market is paid."""

from __future__ import annotations

from pathlib import Path

import click

from gistmark.cli.platform import on_platform
from gistmark.errors import UsageError

_PATH = click.Path(path_type=Path)


@click.command(epilog="Example: gistmark campaign approvals News batch.csv approved.csv")
@click.argument("campaign")
@click.argument("batch", type=_PATH, metavar="BATCH.csv")
@click.argument("target", type=_PATH, metavar="TARGET.csv")
@click.option("--force", is_flag=True, help="Write over TARGET if it is there.")
@on_platform
def approvals(campaign: str, batch: Path, target: Path, force: bool) -> None:
    """Fill in Approve and Reject in the file of a crowd market, by CAMPAIGN's completion codes.

    BATCH is the market's CSV file with a column Answer.surveycode; all other columns stay as they
    are. Rows that cannot be decided are listed at the end; row 1 has the names of the columns.
    """
    from gistmark.files import write_text
    from gistmark.web.campaigns.services import find_campaign
    from gistmark.web.crowd.approvals import fill_batch
    from gistmark.web.crowd.sheets import write_sheet

    found = find_campaign(campaign)
    if target.exists() and not force:
        raise UsageError(f"{target} is there already; --force writes over it.")
    filled = fill_batch(found, batch.read_bytes(), None)
    write_text(target, write_sheet(filled.sheet))
    click.echo(f"Wrote {target}. {filled}")
    for row in filled.undecided:
        click.echo(str(row))
