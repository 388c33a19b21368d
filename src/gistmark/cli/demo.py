"""`gistmark demo`: the whole way on the bundled sample."""

from __future__ import annotations

from pathlib import Path

import click

from gistmark.cli.output import print_leaderboard, progress_bar
from gistmark.cli.study import print_findings


@click.command(epilog="Example: gistmark demo -o my-demo")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("gistmark-demo"),
    show_default=True,
    help="Where to write.",
)
def demo(output: Path) -> None:
    """Score the bundled sample with every metric of Gistmark, study it, and write the report."""
    from gistmark.corpus import load, sample_folder
    from gistmark.metrics.catalogue import METRICS
    from gistmark.report import write_report
    from gistmark.scoring import score
    from gistmark.study import study

    corpus = load(sample_folder())
    click.echo(f"The sample: {corpus!r}\n")
    with progress_bar("Scoring") as progress:
        scores = score(corpus, list(METRICS.builtin), progress=progress)
    print_leaderboard(scores.leaderboard())
    output.mkdir(parents=True, exist_ok=True)
    scores.write(output / "scores.csv")
    click.echo("Studying the scores beside the sample's (invented) judgements ...\n")
    found = study(corpus, scores)
    print_findings(found)
    page = write_report(found, corpus, scores, output, title="The sample corpus of Gistmark")
    click.echo(f"\nScores: {output / 'scores.csv'}\nReport: {page}")
