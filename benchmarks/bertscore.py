"""BERTScore: Gistmark against bert-score, same model folder, layer, texts and values.

Needs the embedded encoder (`gistmark models get all-MiniLM-L6-v2`) and bert-score. Five systems'
summaries of the same documents are compared with their references. Users of bert-score call its
scorer once for each system, which embeds the references five times; a single call with all pairs,
which few make, is timed as well. Its model is loaded before either is timed.

With `precision=bfloat16` values differ a little from bert-score's; by how much, and how much time
that saves, is printed beside the claim.

How much could still be gained is measured, too: the operations of the network on all distinct
texts, at the rate of a bare matrix product of its size, by processor time. No faster program reads
the same tokens with the same weights in full precision.
"""

from __future__ import annotations

import logging
import time

import numpy as np
from scipy.stats import spearmanr

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.bertscore import BertScore
from gistmark.models import model_folder
from harness import best_of, report
from texts import overlapping, texts

DOCUMENTS = 40
SYSTEMS = 5
WORDS = 60
LAYER = 5
RUNS = 2
WANTED = 2
PRODUCTS = 50


def main() -> None:
    from bert_score import BERTScorer

    logging.disable(logging.WARNING)
    folder = str(model_folder("all-MiniLM-L6-v2"))
    peer = BERTScorer(model_type=folder, num_layers=LAYER)
    metric = BertScore(BertScore.Options(model=folder, layer=LAYER))
    coarse = BertScore(BertScore.Options(model=folder, layer=LAYER, precision="bfloat16"))
    references = texts(DOCUMENTS, WORDS, seed=0)
    systems = [overlapping(references, WORDS, seed=10 + 2 * place) for place in range(SYSTEMS)]
    pairs = [pair for summaries in systems for pair in zip(summaries, references, strict=True)]
    items = [Item(summary, (reference,)) for summary, reference in pairs]
    for each in (metric, coarse):
        each.score(Batch.of(items[:2]))
    peer.score(systems[0][:2], references[:2])
    (by_system, at_once, ours, in_16_bits), (expected, _, values, coarse_values) = best_of(
        RUNS,
        lambda: [stacked(peer.score(summaries, references)) for summaries in systems],
        lambda: stacked(peer.score(*map(list, zip(*pairs, strict=True)))),
        lambda: metric.score(Batch.of(items)).values,
        lambda: coarse.score(Batch.of(items)).values,
    )
    worst = np.abs(np.concatenate(expected) - values).max()
    if not worst <= 1e-5:
        raise SystemExit(f"bertscore differs from bert-score by {worst}")
    print(
        f"      {len(items) / ours:,.0f} pairs/s, bert-score {len(items) / by_system:,.0f} pairs/s"
    )
    print(f"      speed over bert-score with all pairs in one call: {at_once / ours:.2f}")
    print(f"      largest difference of a value: {worst:.1e}")
    print(
        f"      in bfloat16: {by_system / in_16_bits:.2f} times bert-score by system, "
        f"{at_once / in_16_bits:.2f} times one call; values differ by "
        f"{np.abs(coarse_values - values).max():.1e} at the most, and F ranks pairs alike by "
        f"{spearmanr(coarse_values[:, 2], values[:, 2]).statistic:.4f}"
    )
    print_limit(metric, items)
    ratio = by_system / ours
    report("BERTScore, speed over bert-score", ratio, f">= {WANTED}", ratio >= WANTED)


def print_limit(metric: BertScore, items: list[Item]) -> None:
    """How far the processor time is from that of the bare matrix products, on one thread.

    Threads that wait for each other count as busy.
    """
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    torch.set_num_threads(1)  # more would work in threads of their own, where nothing is counted
    with FlopCounterMode(display=False) as counter:
        metric.score(Batch.of(items))
    tokens, wide = torch.randn(2048, 384), torch.randn(384, 1536)
    (whole, product), _ = best_of(
        RUNS,
        lambda: metric.score(Batch.of(items)),
        lambda: [tokens @ wide for _ in range(PRODUCTS)],
        clock=time.process_time,
    )
    rate = PRODUCTS * 2 * 2048 * 384 * 1536 / product
    operations = counter.get_total_flops()
    least = operations / rate
    print(
        f"      {operations / 1e9:,.0f} billion operations, at the {rate / 1e9:.0f} billion a "
        f"second of a bare product: {least:.1f} s of processor time; taken {whole:.1f} s, "
        f"so no more than {whole / least:.2f} times as fast"
    )


def stacked(parts: tuple[object, ...]) -> np.ndarray:
    return np.stack([np.asarray(part) for part in parts], axis=1)


if __name__ == "__main__":
    main()
