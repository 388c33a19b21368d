"""`gistmark sample`: which documents people should judge, where they cannot judge all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.analysis.sampling import BY, PURPOSES, STRATA, By, Purpose, Strata
from gistmark.cli.terminal.options import (
    PATH,
    corpus_options,
    force_option,
    json_option,
    refuse_existing,
)
from gistmark.cli.terminal.output import announce_notes, print_json

if TYPE_CHECKING:
    from gistmark.corpus.formats import ReadOptions

_EPILOG = """\b
Examples:
  gistmark sample my-corpus -n 40 -o to-judge
  gistmark sample my-corpus --min-words 200 --max-words 500 -o to-summarize
  gistmark sample my-corpus -n 40 --by metric-variance --scores s.csv --for ranking -o chosen
"""


@click.command(epilog=_EPILOG)
@click.argument("corpus", type=PATH)
@click.option("-n", "--documents", "size", type=int,
              help="How many to choose; by default all between --min-words and "
              "--max-words.")  # fmt: skip
@click.option("--min-words", type=click.IntRange(min=0), metavar="N",
              help="Choose among documents of at least N words.")  # fmt: skip
@click.option("--max-words", type=click.IntRange(min=0), metavar="N",
              help="Choose among documents of at most N words.")  # fmt: skip
@click.option("--by", type=click.Choice(BY), default="random", show_default=True,
              help="Choose at random, in proportion to strata, or the documents that tell most: by "
              "a metric's variance over systems, by the diversity of the outputs, or by "
              "consistency with the overall order.")  # fmt: skip
@click.option("--for", "purpose", type=click.Choice(PURPOSES), default="means", show_default=True,
              help="Draw with known probabilities, so that means can be weighted; or take the "
              "documents that tell most about the ranking.")  # fmt: skip
@click.option("--strata", type=click.Choice(STRATA), default="length", show_default=True,
              help="What the strata of --by stratified are: quarters by the documents' length, "
              "languages, or quarters by a metric's mean.")  # fmt: skip
@click.option("--scores", "scores_file", type=PATH, metavar="FILE",
              help="Scores from `gistmark score`.")  # fmt: skip
@click.option(
    "-m", "--metric", metavar="METRIC", help="Which metric of the scores; by default the first."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("-o", "--output", "target", type=PATH, required=True, metavar="CORPUS2",
              help="The corpus folder of the chosen documents, with sampling.csv.")  # fmt: skip
@corpus_options
@force_option("Write over CORPUS2 if it is there.")
@json_option("Print the chosen documents as JSON.")
def sample(
    corpus: Path, size: int | None, min_words: int | None, max_words: int | None, by: By,
    purpose: Purpose, strata: Strata, scores_file: Path | None, metric: str | None, seed: int,
    target: Path, reading: ReadOptions, force: bool, as_json: bool,
) -> None:  # fmt: skip
    """Choose documents of CORPUS for people to judge.

    sampling.csv says how they were chosen, and `gistmark study` weights them accordingly.
    """
    from dataclasses import asdict

    from gistmark.analysis.findings.words import counted
    from gistmark.analysis.sampling import Request, frame_of, sampled_corpus
    from gistmark.corpus import load, save
    from gistmark.scoring.files import read_scores

    refuse_existing(target, force=force)
    loaded = load(corpus, **reading)
    announce_notes(loaded.notes)
    scores = None if scores_file is None else read_scores(scores_file)
    request = Request(size, by, purpose, strata, metric, seed, min_words, max_words)
    chosen = sampled_corpus(loaded, request, scores)
    save(chosen, target)
    if as_json:
        print_json([asdict(document) for document in chosen.sampling])
        return
    known = [each.probability for each in chosen.sampling if each.probability is not None]
    frame, whole = len(frame_of(loaded, request).document_ids), len(loaded.document_ids)
    count = f"{len(chosen.sampling):,} of {counted(frame, 'document')}"
    if frame < whole:
        count += f" of this length ({whole - frame:,} of {whole:,} left out)"
    if not known:
        click.echo(
            f"{target} has {count}: those that tell most about the ranking by {by}. Their means "
            "are not those of the corpus."
        )
        return
    low, high = f"{min(known):.3g}", f"{max(known):.3g}"
    chances = f"probability {low}" if low == high else f"probabilities from {low} to {high}"
    click.echo(f"{target} has {count} ({by}), chosen with {chances}.")
