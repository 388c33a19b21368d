"""`gistmark metrics` and `gistmark systems`: what there is, what each needs, its options."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable
from typing import Any, Literal, get_args, get_origin

import click

from gistmark.errors import GistmarkError
from gistmark.metrics.metric import Metric, written

_LISTED = 15


@click.command(epilog="Example: gistmark metrics rougeL")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def metrics(name: str | None, as_json: bool) -> None:
    """List all metrics and groups, or describe the metric or group NAME with its options."""
    from gistmark.metrics.catalogue import GROUPS, METRICS

    if name:
        found = [describe(each) for each in GROUPS.get(name, (name,))]
    else:
        found = _all(METRICS, describe)
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for entry in found:
        needs = needed(entry)
        click.echo(_head(entry))
        click.echo(
            f"    needs {needs}; {entry['better']} is better"
            if entry["better"] != "neither"
            else f"    needs {needs}; describes, does not judge"
        )
        if name:
            for key, option in entry["options"].items():
                allowed = f" ({option['allowed']})" if option["allowed"] else ""
                click.echo(f"    {key}={option['default']}{allowed}: {option['help']}")
            click.echo(f"    signature: {entry['signature']}")
    if not name:
        click.echo("\nGroups:")
        for group, members in GROUPS.items():
            click.echo(f"    {group}: {_members(group, members)}")


@click.command(epilog="Example: gistmark systems")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def systems(as_json: bool) -> None:
    """List the summarisers."""
    from gistmark.summarizers import SYSTEMS

    def describe_system(name: str) -> dict[str, Any]:
        return {"name": name, "about": SYSTEMS.get(name).about, "from": SYSTEMS.source(name)}

    found = _all(SYSTEMS, describe_system)
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for entry in found:
        click.echo(_head(entry))


def describe(name: str) -> dict[str, Any]:
    """All that there is to say about a metric, for printing and for the documentation."""
    from gistmark.metrics.catalogue import FIXED, METRICS, metric_from, option_types

    made: Metric = metric_from(name)
    plain = name.partition(":")[0]
    kind = METRICS.get(plain)
    types = option_types(kind)
    options = {
        field.name: {
            "default": written(getattr(made.options, field.name)),
            "allowed": _allowed(types[field.name]),
            "help": field.metadata.get("help", ""),
        }
        for field in dataclasses.fields(kind.Options)
        if field.name not in FIXED.get(plain, {})
    }
    return {
        "name": name,
        "about": made.about,
        "needs": sorted(made.needs),
        "model": model_of(made),
        "parts": list(made.parts),
        "better": made.better,
        "from": METRICS.source(plain),
        "options": options,
        "signature": made.signature,
    }


def model_of(metric: Metric) -> str | None:
    """The model or the word vectors that a metric works on."""
    for name in ("model", "vectors"):
        if hasattr(metric.options, name):
            return str(getattr(metric.options, name))
    return None


def needed(entry: dict[str, Any]) -> str:
    """What must be there besides the summary, in words."""
    needs = ", ".join(entry["needs"]) or "the summary alone"
    return needs if entry["model"] is None else f"{needs} and the model {entry['model']}"


def _all(names: Iterable[str], describe: Callable[[str], dict[str, Any]]) -> list[dict[str, Any]]:
    """All descriptions; a plugin that cannot be loaded is a warning, not the end of the list."""
    found = []
    for name in names:
        try:
            found.append(describe(name))
        except GistmarkError as error:
            click.echo(f"warning: {error}", err=True)
    return found


def _members(group: str, members: tuple[str, ...]) -> str:
    if len(members) <= _LISTED:
        return ", ".join(members)
    return f"{len(members)} metrics, which `gistmark metrics {group}` lists"


def _head(entry: dict[str, Any]) -> str:
    origin = "" if entry["from"] == "gistmark" else f" (from {entry['from']})"
    return f"{entry['name']}: {entry['about']}{origin}"


def _allowed(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    return "yes | no" if hint is bool else ""
