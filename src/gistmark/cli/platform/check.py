"""`gistmark check`, `tidy` and `encryption`: is a platform safe, what is out of date, its key."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path

import click

from gistmark.cli.platform.server import data_option, on_platform
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json
from gistmark.errors import GistmarkError, UsageError

_EPILOG = """
\b
Examples:
  gistmark check --deploy
  gistmark check --deploy --json
  gistmark check --running --port 8000
"""


@click.command(epilog=_EPILOG)
@click.option(
    "--deploy", is_flag=True, help="Name everything that is unsafe where others use the platform."
)
@click.option(
    "--running", is_flag=True, help="Ask the platform on this machine whether it is well."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="How many processes answer requests, as given to `gistmark serve`.",
)
@click.option(
    "--backup-days",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Report a last backup that is older than this many days.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@json_option()
@data_option
def check(
    deploy: bool,
    running: bool,
    workers: int,
    backup_days: int,
    port: int,
    as_json: bool,
    data: Path | None,
) -> None:
    """Check the platform; the exit status is 1 where anything is wrong.

    --deploy looks at the settings, the data folder and the database, which it does not change.
    --running is for health checks: it asks /health/ on a port of this machine.
    """
    if deploy == running:
        raise UsageError("Say what to check: --deploy or --running.")
    if running:
        _ask(port)
        return
    from gistmark.web.config.start import start

    start(data, migrated=False)
    from gistmark.web.operations.checking import deployment_findings

    findings = deployment_findings(workers=workers, backup_days=backup_days)
    if as_json:
        print_json([asdict(each) for each in findings])
    else:
        for finding in findings:
            click.echo(f"{finding.name}: {finding}")
        click.echo(f"Found: {len(findings)}." if findings else "Nothing is unsafe.")
    if findings:
        sys.exit(1)


@click.command(epilog="Example: gistmark tidy --data /srv/gistmark")
@json_option()
@on_platform
def tidy(as_json: bool) -> None:
    """Delete what has expired, such as ended sessions; run it every day."""
    from gistmark.web.operations.tidying import tidy as tidy_up

    deleted = tidy_up()
    if as_json:
        print_json(deleted)
        return
    for what, count in deleted.items():
        click.echo(f"Deleted {count} {what}.")


def _ask(port: int) -> None:
    """Ask a running platform whether it is well, under a host name that it accepts."""
    from gistmark.runtime.http import HttpClient, NoReplyError

    host = os.environ.get("GISTMARK_HOSTS", "").split(",")[0].strip().lstrip("*.") or "localhost"
    try:
        with HttpClient(f"http://127.0.0.1:{port}", timeout=10) as client:
            answer = client.send("GET", "/health/", headers={"Host": host}, most_bytes=1000)
    except NoReplyError as error:
        raise GistmarkError(f"Nothing answers on port {port}: {error.detail}.") from error
    body = answer.body.decode(errors="replace")
    if answer.status != 200:
        raise GistmarkError(f"The platform on port {port} is not well ({answer.status}): {body}")
    click.echo(body)


@click.group(epilog="Example: gistmark encryption new-key")
def encryption() -> None:
    """Change the key that encrypts stored secrets: second factors, tokens of markets, webhooks."""


@encryption.command("new-key", epilog="Example: gistmark encryption new-key")
def new_key() -> None:
    """Print a new random key.

    Put it before the present one, on a line of its own in the file `encryption-key` of the data
    folder or with a comma in GISTMARK_ENCRYPTION_KEY; then run `gistmark encryption rotate`.
    """
    from gistmark.web.config.storage.folder import new_encryption_key

    click.echo(new_encryption_key())


@encryption.command(epilog="Example: gistmark encryption rotate --data /srv/gistmark")
@on_platform
def rotate() -> None:
    """Encrypt every stored secret anew with the first key; then the others can be removed."""
    from gistmark.web.config.storage import encryption as stored

    count = stored.rotate()
    click.echo(f"Secrets now encrypted with the first key: {count}.")
