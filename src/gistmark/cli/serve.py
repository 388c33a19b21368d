"""`gistmark serve`: the platform, on this machine or for others."""

from __future__ import annotations

from pathlib import Path

import click

from gistmark.cli.platform import data_option, start_platform

_EPILOG = """
\b
Examples:
  gistmark serve
  gistmark serve --port 8080 --data /srv/gistmark
  GISTMARK_HOSTS=rate.example.org GISTMARK_HTTPS=yes gistmark serve --workers 4
"""


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
    help="How many processes answer.",
)
@data_option
def serve(host: str, port: int, workers: int, data: Path | None) -> None:
    """Serve the platform until Ctrl+C; nothing needs to be configured before.

    The database is SQLite in the data folder, or what DATABASE_URL says
    (postgres://user:password@host:port/name). GISTMARK_HOSTS lists the host names under which
    others reach it; GISTMARK_HTTPS=yes is for a proxy with TLS in front.
    """
    from gistmark.web.config import server

    server.check_requirements()
    server.allow_host(host)
    start_platform(data)
    listener = server.listen(host, port)
    address = server.address_of(listener)
    if server.lacks_host_names(host):
        click.echo("note: set GISTMARK_HOSTS to the host names that others use.", err=True)
    server.run(listener, workers=workers, ready=lambda: _greet(address))


def _greet(address: str) -> None:
    """Say where the platform is and, as long as nobody has an account, how to begin."""
    from gistmark.web.accounts.set_up import is_set_up, set_up_code

    click.echo(f"Gistmark is at {address}/ (stop it with Ctrl+C)")
    if not is_set_up():
        click.echo(f"Nobody has an account yet; begin at {address}/set-up/?code={set_up_code()}")
