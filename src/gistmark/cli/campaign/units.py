"""`gistmark campaign units`: the content units of a campaign, merged, and the second stage."""

from __future__ import annotations

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json, print_table


@click.command(epilog="Example: gistmark campaign units News --merge --second-stage 'News, marks'")
@click.argument("campaign")
@click.option("--merge", is_flag=True, help="Merge all unmerged units as proposed.")
@click.option(
    "--second-stage", metavar="NAME", help="Create a draft in which the merged units are marked."
)
@click.option("--owner", metavar="NAME", help="Who owns the draft; by default CAMPAIGN's owner.")
@json_option()
@on_platform
def units(
    campaign: str, merge: bool, second_stage: str | None, owner: str | None, as_json: bool
) -> None:
    """Show how far the content units of CAMPAIGN are written and merged, document by document.

    How to merge the units of several annotators is proposed from the words that they share; review
    the proposals on the campaign's page.
    """
    from gistmark.web.accounts.people import find_user
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.results.merging import make_second_stage, merge_as_proposed, merging_status

    instance = find_campaign(campaign)
    if merge:
        count = merge_as_proposed(instance, None)
        click.echo(f"Merged the units of {count} documents as proposed.", err=True)
    rows = [
        {
            "document": status.document.name,
            "annotators": status.annotators,
            "written": status.written,
            "merged": status.merged,
        }
        for status in merging_status(instance)
    ]
    if as_json:
        print_json(rows)
    else:
        print_table(tuple(rows[0]) if rows else ("document",), [tuple(r.values()) for r in rows])
    if second_stage is not None:
        by = instance.owner if owner is None else find_user(owner)
        stage = make_second_stage(instance, by, second_stage)
        click.echo(f"{stage.name} has the key {stage.key}.", err=as_json)
