"""`gistmark plan`: how many documents and annotators a study of ratings needs."""

from __future__ import annotations

from dataclasses import asdict

import click

from gistmark.cli.options import json_option
from gistmark.cli.output import Column, print_json, print_table
from gistmark.errors import UsageError

_EPILOG = """\b
Examples:
  gistmark plan my-corpus --difference 0.3 --rate 13
  gistmark plan --difference 0.4 --summary-sd 0.6 --residual-sd 0.8 --systems 4
"""


@click.command(epilog=_EPILOG)
@click.argument("pilot", required=False)
@click.option("--difference", type=float, required=True, metavar="POINTS",
              help="The difference between two systems' means that should be seen.")  # fmt: skip
@click.option("--dimension", help="The dimension of the pilot to plan for; the first unless given.")
@click.option("--power", type=float, default=0.8, show_default=True,
              help="How often such a difference should be found significant.")  # fmt: skip
@click.option("--level", type=float, default=0.05, show_default=True,
              help="The significance level of the two-sided test.")  # fmt: skip
@click.option("--over", type=click.Choice(["documents", "both"]), default="documents",
              show_default=True, help="For what a difference should hold: other documents, or both "
              "other documents and other annotators.")  # fmt: skip
@click.option("--method", type=click.Choice(["satterthwaite", "wald"]), default="satterthwaite",
              show_default=True, help="The test over both: by Satterthwaite's degrees of freedom, "
              "or the usual 1.96 standard errors, which few annotators make too optimistic."
              )  # fmt: skip
@click.option("--summary-sd", type=float, metavar="SD",
              help="Without a pilot: the standard deviation of what is special to one summary."
              )  # fmt: skip
@click.option("--residual-sd", type=float, metavar="SD",
              help="Without a pilot: the standard deviation of the rest of a rating.")  # fmt: skip
@click.option("--annotator-sd", type=float, default=0.0, metavar="SD",
              help="Without a pilot: how far an annotator favours one system.")  # fmt: skip
@click.option("--systems", type=click.IntRange(min=2),
              help="How many systems are rated; the pilot's unless given, else 2.")  # fmt: skip
@click.option("--documents", metavar="N,N,...", help="The numbers of documents to try.")
@click.option("--annotators", metavar="N,N,...", help="The numbers of annotators to try.")
@click.option("--seconds", type=click.FloatRange(min=0),
              help="The time for one summary; the pilot's median unless given.")  # fmt: skip
@click.option("--rate", type=click.FloatRange(min=0), help="What an hour of work costs.")
@json_option("Print all plans as JSON.")
def plan(
    pilot: str | None, difference: float, dimension: str | None, power: float, level: float,
    over: str, method: str, summary_sd: float | None, residual_sd: float | None,
    annotator_sd: float, systems: int | None, documents: str | None, annotators: str | None,
    seconds: float | None, rate: float | None, as_json: bool,
) -> None:  # fmt: skip
    """Plan a study of ratings, from a PILOT (a corpus with ratings) or from standard deviations."""
    from gistmark.analysis.planning import Deviations
    from gistmark.analysis.planning import plan as run
    from gistmark.analysis.planning.plans import ANNOTATORS, DOCUMENTS

    typed = None
    if summary_sd is not None or residual_sd is not None:
        if summary_sd is None or residual_sd is None:
            raise UsageError("Give both --summary-sd and --residual-sd.")
        typed = Deviations(summary_sd, residual_sd, annotator_sd)
    result = run(
        pilot, difference=difference, dimension=dimension, deviations=typed, systems=systems,
        power=power, level=level, over=over, method=method,  # type: ignore[arg-type]
        documents=_numbers("--documents", documents) or DOCUMENTS,
        annotators=_numbers("--annotators", annotators) or ANNOTATORS,
        seconds=seconds, rate=rate,
    )  # fmt: skip
    if as_json:
        print_json({**asdict(result), "sentence": result.sentence})
        return
    click.echo(result.sentence)
    spread = result.deviations
    click.echo(
        f"Standard deviations: single summary {spread.summary:.3g}, rest {spread.residual:.3g}, "
        f"annotators who favour a system {spread.annotator:.3g}."
    )
    for warning in result.warnings:
        click.echo(f"note: {warning}")
    click.echo()
    counts = sorted({each.annotators for each in result.plans})
    cells = {
        (each.documents, each.annotators): f"{100 * each.power:.0f} %" for each in result.plans
    }
    titles = [f"{count} annotator{'s' if count > 1 else ''}" for count in counts]
    click.echo("Power:")
    print_table(
        [Column("documents", right=True), *(Column(title, right=True) for title in titles)],
        [
            [number, *(cells[number, count] for count in counts)]
            for number in sorted({each.documents for each in result.plans})
        ],
    )


def _numbers(option: str, text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise UsageError(f"{option}: write whole numbers with commas, such as 20,40, not {text!r}.")
    return tuple(dict.fromkeys(map(int, parts)))
