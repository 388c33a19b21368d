"""`gistmark serve`, `backup` and `restore`, and what every command of the platform shares.

The commands that work on the platform's data take `--data` and start Django before they run.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from gistmark.cli.terminal.options import force_option
from gistmark.errors import UsageError

Command = Callable[..., None]
_DAY = 86_400
_MINUTES = 300


_EPILOG = """
\b
Examples:
  gistmark serve
  gistmark serve --port 8080 --data /srv/gistmark
  GISTMARK_HOSTS=rate.example.org GISTMARK_HTTPS=yes gistmark serve --workers 4
"""


def on_platform(command: Command) -> Command:
    """Give a command the option `--data`, and start the platform before it runs.

    The innermost decorator; models may be imported in the command, not above it.
    """

    @wraps(command)
    def started(*args: Any, data: Path | None, **options: Any) -> None:
        start_platform(data)
        command(*args, **options)

    return data_option(started)


def data_option(command: Command) -> Command:
    """The option `--data` alone."""
    return click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="The data folder; by default what GISTMARK_DATA says, or gistmark-data.",
    )(command)


def start_platform(data: Path | None) -> None:
    """Load Django and bring the database up to date."""
    from gistmark.web.config.start import start

    start(data)


@click.command(epilog=_EPILOG)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 takes a free one.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="How many processes answer requests.",
)
@data_option
def serve(host: str, port: int, workers: int, data: Path | None) -> None:
    """Serve the platform until Ctrl+C; nothing needs to be configured before.

    The database is SQLite in the data folder, or what DATABASE_URL says
    (postgres://user:password@host:port/name). GISTMARK_HOSTS lists the host names under which
    others reach it; GISTMARK_HTTPS=yes is for a proxy with TLS in front.
    """
    from gistmark.web.config.server import gunicorn as server

    server.check_requirements()
    server.allow_host(host)
    start_platform(data)
    listener = server.listen(host, port)
    address = server.address_of(listener)
    if server.lacks_host_names(host):
        click.echo("note: set GISTMARK_HOSTS to the host names that others use.", err=True)
    regular = ((_DAY, _daily), (_MINUTES, _compare_studies))
    server.run(listener, workers=workers, ready=lambda: _greet(address), regular=regular)


_BACKUP_EPILOG = """
\b
Examples:
  gistmark backup gistmark-2026-01-31.backup
  gistmark backup /var/backups/gistmark --keep 14
"""


@click.command(epilog=_BACKUP_EPILOG)
@click.argument("target", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    metavar="N",
    help="FILE is a folder: write a dated file there, and keep the last N of them.",
)
@click.option(
    "--secrets",
    is_flag=True,
    help="Include the encrypted API tokens of markets, which are left out otherwise.",
)
@force_option("Replace FILE if it is there.")
@on_platform
def backup(target: Path, keep: int | None, secrets: bool, force: bool) -> None:
    """Back up the platform's data to FILE; people can go on working meanwhile."""
    from django.conf import settings

    from gistmark.web.config.storage.backups import make_backup, make_dated_backup, note_backup

    if keep is not None:
        target = make_dated_backup(target, keep=keep, secrets=secrets)
    elif target.is_dir():
        raise UsageError(f"{target} is a folder; name a file, or say with --keep how many to keep.")
    else:
        make_backup(target, force=force, secrets=secrets)
    if settings.DATA_FOLDER is not None:
        note_backup(settings.DATA_FOLDER)
    click.echo(f"Backup: {target} ({target.stat().st_size / 1e6:.1f} MB)")


@click.command(epilog="Example: gistmark restore gistmark-2026-01-31.backup --data /srv/gistmark")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@force_option("Replace what the database holds.")
@on_platform
def restore(file: Path, force: bool) -> None:
    """Restore the backup FILE into the database, completely or not at all."""
    from gistmark.web.config.storage.backups import restore_backup

    restore_backup(file, force=force)
    click.echo(f"Restored: {file}")


def _daily() -> None:
    """What a running platform does once a day."""
    from gistmark.web.notices.mails import send_digests
    from gistmark.web.outbox.senders import has_mail_server
    from gistmark.web.privacy.retention import apply_retention

    apply_retention()
    if has_mail_server():
        send_digests()


def _compare_studies() -> None:
    """What a running platform does every few minutes."""
    from gistmark.web.crowd.prolific.sync import sync_all

    sync_all(after=_MINUTES)


def _greet(address: str) -> None:
    """Say where the platform is and, as long as nobody has an account, how to begin."""
    from gistmark.web.accounts.sign_in.set_up import is_set_up, set_up_code

    click.echo(f"Gistmark is at {address}/ (stop it with Ctrl+C)")
    if not is_set_up():
        click.echo(f"Nobody has an account yet; begin at {address}/set-up/?code={set_up_code()}")
