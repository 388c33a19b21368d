"""mover-score of two long texts: how its time grows with their length, and its exact peer POT.

Needs the embedded encoder (`gistmark models get all-MiniLM-L6-v2`) and POT. Both texts have 250 to
4,000 tokens. The vectors of made-up texts and random points in forty clusters are measured, by
processor time; the exponent is the slope of a line through the logarithms. Quadratic is 2: the
distances of all pairs of tokens alone grow that way. The distances equal those of POT's network
simplex at 250 to 1,000 tokens.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from gistmark.metrics.embedding.token_vectors import to_unit_length
from gistmark.metrics.kernels.transport import distances, movers_distances
from gistmark.models import model_folder
from gistmark.models.encoders import encoder
from harness import best_of, peak, report
from texts import texts
from wmd import clusters

LENGTHS = (250, 500, 1000, 2000, 4000)
LONGEST_FOR_PEER = 1000
LAYER = 5
RUNS = 3
Bags = tuple[np.ndarray, ...]


def main() -> None:
    for name, bags_of in (("texts", token_vectors()), ("clusters", lambda n: clusters(n, n))):
        bags = [bags_of(length) for length in LENGTHS]
        movers_distances(*bags[0])
        check(bags)
        whole, _ = best_of(
            RUNS, *(lambda b=b: movers_distances(*b) for b in bags), clock=time.process_time
        )
        pairs, _ = best_of(RUNS, *(lambda b=b: of_pairs(b) for b in bags), clock=time.process_time)
        for length, total, part in zip(LENGTHS, whole, pairs, strict=True):
            print(f"      {name}, {length:,} by {length:,}: {total:.3f} s, distances {part:.3f} s")
        slope = exponent(whole)
        report(f"mover-score, {name}, exponent of the length", slope, "at most 2.1", slope <= 2.1)
    memory = peak()
    report("peak memory in GiB, model and inputs included", memory, "below 1.5", memory < 1.5)


def token_vectors() -> Callable[[int], Bags]:
    """Bags of the first tokens of two made-up texts, as the solver takes them."""
    reader = encoder(str(model_folder("all-MiniLM-L6-v2")), "full", LAYER)
    tokens = reader.tokenize(texts(2, LENGTHS[-1], seed=0))

    def bags(length: int) -> Bags:
        read = reader.encode([text[:length] for text in tokens])
        points = [to_unit_length(text.vectors[1:-1]).astype(np.float64) for text in read]
        return (
            np.arange(2 * length), np.full(2 * length, 10_000), np.array([0, length, 2 * length]),
            np.concatenate(points), np.array([0]), np.array([1]),
        )  # fmt: skip

    return bags


def of_pairs(bags: Bags) -> np.ndarray:
    """The distances of all pairs of tokens, which the solver starts from."""
    words, _, offsets, points, _, _ = bags
    return distances(points, words[: offsets[1]], words[offsets[1] :])


def check(several: list[Bags]) -> None:
    import ot

    for bags in several:
        length = int(bags[2][1])
        if length > LONGEST_FOR_PEER:
            continue
        equal = np.full(length, 1 / length)
        expected = ot.emd2(equal, equal, of_pairs(bags), numItermax=10_000_000)
        difference = abs(float(expected) - movers_distances(*bags)[0])
        if not difference <= 1e-9:
            raise SystemExit(f"the distance differs from POT's by {difference}")


def exponent(times: list[float]) -> float:
    return float(np.polyfit(np.log(LENGTHS), np.log(times), 1)[0])


if __name__ == "__main__":
    main()
