"""`gistmark campaign start|pause|resume|close`."""

from __future__ import annotations

import click

from gistmark.cli.platform import on_platform


@click.command(epilog="Example: gistmark campaign start News")
@click.argument("campaign")
@on_platform
def start(campaign: str) -> None:
    """Make all tasks of CAMPAIGN and give them out; its protocol is fixed from then on."""
    from gistmark.web.campaigns import services

    found = services.find_campaign(campaign)
    for note in services.outlook(found).found.problems:
        click.echo(f"note: {note}", err=True)
    services.start(found, None)
    click.echo(f"{found.name} runs with {found.tasks.count()} tasks.")


@click.command(epilog="Example: gistmark campaign pause News")
@click.argument("campaign")
@on_platform
def pause(campaign: str) -> None:
    """Give out and take in nothing for a while; drafts can still be saved."""
    from gistmark.web.campaigns import services

    found = services.pause(services.find_campaign(campaign), None)
    click.echo(f"{found.name} is paused.")


@click.command(epilog="Example: gistmark campaign resume News")
@click.argument("campaign")
@on_platform
def resume(campaign: str) -> None:
    """Go on with CAMPAIGN after a pause."""
    from gistmark.web.campaigns import services

    found = services.resume(services.find_campaign(campaign), None)
    click.echo(f"{found.name} runs again.")


@click.command(epilog="Example: gistmark campaign close News")
@click.argument("campaign")
@on_platform
def close(campaign: str) -> None:
    """End CAMPAIGN for its annotators, for good; decisions and exports stay possible."""
    from gistmark.web.campaigns import services

    found = services.close(services.find_campaign(campaign), None)
    click.echo(f"{found.name} is closed.")
