"""`gistmark encryption`: the key that encrypts secrets in the database, and changing it."""

from __future__ import annotations

import click

from gistmark.cli.platform.server import on_platform


@click.group(epilog="Example: gistmark encryption new-key")
def encryption() -> None:
    """Change the key that encrypts stored secrets: second factors, tokens of markets, webhooks."""


@encryption.command("new-key", epilog="Example: gistmark encryption new-key")
def new_key() -> None:
    """Print a new random key.

    Put it before the present one, on a line of its own in the file `encryption-key` of the data
    folder or with a comma in GISTMARK_ENCRYPTION_KEY; then run `gistmark encryption rotate`.
    """
    from gistmark.web.config.storage import new_encryption_key

    click.echo(new_encryption_key())


@encryption.command(epilog="Example: gistmark encryption rotate --data /srv/gistmark")
@on_platform
def rotate() -> None:
    """Encrypt every stored secret anew with the first key; then the others can be removed."""
    from gistmark.web.config import encryption as stored

    count = stored.rotate()
    click.echo(f"Secrets that are encrypted with the first key now: {count}.")
