"""`gistmark crowd`: studies on Prolific from the command line: recruit, sync, review, pay.

A study is named by its key, which `gistmark crowd list` shows.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json, print_table
from gistmark.errors import GistmarkError, UsageError

if TYPE_CHECKING:
    from gistmark.web.crowd.models import Recruitment, Visit
    from gistmark.web.crowd.prolific.review import VisitWork

_STEPS = ("publish", "pause", "resume", "stop")


@click.group(epilog="Example: gistmark crowd new News --places 30 --minutes 10 --reward 1.50")
def crowd() -> None:
    """Recruit on Prolific: create and publish studies, sync, review, and pay bonuses.

    The commands use the token of the campaign's owner.
    """


@crowd.command(epilog="Example: gistmark crowd connect ada < token.txt")
@click.argument("name")
@click.option("--workspace", default="", help="The workspace's title or id, if there are several.")
@on_platform
def connect(name: str, workspace: str) -> None:
    """Store the Prolific API token of the manager NAME, prompted for or from standard input."""
    from gistmark.web.accounts.people import find_user
    from gistmark.web.crowd.prolific import accounts

    typed = sys.stdin.isatty()
    token = str(click.prompt("Token", hide_input=True)) if typed else sys.stdin.read(1000)
    account = accounts.connect(find_user(name), token, workspace)
    click.echo(f"Stored a token that ends in {account.hint}, for {account.workspace_title}.")


@crowd.command(epilog="Example: gistmark crowd disconnect ada")
@click.argument("name")
@on_platform
def disconnect(name: str) -> None:
    """Forget the token of the manager NAME; studies stay as they are on Prolific."""
    from gistmark.web.accounts.people import find_user
    from gistmark.web.crowd.prolific import accounts

    account = accounts.account_of(find_user(name))
    if account is None:
        raise UsageError(f"No token is stored for {name!r}.")
    accounts.disconnect(account, None)
    click.echo("The token is removed.")


@crowd.command(epilog="Example: gistmark crowd new News --places 30 --minutes 10 --reward 1.50")
@click.argument("campaign")
@click.option("--places", type=int, required=True, help="How many participants.")
@click.option("--tasks", type=int, default=1, show_default=True, help="Tasks for each of them.")
@click.option("--minutes", type=int, required=True, help="How long a participant takes.")
@click.option("--reward", required=True, help="The reward of each of them, such as 1.50.")
@click.option("--currency", default="GBP", show_default=True, help="GBP or USD.")
@click.option("--language", multiple=True, help="Fluent in one of these.")
@click.option("--country", multiple=True, help="Living in one of these.")
@click.option(
    "--approval-rate", type=int, default=0, help="At least this approval rate, in percent."
)
@click.option(
    "--automatic", is_flag=True, help="Approve and pay everyone who completes it, at once."
)
@json_option()
@on_platform
def new(campaign: str, as_json: bool, **chosen: Any) -> None:
    """Plan a study for CAMPAIGN; nothing is sent to Prolific yet."""
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.crowd.prolific.accounts import MARKET, account_of
    from gistmark.web.crowd.prolific.offers import Filters
    from gistmark.web.crowd.prolific.studies import offer_for
    from gistmark.web.crowd.recruitments import create_recruitment
    from gistmark.web.crowd.settings import RecruitmentSettings

    instance = find_campaign(campaign)
    account = account_of(instance.owner)
    filters = Filters(chosen["language"], chosen["country"], chosen["approval_rate"])
    settings = RecruitmentSettings(
        places=chosen["places"],
        tasks_per_participant=chosen["tasks"],
        minutes=chosen["minutes"],
        reward=_amount(chosen["reward"]),
        currency=account.currency if account else chosen["currency"],
        filters=filters.to_mapping(),
        approve_automatically=chosen["automatic"],
    )
    offer_for(settings, account).demand_enough()
    recruitment = create_recruitment(instance, market=MARKET, settings=settings, by=None)
    _print_study(recruitment, as_json)


@crowd.command("list", epilog="Example: gistmark crowd list News --json")
@click.argument("campaign")
@json_option()
@on_platform
def list_(campaign: str, as_json: bool) -> None:
    """List the studies of CAMPAIGN with their state, as Prolific last reported it."""
    from gistmark.web.campaigns.services.campaigns import find_campaign

    rows = [_row(each) for each in find_campaign(campaign).recruitments.all()]
    if as_json:
        print_json(rows)
        return
    head = ("study", "market", "id", "state", "places")
    print_table(head, [tuple(row[name] for name in head) for row in rows])


@crowd.command(epilog="Example: gistmark crowd create 1a2b3c4d5e --url https://rate.example.org")
@click.argument("study")
@click.option("--url", required=True, help="The address where participants reach the platform.")
@on_platform
def create(study: str, url: str) -> None:
    """Create the draft of STUDY on Prolific; it costs nothing until it is published."""
    from gistmark.web.config.start import whole_address
    from gistmark.web.crowd.prolific.accounts import account_of
    from gistmark.web.crowd.prolific.studies import create_study

    recruitment = _study(study)
    account = account_of(recruitment.campaign.owner)
    if account is None:
        raise UsageError(
            f"No token is stored for {recruitment.campaign.owner.username!r}; "
            "`gistmark crowd connect` stores one."
        )
    whole_address("home", base=url)
    _print_study(create_study(recruitment, account, None, origin=url), as_json=False)


@crowd.command(epilog="Example: gistmark crowd change 1a2b3c4d5e publish")
@click.argument("study")
@click.argument("step", type=click.Choice(_STEPS))
@on_platform
def change(study: str, step: str) -> None:
    """Publish, pause, resume or stop STUDY; once published, it costs money."""
    from gistmark.web.crowd.prolific.studies import change_study

    _print_study(change_study(_study(study), step, None), as_json=False)


@crowd.command(epilog="Example: gistmark crowd sync --every 5")
@click.argument("study", required=False)
@click.option("--every", type=click.IntRange(1, 1440), help="Keep syncing, every so many minutes.")
@json_option()
@on_platform
def sync(study: str | None, every: int | None, as_json: bool) -> None:
    """Sync STUDY, or all open ones, with Prolific; places that were given up open again."""
    from gistmark.web.crowd.prolific import sync as syncing

    if study is not None:
        report = syncing.sync(_study(study))
        if as_json:
            print_json(asdict(report))
            return
        statuses = sorted({*report.there, *report.here})
        rows = [(s, report.there.get(s, 0), report.here.get(s, 0)) for s in statuses]
        print_table(("submissions", "Prolific", "here"), rows)
        for each in report.differences:
            click.echo(each.sentence)
        return
    while True:
        click.echo(f"Studies synced: {syncing.sync_all()}.")
        if every is None:
            return
        time.sleep(every * 60)


@crowd.command(epilog="Example: gistmark crowd review 1a2b3c4d5e --json")
@click.argument("study")
@json_option()
@on_platform
def review(study: str, as_json: bool) -> None:
    """List the submissions of STUDY with the verdicts on their work, and what to do next."""
    from gistmark.web.crowd.prolific.review import work_of

    rows = [_work_row(work) for work in work_of(_study(study))]
    if as_json:
        print_json(rows)
        return
    head = ("participant", "status", "outcome", "verdicts", "minutes", "next")
    for row in rows:
        row["verdicts"] = ", ".join(f"{n} {name}" for name, n in sorted(row["verdicts"].items()))
    print_table(head, [tuple(row[name] for name in head) for row in rows])


@crowd.command(epilog="Example: gistmark crowd approve 1a2b3c4d5e --suggested")
@click.argument("study")
@click.argument("people", nargs=-1)
@click.option("--suggested", is_flag=True, help="Approve everyone whose work can be approved.")
@on_platform
def approve(study: str, people: tuple[str, ...], suggested: bool) -> None:
    """Approve the submissions of PEOPLE in STUDY, which pays them; nobody is paid twice."""
    from gistmark.web.crowd.prolific.review import approve as approve_visits
    from gistmark.web.crowd.prolific.review import work_of

    recruitment = _study(study)
    if suggested == bool(people):
        raise UsageError("Name the participants, or use --suggested.")
    if suggested:
        work = work_of(recruitment)
        visits = [each.visit for each in work if each.suggestion == "approve"]
        if not visits:
            click.echo("Nothing is waiting for approval.")
            return
    else:
        visits = _visits(recruitment, people)
    click.echo(f"Approved: {approve_visits(recruitment, visits, None)}.")


@crowd.command("return", epilog="Example: gistmark crowd return 1a2b3c4d5e participant-x7f2")
@click.argument("study")
@click.argument("person")
@click.option("--reason", help="The message to the participant; by default a drafted one.")
@on_platform
def return_(study: str, person: str, reason: str | None) -> None:
    """Ask PERSON to return the submission in STUDY, which is then not paid."""
    from gistmark.web.crowd.prolific.review import draft_return, find_work, request_return

    work = find_work(_study(study), person)
    request_return(work.visit, draft_return(work) if reason is None else reason, None)
    click.echo("Asked the participant to return the submission.")


@crowd.command(epilog="Example: gistmark crowd reject 1a2b3c4d5e participant-x7f2")
@click.argument("study")
@click.argument("person")
@click.option("--message", help="The message to the participant; by default a drafted one.")
@on_platform
def reject(study: str, person: str, message: str | None) -> None:
    """Reject the submission of PERSON in STUDY, where Prolific's rules allow that."""
    from gistmark.web.crowd.prolific import review as reviewing

    work = reviewing.find_work(_study(study), person)
    text = reviewing.draft_rejection(work) if message is None else message
    reviewing.reject(work, text, None)
    click.echo("Rejected.")


