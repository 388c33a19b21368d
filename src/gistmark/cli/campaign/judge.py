"""`gistmark campaign judge`: a model does tasks of a campaign, beside its annotators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.platform.server import on_platform
from gistmark.cli.terminal.judge_options import JudgeSettings, judge_options, tell_usage
from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import print_json
from gistmark.cli.terminal.progress import steps_bar
from gistmark.errors import GistmarkError

if TYPE_CHECKING:
    from gistmark.judges import Judge
    from gistmark.judges.budget import Budget
    from gistmark.judges.judge import Prompt
    from gistmark.web.annotate.programs.run import Ran
    from gistmark.web.campaigns.models import Campaign, Machine

_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command(
    epilog="Example: gistmark campaign judge News --judge-url http://localhost:8000/v1 "
    "--judge-model qwen"
)
@click.argument("campaign")
@click.option("--name", default="", help="The machine's name; without it, that of the model.")
@click.option("--tasks", "most", type=click.IntRange(min=1), help="Do at most so many tasks.")
@click.option("--rubric", type=_FILE, help="A text file: what each point of the scale means.")
@click.option("--steps", type=_FILE, help="A text file with the steps of the evaluation.")
@click.option("--examples", type=_FILE, help="A text file with examples.")
@click.option("--url", help="Use the platform at this address, which runs on the same data.")
@judge_options
@json_option("Print what was done as JSON.")
@on_platform
def judge(
    campaign: str, name: str, most: int | None, rubric: Path | None, steps: Path | None,
    examples: Path | None, url: str | None, judging: JudgeSettings, as_json: bool,
) -> None:  # fmt: skip
    """Let a model do tasks of CAMPAIGN as a machine, through the API, blind and checked as people.

    It takes nobody's task and counts in no number about people. The command can be stopped and run
    again: it goes on with the tasks that are left. What it will ask of a server is estimated from
    the first task, and shown before.
    """
    from gistmark.judges import Guide
    from gistmark.web.annotate.programs.client import own_server, server_at
    from gistmark.web.annotate.programs.run import Run, note_signature, tasks_left, token_for
    from gistmark.web.campaigns.services import find_campaign

    instance = find_campaign(campaign)
    files = {"rubric": rubric, "steps": steps, "examples": examples}
    guide = Guide.read(**{name: str(path) for name, path in files.items() if path is not None})
    with judging.session() as meter:
        machine, model = _opened(instance, name, judging)
        server = own_server() if url is None else server_at(url)
        with server as api, token_for(machine) as token:
            run = Run(api, token, instance.key, model, guide)
            first, left = run.next(), tasks_left(machine, most)
            if first is not None:
                prompts = run.prompts(first)
                judging.approve(_budget(model, prompts, left))
                note_signature(machine, model, prompts)
            with steps_bar("Judging", quiet=as_json) as tell:
                ran = run.work(most, tell and (lambda done: tell("tasks", done, left)))
        tell_usage(meter)
    _print(machine, ran, tasks_left(machine), as_json=as_json)


def _opened(campaign: Campaign, name: str, judging: JudgeSettings) -> tuple[Machine, Judge]:
    """The machine and its model: as it was set up, unless the command says otherwise."""
    from gistmark.judges import open_judge
    from gistmark.web.annotate.programs.run import demand_ready, prepare_machine
    from gistmark.web.campaigns.services.members import machines_of

    demand_ready(campaign)
    known = machines_of(campaign).filter(membership__user__username=name).first()
    url = judging.url or (known.url if known else None) or None
    model = open_judge(server=url, model=judging.model or (known.model if known else None))
    return prepare_machine(campaign, model=model.label, url=url or "", name=name), model


def _budget(judge: Judge, prompts: list[Prompt], tasks: int) -> Budget:
    """What all tasks will take, if they are like the first."""
    from gistmark.judges.budget import Budget, estimate

    one = estimate(judge, prompts)
    return sum((one for _ in range(tasks)), Budget())


def _print(machine: Machine, ran: Ran, left: int, *, as_json: bool) -> None:
    name = machine.membership.user.username
    if as_json:
        report: dict[str, Any] = {
            "machine": name, "model": machine.model, "signature": machine.signature,
            "submitted": ran.submitted, "given_back": list(ran.given_back), "left": left,
            "stopped": ran.stopped or None,
        }  # fmt: skip
        print_json(report)
    else:
        click.echo(f"{name} submitted {_tasks(ran.submitted)}; left: {left}.")
    for reason in dict.fromkeys(ran.given_back):
        count = ran.given_back.count(reason)
        click.echo(f"Given back without an answer: {_tasks(count)}: {reason}.", err=True)
    if ran.stopped:
        raise GistmarkError(
            f"The run stopped before its end: {ran.stopped}. Run the command again to go on."
        )


def _tasks(count: int) -> str:
    return f"{count} task{'' if count == 1 else 's'}"
