"""`gistmark campaign`: evaluation campaigns from the command line; set up, run, look after."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.campaign.combine import combine
from gistmark.cli.campaign.crowd import approvals, reconcile
from gistmark.cli.campaign.fewer_judgements import adaptive, helper
from gistmark.cli.campaign.judge import judge
from gistmark.cli.campaign.machines import machines
from gistmark.cli.campaign.results import approve, checks, export, generate_checks, remove, simulate
from gistmark.cli.campaign.settings import retention, set_, settings_from
from gistmark.cli.campaign.units import units
from gistmark.cli.platform.notices import remind
from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import PATH, corpus_options, json_option
from gistmark.cli.terminal.output import print_json, print_table
from gistmark.errors import UsageError, grouped

if TYPE_CHECKING:
    from gistmark.corpus import Corpus
    from gistmark.corpus.formats import ReadOptions
    from gistmark.judgements.tasks.layout import Layout
    from gistmark.web.accounts.models import User
    from gistmark.web.campaigns.models import Campaign


_owner_option = click.option(
    "--owner", metavar="NAME", help="Who owns it; by default the first admin."
)


@click.group(epilog="Example: gistmark campaign new 'News 2024' my-corpus --protocol fluency")
def campaign() -> None:
    """Set up evaluation campaigns, run them, and get their results.

    A campaign is named by its key or its name. `gistmark tasks` allocates its work.
    """


@campaign.command(epilog="Example: gistmark campaign new News my-corpus -p likert --judges 3")
@click.argument("name")
@click.argument("corpus", type=PATH)
@click.option("-p", "--protocol", required=True, help="See `gistmark protocols`, or form.")
@click.option("--judges", type=int, help="Annotators per item.")
@click.option("--items-per-task", type=int, help="Items per task.")
@click.option("--settings", metavar="JSON", help="Any settings, or @FILE with them.")
@corpus_options
@click.option(
    "--completion-codes", is_flag=True, help="Show a completion code for every submitted task."
)
@_owner_option
@json_option()
@on_platform
def new(
    name: str,
    corpus: Path,
    protocol: str,
    judges: int | None,
    items_per_task: int | None,
    settings: str | None,
    completion_codes: bool,
    owner: str | None,
    as_json: bool,
    reading: ReadOptions,
) -> None:
    """Create a campaign NAME on CORPUS, a corpus folder or file, as a draft."""
    from gistmark.corpus import load

    changes = settings_from(settings)
    given = {"judges": judges, "items_per_task": items_per_task}
    changes |= {setting: value for setting, value in given.items() if value is not None}
    loaded = load(corpus, **reading)
    _make(name, loaded, protocol, changes, owner, as_json, completion_codes=completion_codes)


@campaign.command("bulk-entry", epilog="Example: gistmark campaign bulk-entry Thesis rows.csv")
@click.argument("name")
@click.argument("table", type=PATH)
@_owner_option
@json_option()
@on_platform
def bulk_entry(name: str, table: Path, owner: str | None, as_json: bool) -> None:
    """Create a campaign NAME with the protocol quality from a CSV TABLE of summaries.

    The table is that of SummaryAnnotatorTool's bulk_entry, with the columns idx, title, gold and
    bart_summaries: a column that ends in _summaries has the summaries of the system before that.
    """
    from gistmark.corpus.formats.datasets.emfos import read_bulk_entry

    _make(name, read_bulk_entry(table), "quality", {}, owner, as_json)


@campaign.command("protocol", epilog="Example: gistmark campaign protocol News > news.json")
@click.argument("campaign")
@click.option("--set", "file", type=PATH, help="A JSON file that becomes the protocol of a draft.")
@on_platform
def protocol_(campaign: str, file: Path | None) -> None:
    """Print the protocol of CAMPAIGN as JSON, with every setting, or set it."""
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.protocols import replace_protocol

    instance = find_campaign(campaign)
    if file is None:
        print_json(instance.protocol)
        return
    replace_protocol(instance, settings_from(f"@{file}"), None)
    click.echo(f"The protocol of {instance.name} is saved.")


@campaign.command(epilog="Example: gistmark campaign add News ada bob")
@click.argument("campaign")
@click.argument("people", nargs=-1, required=True)
@click.option(
    "--role", type=click.Choice(["annotator", "manager"]), default="annotator", show_default=True
)
@on_platform
def add(campaign: str, people: tuple[str, ...], role: str) -> None:
    """Add PEOPLE, who already have accounts, to CAMPAIGN."""
    from django.db import transaction

    from gistmark.web.accounts.people import find_user
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.members import add_member

    instance = find_campaign(campaign)
    with transaction.atomic():
        for person in people:
            add_member(instance, find_user(person), role)
    click.echo(
        f"{', '.join(people)} take{'s' if len(people) == 1 else ''} part in {instance.name}."
    )


@campaign.command("list", epilog="Example: gistmark campaign list --json")
@json_option()
@on_platform
def list_(as_json: bool) -> None:
    """List all campaigns with their progress."""
    from gistmark.web.campaigns.models import Campaign
    from gistmark.web.results.dashboard.progress import progress_of

    campaigns = list(Campaign.objects.select_related("owner"))
    progress = progress_of(campaigns)
    rows = [_facts(each) | {"progress": _counts(progress[each.pk])} for each in campaigns]
    if as_json:
        print_json(rows)
        return
    print_table(
        ("key", "name", "protocol", "state", "done", "of"),
        [
            (r["key"], r["name"], r["protocol"], r["state"], r["progress"]["done"],
             r["progress"]["wanted"])
            for r in rows
        ],
    )  # fmt: skip


@campaign.command(epilog="Example: gistmark campaign status News")
@click.argument("campaign")
@json_option()
@on_platform
def status(campaign: str, as_json: bool) -> None:
    """Show how far CAMPAIGN is, who judges what, and what keeps it from starting."""
    from gistmark.web.annotate.services.launch import layout_in
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.markets import market_warnings
    from gistmark.web.campaigns.services.protocols import protocol_of, readiness
    from gistmark.web.results.dashboard.progress import progress_of

    instance = find_campaign(campaign)
    counts = _counts(progress_of([instance])[instance.pk])
    problems = [str(each) for each in readiness(instance)] if instance.state == "draft" else []
    warnings = market_warnings(protocol_of(instance), instance)
    layout = layout_in(instance)
    if as_json:
        report = _facts(instance) | {"progress": counts, "in_the_way": problems}
        report["warnings"] = list(warnings)
        report["design"] = None if layout is None else layout.to_mapping()
        print_json(report)
        return
    click.echo(f"{instance.name} ({instance.key}): {instance.state}")
    if instance.state == "draft":
        click.echo("It cannot start yet:" if problems else "It is ready to start.")
        for problem in problems:
            click.echo(f"  {problem}")
    else:
        click.echo(", ".join(f"{state} {count}" for state, count in counts.items()))
    _print_design(layout)
    for warning in warnings:
        click.echo(f"note: {warning}", err=True)


@campaign.command(epilog="Example: gistmark campaign start News")
@click.argument("campaign")
@on_platform
def start(campaign: str) -> None:
    """Start CAMPAIGN: create its tasks and give them out; its protocol is fixed from then on.

    Who judges what is printed first; `gistmark campaign status` says it before the start.
    """
    from gistmark.web.annotate.services.launch import start as start_campaign
    from gistmark.web.campaigns.services import campaigns as campaigns_service
    from gistmark.web.campaigns.services import protocols

    instance = campaigns_service.find_campaign(campaign)
    plan = protocols.outlook(instance)
    for note in (*grouped(plan.selection.problems), *plan.warnings):
        click.echo(f"note: {note}", err=True)
    _print_design(plan.layout)
    start_campaign(instance, None)
    click.echo(f"{instance.name} runs with {_count(instance)} tasks.")


@campaign.command(epilog="Example: gistmark campaign pilot News --annotators 3 --tasks 5")
@click.argument("campaign")
@click.option(
    "--annotators", type=int, default=2, show_default=True, help="How many: the first who come."
)
@click.option("--tasks", type=int, help="How many tasks each does; by default all.")
@on_platform
def pilot(campaign: str, annotators: int, tasks: int | None) -> None:
    """Let a few annotators try CAMPAIGN out; their work is kept apart until the pilot ends."""
    from gistmark.web.annotate.services.pilots import start_pilot
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = start_pilot(find_campaign(campaign), None, annotators=annotators, tasks=tasks)
    click.echo(f"The pilot of {instance.name} runs with {_count(instance)} tasks.")


@campaign.command("keep-pilot", epilog="Example: gistmark campaign keep-pilot News")
@click.argument("campaign")
@on_platform
def keep_pilot(campaign: str) -> None:
    """Start CAMPAIGN with the work of its pilot, which counts from then on."""
    from gistmark.web.annotate.services.pilots import keep_pilot as keep
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = keep(find_campaign(campaign), None)
    click.echo(f"{instance.name} runs with {_count(instance)} tasks.")


@campaign.command("discard-pilot", epilog="Example: gistmark campaign discard-pilot News")
@click.argument("campaign")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@on_platform
def discard_pilot(campaign: str, yes: bool) -> None:
    """Throw the work of CAMPAIGN's pilot away; the campaign is a draft again."""
    from gistmark.web.annotate.services.pilots import discard_pilot as discard
    from gistmark.web.annotate.services.pilots import pilot_of
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = find_campaign(campaign)
    count = pilot_of(instance).submissions if instance.in_pilot else 0
    if instance.in_pilot and not yes:
        click.confirm(f"Throw away {count} submissions of {instance.name}?", abort=True)
    discard(instance, None, submissions=count)
    click.echo(f"{instance.name} is a draft again; {count} submissions were thrown away.")


