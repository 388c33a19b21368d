"""`gistmark metric train`: a metric of one's own from people's scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.terminal.options import (
    PATH,
    corpus_options,
    force_option,
    json_option,
    refuse_existing,
)
from gistmark.cli.terminal.output import announce_notes, print_json, print_table

if TYPE_CHECKING:
    from gistmark.analysis.learning.training import HeldOut, Trained
    from gistmark.corpus.formats import ReadOptions
    from gistmark.metrics.options import Against

_EPILOG = """\b
Examples:
  gistmark metric train news-2024 news-2025 -o ours.json
  gistmark score news-2026 -m "learnt:weights=ours.json"
"""


@click.group(epilog="Example: gistmark metric train news-2024 news-2025 -o ours.json")
def metric() -> None:
    """Train a metric on people's scores."""


@metric.command(epilog=_EPILOG)
@click.argument("corpora", type=PATH, nargs=-1, required=True, metavar="CORPUS...")
@click.option("--human", metavar="NAME",
              help="The human score to learn; by default the one that a study puts first: "
              "the overall dimension, or the first there is.")  # fmt: skip
@click.option(
    "--references",
    is_flag=True,
    help="Learn to compare with references; by default with the document.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--no-cache", is_flag=True, help="Neither read nor write cached features.")
@click.option("-o", "--output", "target", type=PATH, required=True, metavar="FILE",
              help="The JSON file of weights.")  # fmt: skip
@corpus_options
@force_option("Write over FILE if it is there.")
@json_option("Print the results on held-out corpora as JSON.")
def train(
    corpora: tuple[Path, ...], human: str | None, references: bool, seed: int, no_cache: bool,
    target: Path, reading: ReadOptions, force: bool, as_json: bool,
) -> None:  # fmt: skip
    """Fit a metric to people's scores of the summaries of each CORPUS.

    For each corpus it prints how well a metric trained on the other corpora does; with a single
    corpus, fifths of its documents are held out. Score with it by -m "learnt:weights=FILE".
    """
    from dataclasses import asdict

    from gistmark.analysis.learning.training import train_on
    from gistmark.corpus import load

    refuse_existing(target, force=force)
    loaded = {}
    for path in corpora:
        corpus = load(path, **reading)
        announce_notes(corpus.notes)
        loaded[str(path)] = corpus
    against: Against = "references" if references else "document"
    trained = train_on(loaded, against=against, human=human, seed=seed, cache=not no_cache)
    trained.model.write(target)
    if as_json:
        print_json([asdict(result) for result in trained.held_out])
        return
    _print(trained, target)


def _print(trained: Trained, target: Path) -> None:
    click.echo("Held out, that is, scored by a metric that was not trained on it:")
    print_table(
        ("corpus", "human score", "summaries", "Pearson", "Spearman", "given length",
         "within 1 sd"),
        [_row(result) for result in trained.held_out],
    )  # fmt: skip
    kinds = dict.fromkeys(kind for result in trained.held_out for kind in result.lowered)
    if kinds:
        click.echo("\nOf summaries spoiled on purpose, the share that scores lower:")
        print_table(
            ("corpus", *kinds),
            [
                (result.name, *(_share(result.lowered.get(kind)) for kind in kinds))
                for result in trained.held_out
            ],
        )
    click.echo("\nWeights, per standard deviation of each feature:")
    model = trained.model
    print_table(
        ("feature", "part", "weight"),
        [
            (feature.name, feature.group, f"{weight:.3f}")
            for feature, weight in zip(model.features, model.fit.weights, strict=True)
        ],
    )
    click.echo(f'\nThe weights are in {target}; use them with -m "learnt:weights={target}".')


def _row(each: HeldOut) -> tuple[str, ...]:
    numbers = (each.pearson, each.spearman, each.given_length)
    shown = (f"{number:.3f}" for number in numbers)
    return (each.name, each.human, str(each.n), *shown, _share(each.covered))


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"
