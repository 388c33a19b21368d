"""The option `--lang` of commands that read texts."""

from __future__ import annotations

import click


def _check(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """The code of the language; what is none is told before any work is done."""
    from gistmark.text.languages import language

    return None if value is None else language(value).code


language_option = click.option(
    "--lang",
    metavar="CODE",
    callback=_check,
    help="The language of all texts, such as de or zh; by default each document's own `lang`.",
)
