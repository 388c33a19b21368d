"""`gistmark plan`: how many documents and annotators a study needs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.terminal.options import json_option
from gistmark.cli.terminal.output import Column, print_json, print_table
from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.analysis.planning import ChoiceSpread, Deviations, Planning
    from gistmark.analysis.planning.power import PlanDesign

_EPILOG = """\b
Examples:
  gistmark plan my-corpus --difference 0.3 --rate 13
  gistmark plan --difference 0.4 --summary-sd 0.6 --residual-sd 0.8 --systems 4
  gistmark plan --share 0.6 --systems 3 --seconds 30 --rate 12 --currency € -o plan.html
"""


@click.command(epilog=_EPILOG)
@click.argument("pilot", required=False)
@click.option("--difference", type=float, metavar="POINTS",
              help="For ratings: the difference between two systems' means that should be found."
              )  # fmt: skip
@click.option("--share", type=float, metavar="SHARE",
              help="For pairwise choices: the share of choices, such as 0.6, that the better of "
              "two systems wins.")  # fmt: skip
@click.option("--dimension", help="The dimension of the pilot to plan for; the first unless given.")
@click.option("--power", type=float, default=0.8, show_default=True,
              help="How often such a difference should be found significant.")  # fmt: skip
@click.option("--level", type=float, default=0.05, show_default=True,
              help="The significance level of the two-sided test.")  # fmt: skip
@click.option("--over", type=click.Choice(["documents", "both"]), default="documents",
              show_default=True, help="What the result should hold for: other documents, or both "
              "other documents and other annotators.")  # fmt: skip
@click.option("--method", type=click.Choice(["flips", "satterthwaite", "wald"]),
              default="satterthwaite", show_default=True, help="The test of --over both: the mixed "
              "model of every study, the sign flips of gistmark study --pairs-over both, or the "
              "published 1.96 standard errors, uncorrected and too optimistic with few annotators."
              )  # fmt: skip
@click.option("--summary-sd", type=float, metavar="SD",
              help="Without a pilot: the standard deviation that is due to single summaries."
              )  # fmt: skip
@click.option("--residual-sd", type=float, metavar="SD",
              help="Without a pilot: the standard deviation of the rest of a rating.")  # fmt: skip
@click.option("--annotator-sd", type=float, default=0.0, metavar="SD",
              help="Without a pilot: how far an annotator favours one system.")  # fmt: skip
@click.option("--severity-sd", type=float, default=0.0, metavar="SD",
              help="Without a pilot: how far annotators differ in strictness; it counts with "
              "any design but crossed.")  # fmt: skip
@click.option("--design", type=click.Choice(["crossed", "crowd", "one-per-document"]),
              default="crossed", show_default=True, help="Who rates what: everybody everything; "
              "each summary by that many people of a crowd, drawn anew for each; or an annotator "
              "one summary of a document, so that it takes that many people for each system."
              )  # fmt: skip
@click.option("--document-correlation", type=float, metavar="SHARE",
              help="For choices without a pilot: the correlation of two annotators' choices about "
              "the same two summaries; 0 unless given.")  # fmt: skip
@click.option("--annotator-correlation", type=float, metavar="SHARE",
              help="For choices without a pilot: the correlation of one annotator's choices "
              "between the same two systems; 0 unless given.")  # fmt: skip
@click.option("--ties", type=float, metavar="SHARE",
              help="For choices without a pilot: the share of ties; 0 unless given.")  # fmt: skip
@click.option("--systems", metavar="N,N,...",
              help="How many systems are judged; the pilot's unless given, else 2.")  # fmt: skip
@click.option("--documents", metavar="N,N,...", help="The numbers of documents to try.")
@click.option("--annotators", metavar="N,N,...", help="The numbers of annotators to try.")
@click.option("--available", type=click.IntRange(min=2), metavar="N",
              help="How many documents there are, at most.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=0),
              help="The seconds for one summary or choice; the pilot's median unless given."
              )  # fmt: skip
@click.option("--rate", type=click.FloatRange(min=0), help="What an hour of work costs.")
@click.option("--currency", default="", metavar="NAME", help="The currency of the rate, such as €.")
@click.option("--scale", type=float, metavar="POINTS",
              help="The highest rating of the scale, for the wording only.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write the plans with a chart of power against cost: .html, or the chart alone "
              "as .svg or .pdf.")  # fmt: skip
@json_option("Print all plans as JSON.")
def plan(
    pilot: str | None, difference: float | None, share: float | None, dimension: str | None,
    power: float, level: float, over: str, method: str, summary_sd: float | None,
    residual_sd: float | None, annotator_sd: float, severity_sd: float, design: PlanDesign,
    document_correlation: float | None,
    annotator_correlation: float | None, ties: float | None, systems: str | None,
    documents: str | None, annotators: str | None, available: int | None, seconds: float | None,
    rate: float | None, currency: str, scale: float | None, output: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Plan a study of ratings or of pairwise choices.

    How much judgements vary is estimated from a PILOT (a corpus with ratings or comparisons), or
    given by options.
    """
    from gistmark.analysis.planning import plan as run
    from gistmark.analysis.planning.plans import DOCUMENTS

    if output is not None:
        from gistmark.report.pages.planning import check_plan_file

        check_plan_file(output)
    result = run(
        pilot, difference=difference, share=share, dimension=dimension,
        deviations=_deviations(summary_sd, residual_sd, annotator_sd, severity_sd),
        spread=_spread(document_correlation, annotator_correlation, ties),
        systems=_numbers("--systems", systems) or None,
        power=power, level=level, over=over, method=method,  # type: ignore[arg-type]
        documents=_numbers("--documents", documents) or DOCUMENTS,
        annotators=_numbers("--annotators", annotators) or None, design=design,
        available=available, seconds=seconds, rate=rate, currency=currency, scale=scale,
    )  # fmt: skip
    if output is not None:
        from gistmark.report.pages.planning import write_plan

        write_plan(result, output)
        click.echo(f"Plan: {output}", err=as_json)
    if as_json:
        print_json({**asdict(result), "sentence": result.sentence, "meaning": result.meaning})
        return
    _print(result)


