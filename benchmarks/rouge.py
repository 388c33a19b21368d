"""ROUGE-1, 2 and L: Gistmark against rouge-score-rs (the fastest peer) and rouge_score.

The same 100,000 pairs for rouge-score-rs, and the first 1,000 of them for rouge_score, whose rate
is extrapolated. Every value of Gistmark is compared with the peer's. Against rouge-score-rs both
run on one core, one thread against one, by the processor time that each takes.
"""

from __future__ import annotations

import os
import time

import numpy as np

import gistmark
from harness import best_of, report
from texts import overlapping, texts

KINDS = ("rouge1", "rouge2", "rougeL")
PAIRS = 100_000
FEW = 1_000


def main() -> None:
    references = texts(PAIRS, 58, seed=1)
    summaries = overlapping(references, 44, seed=2)
    cores = os.sched_getaffinity(0)
    os.environ["RAYON_NUM_THREADS"] = "1"
    os.sched_setaffinity(0, {min(cores)})
    for stem in (False, True):
        against_rust(summaries, references, stem)
    os.sched_setaffinity(0, cores)
    for stem in (False, True):
        against_python(summaries[:FEW], references[:FEW], stem)


def score(
    summaries: list[str], references: list[str], stem: bool, workers: int | None = None
) -> gistmark.Scores:
    metrics = [f"{kind}:stem=yes" if stem else kind for kind in KINDS]
    pairs = gistmark.TextPairs(summaries, references)
    return gistmark.score(pairs, metrics, cache=False, workers=workers)


def against_rust(summaries: list[str], references: list[str], stem: bool) -> None:
    from rouge_score_rs import rouge_scorer

    peer = rouge_scorer.RougeScorer(list(KINDS), use_stemmer=stem)
    score(summaries[:10], references[:10], stem)
    (theirs, ours), (expected, found) = best_of(
        5,
        lambda: peer.score_batch(references, summaries),
        lambda: score(summaries, references, stem, workers=1),
        clock=time.process_time,
    )
    check(expected, found)
    name = "stemmed" if stem else "unstemmed"
    print(f"      {PAIRS / ours:,.0f} pairs/s, rouge-score-rs {PAIRS / theirs:,.0f} pairs/s")
    claim = f"ROUGE-1/2/L {name}, speed over rouge-score-rs, one thread each"
    report(claim, theirs / ours, ">= 1.5", theirs >= 1.5 * ours)


def against_python(summaries: list[str], references: list[str], stem: bool) -> None:
    from rouge_score import rouge_scorer

    peer = rouge_scorer.RougeScorer(list(KINDS), use_stemmer=stem)
    distinct = texts(PAIRS, 58, seed=3)
    many = (overlapping(distinct, 44, seed=4), distinct)
    (theirs, ours), (expected, _) = best_of(
        4,
        lambda: [peer.score(r, s) for r, s in zip(references, summaries, strict=True)],
        lambda: score(*many, stem),
    )
    check(expected, score(summaries, references, stem))
    ratio = (theirs / FEW) / (ours / PAIRS)
    name = "stemmed" if stem else "unstemmed"
    report(f"ROUGE-1/2/L {name}, speed over rouge_score", ratio, ">= 100", ratio >= 100)


def check(expected: list[dict[str, tuple[float, float, float]]], found: gistmark.Scores) -> None:
    for kind, column in zip(KINDS, found.columns.values(), strict=True):
        values = np.array([tuple(row[kind]) for row in expected])
        worst = np.abs(values - column.values).max()
        if not worst <= 1e-12:
            raise SystemExit(f"{kind} differs from the peer by {worst}")


if __name__ == "__main__":
    main()
