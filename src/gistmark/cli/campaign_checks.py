"""`gistmark campaign generate-checks|checks|approve|remove`: the review before the start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from gistmark.cli.platform import on_platform
from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.web.campaigns.models import Campaign, Planted, Question

_KINDS = ("question", "planted")


@click.command("generate-checks", epilog="Example: gistmark campaign generate-checks News")
@click.argument("campaign")
@on_platform
def generate_checks(campaign: str) -> None:
    """Make True/False statements and planted summaries that CAMPAIGN needs and does not have.

    They count once they are approved: look at them with `gistmark campaign checks`.
    """
    from gistmark.web.campaigns import services

    made = services.generate_checks(services.find_campaign(campaign), None)
    click.echo(f"Made {made.questions} statements and {made.planted} planted triples.")
    for problem in made.problems:
        click.echo(f"note: {problem}", err=True)


@click.command(epilog="Example: gistmark campaign checks News --waiting --json")
@click.argument("campaign")
@click.option("--waiting", is_flag=True, help="Only those that are not approved.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@on_platform
def checks(campaign: str, waiting: bool, as_json: bool) -> None:
    """List the statements and planted summaries of CAMPAIGN."""
    from gistmark.web.campaigns.services import find_campaign

    found = find_campaign(campaign)
    some = {"approved": False} if waiting else {}
    rows = [_question(each) for each in found.questions.filter(**some)]
    rows += [_planted(each) for each in found.planted.filter(**some)]
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
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
@click.option("--all", "everything", is_flag=True, help="Approve everything that waits.")
@on_platform
def approve(campaign: str, kind: str | None, number: int | None, everything: bool) -> None:
    """Let one check of CAMPAIGN count, such as `question 7`, or all of them."""
    from gistmark.web.campaigns import services

    found = services.find_campaign(campaign)
    if everything == (number is not None):
        raise UsageError("Name one check, such as `question 7`, or use --all.")
    if everything:
        click.echo(f"Approved: {services.approve_all(found, None)}.")
        return
    services.approve(_check(found, kind, number), None)
    click.echo("Approved: 1.")


@click.command(epilog="Example: gistmark campaign remove News question 7")
@click.argument("campaign")
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("number", type=int)
@on_platform
def remove(campaign: str, kind: str, number: int) -> None:
    """Take one check out of CAMPAIGN, such as `question 7`."""
    from gistmark.web.campaigns import services

    services.remove(_check(services.find_campaign(campaign), kind, number), None)
    click.echo("Removed.")


def _check(campaign: Campaign, kind: str | None, number: int | None) -> Question | Planted:
    from gistmark.web.campaigns.services import question_of, triple_of

    assert number is not None, "the command has asked for a number"
    return question_of(campaign, number) if kind == "question" else triple_of(campaign, number)


def _question(check: Question) -> dict[str, object]:
    return {
        "kind": "question",
        "id": check.pk,
        "approved": check.approved,
        "document": check.document.name,
        "about": check.about,
        "statement": check.statement,
        "answer": check.answer,
    }


def _planted(check: Planted) -> dict[str, object]:
    return {
        "kind": "planted",
        "id": check.pk,
        "approved": check.approved,
        "document": check.document and check.document.name,
        "good": check.good,
        "mediocre": check.mediocre,
        "bad": check.bad,
    }