@campaign.command(epilog="Example: gistmark campaign pause News")
@click.argument("campaign")
@on_platform
def pause(campaign: str) -> None:
    """Pause CAMPAIGN: nobody gets or submits tasks; drafts can still be saved."""
    from gistmark.web.campaigns.services import campaigns as campaigns_service

    instance = campaigns_service.pause(campaigns_service.find_campaign(campaign), None)
    click.echo(f"{instance.name} is paused.")


@campaign.command(epilog="Example: gistmark campaign resume News")
@click.argument("campaign")
@on_platform
def resume(campaign: str) -> None:
    """Resume CAMPAIGN after a pause."""
    from gistmark.web.campaigns.services import campaigns as campaigns_service

    instance = campaigns_service.resume(campaigns_service.find_campaign(campaign), None)
    click.echo(f"{instance.name} runs again.")


@campaign.command(epilog="Example: gistmark campaign close News")
@click.argument("campaign")
@on_platform
def close(campaign: str) -> None:
    """Close CAMPAIGN to its annotators for good; decisions and exports stay possible."""
    from gistmark.web.campaigns.services import campaigns as campaigns_service

    instance = campaigns_service.close(campaigns_service.find_campaign(campaign), None)
    click.echo(f"{instance.name} is closed.")


for _command in (
    set_, retention, adaptive, helper, generate_checks, checks, approve, remove, units, export,
    combine, approvals, reconcile, remind, simulate, judge, machines,
):  # fmt: skip
    campaign.add_command(_command)


