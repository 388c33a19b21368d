"""BLANC-tune: Gistmark against the authors' package blanc 0.3.4, same model, texts and counts.

Both run on one thread, and the processor's time counts. Both use the package's defaults, such as
even masking, except for two settings that make them learn from the very same inputs: words to be
learnt are always shown as the mask, since the package draws those that are replaced or kept from
another generator, and torch has a seed, so that dropout is the same. The four counts of every
summary must be equal, and some words must be right only before or only after the tuning.

The models are those of `blanc.py`: a BERT of the smallest published size with random weights, for
which the claim is made, and all-MiniLM-L6-v2 with a random head, which learns as a whole and then
with its two top layers alone. The package learns from one input at a time, as Gistmark does by
default, and predicts one at a time or several, of which the best counts.

Last come the seconds that one summary takes on the embedded SmolLM2-135M-Instruct, which the
package cannot run, as a whole and with its two top layers; --without-smollm leaves them out.

Needs the embedded models: `gistmark models get embedded`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import torch

from blanc_package import blanc_package, compared
from gistmark.corpus.loading import load, sample_folder
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model.blanc_tune import BlancTune
from gistmark.metrics.options import LANGUAGE_MODEL
from gistmark.models.language_models.causal import causal_model
from gistmark.models.runtime import quiet
from harness import best_of, report

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from guessing_model import ALL_WORDS, guessing_minilm, guessing_model

BATCH_SIZES = (1, 16)
WANTED = 1.5
SUMMARIES = 3
TOP = 2
SEED = 1
"""The package takes 0 for none."""
LAYER, HEAD = "bert.encoder.layer.", "cls."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-smollm", action="store_true")
    chosen = parser.parse_args()
    items = sample_items()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, quiet():
        small = guessing_model(Path(folder) / "bert", width=128, words=ALL_WORDS, wildness=0.3)
        default, best = ratios(small, items, runs=2)
        report("BLANC-tune, speed over blanc", default, f">= {WANTED}", default >= WANTED)
        report("BLANC-tune, speed over blanc at its best batch size", best, f">= {WANTED}",
               best >= WANTED)  # fmt: skip
        minilm = guessing_minilm(Path(folder) / "minilm")
        for layers in (0, TOP):
            default, best = ratios(minilm, items[:1], runs=1, layers=layers)
            print(
                f"      with all-MiniLM-L6-v2, {part(layers)}: {default:.2f}, "
                f"at its best batch size {best:.2f}"
            )
    if not chosen.without_smollm:
        causal_model(LANGUAGE_MODEL)
        for layers in (0, TOP):
            taken = seconds(items[0], layers)
            print(f"      one summary with {LANGUAGE_MODEL}, {part(layers)}: {taken:.1f} s")


def sample_items() -> list[Item]:
    """Some summaries of the first document of the bundled sample."""
    corpus = load(sample_folder())
    document = corpus.documents[0]
    texts = [summary.text for summary in corpus.summaries if summary.document == document.id]
    return [Item(text, (), document.text) for text in texts[:SUMMARIES]]


def part(layers: int) -> str:
    return f"its {layers} top layers" if layers else "whole"


def ratios(model: Path, items: list[Item], *, runs: int, layers: int = 0) -> tuple[float, float]:
    """How much longer the package takes, by default and at its best; counts must be equal."""
    metric = BlancTune(
        BlancTune.Options(
            model=str(model), masking="even", replaced=0.0, kept=0.0, layers=layers, seed=SEED
        )
    )
    peers = {size: package(model, size, layers) for size in BATCH_SIZES}
    metric.score(Batch.of([Item("A short text.", (), "Some short document.")]))
    counts, default, best = compared(
        lambda: metric.score(Batch.of(items)).values[:, 1:],
        peers,
        [(items[0].document, [item.summary for item in items])],
        runs=runs,
        clock=time.process_time,
    )
    if not counts[:, 1:3].any():
        raise SystemExit("The tuning changed no answer, so equal counts say nothing about it")
    return default, best


def package(model: Path, batch_size: int, layers: int) -> Any:
    """The package's metric; so many top layers learn, without the head, or 0 for everything."""
    tune = blanc_package().BlancTune(
        model_name=str(model), measure="relative-counts", inference_batch_size=batch_size,
        p_token_replace=0.0, p_token_original=0.0, random_seed=SEED, show_progress_bar=False,
    )  # fmt: skip
    if layers:
        names = [name for name, _ in tune.base_model.named_parameters()]
        lowest = tune.base_model.config.num_hidden_layers - layers
        tune.id_layer_freeze_below = names.index(
            next(name for name in names if name.startswith(f"{LAYER}{lowest}."))
        )
        tune.id_layer_freeze_above = 1 + sum(name.startswith(HEAD) for name in names)
    return tune


def seconds(item: Item, layers: int) -> float:
    """What a summary takes with the default model, which is loaded already."""
    metric = BlancTune(BlancTune.Options(layers=layers))
    (taken,), _ = best_of(1, lambda: metric.score(Batch.of([item])), clock=time.process_time)
    return taken


if __name__ == "__main__":
    main()
