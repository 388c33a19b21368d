"""`--device`: where the models of a command run."""

from __future__ import annotations

import os
import re

import click


def _check(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    if name is None or re.fullmatch(r"cpu|cuda(:\d+)?|mps", name):
        return name
    raise click.BadParameter(f"{name!r} is none of cpu, cuda, cuda:N, mps.", context, option)


device_option = click.option(
    "--device",
    metavar="DEVICE",
    callback=_check,
    help="Where models run: cpu, cuda, cuda:N or mps; the best that is there by default.",
)


def choose_device(name: str, *, needed: bool) -> None:
    """Let models work on a device; if one is needed, it must be on this machine."""
    from gistmark.models.devices import device

    os.environ["GISTMARK_DEVICE"] = name
    if needed:
        device()
