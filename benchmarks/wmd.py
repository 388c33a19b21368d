"""Word Mover's Distance: Gistmark against gensim's wmdistance, same vectors, texts and values.

Needs the embedded GloVe vectors (`gistmark models get glove-6b-50d`), gensim and POT. Five
systems' summaries of about 40 words are compared with references of about 50; the words are
GloVe's own, as unevenly common as in English. gensim scores the first few, and its rate is
extrapolated. Both start from the texts, split at white space, and leave out the same stop words.
"""

from __future__ import annotations

import numpy as np

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.word_vectors import WordMoversDistance
from gistmark.models import model_folder
from gistmark.text.stopwords import STOP_WORDS
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
