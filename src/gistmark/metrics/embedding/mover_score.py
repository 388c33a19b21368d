"""A soft alignment of two texts, after Zhao, Peyrard, Liu, Gao, Meyer and Eger, "MoverScore: Text
Generation Evaluating with Contextualized Embeddings and Earth Mover Distance" (2019).

The tokens of the summary travel to those of its target by the shortest way there is, solved
exactly; a token may be split among several. It is like the paper's score of single words, but on
one layer of any encoder instead of the averaged layers of a BERT that was tuned on inference, and
with every piece of a word, so its values are not those of the authors' package.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch, offsets_of
from gistmark.metrics.embedding.token_vectors import OnTokens
from gistmark.metrics.metric import Float64, Values
from gistmark.metrics.targets import Pairs, combine, pair_up
from gistmark.models.encoders import Encoded

Int64 = NDArray[np.int64]

MOST_CELLS = 16_000_000
FINENESS = 10_000
"""Weights go to the solver as whole numbers, in steps of one part in so many."""
NO_TOKENS = "the summary or its target has no token that weighs anything"
TOO_LONG = "the texts have too many tokens for the exact distance"


class MoverScore(OnTokens):
    """1 minus the mean distance that the summary's tokens travel to become the target's.

    Distances are Euclidean between vectors of length 1, so they are 0 to 2. Where either text is
    empty or weighs nothing, or both are very long (more than sixteen million pairs of tokens),
    the value is missing.
    """

    family = "mover-score"
    about = (
        "1 minus the distance that the summary's tokens travel to become the target's, by the "
        "vectors of an encoder, -1 to 1."
    )
    range = (-1.0, 1.0)

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, self.options.against)
        distances = np.full(len(pairs.items), np.nan)
        why = np.full(len(pairs.items), NO_TOKENS, dtype=f"U{max(len(NO_TOKENS), len(TOO_LONG))}")
        if len(pairs.items):
            for indexes, texts in self._groups(batch, pairs):
                distances[indexes], why[indexes] = self._distances(pairs, np.array(indexes), texts)
        values = np.clip(1 - distances, *self.range)[:, None]
        return combine(
            pairs, values, size=len(batch), usable=np.isfinite(distances), unusable=why,
            how=self.options.refs,
        )  # fmt: skip

    def _distances(
        self, pairs: Pairs, indexes: Int64, texts: Mapping[int, Encoded]
    ) -> tuple[Float64, NDArray[np.str_]]:
        """The distances of some pairs, each distinct one computed once, and reasons."""
        from gistmark.metrics.kernels.transport import movers_distances

        masses, points, offsets = self._bags(texts)
        rows = {number: row for row, number in enumerate(texts)}
        sizes = dict(zip(texts, np.diff(offsets).tolist(), strict=True))
        numbers = np.stack([pairs.summaries[indexes], pairs.targets[indexes]], axis=1)
        distinct, where = np.unique(numbers, axis=0, return_inverse=True)
        cells = np.array([sizes.get(a, 0) * sizes.get(b, 0) for a, b in distinct.tolist()])
        todo = np.flatnonzero((cells > 0) & (cells <= MOST_CELLS))
        compared = np.array(
            [[rows[a], rows[b]] for a, b in distinct[todo].tolist()], dtype=np.int64
        )
        left, right = compared.reshape(-1, 2).T.copy()
        distances = np.full(len(distinct), np.nan)
        words = np.arange(len(points))
        distances[todo] = movers_distances(words, masses, offsets, points, left, right)
        why = np.where(cells > MOST_CELLS, TOO_LONG, NO_TOKENS)
        return distances[where.reshape(-1)], why[where.reshape(-1)]

    def _bags(self, texts: Mapping[int, Encoded]) -> tuple[Int64, Float64, Int64]:
        """Whole-number masses and points of the tokens that weigh anything, text after text."""
        weights = self._weights
        masses = [
            np.rint(weights.of(text.tokens) * FINENESS).astype(np.int64) for text in texts.values()
        ]
        points = [
            text.vectors[mass > 0].astype(np.float64)
            for text, mass in zip(texts.values(), masses, strict=True)
        ]
        positive = [mass[mass > 0] for mass in masses]
        offsets = offsets_of([len(mass) for mass in positive])
        width = points[0].shape[1] if points else 1
        return (
            np.concatenate([np.empty(0, np.int64), *positive]),
            np.concatenate([np.empty((0, width)), *points]),
            offsets,
        )
