"""`gistmark demo`: the whole way on the bundled sample."""

from __future__ import annotations

from pathlib import Path

import click

from gistmark.cli.output import print_leaderboard, progress_bar


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
    """Score the bundled sample with every metric of Gistmark and write scores and a leaderboard."""
    from gistmark.corpus import load, sample_folder
    from gistmark.metrics.catalogue import METRICS
    from gistmark.scoring import score

    corpus = load(sample_folder())
    click.echo(f"The sample: {corpus!r}\n")
    own = [name for name in METRICS if METRICS.source(name) == "gistmark"]
    with progress_bar("Scoring") as progress:
        scores = score(corpus, own, progress=progress)
    output.mkdir(parents=True, exist_ok=True)
    board = scores.leaderboard()
    scores.write(output / "scores.csv")
    text = (
        f"# Leaderboard of the sample\n\n{board.to_markdown()}\n\n{_signatures(scores.signatures)}"
    )
    (output / "leaderboard.md").write_text(text, encoding="utf-8")
    print_leaderboard(board)
    click.echo(f"Scores:      {output / 'scores.csv'}")
    click.echo(f"Leaderboard: {output / 'leaderboard.md'}")


def _signatures(signatures: dict[str, str]) -> str:
    lines = [f"- {name}: `{signature}`" for name, signature in signatures.items()]
    return "\n".join(["## Signatures", "", *lines, ""])
