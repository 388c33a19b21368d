"""`gistmark campaign set` and `retention`: campaign settings, and when annotators are erased."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from gistmark.cli.platform.server import on_platform
from gistmark.errors import UsageError


@click.command("set", epilog="Example: gistmark campaign set News '{\"judges\": 5}'")
@click.argument("campaign")
@click.argument("settings", metavar="JSON", required=False)
@click.option("--name", help="A new name.")
@click.option("--lease-minutes", type=int, help="How long a task is kept for its annotator.")
@click.option("--registration/--no-registration", default=None, help="Whether anybody may join.")
@click.option(
    "--completion-codes/--no-completion-codes",
    default=None,
    help="Whether every submitted task gives a completion code.",
)
@click.option(
    "--language", help="The language of the annotators' pages, such as de; '' for the browser's."
)
@click.option(
    "--retention-days",
    type=int,
    help="Erase its annotators this many days after its end; 0 keeps them.",
)
@click.option("--owner", metavar="NAME", help="Who owns it from now on.")
@on_platform
def set_(
    campaign: str, settings: str | None, registration: bool | None, owner: str | None, **others: Any
) -> None:
    """Change settings of CAMPAIGN; those of its protocol, as JSON, only before it starts."""
    from gistmark.web.accounts.people import find_user
    from gistmark.web.campaigns.services.campaigns import change_settings, find_campaign
    from gistmark.web.campaigns.services.members import transfer_campaign
    from gistmark.web.campaigns.services.protocols import change_protocol

    instance = find_campaign(campaign)
    if settings is not None:
        change_protocol(instance, settings_from(settings), None)
    change_settings(instance, None, registration_open=registration, **others)
    if owner is not None:
        transfer_campaign(instance, find_user(owner), None)
    click.echo(f"The settings of {instance.name} are saved.")


@click.command(epilog="Example: gistmark campaign retention --dry-run")
@click.option("--dry-run", is_flag=True, help="Only show what would be erased.")
@on_platform
def retention(dry_run: bool) -> None:
    """Erase annotators of campaigns that ended longer ago than their retention.

    Annotators who also take part in another campaign are kept. `gistmark serve` does this once a
    day; where the platform is served otherwise, run it from a timer.
    """
    from gistmark.web.privacy.retention import apply_retention, due_retentions

    due = due_retentions()
    for each in due:
        click.echo(f"{each.campaign.name}: {each.sentence}")
    if not due:
        click.echo("No campaign is past its retention.")
    elif not dry_run:
        click.echo(f"Erased: {apply_retention()} people.")


def settings_from(given: str | None) -> dict[str, Any]:
    """Settings as JSON, or from the file that is named after an @."""
    if given is None:
        return {}
    text = Path(given[1:]).read_text(encoding="utf-8") if given.startswith("@") else given
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The settings are not JSON: {error}.") from None
    if not isinstance(settings, dict):
        raise UsageError("The settings must be a JSON object.")
    return settings
