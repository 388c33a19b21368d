"""`gistmark campaign approvals` and `reconcile`: the files of crowd markets, filled in."""

from __future__ import annotations

from pathlib import Path

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import PATH, force_option, refuse_existing


@click.command(epilog="Example: gistmark campaign approvals News batch.csv approved.csv")
@click.argument("campaign")
@click.argument("batch", type=PATH, metavar="BATCH.csv")
@click.argument("target", type=PATH, metavar="TARGET.csv")
@force_option()
@on_platform
def approvals(campaign: str, batch: Path, target: Path, force: bool) -> None:
    """Fill in Approve and Reject in the file of a crowd market, by CAMPAIGN's completion codes.

    BATCH is the market's CSV file with a column Answer.surveycode; all other columns stay as they
    are. Rows that cannot be decided are listed at the end; row 1 is the header.
    """
    from gistmark.runtime.files import write_text
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.crowd.approvals import fill_batch, write_sheet

    instance = find_campaign(campaign)
    refuse_existing(target, force=force)
    filled = fill_batch(instance, batch.read_bytes(), None)
    write_text(target, write_sheet(filled.sheet))
    click.echo(f"Wrote {target}. {filled}")
    for row in filled.undecided:
        click.echo(str(row))


@click.command(epilog="Example: gistmark campaign reconcile News people.csv decided.csv")
@click.argument("campaign")
@click.argument("people", type=PATH, metavar="PEOPLE.csv")
@click.argument("target", type=PATH, metavar="TARGET.csv")
@click.option(
    "--study", default="", help="The study's key or the market's id, if CAMPAIGN has several."
)
@click.option(
    "--bonus", default="", help="The bonus of people whose work all counts, such as 0.50."
)
@force_option()
@on_platform
def reconcile(
    campaign: str, people: Path, target: Path, study: str, bonus: str, force: bool
) -> None:
    """Fill in verdicts, approvals and bonuses in a crowd market's file of participants.

    PEOPLE is a CSV file with a column of the participants' or the sessions' ids, whatever it is
    called. Disagreements between the market and CAMPAIGN are listed at the end.
    """
    from gistmark.runtime.files import write_text
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.crowd.approvals import write_sheet
    from gistmark.web.crowd.reconciling import reconcile_file
    from gistmark.web.crowd.recruitments import find_recruitment

    recruitment = find_recruitment(find_campaign(campaign), study)
    refuse_existing(target, force=force)
    result = reconcile_file(recruitment, people.read_bytes(), None, bonus=bonus)
    write_text(target, write_sheet(result.sheet))
    click.echo(f"Wrote {target}. {result}")
    for sentence in result.differences:
        click.echo(sentence)
