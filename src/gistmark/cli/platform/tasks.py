"""`gistmark tasks`: allocate the work of a campaign, follow it and decide on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json, print_table
from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.judgements.verdicts import Verdict
    from gistmark.web.accounts.models import User
    from gistmark.web.annotate.services.claims import Allocated
    from gistmark.web.campaigns.models import Campaign


@click.group(epilog="Example: gistmark tasks allocate News ada bob --limit 20")
def tasks() -> None:
    """Allocate tasks of a campaign, release them, decide on them, and see how far people are."""


@tasks.command(epilog="Example: gistmark tasks allocate News --everybody")
@click.argument("campaign")
@click.argument("people", nargs=-1)
@click.option("--everybody", is_flag=True, help="All annotators of the campaign.")
@click.option("--limit", type=int, help="The most tasks that each of them gets now.")
@json_option()
@on_platform
def allocate(
    campaign: str, people: tuple[str, ...], everybody: bool, limit: int | None, as_json: bool
) -> None:
    """Share out the open tasks of CAMPAIGN evenly among PEOPLE."""
    from gistmark.web.annotate.services import claims
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = find_campaign(campaign)
    _report(claims.allocate(instance, _people(instance, people, everybody), None, limit), as_json)


@tasks.command("bulk-allocate", epilog="Example: gistmark tasks bulk-allocate Thesis eva 50")
@click.argument("campaign")
@click.argument("name")
@click.argument("number", type=int)
@on_platform
def bulk_allocate(campaign: str, name: str, number: int) -> None:
    """Create an account NAME and allocate NUMBER tasks of CAMPAIGN to it.

    It works like bulk_allocate of SummaryAnnotatorTool; the password is generated and printed once.
    """
    from django.db import transaction

    from gistmark.web.accounts.people import create_user, generate_password
    from gistmark.web.annotate.services import claims
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.members import add_member

    instance, password = find_campaign(campaign), generate_password()
    with transaction.atomic():
        user = create_user(name, password=password)
        add_member(instance, user)
        given = claims.allocate(instance, [user], None, number)
    click.echo(f"Password of {user.username} (shown only now): {password}")
    _report(given, as_json=False)


@tasks.command(
    "bulk-allocate-to-existing",
    epilog="Example: gistmark tasks bulk-allocate-to-existing Thesis eva 50",
)
@click.argument("campaign")
@click.argument("name")
@click.argument("number", type=int)
@on_platform
def bulk_allocate_to_existing(campaign: str, name: str, number: int) -> None:
    """Allocate NUMBER tasks of CAMPAIGN to NAME, who has an account and joins if need be."""
    from django.db import transaction

    from gistmark.web.accounts.people import find_user
    from gistmark.web.annotate.services import claims
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.members import add_member

    instance, user = find_campaign(campaign), find_user(name)
    with transaction.atomic():
        add_member(instance, user)
        given = claims.allocate(instance, [user], None, number)
    _report(given, as_json=False)


@tasks.command(epilog="Example: gistmark tasks release News ada")
@click.argument("campaign")
@click.argument("people", nargs=-1)
@click.option("--everybody", is_flag=True, help="All annotators of the campaign.")
@click.option(
    "--expired", is_flag=True, help="Only tasks whose lease has ended, whoever holds them."
)
@on_platform
def release(campaign: str, people: tuple[str, ...], everybody: bool, expired: bool) -> None:
    """Release the tasks of CAMPAIGN that PEOPLE hold; drafts are kept."""
    from gistmark.web.annotate.services.leases import release_expired, release_of
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = find_campaign(campaign)
    if expired:
        if people or everybody:
            raise UsageError(
                "--expired releases every task whose lease has ended, so it takes no names."
            )
        count = release_expired(instance)
    else:
        count = release_of(instance, _people(instance, people, everybody), None)
    click.echo(f"Tasks released: {count}.")


@tasks.command(epilog="Example: gistmark tasks status News --json")
@click.argument("campaign")
@json_option()
@on_platform
def status(campaign: str, as_json: bool) -> None:
    """Show how much of the work given to each annotator of CAMPAIGN is done, and what is open."""
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.results.dashboard.progress import members_of, progress_of

    instance = find_campaign(campaign)
    members = [member for member in members_of(instance) if member.role == "annotator"]
    unallocated = progress_of([instance])[instance.pk].open
    rows = [
        (m.name, m.progress.done, m.given, m.progress.paid, m.progress.late, m.progress.rejected,
         m.progress.flagged)
        for m in members
    ]  # fmt: skip
    head = ("annotator", "done", "given", "paid", "late", "rejected", "flagged")
    if as_json:
        people = [dict(zip(head, row, strict=True)) for row in rows]
        report = {"annotators": people, "unallocated": unallocated}
        print_json(report)
        return
    print_table(head, rows)
    click.echo(f"Unallocated: {unallocated}.")


tasks.add_command(status, "work-status")


@tasks.command("list", epilog="Example: gistmark tasks list News --flagged")
@click.argument("campaign")
@click.option("--flagged", is_flag=True, help="Only those that wait for a decision.")
@json_option()
@on_platform
def list_(campaign: str, flagged: bool, as_json: bool) -> None:
    """List the tasks of CAMPAIGN that were given out, with the flags that the checks raised."""
    from gistmark.web.annotate.models import Submission, Task
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = find_campaign(campaign)
    some = {"flagged": True} if flagged else {}
    allocated: Any = Task.objects.filter(campaign=instance, annotator__isnull=False, **some)
    allocated = allocated.select_related("annotator").order_by("batch__number", "pk")
    current = Submission.objects.filter(task__campaign=instance, current=True)
    flags = dict(current.values_list("task", "flags"))
    rows = [
        {
            "slot": task.slot,
            "annotator": task.annotator.username,
            "state": task.state,
            "flags": [flag["kind"] for flag in flags.get(task.pk, ())],
            "reasons": [flag["reason"] for flag in flags.get(task.pk, ())],
        }
        for task in allocated
    ]
    if as_json:
        print_json(rows)
        return
    head = ("slot", "annotator", "state", "flags")
    print_table(head, [(*list(row.values())[:3], " ".join(row["flags"])) for row in rows])


@tasks.command(epilog="Example: gistmark tasks accept News 12.1")
@click.argument("campaign")
@click.argument("slot")
@click.option("--reason", default="", help="Why.")
@on_platform
def accept(campaign: str, slot: str, reason: str) -> None:
    """Accept the work on SLOT of CAMPAIGN, whatever the checks said."""
    _decide(campaign, slot, "counts", reason)


@tasks.command(epilog="Example: gistmark tasks pay News 12.1 --reason 'missed a planted text'")
@click.argument("campaign")
@click.argument("slot")
@click.option("--reason", default="", help="Why.")
@on_platform
def pay(campaign: str, slot: str, reason: str) -> None:
    """Pay for the work on SLOT of CAMPAIGN without counting it; the slot opens again."""
    _decide(campaign, slot, "paid", reason)


@tasks.command(epilog="Example: gistmark tasks reject News 12.1 --reason 'copied the text'")
@click.argument("campaign")
@click.argument("slot")
@click.option("--reason", required=True, help="Why.")
@on_platform
def reject(campaign: str, slot: str, reason: str) -> None:
    """Reject the work on SLOT of CAMPAIGN, so that it is not paid; the slot opens again."""
    _decide(campaign, slot, "rejected", reason)


def _decide(named: str, slot: str, verdict: Verdict, reason: str) -> None:
    """Decide in the name of the owner: whoever works on the server acts for them."""
    from gistmark.web.annotate.models import Submission
    from gistmark.web.annotate.services.decisions import decide
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = find_campaign(named)
    current = Submission.objects.filter(
        task__campaign=instance, task__slot=slot, current=True
    ).first()
    if current is None:
        raise UsageError(f"Nothing was submitted for slot {slot!r} of {instance.name!r}.")
    click.echo(decide(current, instance.owner, verdict, reason).sentence)


def _people(campaign: Campaign, names: tuple[str, ...], everybody: bool) -> list[User]:
    from gistmark.web.accounts.models import User
    from gistmark.web.accounts.people import find_user

    if everybody == bool(names):
        raise UsageError("Name the annotators, or use --everybody.")
    if names:
        return [find_user(name) for name in names]
    members = campaign.memberships.filter(role="annotator")
    return list(User.objects.filter(pk__in=members.values("user")).order_by("username"))


def _report(given: Allocated, as_json: bool) -> None:
    from gistmark.judgements.tasks.slots import reasons_of

    if as_json:
        unallocated = [{"slot": e.slot, "reason": e.reason} for e in given.unallocated]
        report = {"tasks": dict(given.tasks), "unallocated": unallocated}
        print_json(report)
        return
    for name, count in given.tasks.items():
        click.echo(f"{name}: {count}")
    for reason, count in reasons_of(given.unallocated):
        click.echo(f"Unallocated: {count}. {reason}")
