"""`gistmark demo`: scores, a study and a report of the bundled sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.terminal.output import print_leaderboard, with_values, without_values
from gistmark.cli.terminal.progress import progress_bar

if TYPE_CHECKING:
    from gistmark.corpus import Corpus
    from gistmark.scoring import Scores

SHOWN = (
    "rouge1", "rouge2", "rougeL", "hrouge1", "js", "words",
    "wmd", "sentence-cosine", "bertscore", "mover-score", "blanc-help", "shannon",
)  # fmt: skip
"""The metrics on the leaderboard that the demo prints; the report and the scores file have all."""

HEADLINES = 3
"""How many of the study's findings the demo prints."""

DEMO_SPECS = {"blanc-tune": "blanc-tune:layers=1,epochs=1"}
"""The metrics of which the demo takes a quicker variant."""

NOT_IN_DEMO = ("learnt",)
"""Metrics that need a file of the user's: without one, `learnt` is the same as `gistmark-1`."""

SLOW_DOCUMENTS = 1
"""How many documents the metrics on a language model score without --full."""

LEFT_OUT = "the demo scores only some documents with metrics on a language model"


@click.command(epilog="Example: gistmark demo -o my-demo")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("gistmark-demo"),
    show_default=True,
    help="The folder to write to.",
)
@click.option(
    "--full", is_flag=True, help="Score all documents with every metric, which takes minutes."
)
def demo(output: Path, full: bool) -> None:
    """Score the bundled sample with every metric of Gistmark, study it, and write the report.

    Metrics on a language model, which are slow without a GPU, score only the first document
    unless --full is given. Metrics whose model or library is not installed are left out and named.
    """
    from gistmark.analysis import study
    from gistmark.corpus import load, sample_folder
    from gistmark.report import write_report

    corpus = load(sample_folder())
    click.echo(f"The sample: {corpus!r}\n")
    everything = _scored(corpus, len(corpus.documents) if full else SLOW_DOCUMENTS)
    scores = with_values(everything)
    output.mkdir(parents=True, exist_ok=True)
    scores.write(output / "scores.csv")
    click.echo("Studying the scores beside the sample's (invented) judgements ...\n")
    studied = study(corpus, scores)
    page = write_report(studied, corpus, scores, output, title="The sample corpus of Gistmark")
    for metric, reason in without_values(everything).items():
        click.echo(f"{metric} is left out: {reason}", err=True)
    _print_shown(scores)
    for finding in studied.findings[:HEADLINES]:
        click.echo(f"* {finding.text}")
    click.echo(f"\nAll scores:        {output / 'scores.csv'}\nThe whole report:  {page}")


def _print_shown(scores: Scores) -> None:
    """The leaderboard of the metrics that matter most, and what it does not show."""
    shown = {name: column for name, column in scores.columns.items() if name in SHOWN}
    others = len(scores.columns) - len(shown)
    rest = f"; the report has {others} more" if others else ""
    click.echo(f"Means of {len(shown)} metrics, the arrow pointing to what is better{rest}:\n")
    print_leaderboard(replace(scores, columns=shown).leaderboard())
    partial = [name for name, column in shown.items() if LEFT_OUT in column.reasons.values()]
    if partial:
        documents = f"{SLOW_DOCUMENTS} document{'s' if SLOW_DOCUMENTS > 1 else ''}"
        click.echo(
            f"{' and '.join(partial)} read only {documents}, because a language model is slow "
            "without a GPU; gistmark demo --full scores all.\n"
        )


def _scored(corpus: Corpus, slow_documents: int) -> Scores:
    """Every metric on the sample, the slow ones on its first documents."""
    from gistmark.metrics.catalogue import METRICS, metric_from
    from gistmark.metrics.metric import OnModel
    from gistmark.metrics.options import LANGUAGE_MODEL
    from gistmark.scoring import score

    names = [name for name in METRICS.builtin if name not in NOT_IN_DEMO]
    metrics = {spec: metric_from(spec) for spec in (DEMO_SPECS.get(n, n) for n in names)}
    slow = [
        spec
        for spec, metric in metrics.items()
        if isinstance(metric, OnModel) and metric.options.model == LANGUAGE_MODEL
    ]
    part = corpus.only(corpus.document_ids[:slow_documents])
    documents = f"{len(part.documents)} document{'s' if len(part.documents) > 1 else ''}"
    click.echo(
        f"Scoring with {len(metrics)} metrics; {len(slow)} of them use a language model, which "
        f"reads {documents} ..."
    )
    with progress_bar("Scoring") as progress:
        whole = score(corpus, [spec for spec in metrics if spec not in slow], progress=progress)
    with progress_bar("Scoring") as progress:
        few = score(part, slow, progress=progress)
    columns = {**whole.columns, **_spread(few, whole).columns}
    return replace(whole, columns={spec: columns[spec] for spec in metrics})


def _spread(few: Scores, whole: Scores) -> Scores:
    """The scores of a few summaries among all; those of the others are missing with the reason."""
    import numpy as np

    row_of = {key: i for i, key in enumerate(zip(few.documents, few.systems, strict=True))}
    rows = [row_of.get(key, -1) for key in zip(whole.documents, whole.systems, strict=True)]
    columns = {}
    for spec, column in few.columns.items():
        scored = len(column.reasons) < few.summary_count
        why = LEFT_OUT if scored else column.reasons[0]
        reasons = {
            index: column.reasons.get(row, why)
            for index, row in enumerate(rows)
            if row == -1 or row in column.reasons
        }
        absent = np.full((1, len(column.parts)), np.nan)
        values = np.concatenate([column.values, absent])[rows]
        columns[spec] = replace(column, values=values, reasons=reasons)
    return replace(whole, columns=columns)
