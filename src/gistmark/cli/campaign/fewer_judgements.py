"""`gistmark campaign adaptive` and `helper`: campaigns that stop when they know enough, and scores
that help with the ratings.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json
from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.analysis.prediction_powered import Population


@click.command(epilog="Example: gistmark campaign adaptive News --margin 0.1")
@click.argument("campaign")
@click.option("--on/--off", "enabled", default=None, help="Whether a draft is adaptive.")
@click.option("--dimension", help="The dimension that decides; by default the first.")
@click.option("--level", type=float, help="The highest risk of a false decision; by default 0.05.")
@click.option("--margin", type=float, help="A difference that does not matter; by default 0.")
@click.option("--floor", type=float, help="The share of tasks chosen at random; by default 0.1.")
@click.option("--stops/--no-stops", default=None, help="Whether it stops by itself, as by default.")
@click.option("--stop/--go-on", "stopped", default=None, help="Stop giving out tasks, or go on.")
@json_option()
@on_platform
def adaptive(
    campaign: str, enabled: bool | None, stops: bool | None, stopped: bool | None, as_json: bool,
    **settings: Any,
) -> None:  # fmt: skip
    """Show or set how CAMPAIGN chooses its tasks, and when it stops.

    Any of --on, --dimension, --level, --margin and --floor makes a draft adaptive; once the
    campaign has started, only whether it stops can change.
    """
    from dataclasses import asdict, replace

    from gistmark.web.annotate.services.adaptive import go_on, stop
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.fewer import (
        AdaptiveSettings,
        adaptive_settings,
        let_stop,
        make_adaptive,
    )
    from gistmark.web.results.statistics.decisions import decisions_of

    instance = find_campaign(campaign)
    changes = {name: value for name, value in settings.items() if value is not None}
    if enabled is False:
        if changes or stops is not None or stopped is not None:
            raise UsageError("--off cannot be combined with other settings.")
        make_adaptive(instance, None, None)
    elif changes or enabled:
        changes |= {} if stops is None else {"stops": stops}
        before = adaptive_settings(instance) or AdaptiveSettings()
        make_adaptive(instance, replace(before, **changes), None)
    elif stops is not None:
        let_stop(instance, stops, None)
    if stopped is not None:
        (stop if stopped else go_on)(instance, None)
    known = decisions_of(instance)
    if as_json:
        facts = None if known is None else asdict(known.outlook)
        print_json({"settings": instance.adaptive, "outlook": facts})
    elif instance.adaptive is None:
        click.echo(f"{instance.name} is not adaptive.")
    else:
        click.echo(f"{instance.name} chooses its tasks adaptively.")
        if known is not None:
            click.echo(known.outlook.sentence)
            if known.stopped_at is not None:
                click.echo("It has stopped giving out tasks.")


@click.command(epilog="Example: gistmark campaign helper News --scores scores.csv --helper rouge1")
@click.argument("campaign")
@click.option("--scores", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Store this file of gistmark score, replacing the stored one.")  # fmt: skip
@click.option("--helper", default="all", show_default=True,
              help="With --scores: a metric, several such as rouge1+js, or all.")  # fmt: skip
@click.option("--population", type=click.Choice(["beyond", "corpus"]), default="beyond",
              show_default=True, help="With --scores: intervals for documents beyond these, or "
              "for the corpus alone.")  # fmt: skip
@click.option("--remove", is_flag=True, help="Remove the stored scores.")
@json_option()
@on_platform
def helper(
    campaign: str, scores: Path | None, helper: str, population: Population, remove: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Show, store or remove the scores that help with the ratings of CAMPAIGN."""
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.results.statistics.helping import drop_helper, store_helper, stored_helper
    from gistmark.web.results.statistics.study import statistics_of

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