def _deviations(
    summary: float | None, residual: float | None, annotator: float, severity: float
) -> Deviations | None:
    from gistmark.analysis.planning import Deviations

    if summary is None and residual is None:
        return None
    if summary is None or residual is None:
        raise UsageError("Give both --summary-sd and --residual-sd.")
    return Deviations(summary, residual, annotator, severity)


def _spread(*shares: float | None) -> ChoiceSpread | None:
    from gistmark.analysis.planning import ChoiceSpread

    if all(share is None for share in shares):
        return None
    return ChoiceSpread(*(share or 0.0 for share in shares))


def _print(result: Planning) -> None:
    """The sentence, what it means and rests on, warnings, and powers by numbers of systems."""
    from gistmark.analysis.planning.words import percent, rests_on

    for sentence in (result.sentence, result.meaning, rests_on(result.spread)):
        click.echo(sentence)
    for warning in result.warnings:
        click.echo(f"note: {warning}")
    for systems in dict.fromkeys(tried.systems for tried in result.plans):
        plans = [tried for tried in result.plans if tried.systems == systems]
        counts = sorted({tried.annotators for tried in plans})
        cells = {(tried.documents, tried.annotators): percent(tried.power) for tried in plans}
        click.echo()
        click.echo(f"Power with {systems} systems:")
        titles = [f"{count} annotator{'s' if count > 1 else ''}" for count in counts]
        print_table(
            [Column("documents", right=True), *(Column(title, right=True) for title in titles)],
            [
                [number, *(cells[number, count] for count in counts)]
                for number in sorted({tried.documents for tried in plans})
            ],
        )


def _numbers(option: str, text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise UsageError(f"{option}: write whole numbers with commas, such as 20,40, not {text!r}.")
    return tuple(dict.fromkeys(map(int, parts)))
