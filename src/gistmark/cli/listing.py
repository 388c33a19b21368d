"""`gistmark metrics`, `systems` and `protocols`: what there is, what each needs, its options."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import click

from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json
from gistmark.errors import GistmarkError
from gistmark.metrics.metric import Metric
from gistmark.models.catalogue import models_of
from gistmark.options import option_types, written
from gistmark.registry import Registry

if TYPE_CHECKING:
    from gistmark.judgements.protocols.protocol import Protocol, Scale


Entry = TypeVar("Entry")

_LISTED = 15


@click.command(epilog="Example: gistmark metrics rougeL")
@click.argument("name", required=False)
@json_option()
def metrics(name: str | None, as_json: bool) -> None:
    """List all metrics and groups, or describe the metric or group NAME with its options."""
    from gistmark.metrics.catalogue import GROUPS, METRICS

    def use(entry: dict[str, Any]) -> str:
        better = entry["better"]
        judges = "describes, does not judge" if better == "neither" else f"{better} is better"
        return f"needs {needed(entry)}; {judges}"

    _list("metrics", name, METRICS, GROUPS, describe, use, as_json)


@click.command(epilog="Example: gistmark systems MMR")
@click.argument("name", required=False)
@json_option()
def systems(name: str | None, as_json: bool) -> None:
    """List all summarisers and groups, or describe the system or group NAME with its options."""
    from gistmark.summarizers.catalogue import GROUPS, SYSTEMS

    _list("systems", name, SYSTEMS, GROUPS, describe_system, traits, as_json)


def _list(
    noun: str, name: str | None, registry: Registry[Any], groups: Mapping[str, tuple[str, ...]],
    describe: Callable[[str], dict[str, Any]], line: Callable[[dict[str, Any]], str], as_json: bool,
) -> None:  # fmt: skip
    """Print an entry or a group with the options, or without a name all entries and groups."""
    if name:
        entries = [describe(member) for member in groups.get(name, (name,))]
    else:
        entries = _all(registry, describe)
    if as_json:
        print_json(entries)
        return
    for entry in entries:
        origin = "" if entry["from"] == "gistmark" else f" (from {entry['from']})"
        click.echo(f"{entry['name']}: {entry['about']}{origin}")
        click.echo(f"    {line(entry)}")
        if name:
            for key, option in entry["options"].items():
                allowed = f" ({option['allowed']})" if option["allowed"] else ""
                click.echo(f"    {key}={option['default']}{allowed}: {option['help']}")
            click.echo(f"    signature: {entry['signature']}")
            for text in entry.get("card", ()):
                click.echo(f"    {text}")
    if name:
        return
    click.echo("\nGroups:")
    for group, members in groups.items():
        many = f"{len(members)} {noun}, which `gistmark {noun} {group}` lists"
        click.echo(f"    {group}: {', '.join(members) if len(members) <= _LISTED else many}")


def describe(name: str) -> dict[str, Any]:
    """Everything about a metric that is printed and documented."""
    from gistmark.metrics.catalogue import FIXED, METRICS, metric_from

    metric: Metric = metric_from(name)
    plain = name.partition(":")[0]
    return {
        "name": name,
        "about": metric.about,
        "needs": sorted(metric.needs),
        "model": model_of(metric.options),
        "models": models_of(metric.options),
        "parts": list(metric.parts),
        "better": metric.better,
        "from": METRICS.source(plain),
        "options": _options(metric.options, FIXED.get(plain, {})),
        "signature": metric.signature,
        "card": list(metric.card),
    }


def describe_system(name: str) -> dict[str, Any]:
    """Everything about a summariser that is printed and documented."""
    from gistmark.summarizers.catalogue import SYSTEMS, system_from

    system = system_from(name)
    return {
        "name": name,
        "about": system.about,
        "extractive": system.extractive,
        "learns": system.learns,
        "models": models_of(system.options),
        "from": SYSTEMS.source(name.partition(":")[0]),
        "options": _options(system.options),
        "signature": system.signature,
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
    """What a metric needs besides the summary, in words."""
    needs = ", ".join(entry["needs"]) or "the summary alone"
    models = entry["models"]
    if not models:
        return needs
    *others, last = models
    named = f"models {', '.join(others)} and {last}" if others else f"model {last}"
    return f"{needs} and the {named}"


def _all(registry: Registry[Any], describe: Callable[[str], Entry]) -> list[Entry]:
    """All entries; a plugin that fails is a warning, not the end of the list."""
    entries = []
    for name in registry:
        try:
            with registry.naming_plugin(name):
                entries.append(describe(name))
        except GistmarkError as error:
            click.echo(f"warning: {error}", err=True)
    return entries


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


def _allowed(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(get_args(hint))
    return "yes | no" if hint is bool else ""


@click.command(epilog="Example: gistmark protocols fluency")
@click.argument("name", required=False)
@json_option("Print all settings as JSON.")
def protocols(name: str | None, as_json: bool) -> None:
    """List all evaluation protocols, or describe the protocol NAME with its settings.

    The JSON of one protocol, with some settings changed, is what a campaign takes.
    """
    from gistmark.judgements.protocols import PROTOCOLS, get_protocol
    from gistmark.judgements.protocols.settings import to_mapping

    chosen = [get_protocol(name)] if name else _all(PROTOCOLS, get_protocol)
    if as_json:
        shown = [to_mapping(protocol) for protocol in chosen]
        print_json(shown[0] if name else shown)
        return
    for protocol in chosen:
        click.echo(f"{protocol.name}: {protocol.about}")
        click.echo(f"    {_in_short(protocol)}")
        if name:
            for line in _in_full(protocol):
                click.echo(f"    {line}")


def _in_short(protocol: Protocol) -> str:
    shown = ", ".join(protocol.shows) or "the summary alone"
    counts = (protocol.judges, "judge"), (protocol.items_per_task, "item")
    judges, items = (f"{count} {noun}{'s' if count != 1 else ''}" for count, noun in counts)
    return f"{protocol.kind}; shows {shown}; {judges} per item, {items} per task"


def _in_full(protocol: Protocol) -> Iterator[str]:
    from gistmark.judgements.checks import CHECKS, get_check
    from gistmark.judgements.tasks.designs import designs_of

    if protocol.budget is not None:
        yield f"budget: {protocol.budget} words"
    for part in ("scale", "confidence", "weight"):
        scale: Scale | None = getattr(protocol, part)
        if scale is not None:
            yield f"{part}: {_scale(scale)}"
    for dimension in protocol.dimensions:
        own = f" ({_scale(dimension.scale)})" if dimension.scale is not None else ""
        yield f"dimension {dimension.name}{own}: {dimension.question} {dimension.guidance}".rstrip()
    for design in designs_of(protocol):
        yield f"design {design.name}: {design.label}. {design.purpose}"
    yield f"minimum time: {protocol.minimum_seconds:g} seconds per item"
    for check in CHECKS:
        action = protocol.checks[check]
        if action != "off":
            yield f"check {check} ({action}): {get_check(check).about}"
    yield f"wording: {protocol.wording}. {protocol.about_wording}."
    yield f"instructions: {protocol.instructions}"
    yield f"example: {protocol.example}"


def _scale(scale: Scale) -> str:
    labels = f" ({', '.join(scale.labels)})" if scale.labels else ""
    return f"{scale.form} from {scale}{labels}"