@crowd.command(
    epilog="Example: gistmark crowd bonus 1a2b3c4d5e 0.50 participant-x7f2 --confirm 0.65"
)
@click.argument("study")
@click.argument("amount")
@click.argument("people", nargs=-1, required=True)
@click.option("--confirm", metavar="TOTAL", help="Pay at once if this is the total cost.")
@on_platform
def bonus(study: str, amount: str, people: tuple[str, ...], confirm: str | None) -> None:
    """Set up a bonus of AMOUNT for PEOPLE in STUDY; it is paid once its total is confirmed."""
    from gistmark.web.crowd.prolific.bonuses import drop_bonuses, pay_bonuses, set_up_bonuses
    from gistmark.web.crowd.prolific.offers import shown

    recruitment = _study(study)
    visits = _visits(recruitment, people)
    payment = set_up_bonuses(recruitment, visits, _amount(amount), None)
    currency = recruitment.account.currency if recruitment.account else ""
    total = shown(payment.total, currency)
    if confirm is None:
        drop_bonuses(payment, None)
        click.echo(f"It costs {total} in all; nothing is paid. Add --confirm to pay it.")
        return
    try:
        pay_bonuses(payment, _amount(confirm), None)
    except GistmarkError:
        payment.refresh_from_db()
        if payment.state == payment.State.SET_UP:
            drop_bonuses(payment, None)
        raise
    click.echo(f"Paid {total} in all.")


