"""SPA and acc_eq of 40 metrics against the published algorithms, with the same values.

The peers are rewritten from the published functions: for SPA (Thompson and others 2024) a
matrix of sign flips by random numbers, then a comparison for each pair of systems, for people and
metric of every call; for acc_eq (Deutsch, Foster and Freitag 2023) a list of pairs that are turned
into ties one by one in the order of the metric's differences, with the mean over documents kept up
to date.
"""

from __future__ import annotations

import numpy as np

from gistmark.analysis.correlation.accuracy import pairs_of
from gistmark.analysis.correlation.system_pairs import (
    FLIPS,
    soft_pairwise_accuracies,
)
from harness import best_of, report

DOCUMENTS, SYSTEMS, METRICS = 100, 25, 40


class Coins:
    """Gives our function the flips of the published one, so that values can be the same."""

    def integers(self, low: int, high: int, size: tuple[int, int]) -> np.ndarray:
        return published_flips(size[1]) > 0


def published_flips(documents: int) -> np.ndarray:
    return 2 * np.rint(np.random.default_rng(4).random((FLIPS, documents), dtype=np.float32)) - 1


def published_p(values: np.ndarray) -> np.ndarray:
    """How sure a table of systems × documents is of each pair."""
    flips, values = published_flips(values.shape[1]), values.astype(np.float32)
    sums, flipped = values.sum(axis=1), flips @ values.T
    p = np.full((len(values), len(values)), np.nan)
    for i in range(len(values)):
        for j in range(i + 1, len(values)):
            p[i, j] = np.sum(flipped[:, i] - flipped[:, j] >= sums[i] - sums[j]) / FLIPS
    return p


def published_spa(metric: np.ndarray, people: np.ndarray) -> float:
    upper = np.triu_indices(len(people), 1)
    return float(1 - np.abs(published_p(people) - published_p(metric))[upper].mean())


class Pair:
    """Two summaries of a document: whether they are right as they are, and as a tie."""

    __slots__ = ("document", "right", "size", "tied")

    def __init__(self, document: int, m: tuple[float, float], h: tuple[float, float]) -> None:
        self.document, self.size = document, abs(m[0] - m[1])
        same = (m[0] > m[1] and h[0] > h[1]) or (m[0] < m[1] and h[0] < h[1])
        self.right = int(same or (m[0] == m[1] and h[0] == h[1]))
        self.tied = int(h[0] == h[1])


def published_acc_eq(metric: np.ndarray, people: np.ndarray) -> tuple[float, float]:
    """The best mean accuracy over documents, and its threshold."""
    pairs = [
        Pair(document, (m[i], m[j]), (h[i], h[j]))
        for document, (m, h) in enumerate(zip(metric, people, strict=True))
        for i in range(len(m))
        for j in range(i + 1, len(m))
    ]
    right, counts = [0] * len(metric), [0] * len(metric)
    for pair in pairs:
        right[pair.document] += pair.right
        counts[pair.document] += 1
    total = sum(r / c for r, c in zip(right, counts, strict=True))
    thresholds, values = [0.0], [total / len(metric)]
    for pair in sorted(pairs, key=lambda each: each.size):
        document = pair.document
        total -= right[document] / counts[document]
        right[document] += pair.tied - pair.right
        total += right[document] / counts[document]
        if thresholds[-1] == pair.size:
            values[-1] = total / len(metric)
        else:
            thresholds.append(pair.size)
            values.append(total / len(metric))
    best = int(np.argmax(values))
    return values[best], thresholds[best]


def own_acc_eq(metric: np.ndarray, people: np.ndarray) -> tuple[float, float]:
    pairs = pairs_of(metric, people)
    threshold = pairs.threshold()
    return float(pairs.by_document(threshold).mean()), threshold


def main() -> None:
    rng = np.random.default_rng(1)
    people = np.round(3 + rng.normal(0, 0.5, SYSTEMS) + rng.normal(0, 1, (DOCUMENTS, SYSTEMS)), 1)
    noise = np.linspace(0.3, 3, METRICS)[:, None, None]
    metrics = people + noise * rng.normal(size=(METRICS, DOCUMENTS, SYSTEMS))
    turned = np.ascontiguousarray(metrics.swapaxes(1, 2))
    soft_pairwise_accuracies(turned[:1], people.T, Coins())  # compiled before the clock runs
    (theirs, ours), (peer, own) = best_of(
        5,
        lambda: np.array([published_spa(metric, people.T) for metric in turned]),
        lambda: soft_pairwise_accuracies(turned, people.T, Coins()),
    )
    print(f"      {1000 * ours:,.1f} ms, the published function {1000 * theirs:,.1f} ms")
    # People's values have ties, which 32 bits of the published function may round to either side.
    apart = float(np.abs(peer - own).max())
    size = f"{SYSTEMS} systems, {DOCUMENTS} documents, {METRICS} metrics"
    report(f"SPA, {size}, speed over the published function", theirs / ours, ">= 20",
           theirs >= 20 * ours)  # fmt: skip
    report(f"SPA, {size}, largest difference x 1000", 1000 * apart, "<= 1", apart <= 1e-3)
    (theirs, ours), (tied, search) = best_of(
        2,
        lambda: [published_acc_eq(metric, people) for metric in metrics[:4]],
        lambda: [own_acc_eq(metric, people) for metric in metrics[:4]],
    )
    same = np.allclose(np.array(tied), np.array(search), atol=1e-9)
    print(f"      {1000 * ours:,.1f} ms, the published search {1000 * theirs:,.1f} ms")
    report("acc_eq, 4 of the metrics, speed over the published search", theirs / ours, ">= 20",
           theirs >= 20 * ours)  # fmt: skip
    report("acc_eq, same values and thresholds", float(same), "1", same)


if __name__ == "__main__":
    main()
