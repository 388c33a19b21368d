"""`gistmark notices`: send waiting messages and digests, and a mail that tests the settings."""

from __future__ import annotations

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json

address_option = click.option(
    "--address",
    metavar="URL",
    help="Where the platform is; by default GISTMARK_ADDRESS or the first of GISTMARK_HOSTS.",
)


@click.group(epilog="Example: gistmark notices deliver")
def notices() -> None:
    """Send waiting e-mails and webhook messages, and digests to managers."""


@notices.command(epilog="Example: gistmark notices deliver --json")
@json_option()
@on_platform
def deliver(as_json: bool) -> None:
    """Send what is due now.

    `gistmark serve` does so by itself; under another web server, run it from a timer every minute.
    """
    from gistmark.web.outbox.worker import deliver_all

    done = deliver_all()
    if as_json:
        print_json({"sent": done.sent, "failed": done.failed, "waiting": done.waiting})
        return
    click.echo(f"Sent: {done.sent}. Given up: {done.failed}. Tried again later: {done.waiting}.")


@notices.command(epilog="Example: gistmark notices digest --address https://rate.example.org")
@address_option
@on_platform
def digest(address: str | None) -> None:
    """Send managers the digests that are due; `gistmark serve` does so once a day."""
    from gistmark.web.notices.mails import send_digests
    from gistmark.web.outbox.worker import deliver_all

    count = send_digests(base=address)
    deliver_all()
    click.echo(f"Digests: {count}.")


@notices.command("test-mail", epilog="Example: gistmark notices test-mail ada@example.org")
@click.argument("to", metavar="ADDRESS")
@on_platform
def test_mail(to: str) -> None:
    """Send a mail to ADDRESS at once, and say what the mail server answered."""
    from gistmark.web.accounts.addresses import checked_address
    from gistmark.web.notices.mails import demand_mail
    from gistmark.web.outbox.senders import send_mail

    demand_mail()
    text = "This mail was sent to test the mail settings of Gistmark."
    send_mail(0, {"to": checked_address(to), "subject": "A test of Gistmark", "text": text})
    click.echo("The mail server has accepted the mail.")


@click.command(epilog="Example: gistmark campaign remind News --address https://rate.example.org")
@click.argument("campaign")
@address_option
@on_platform
def remind(campaign: str, address: str | None) -> None:
    """Send a mail to the annotators of CAMPAIGN who hold tasks that they have not submitted.

    Mails go only to confirmed addresses of those who want reminders, and at most one every few days
    (GISTMARK_REMINDER_DAYS).
    """
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.notices.mails import remind as remind_all
    from gistmark.web.outbox.worker import deliver_all

    count = remind_all(find_campaign(campaign), by=None, base=address)
    deliver_all()
    click.echo(f"Reminders: {count}.")
