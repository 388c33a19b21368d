"""`gistmark campaign helper`: scores that help with the ratings of a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from gistmark.cli.options import json_option
from gistmark.cli.output import print_json
from gistmark.cli.platform.server import on_platform
from gistmark.errors import UsageError


@click.command(epilog="Example: gistmark campaign helper News --scores scores.csv --helper rouge1")
@click.argument("campaign")
@click.option("--scores", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Store this file of gistmark score, in place of the one before.")  # fmt: skip
@click.option("--helper", default="all", show_default=True,
              help="With --scores: a metric, several such as rouge1+js, or all.")  # fmt: skip
@click.option("--population", type=click.Choice(["beyond", "corpus"]), default="beyond",
              show_default=True, help="With --scores: intervals for documents beyond these, or "
              "for the corpus alone.")  # fmt: skip
@click.option("--remove", is_flag=True, help="Remove the stored scores.")
@json_option()
@on_platform
def helper(
    campaign: str,
    scores: Path | None,
    helper: str,
    population: Literal["beyond", "corpus"],
    remove: bool,
    as_json: bool,
) -> None:
    """Show, store or remove the scores that help with the ratings of CAMPAIGN."""
    from gistmark.web.campaigns.services import find_campaign
    from gistmark.web.results.helping import drop_helper, store_helper, stored_helper
    from gistmark.web.results.statistics import statistics_of

    if scores is not None and remove:
        raise UsageError("--scores and --remove cannot be combined.")
    instance = find_campaign(campaign)
    if scores is not None:
        with scores.open("rb") as stream:
            pieces = iter(lambda: stream.read(1024**2), b"")
            store_helper(
                instance, scores.name, pieces, helper=helper, population=population, by=None
            )
    elif remove:
        drop_helper(instance, None)
    stored = stored_helper(instance)
    helped = None if stored is None else statistics_of(instance).helped
    if as_json:
        print_json(helped)
    elif helped is None:
        click.echo(f"No scores are stored with {instance.name}.")
    else:
        click.echo(f"The helper of {instance.name} is {helped['helper']}.")
        sentences = [finding["text"] for finding in helped["findings"]]
        reasons = {record["reason"] for record in helped["records"] if record["reason"]}
        for sentence in sentences or sorted(reasons) or [helped["problem"]]:
            click.echo(sentence)
