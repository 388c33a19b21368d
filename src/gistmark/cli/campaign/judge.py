"""`gistmark campaign judge`: a model does tasks of a campaign, beside its annotators.

It works through the platform's API: on a server of its own where the platform's data are, or with
--url and a token on any machine, which needs no database and none of the platform's packages.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.platform.server import data_option, start_platform
from gistmark.cli.terminal.judge_options import JudgeSettings, judge_options, tell_usage
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json
from gistmark.cli.terminal.progress import steps_bar
from gistmark.errors import GistmarkError, UsageError

if TYPE_CHECKING:
    from gistmark.judges import Guide, Judge
    from gistmark.judges.campaign.machine import KnownMachine
    from gistmark.judges.campaign.run import Ran, Run

_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
_EPILOG = """
\b
Examples:
  gistmark campaign judge News --judge-url http://localhost:8000/v1 --judge-model qwen
  gistmark campaign judge News --url https://rate.example.org \\
    --judge-url http://localhost:8000/v1 --judge-model qwen
"""


@click.command(epilog=_EPILOG)
@click.argument("campaign")
@click.option("--name", default="", help="The machine's name; without it, that of the model.")
@click.option("--tasks", "most", type=click.IntRange(min=1), help="Do at most this many tasks.")
@click.option(
    "--rubric", type=_FILE, help="A text file that says what each point of the scale means."
)
@click.option("--steps", type=_FILE, help="A text file with the steps of the evaluation.")
@click.option("--examples", type=_FILE, help="A text file with examples.")
@click.option(
    "--url",
    help="The platform's address, such as https://rate.example.org, where its data are elsewhere. "
    "Set GISTMARK_MACHINE_TOKEN to the machine's token, which managers create under People > "
    "Machines.",
)
@judge_options
@json_option("Print what was done as JSON.")
@data_option
def judge(
    campaign: str, name: str, most: int | None, rubric: Path | None, steps: Path | None,
    examples: Path | None, url: str | None, judging: JudgeSettings, as_json: bool,
    data: Path | None,
) -> None:  # fmt: skip
    """Let a model do tasks of CAMPAIGN through the API, as blind and as checked as people are.

    It takes no task away from people and is left out of all numbers about them. The command can be
    stopped and run again: it continues with the tasks that are left. Before it asks a server, it
    estimates the requests and tokens from the first task and shows them.
    """
    from gistmark.judges import Guide

    if url is not None and data is not None:
        raise UsageError(
            "--url asks a platform through its API, so it cannot be combined with --data."
        )
    files = {"rubric": rubric, "steps": steps, "examples": examples}
    guide = Guide.read(**{name: str(path) for name, path in files.items() if path is not None})
    with judging.session() as meter:
        opened = (
            _here(campaign, name, data, judging, guide)
            if url is None
            else _elsewhere(url, campaign, name, judging, guide)
        )
        with opened as run:
            machine, ran = _work(run, judging, most, quiet=as_json)
        tell_usage(meter)
    _print(machine, run.judge.label, ran, as_json=as_json)


@contextmanager
def _here(
    campaign: str, name: str, data: Path | None, judging: JudgeSettings, guide: Guide
) -> Iterator[Run]:
    """A run where the platform's data are; options replace the machine's own settings."""
    start_platform(data)
    from gistmark.judges import open_judge
    from gistmark.judges.campaign.machine import MachineClient
    from gistmark.judges.campaign.run import Run
    from gistmark.web.annotate.programs.machines import demand_ready, prepare_machine, token_for
    from gistmark.web.annotate.programs.server import own_server
    from gistmark.web.campaigns.services.campaigns import find_campaign
    from gistmark.web.campaigns.services.machines import machines_of

    instance = find_campaign(campaign)
    demand_ready(instance)
    known = machines_of(instance).filter(membership__user__username=name).first()
    url = judging.url or (known.url if known else None) or None
    model = open_judge(server=url, model=judging.model or (known.model if known else None))
    machine = prepare_machine(instance, model=model.label, url=url or "", name=name)
    with own_server() as api, token_for(machine) as token:
        yield Run(MachineClient(api, token, instance.key), model, guide)


@contextmanager
def _elsewhere(
    url: str, campaign: str, name: str, judging: JudgeSettings, guide: Guide
) -> Iterator[Run]:
    """A run on any machine: what is known of the platform comes through its API."""
    from gistmark.judges.campaign.client import platform_at
    from gistmark.judges.campaign.machine import MachineClient, token_of_environment
    from gistmark.judges.campaign.run import Run, Unsent
    from gistmark.models.store import cache_folder

    token = token_of_environment()
    with platform_at(url) as api:
        client = MachineClient.of(api, token, campaign)
        machine = client.machine()
        if name and name != machine.name:
            raise UsageError(f"The token is that of the machine {machine.name!r}, not of {name!r}.")
        machine.demand_ready()
        model = _judge_of(machine, judging)
        if model.label != machine.model:
            client.describe(model=model.label)
        kept = Unsent(cache_folder() / "machines", client.address, client.key, machine.name)
        yield Run(client, model, guide, kept)


def _judge_of(machine: KnownMachine, judging: JudgeSettings) -> Judge:
    """The judge that the user names; a platform must not choose the server that gets their key."""
    from gistmark.judges import open_judge
    from gistmark.judges.opening import MODEL, server_of

    server, named = server_of(judging.url), judging.model or os.environ.get(MODEL)
    if server is None and not named:
        where = f" at {machine.url}" if machine.url else ""
        raise UsageError(
            "Name the judge: its server with --judge-url, or a model on this machine with "
            f"--judge-model; on the platform, {machine.name!r} is the model {machine.model!r}"
            f"{where}."
        )
    return open_judge(server=server, model=named or machine.model)


def _work(
    run: Run, judging: JudgeSettings, most: int | None, *, quiet: bool
) -> tuple[KnownMachine, Ran]:
    """Show what the run will ask, and do it; return the machine as it was before the run."""
    from gistmark.judges.budget import Budget, estimate
    from gistmark.judges.campaign.run import signature_of

    machine, first = run.client.machine(), run.client.next_task()
    left = machine.left if most is None else min(machine.left, most)
    if first is not None:
        prompts = run.prompts(first)
        one = estimate(run.judge, prompts)
        judging.approve(sum((one for _ in range(left)), Budget()))
        machine = run.client.describe(signature=signature_of(run.judge, prompts))
    with steps_bar("Judging", quiet=quiet) as tell:
        return machine, run.work(most, tell and (lambda done: tell("tasks", done, left)))


def _print(machine: KnownMachine, model: str, ran: Ran, *, as_json: bool) -> None:
    left = machine.left - ran.submitted - len(ran.given_back)
    if as_json:
        report: dict[str, Any] = {
            "machine": machine.name, "model": model, "signature": machine.signature,
            "submitted": ran.submitted, "given_back": list(ran.given_back), "left": left,
            "stopped": ran.stopped or None,
        }  # fmt: skip
        print_json(report)
    else:
        click.echo(f"{machine.name} submitted {_tasks(ran.submitted)}; left: {left}.")
    for reason in dict.fromkeys(ran.given_back):
        count = ran.given_back.count(reason)
        click.echo(f"Returned without an answer: {_tasks(count)}: {reason}.", err=True)
    if ran.stopped:
        raise GistmarkError(
            f"The run stopped early: {ran.stopped}. Run the command again to continue."
        )


def _tasks(count: int) -> str:
    return f"{count} task{'' if count == 1 else 's'}"
