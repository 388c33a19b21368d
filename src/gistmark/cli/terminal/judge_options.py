"""The options of commands that may ask a judge: which, within which limits, at what price."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.judges.budget import Budget
    from gistmark.judges.limits import Limits, Meter
    from gistmark.metrics import Batch
    from gistmark.scoring.sources import Source

Result = TypeVar("Result")

_COUNT = click.IntRange(min=1)
_AMOUNT = click.FloatRange(min=0)
_OPTIONS = (
    click.option(
        "--judge-url",
        metavar="URL",
        help="The judge's server, such as http://localhost:8000/v1; any that speaks OpenAI's chat "
        "completions protocol. By default GISTMARK_JUDGE_URL; without either, a judge runs on this "
        "machine. Set GISTMARK_JUDGE_KEY to the server's key, if it needs one.",
    ),
    click.option(
        "--judge-model",
        metavar="NAME",
        help="The judge's model, by the server's name for it, or on this machine; by default "
        "GISTMARK_JUDGE_MODEL, or the embedded model.",
    ),
    click.option(
        "--judge-per-minute", type=_COUNT, metavar="N", help="At most this many requests a minute."
    ),
    click.option(
        "--judge-requests", type=_COUNT, metavar="N", help="At most this many requests in all."
    ),
    click.option(
        "--judge-cost",
        type=_AMOUNT,
        metavar="AMOUNT",
        help="The highest total cost; needs both prices.",
    ),
    click.option(
        "--judge-price-in",
        type=_AMOUNT,
        metavar="AMOUNT",
        help="The price of a million input tokens.",
    ),
    click.option(
        "--judge-price-out",
        type=_AMOUNT,
        metavar="AMOUNT",
        help="The price of a million output tokens.",
    ),
    click.option(
        "--yes", is_flag=True, help="Ask the judge's server without asking for confirmation."
    ),
)  # fmt: skip


_LIMITS = ("per_minute", "requests", "cost", "price_in", "price_out")


@dataclass(frozen=True)
class JudgeSettings:
    """Which judge is meant, its limits, and whether a run may start without confirmation."""

    url: str | None
    model: str | None
    limits: Limits
    yes: bool

    @contextmanager
    def session(self) -> Iterator[Meter]:
        """A context in which judges have these settings and share the limits."""
        from gistmark.judges.limits import limited
        from gistmark.judges.opening import MODEL, URL

        given = {name: value for name, value in ((URL, self.url), (MODEL, self.model)) if value}
        before = {name: os.environ.get(name) for name in given}
        os.environ.update(given)
        try:
            with limited(self.limits) as meter:
                yield meter
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value

    def approve(self, budget: Budget) -> None:
        """Show what a run will ask of a server, and stop unless the user confirms."""
        if not budget.requests:
            return
        click.echo(budget.in_words(self.limits), err=True)
        most = self.limits.requests
        if most is not None and budget.requests > most:
            click.echo(f"The limit of {most:,} requests will stop it before the end.", err=True)
        if self.yes:
            return
        if not sys.stdin.isatty():
            raise UsageError(
                "A run that asks a judge's server needs confirmation; start it with --yes."
            )
        click.confirm("Go on?", abort=True, err=True)


def judge_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Add the options to a command, which gets them as one, `judging`."""

    @wraps(command)
    def with_judging(
        *args: object, judge_url: str | None, judge_model: str | None, yes: bool, **others: Any
    ) -> Result:
        from gistmark.judges.limits import Limits

        limits = Limits(**{name: others.pop(f"judge_{name}") for name in _LIMITS})
        settings = JudgeSettings(judge_url, judge_model, limits, yes)
        return command(*args, judging=settings, **others)

    decorated: Callable[..., Result] = with_judging
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def approve_judges(
    judging: JudgeSettings,
    source: Source,
    metrics: Sequence[str] | None,
    *,
    engine: str,
    cached: bool,
) -> None:
    """Show what the judges among the metrics will ask of a server, and stop unless confirmed."""
    from gistmark.scoring.run import plan

    if metrics is None or not any(each.partition(":")[0] == "judge" for each in metrics):
        return
    from gistmark.judges.budget import Budget, metric_budget
    from gistmark.models.store import cache_folder

    folder = cache_folder() if cached else None
    budget = Budget()
    for lang in source.languages:
        chosen = plan(source, metrics, lang)

        def batches(lang: str = lang) -> Iterator[Batch]:
            return (block.batch() for block in source.blocks() if block.lang == lang)

        budget += metric_budget(chosen, batches, folder)
    if budget.requests and engine != "local":
        raise UsageError("A judge behind a server runs on the local engine; leave out --engine.")
    judging.approve(budget)


def refuse_remote_judges(metrics: Sequence[str]) -> None:
    """An error where a command that shows no budget would ask a judge's server."""
    if not any(metric.partition(":")[0] == "judge" for metric in metrics):
        return
    from gistmark.judges.metric import JudgeMetric
    from gistmark.metrics import metrics_from

    every = metrics_from(tuple(metrics)).values()
    if any(isinstance(metric, JudgeMetric) and metric.is_remote for metric in every):
        raise UsageError(
            "Only gistmark score asks a judge behind a server, as it shows the cost first; give "
            "its file with --scores."
        )


def tell_usage(meter: Meter) -> None:
    """Say what a server was asked, if it was."""
    if not meter.requests:
        return
    cost = "" if meter.cost is None else f", which cost about {meter.cost:,.2f}"
    noun = "request" if meter.requests == 1 else "requests"
    click.echo(
        f"The judge's server got {meter.requests:,} {noun}: {meter.tokens_in:,} tokens read, "
        f"{meter.tokens_out:,} written{cost}.",
        err=True,
    )
