"""Word Mover's Distance: Gistmark against gensim's wmdistance, same vectors, texts and values.

Needs the embedded GloVe vectors (`gistmark models get glove-6b-50d`), gensim and POT. Five
systems' summaries of about 40 words are compared with references of about 50; the words are
GloVe's own, as unevenly common as in English. gensim scores the first few, and its rate is
extrapolated. Both start from the texts, split at white space, and leave out the same stop words.

How time grows with the length of one of the texts is measured on vectors such as mover-score has:
random points in forty clusters, of 384 numbers each. Quadratic is 4 times the time for twice the
length.
"""

from __future__ import annotations

import time

import numpy as np

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.word_vectors import WordMoversDistance
from gistmark.metrics.kernels.transport import movers_distances
from gistmark.models import model_folder
from gistmark.text.folding import STOP_WORDS
from harness import best_of, report

DOCUMENTS = 400
SYSTEMS = 5
FEW = 200
WANTED = 5


def main() -> None:
    from gensim.models import KeyedVectors

    words, matrix = glove()
    peer = KeyedVectors(matrix.shape[1])
    peer.add_vectors(words, matrix)
    items = made_up([word for word in words[:20_000] if word.isalpha()])
    metric = WordMoversDistance(WordMoversDistance.Options(tok="space", unit=True))
    metric.score(Batch.of(items[:2]))
    (theirs, ours), (expected, found) = best_of(
        3,
        lambda: [
            peer.wmdistance(bag(item.summary), bag(item.references[0])) for item in items[:FEW]
        ],
        lambda: metric.score(Batch.of(items)),
    )
    worst = np.abs(np.array(expected) - found.values[:FEW, 0]).max()
    if not worst <= 1e-6:
        raise SystemExit(f"wmd differs from gensim by {worst}")
    ratio = (theirs / FEW) / (ours / len(items))
    print(f"      {len(items) / ours:,.0f} pairs/s, gensim {FEW / theirs:,.0f} pairs/s")
    print(f"      largest difference of a value: {worst:.1e}")
    report("WMD, speed over gensim", ratio, f">= {WANTED}", ratio >= WANTED)
    ratio = growth((60, 1500), (60, 3000))
    claim = "mover-score, 60 tokens against 3,000, time over that against 1,500"
    report(claim, ratio, "at most 4", ratio <= 4)


def growth(short: tuple[int, int], long: tuple[int, int]) -> float:
    """How many times as long the longer pair of texts takes, by processor time."""
    few, many = clusters(*short), clusters(*long)
    (first, second), _ = best_of(
        5,
        lambda: movers_distances(*few),
        lambda: movers_distances(*many),
        clock=time.process_time,
    )
    print(f"      {second:.3f} s for {long[0]:,} against {long[1]:,} tokens")
    return second / first


def clusters(ours: int, theirs: int) -> tuple[np.ndarray, ...]:
    """Two bags of points of length 1, as the solver takes them."""
    rng = np.random.default_rng(ours)
    size = ours + theirs
    points = rng.normal(size=(40, 384))[rng.integers(0, 40, size)] + rng.normal(size=(size, 384))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    offsets = np.array([0, ours, size])
    masses = np.full(size, 10_000)
    return np.arange(size), masses, offsets, points, np.array([0]), np.array([1])


def glove() -> tuple[list[str], np.ndarray]:
    from pyarrow.parquet import read_table

    folder = model_folder("glove-6b-50d")
    words = read_table(folder / "glove_6B_index.parquet").column(0).to_pylist()
    return words, np.ascontiguousarray(np.load(folder / "glove_6B_50d_emb.npy"))


def made_up(words: list[str]) -> list[Item]:
    """Summaries that share some of the words of their reference."""
    rng = np.random.default_rng(0)
    weights = 1 / np.arange(1, len(words) + 1)
    weights /= weights.sum()
    items = []
    for _ in range(DOCUMENTS):
        reference = list(rng.choice(words, 50, p=weights))
        for _ in range(SYSTEMS):
            own = rng.choice(words, 30, p=weights)
            summary = [*rng.choice(reference, 10), *own]
            items.append(Item(" ".join(summary), (" ".join(reference),)))
    return items


def bag(text: str) -> list[str]:
    return [word for word in text.split() if word not in STOP_WORDS]


if __name__ == "__main__":
    main()
