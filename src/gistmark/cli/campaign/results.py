"""`gistmark campaign`: the checks before the start, and what comes out of a campaign.

`generate-checks`, `checks`, `approve` and `remove` review statements and planted summaries;
`export` and `simulate` give results.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.campaign.settings import settings_from
from gistmark.cli.platform.server import data_option, on_platform, start_platform
from gistmark.cli.terminal.options import PATH, force_option, json_option, refuse_existing
from gistmark.cli.terminal.output import print_findings, print_json, print_table
from gistmark.errors import UsageError
from gistmark.web.results.catalogue import EXPORTS

if TYPE_CHECKING:
    from gistmark.corpus import Corpus
    from gistmark.judgements.simulation import Style
    from gistmark.web.annotate.programs.simulation import Simulated
    from gistmark.web.campaigns.models import Campaign, Planted, Question


_KINDS = ("question", "planted")


@click.command("generate-checks", epilog="Example: gistmark campaign generate-checks News")
@click.argument("campaign")
@on_platform
def generate_checks(campaign: str) -> None:
    """Generate the True/False statements and planted summaries that CAMPAIGN still needs.

    They count once they are approved: review them with `gistmark campaign checks`.
    """
    from gistmark.web.campaigns.services import campaigns
    from gistmark.web.campaigns.services import checks as checks_service

    generated = checks_service.generate_checks(campaigns.find_campaign(campaign), None)
    click.echo(f"Made {generated.questions} statements and {generated.planted} planted triples.")
    for problem in generated.problems:
        click.echo(f"note: {problem}", err=True)


@click.command(epilog="Example: gistmark campaign checks News --waiting --json")
@click.argument("campaign")
@click.option("--waiting", is_flag=True, help="Only those that are not approved yet.")
@json_option()
@on_platform
def checks(campaign: str, waiting: bool, as_json: bool) -> None:
    """List the statements and planted summaries of CAMPAIGN."""
    from gistmark.web.campaigns.services.campaigns import find_campaign

    instance = find_campaign(campaign)
    some = {"approved": False} if waiting else {}
    questions, triples = instance.questions.filter(**some), instance.planted.filter(**some)
    rows = [_row("question", check, "about", "statement", "answer") for check in questions]
    rows += [_row("planted", check, "good", "mediocre", "bad") for check in triples]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        state = "counts" if row.pop("approved") else "waits"
        click.echo(f"{row.pop('kind')} {row.pop('id')} ({state})")
        for name, value in row.items():
            click.echo(f"    {name}: {value}")


@click.command(epilog="Example: gistmark campaign approve News --all")
@click.argument("campaign")
@click.argument("kind", type=click.Choice(_KINDS), required=False)
@click.argument("number", type=int, required=False)
@click.option("--all", "everything", is_flag=True, help="Approve all that are not approved yet.")
@on_platform
def approve(campaign: str, kind: str | None, number: int | None, everything: bool) -> None:
    """Approve one check of CAMPAIGN, such as `question 7`, or all of them, so that it counts."""
    from gistmark.web.campaigns.services import campaigns
    from gistmark.web.campaigns.services import checks as checks_service

    instance = campaigns.find_campaign(campaign)
    if everything == (number is not None):
        raise UsageError("Name one check, such as `question 7`, or use --all.")
    if everything:
        click.echo(f"Approved: {checks_service.approve_all(instance, None)}.")
        return
    checks_service.approve(_check(instance, kind, number), None)
    click.echo("Approved: 1.")


@click.command(epilog="Example: gistmark campaign remove News question 7")
@click.argument("campaign")
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("number", type=int)
@on_platform
def remove(campaign: str, kind: str, number: int) -> None:
    """Take one check out of CAMPAIGN, such as `question 7`."""
    from gistmark.web.campaigns.services import campaigns
    from gistmark.web.campaigns.services import checks as checks_service

    checks_service.remove(_check(campaigns.find_campaign(campaign), kind, number), None)
    click.echo("Removed.")


@click.command(epilog="Example: gistmark campaign export News news-results")
@click.argument("campaign")
@click.argument("target", type=PATH)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(EXPORTS)),
    default="folder",
    show_default=True,
    help="A corpus folder, the judgements alone, or another tool's format.",
)
@click.option("--names", is_flag=True, help="Keep the names of the annotators.")
@click.option(
    "--undecided",
    type=click.Choice(["leave-out", "count"]),
    default="leave-out",
    show_default=True,
    help="What happens to flagged work that no manager has decided on.",
)
@click.option(
    "--adjudicated",
    is_flag=True,
    help="Replace annotators' answers to disputed items by the decisions about them.",
)
@click.option(
    "--participants",
    is_flag=True,
    help="Add participants.csv, which says who the annotators are on a crowd market.",
)
@click.option(
    "--with-machines",
    "machines",
    is_flag=True,
    help="Add the work of machines, and list these in machines.csv.",
)
@force_option()
@on_platform
def export(
    campaign: str,
    target: Path,
    form: str,
    names: bool,
    undecided: str,
    adjudicated: bool,
    participants: bool,
    machines: bool,
    force: bool,
) -> None:
    """Write CAMPAIGN's corpus with all accepted work to TARGET, for `gistmark study`.

    `thesis` is the table that SummaryAnnotatorTool exports, `highres` the data folder of the
    original HighRES tool. Annotators are numbered unless --names is given.
    """
    from gistmark.corpus.folder import refuse_other_folder
    from gistmark.web.campaigns.services.campaigns import find_campaign, record
    from gistmark.web.results.dashboard.progress import progress_of
    from gistmark.web.results.exports import Choices, export_format, export_to, write_beside
    from gistmark.web.results.exports.material import material_for

    instance, chosen = find_campaign(campaign), export_format(form)
    choices = Choices(
        names,
        undecided=undecided == "count",
        adjudicated=adjudicated,
        participants=participants,
        machines=machines,
    )
    for option, given in (("--participants", participants), ("--with-machines", machines)):
        if given and chosen.suffix != "zip":
            raise UsageError(f"{option} needs a folder, and {form!r} is written as one file.")
    refuse_existing(target, force=force)
    if chosen.suffix == "zip":
        refuse_other_folder(target)
        target.mkdir(parents=True, exist_ok=True)
        material = material_for(instance, choices)
        chosen.write(material, target)
        write_beside(material, target, choices)
    else:
        export_to(instance, form, target, choices)
    if participants:
        record(instance, None, "exported", format=form, **asdict(choices))
    click.echo(f"Wrote {instance.label} to {target}.")
    waiting = progress_of([instance])[instance.pk].undecided
    if waiting:
        verb = "Counted" if choices.undecided else "Left out"
        click.echo(f"{verb}: {waiting} flagged tasks that no manager has decided on.")


@click.command(epilog="Example: gistmark campaign simulate -p fluency --careful 6 --careless 3")
@click.argument("corpus", type=PATH, required=False)
@click.option("-p", "--protocol", default="fluency", show_default=True)
@click.option("--settings", metavar="JSON", help="Any settings, or @FILE with them.")
@click.option("--careful", type=click.IntRange(0, 500), default=6, show_default=True)
@click.option("--noisy", type=click.IntRange(0, 500), default=3, show_default=True)
@click.option("--careless", type=click.IntRange(0, 500), default=2, show_default=True)
@click.option("--adversarial", type=click.IntRange(0, 500), default=1, show_default=True)
@click.option("--scripted", type=click.IntRange(0, 500), default=0, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("-o", "--output", type=PATH, metavar="DIR", help="Keep the exported corpus here.")
@json_option("Print the numbers as JSON.")
@click.option("--url", help="Use the server at this address, which runs on the folder of --data.")
@data_option
def simulate(
    corpus: Path | None,
    protocol: str,
    settings: str | None,
    seed: int,
    output: Path | None,
    as_json: bool,
    url: str | None,
    data: Path | None,
    **crowd: int,
) -> None:
    """Run a campaign on CORPUS, or on the sample, with simulated annotators; study its export.

    For each style of annotator it prints the share of work that does not count by the checks, that
    is, work that is only paid or is rejected. The annotators work through the API, on a server that
    is started for them unless --url names one. Without --data, it runs on a temporary platform. As
    no manager decides here, work that a check only flags counts.
    """
    if url is not None and data is None:
        raise UsageError("--url needs --data, the data folder of that server.")
    with TemporaryDirectory(prefix="gistmark-simulation-") as temporary:
        if data is None:
            os.environ.pop("DATABASE_URL", None)
        start_platform(data or Path(temporary))
        from gistmark.corpus import load, sample_folder, save
        from gistmark.web.annotate.services.submissions import exported_corpus

        loaded = load(corpus or sample_folder())
        styles: Any = crowd
        campaign, result = _simulated(loaded, protocol, settings_from(settings), styles, seed, url)
        exported = exported_corpus(campaign, undecided=True)
    if output is not None:
        save(exported, output)
    _print_simulation(result, exported, as_json)


def _simulated(
    corpus: Corpus,
    protocol: str,
    settings: dict[str, Any],
    crowd: dict[Style, int],
    seed: int,
    url: str | None,
) -> tuple[Any, Simulated]:
    """A campaign that was created, started and worked on to its end."""
    from uuid import uuid4

    from gistmark.judgements.protocols import get_protocol
    from gistmark.judgements.protocols.settings import configured
    from gistmark.web.accounts.people import create_user
    from gistmark.web.annotate.programs.simulation import run_simulation
    from gistmark.web.annotate.services.launch import start
    from gistmark.web.campaigns.services import campaigns
    from gistmark.web.campaigns.services import checks as checks_service

    name = f"simulation-{uuid4().hex[:8]}"
    owner = create_user(name, role="manager")
    campaign = campaigns.create_campaign(
        owner=owner,
        name=name,
        protocol=configured(get_protocol(protocol), settings),
        corpus=corpus,
    )
    campaign.seed = seed
    campaign.save(update_fields=["seed"])
    checks_service.generate_checks(campaign, None)
    checks_service.approve_all(campaign, None)
    start(campaign, None)
    return campaign, run_simulation(campaign, crowd, seed=seed, url=url)


def _print_simulation(result: Simulated, exported: Corpus, as_json: bool) -> None:
    from gistmark.analysis import StudyOptions, study

    studied = study(exported, None, StudyOptions(resamples=200))
    if as_json:
        conduct = [
            asdict(c) | {"rejection_rate": c.rejection_rate, "uncounted_rate": c.uncounted_rate}
            for c in result.conduct
        ]
        report = {"conduct": conduct, "quality": dict(result.quality), "left": result.left}
        report["study"] = json.loads(studied.to_json())
        print_json(report)
        return
    head = ("annotators", "", "submitted", "paid", "rejected", "flagged", "not counted")
    rows = [
        (c.style, c.annotators, c.submissions, c.paid, c.rejected, c.flagged,
         "-" if c.uncounted_rate is None else f"{c.uncounted_rate:.0%}")
        for c in result.conduct
    ]  # fmt: skip
    print_table(head, rows)
    if result.left:
        click.echo(f"Slots without an annotator left to fill them: {result.left}.")
    click.echo("")
    print_findings(studied, written=False)


def _check(campaign: Campaign, kind: str | None, number: int | None) -> Question | Planted:
    from gistmark.web.campaigns.services.checks import question_of, triple_of

    assert number is not None, "the command has asked for a number"
    return question_of(campaign, number) if kind == "question" else triple_of(campaign, number)


def _row(kind: str, check: Question | Planted, *texts: str) -> dict[str, object]:
    return {
        "kind": kind,
        "id": check.pk,
        "approved": check.approved,
        "document": check.document and check.document.name,
        **{name: getattr(check, name) for name in texts},
    }