def _study(key: str) -> Recruitment:
    from gistmark.web.crowd.models import Recruitment
    from gistmark.web.crowd.prolific.accounts import MARKET

    studies = Recruitment.objects.filter(market=MARKET).select_related("campaign__owner", "account")
    recruitment = studies.filter(key=key).first()
    if recruitment is None:
        raise UsageError(f"There is no study {key!r}; `gistmark crowd list` shows their keys.")
    return recruitment


def _visits(recruitment: Recruitment, people: tuple[str, ...]) -> list[Visit]:
    from gistmark.web.crowd.prolific.review import find_work

    return [find_work(recruitment, name).visit for name in dict.fromkeys(people)]


def _amount(text: str) -> int:
    """An amount such as 1.50 in the smallest unit."""
    try:
        amount = Decimal(text) * 100
    except InvalidOperation:
        amount = Decimal("0.5")
    if not amount.is_finite() or amount != amount.to_integral_value():
        raise UsageError(f"An amount is a number such as 1.50, not {text!r}.")
    return int(amount)


def _row(study: Recruitment) -> dict[str, Any]:
    return {
        "study": study.key,
        "market": study.market,
        "id": study.study,
        "state": study.market_status.lower() or study.state,
        "places": study.read_settings().places,
    }


def _print_study(study: Recruitment, as_json: bool) -> None:
    row = _row(study)
    if as_json:
        print_json(row)
        return
    click.echo(f"Study {row['study']}: {row['state']}" + (f", {row['id']}" if row["id"] else "."))


def _work_row(work: VisitWork) -> dict[str, Any]:
    return {
        "participant": work.name,
        "status": work.visit.status,
        "outcome": work.visit.outcome,
        "verdicts": work.verdicts,
        "minutes": round(work.minutes, 1),
        "failures": work.failures,
        "next": work.suggestion,
        "rejection": work.fault or "allowed",
    }