def _make(
    name: str,
    corpus: Corpus,
    protocol: str,
    changes: dict[str, Any],
    owner: str | None,
    as_json: bool,
    *,
    completion_codes: bool = False,
) -> None:
    from gistmark.judgements.protocols.own import starting_protocol
    from gistmark.judgements.protocols.settings import configured
    from gistmark.web.campaigns.services.campaigns import change_settings, create_campaign

    created = create_campaign(
        owner=_owner(owner),
        name=name,
        protocol=configured(starting_protocol(protocol), changes),
        corpus=corpus,
    )
    if completion_codes:
        change_settings(created, created.owner, completion_codes=True)
    if as_json:
        print_json(_facts(created))
        return
    click.echo(
        f"{created.name} has the key {created.key}; "
        f"start it with: gistmark campaign start {created.key}"
    )


def _owner(name: str | None) -> User:
    from gistmark.web.accounts.models import User
    from gistmark.web.accounts.people import find_user

    if name is not None:
        return find_user(name)
    admin = User.objects.filter(role=User.Role.ADMIN, is_active=True).order_by("pk").first()
    if admin is None:
        raise UsageError(
            "There is no admin yet; add one with: gistmark users add NAME --role admin"
        )
    return admin


def _facts(instance: Campaign) -> dict[str, Any]:
    return {
        "key": instance.key,
        "name": instance.name,
        "protocol": instance.protocol["name"],
        "state": instance.state,
        "owner": instance.owner.username,
        "seed": instance.seed,
    }


def _counts(progress: Any) -> dict[str, int]:
    from dataclasses import asdict

    return {**asdict(progress), "wanted": progress.wanted}


def _print_design(layout: Layout | None) -> None:
    """Who judges what, and what the designs of the protocol are for."""
    from gistmark.judgements.tasks.designs import design

    if layout is None:
        return
    for sentence in layout.sentences():
        click.echo(sentence)
    for each in map(design, layout.designs):
        click.echo(f"{each.label}. {each.purpose}")


def _count(campaign: Campaign) -> int:
    """How many tasks there are for people."""
    return campaign.tasks.filter(machine=False).count()
