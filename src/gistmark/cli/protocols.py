"""`gistmark protocols`: what can be asked of annotators, and every setting of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from gistmark.errors import GistmarkError

if TYPE_CHECKING:
    from gistmark.judgements import Protocol, Scale


@click.command(epilog="Example: gistmark protocols fluency")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print all settings as JSON.")
def protocols(name: str | None, as_json: bool) -> None:
    """List all evaluation protocols, or describe the protocol NAME with its settings.

    The JSON of one protocol, with some settings changed, is what a campaign takes.
    """
    from gistmark.judgements import get_protocol, to_mapping

    found = [get_protocol(name)] if name else _all()
    if as_json:
        shown = [to_mapping(protocol) for protocol in found]
        click.echo(json.dumps(shown[0] if name else shown, indent=2, ensure_ascii=False))
        return
    for protocol in found:
        click.echo(f"{protocol.name}: {protocol.about}")
        click.echo(f"    {_in_short(protocol)}")
        if name:
            for line in _in_full(protocol):
                click.echo(f"    {line}")


def _all() -> list[Protocol]:
    """All protocols; a plugin that cannot be used is a warning, not the end of the list."""
    from gistmark.judgements import PROTOCOLS, get_protocol

    found = []
    for name in PROTOCOLS:
        try:
            found.append(get_protocol(name))
        except GistmarkError as error:
            click.echo(f"warning: {error}", err=True)
    return found


def _in_short(protocol: Protocol) -> str:
    shown = ", ".join(protocol.shows) or "the summary alone"
    counts = (protocol.judges, "judge"), (protocol.items_per_task, "item")
    judges, items = (f"{count} {noun}{'s' if count != 1 else ''}" for count, noun in counts)
    return f"{protocol.kind}; shows {shown}; {judges} per item, {items} per task"


def _in_full(protocol: Protocol) -> Iterator[str]:
    from gistmark.judgements import CHECKS, get_check

    if protocol.budget is not None:
        yield f"budget: {protocol.budget} words"
    for part in ("scale", "confidence", "weight"):
        scale: Scale | None = getattr(protocol, part)
        if scale is not None:
            yield f"{part}: {_scale(scale)}"
    for dimension in protocol.dimensions:
        own = f" ({_scale(dimension.scale)})" if dimension.scale is not None else ""
        yield f"dimension {dimension.name}{own}: {dimension.question} {dimension.guidance}".rstrip()
    yield f"minimum time: {protocol.minimum_seconds:g} seconds per item"
    for check in CHECKS:
        action = protocol.checks[check]
        if action != "off":
            yield f"check {check} ({action}): {get_check(check).about}"
    yield f"instructions: {protocol.instructions}"
    yield f"example: {protocol.example}"


def _scale(scale: Scale) -> str:
    labels = f" ({', '.join(scale.labels)})" if scale.labels else ""
    return f"{scale.form} from {scale}{labels}"
