"""`gistmark backup` and `gistmark restore`: the platform's database as one file."""

from __future__ import annotations

from pathlib import Path

import click

from gistmark.cli.platform import on_platform

_file = click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")


@click.command(epilog="Example: gistmark backup gistmark-2026-01-31.backup")
@_file
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@on_platform
def backup(file: Path, force: bool) -> None:
    """Write everything that the platform holds to FILE; people may go on working meanwhile."""
    from gistmark.web.config.backups import make_backup

    make_backup(file, force=force)
    click.echo(f"Backup: {file} ({file.stat().st_size / 1e6:.1f} MB)")


@click.command(epilog="Example: gistmark restore gistmark-2026-01-31.backup --data /srv/gistmark")
@_file
@click.option("--force", is_flag=True, help="Replace what the database holds.")
@on_platform
def restore(file: Path, force: bool) -> None:
    """Put the backup FILE into the database, wholly or not at all."""
    from gistmark.web.config.backups import restore_backup

    restore_backup(file, force=force)
    click.echo(f"Restored: {file}")
