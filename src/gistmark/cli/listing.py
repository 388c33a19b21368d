"""`gistmark metrics` and `gistmark systems`: what there is, what each needs, its options."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, get_args, get_origin

import click

from gistmark.errors import GistmarkError
from gistmark.metrics.metric import Metric
from gistmark.models.known import models_of
from gistmark.options import option_types, written
from gistmark.registry import Registry

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
        _print_json(found)
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
            _print_options(entry)
    if not name:
        _print_groups("metrics", GROUPS)


@click.command(epilog="Example: gistmark systems MMR")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def systems(name: str | None, as_json: bool) -> None:
    """List all summarisers and groups, or describe the system or group NAME with its options."""
    from gistmark.summarizers.catalogue import GROUPS, SYSTEMS

    if name:
        found = [describe_system(each) for each in GROUPS.get(name, (name,))]
    else:
        found = _all(SYSTEMS, describe_system)
    if as_json:
        _print_json(found)
        return
    for entry in found:
        click.echo(_head(entry))
        click.echo(f"    {traits(entry)}")
        if name:
            _print_options(entry)
    if not name:
        _print_groups("systems", GROUPS)


def describe(name: str) -> dict[str, Any]:
    """All that there is to say about a metric, for printing and for the documentation."""
    from gistmark.metrics.catalogue import FIXED, METRICS, metric_from

    made: Metric = metric_from(name)
    plain = name.partition(":")[0]
    return {
        "name": name,
        "about": made.about,
        "needs": sorted(made.needs),
        "model": model_of(made.options),
        "parts": list(made.parts),
        "better": made.better,
        "from": METRICS.source(plain),
        "options": _options(made.options, FIXED.get(plain, {})),
        "signature": made.signature,
    }


def describe_system(name: str) -> dict[str, Any]:
    """All that there is to say about a summariser, for printing and for the documentation."""
    from gistmark.summarizers.catalogue import SYSTEMS, system_from

    made = system_from(name)
    return {
        "name": name,
        "about": made.about,
        "extractive": made.extractive,
        "learns": made.learns,
        "models": models_of(made.options),
        "from": SYSTEMS.source(name.partition(":")[0]),
        "options": _options(made.options),
        "signature": made.signature,
    }


def traits(entry: dict[str, Any]) -> str:
    """How a system works, in words."""
    how = "takes sentences as they are" if entry["extractive"] else "writes its own words"
    learns = "; can be trained" if entry["learns"] else ""
    models = " and ".join(entry["models"])
    needs = f"; needs the model{'s' if len(entry['models']) > 1 else ''} {models}" if models else ""
    return f"{how}{learns}{needs}"


def model_of(options: object) -> str | None:
    """The model or the word vectors that options name."""
    return next(iter(models_of(options)), None)


def needed(entry: dict[str, Any]) -> str:
    """What must be there besides the summary, in words."""
    needs = ", ".join(entry["needs"]) or "the summary alone"
    return needs if entry["model"] is None else f"{needs} and the model {entry['model']}"


def _all(
    registry: Registry[Any], describe: Callable[[str], dict[str, Any]]
) -> list[dict[str, Any]]:
    """All descriptions; a plugin that fails is a warning, not the end of the list."""
    found = []
    for name in registry:
        try:
            with registry.naming_plugin(name):
                found.append(describe(name))
        except GistmarkError as error:
            click.echo(f"warning: {error}", err=True)
    return found


def _options(options: Any, fixed: Collection[str] = ()) -> dict[str, dict[str, str]]:
    """The options that can be set, each with its value, what is allowed, and its help."""
    types = option_types(type(options))
    return {
        field.name: {
            "default": written(getattr(options, field.name)),
            "allowed": _allowed(types[field.name]),
            "help": field.metadata.get("help", ""),
        }
        for field in dataclasses.fields(options)
        if field.name not in fixed
    }


def _print_json(found: list[dict[str, Any]]) -> None:
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))


def _print_options(entry: dict[str, Any]) -> None:
    for key, option in entry["options"].items():
        allowed = f" ({option['allowed']})" if option["allowed"] else ""
        click.echo(f"    {key}={option['default']}{allowed}: {option['help']}")
    click.echo(f"    signature: {entry['signature']}")


def _print_groups(noun: str, groups: Mapping[str, tuple[str, ...]]) -> None:
    click.echo("\nGroups:")
    for group, members in groups.items():
        click.echo(f"    {group}: {_members(noun, group, members)}")


def _members(noun: str, group: str, members: tuple[str, ...]) -> str:
    if len(members) <= _LISTED:
        return ", ".join(members)
    return f"{len(members)} {noun}, which `gistmark {noun} {group}` lists"


def _head(entry: dict[str, Any]) -> str:
    origin = "" if entry["from"] == "gistmark" else f" (from {entry['from']})"
    return f"{entry['name']}: {entry['about']}{origin}"


def _allowed(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    return "yes | no" if hint is bool else ""
