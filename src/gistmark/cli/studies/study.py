"""`gistmark study`: agreement, correlation, ranking, and a report to send to a colleague."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.analysis.correlation import COEFFICIENTS, DEFAULT_COEFFICIENT
from gistmark.cli.terminal.judge_options import refuse_remote_judges
from gistmark.cli.terminal.options import PATH, corpus_options, json_option, language_option
from gistmark.cli.terminal.output import announce_notes, print_findings, print_signatures
from gistmark.cli.terminal.progress import progress_bar, steps_bar
from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.analysis import Study
    from gistmark.analysis.prediction_powered import Population
    from gistmark.analysis.resampling.bootstrap import Over
    from gistmark.analysis.resampling.significance import Test
    from gistmark.analysis.studies.options import By, HeadlineLevel, PairsOver
    from gistmark.corpus import Corpus
    from gistmark.corpus.formats import ReadOptions
    from gistmark.scoring import Scores

_EPILOG = """
\b
Examples:
  gistmark study my-corpus -o my-study
  gistmark study my-corpus --scores scores.csv --subset "chars < 350" -o my-study
  gistmark study my-corpus -m rouge1 -m js --leaderboard metrics.json
"""


@click.command(epilog=_EPILOG)
@click.argument("corpus", metavar="CORPUS")
@click.option(
    "--scores",
    "scores_file",
    type=PATH,
    metavar="FILE",
    help="Scores from `gistmark score`; without them, the metrics are computed now.",
)
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="A metric to compute where no scores are given; may be repeated.",
)
@language_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the report goes: HTML, Markdown, LaTeX, CSV, JSON and figures.",
)
@click.option("--title", default="Study", show_default=True, help="The title of the report.")
@click.option("--overall", metavar="DIMENSION", help="The dimension that is the overall one.")
@click.option(
    "--scale",
    "scales",
    multiple=True,
    metavar="[DIMENSION=]LOW-HIGH",
    help="The scale of a dimension, or of all; ratings outside are left out, with a note.",
)
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    metavar="EXPRESSION",
    help='Also correlate over some summaries, such as "200 <= chars <= 350".',
)
@click.option(
    "--combine",
    "combinations",
    multiple=True,
    metavar="METRIC+METRIC",
    help="Also correlate a combination of metrics, by their sum and by their mean rank, with "
    'weights, as in "3*blanc-help + rougeLsum"; or a quotient, as in blanc-help/compression.',
)
@click.option(
    "--baseline",
    default="rouge1",
    show_default=True,
    metavar="METRIC",
    help="The metric that the others are compared with.",
)
@click.option(
    "--over",
    type=click.Choice(["documents", "systems", "both"]),
    help="What the bootstrap resamples; by default documents, and systems where there are six.",
)
@click.option(
    "--level",
    type=click.Choice(["system", "summary", "global"]),
    help="The level of correlation that comes first: over the means of systems (system), over the "
    "summaries of each document (summary) or over all summaries at once (global); by default "
    "system and summary, where they are defined.",
)
@click.option(
    "--coefficient",
    type=click.Choice(COEFFICIENTS.names()),
    default=DEFAULT_COEFFICIENT,
    show_default=True,
    help="The correlation coefficient that comes first, and by which metrics are compared.",
)
@click.option(
    "--test",
    type=click.Choice(["bootstrap", "permutation", "williams"]),
    default="bootstrap",
    show_default=True,
    help="How to test whether one metric follows people better than another.",
)
@click.option(
    "--pairs-over",
    type=click.Choice(["documents", "both"]),
    default="documents",
    show_default=True,
    help="What differences between the mean ratings of systems should hold for: other documents, "
    "or both other documents and other annotators.",
)
@click.option(
    "--by",
    type=click.Choice(["campaign"]),
    help="Study a dimension that several campaigns judged for each campaign by itself, and say "
    "where campaigns differ; without it they are pooled, with a note.",
)
@click.option(
    "--severity",
    "severities",
    multiple=True,
    metavar="NAME=WEIGHT",
    help="What an error of this severity costs a summary; minor 1, major 5 and critical 10 unless "
    "given.",
)
@click.option(
    "--grade-weight",
    "grade_weights",
    multiple=True,
    metavar="GRADE=WEIGHT",
    help="Also have a human score in which ratings weigh as much as their grade; give the weight "
    "of each grade, such as 2=1.",
)
@click.option(
    "--helper",
    metavar="METRIC[+METRIC...]",
    help="A metric that helps to estimate the systems' means, such as bertscore.f, where people "
    "judged only a random sample of the documents that have scores; several joined by +, or `all`, "
    "whose weights are learnt on the judged documents.",
)
@click.option(
    "--population",
    type=click.Choice(["beyond", "corpus"]),
    default="beyond",
    show_default=True,
    help="What the means with --helper should hold for: documents beyond the corpus, or those of "
    "the corpus alone.",
)
@click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="ANNOTATOR",
    help="An annotator of ratings who is not a person, such as a language model: tested as an "
    "alternative annotator, and left out of everything else; may be given several times.",
)
@click.option(
    "--with-machines",
    is_flag=True,
    help="Let the annotators that the corpus calls machines (machines.csv) count as people; "
    "otherwise they are reported apart, and left out of everything else.",
)
@click.option(
    "--epsilon",
    type=click.FloatRange(0, 1),
    help="What a person costs, for --judge: 0.2 for experts (the default), 0.15 for skilled "
    "people, 0.1 for a crowd.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="How many bootstrap samples and permutations; fewer than 40 have no interval.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The seed of all random sampling.",
)
@click.option(
    "--leaderboard",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Add this run's metrics to a leaderboard of metrics and render it beside the file.",
)
@click.option("--dataset", metavar="NAME", help="The name of the data in that leaderboard.")
@corpus_options
@click.option(
    "--signatures",
    is_flag=True,
    help="Also print the metrics' signatures: all that their values depend on.",
)
@json_option("Print what study.json holds.")
def study(
    corpus: str, scores_file: Path | None, metrics: tuple[str, ...], output: Path | None,
    title: str, overall: str | None, scales: tuple[str, ...], subsets: tuple[str, ...],
    combinations: tuple[str, ...], baseline: str,
    over: Over | None,
    level: HeadlineLevel | None, coefficient: str, test: Test, pairs_over: PairsOver,
    by: By | None,
    severities: tuple[str, ...], grade_weights: tuple[str, ...], helper: str | None,
    population: Population, judges: tuple[str, ...], with_machines: bool, epsilon: float | None,
    resamples: int, seed: int, leaderboard: Path | None,
    dataset: str | None, lang: str | None, signatures: bool, as_json: bool, reading: ReadOptions,
) -> None:  # fmt: skip
    """Study CORPUS: do annotators agree, which metric follows people, which system is best."""
    from gistmark.analysis import StudyOptions
    from gistmark.analysis import study as run
    from gistmark.corpus import load

    if scores_file is not None and metrics:
        raise UsageError("Give either --scores or -m, not both.")
    if scores_file is not None and lang is not None:
        raise UsageError("Give either --scores or --lang, not both.")
    loaded = load(corpus, **reading)
    announce_notes(loaded.notes)
    options = StudyOptions(
        overall=overall, scales=_scales(scales, loaded), subsets=subsets,
        combinations=combinations, baseline=baseline, over=over, resamples=resamples, seed=seed,
        level=level, coefficient=coefficient, test=test, pairs_over=pairs_over,
        severities=_weights("--severity", severities, "minor=1"), helper=helper,
        population=population, judges=judges, with_machines=with_machines,
        grade_weights=_grade_weights(grade_weights), by=by,
    )  # fmt: skip
    if epsilon is not None:
        options = replace(options, epsilon=epsilon)
    scores = _scores(loaded, scores_file, metrics, lang, quiet=as_json)
    with steps_bar("Study", quiet=as_json) as steps:
        result = run(loaded, scores, options, progress=steps)
    if as_json:
        click.echo(result.to_json(), nl=False)
    else:
        print_findings(result, written=output is not None)
        if signatures and scores is not None:
            print_signatures(scores.signatures)
    if output is not None:
        from gistmark.analysis.data.campaigns import by_campaign
        from gistmark.report import write_report

        studied = by_campaign(loaded) if by else loaded
        page = write_report(result, studied, scores, output, title=title, baseline=baseline)
        click.echo(f"Report: {page}", err=as_json)
    if leaderboard is not None:
        _update(leaderboard, result, dataset or Path(corpus).stem, quiet=as_json)


def _scores(
    corpus: Corpus, file: Path | None, metrics: tuple[str, ...], lang: str | None, *, quiet: bool
) -> Scores | None:
    from gistmark.scoring import score
    from gistmark.scoring.files import read_scores

    if file is not None:
        return read_scores(file)
    if not corpus.systems:
        return None
    refuse_remote_judges(metrics)
    with progress_bar("Scoring", quiet=quiet) as progress:
        return score(corpus, list(metrics) or None, lang=lang, progress=progress)


def _scales(texts: tuple[str, ...], corpus: Corpus) -> dict[str, tuple[float, float]]:
    """`1-5` for every dimension, or `Overall=1-5` for one."""
    dimensions = dict.fromkeys(rating.dimension for rating in corpus.ratings)
    result: dict[str, tuple[float, float]] = {}
    for text in texts:
        name, equals, bounds = text.rpartition("=")
        low, dash, high = bounds.partition("-")
        try:
            scale = (float(low), float(high))
        except ValueError:
            dash, scale = "", (0.0, 0.0)
        if not dash or scale[0] >= scale[1]:
            raise UsageError(f"--scale: write LOW-HIGH or DIMENSION=LOW-HIGH, not {text!r}.")
        if equals and name not in dimensions:
            known = ", ".join(dimensions) or "none"
            raise UsageError(f"--scale: nobody rated a dimension {name!r}. Rated: {known}.")
        result |= {name: scale} if equals else dict.fromkeys(dimensions, scale)
    return result


def _grade_weights(texts: tuple[str, ...]) -> dict[float, float]:
    """`2=1` as a grade and a weight above 0."""
    weights = _weights("--grade-weight", texts, "2=1")
    try:
        result = {float(grade): weight for grade, weight in weights.items() if weight > 0}
    except ValueError:
        result = {}
    if len(result) < len(weights):
        raise UsageError("--grade-weight: a grade is a number, and its weight is above 0.")
    return result


def _weights(option: str, texts: tuple[str, ...], example: str) -> dict[str, float]:
    """`serious=8` as a name and a weight."""
    result: dict[str, float] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            equals, weight = "", 0.0
        if not equals or not name.strip() or not 0 <= weight < float("inf"):
            raise UsageError(f"{option}: write NAME=WEIGHT, such as {example}, not {text!r}.")
        result[name] = weight
    return result


def _update(file: Path, result: Study, dataset: str, *, quiet: bool) -> None:
    from gistmark.report import render_leaderboard, update_leaderboard

    today = datetime.now(UTC).date()
    judged = len({(score.document, score.system) for score in result.human_scores})
    new = update_leaderboard(file, result, dataset=dataset, n=judged, today=today)
    markdown, page = render_leaderboard(file)
    file.with_suffix(".md").write_text(markdown, encoding="utf-8")
    file.with_suffix(".html").write_text(page, encoding="utf-8")
    entries = "entry" if len(new) == 1 else "entries"
    text = f"Leaderboard of metrics: {len(new)} new {entries} in {file}, rendered beside it"
    click.echo(text, err=quiet)
