"""BERTScore, of Zhang, Kishore, Wu, Weinberger and Artzi, "BERTScore: Evaluating Text Generation
with BERT" (2020).

Each token of the summary is matched with the token of the target whose vector is most like it,
and the other way round. Precision is the mean cosine over the summary's tokens, recall that over
the target's, F their harmonic mean. Tokens that mark the start and the end of a text weigh
nothing, but may be matched with.

The values are those of the package bert-score, except for these:

- A text that is too long for the model is read in windows; with `long=cut` it is cut off, as there.
- Of several references the one with the best F counts; there the best of each part by itself.
- A token whose best cosine is below 0 keeps it; there the filling of a batch makes it 0. F is 0
  where only one of precision and recall is below 0; there it is without bounds.
- A text of one token is a text; there it is empty for models that mark only the end of a text.
- Before the first word of a text for RoBERTa goes a space, as before all others. bert-score asks
  for that, too, but the tokenizers of transformers 5 no longer listen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.metrics.batch import Batch
from gistmark.metrics.bertscore.baselines import read_baseline
from gistmark.metrics.bertscore.matching import best_matches, with_harmonic_mean
from gistmark.metrics.bertscore.on_tokens import NO_TARGET, NO_WEIGHT, OnTokens, TokenOptions
from gistmark.metrics.bertscore.weights import Collection
from gistmark.metrics.metric import PRECISION_RECALL_F, Float64, Values
from gistmark.metrics.targets import Pairs, combine, pair_up
from gistmark.options import option
from gistmark.signature import without_hash


@dataclass(frozen=True)
class BertScoreOptions(TokenOptions):
    """Options of BERTScore."""

    baseline: str = option("no", "rescale by a file of baselines: layer, P, R and F on each line")

    def __post_init__(self) -> None:
        """A file with the hash that a signature shows is the same as the file."""
        super().__post_init__()
        object.__setattr__(self, "baseline", without_hash(self.baseline))


class BertScore(OnTokens):
    """Precision, recall and F of greedily matched tokens.

    An empty summary scores 0 in all parts. Where the target is empty, or no token has any weight,
    the value is missing. With a baseline, values may lie below the range.
    """

    family = "bertscore"
    about = (
        "BERTScore: how well the tokens of the summary and its target match by the vectors of an "
        "encoder, -1 to 1 and mostly above 0; with a baseline, 0 is what unrelated texts have."
    )
    parts = PRECISION_RECALL_F
    range = (-1.0, 1.0)
    Options = BertScoreOptions

    def __init__(self, options: Any | None = None, *, corpus: Collection | None = None) -> None:
        super().__init__(options, corpus=corpus)
        file = self.options.baseline
        self._baseline = None if file == "no" else read_baseline(file)

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, self.options.against)
        found = np.zeros((len(pairs.items), 2))
        why = np.full(len(pairs.items), "", dtype=f"U{max(len(NO_TARGET), len(NO_WEIGHT))}")
        if len(pairs.items):
            self._match(batch, pairs, found, why)
        values = with_harmonic_mean(*np.clip(found, *self.range).T)
        if self._baseline is not None and len(pairs.items):
            values = self._baseline.rescaled(values, self._layer)
        return combine(
            pairs, values, size=len(batch), usable=why == "", unusable=why, how=self.options.refs
        )

    def _match(self, batch: Batch, pairs: Pairs, found: Float64, why: Any) -> None:
        """Fill in precision and recall of every pair, or why there is none."""
        weights = self._weights
        for places, texts in self._groups(batch, pairs):
            weighed = {number: weights.of(text.tokens) for number, text in texts.items()}
            for place in places:
                summary, target = int(pairs.summaries[place]), int(pairs.targets[place])
                if target not in texts:
                    why[place] = NO_TARGET
                elif summary in texts:
                    ours, theirs = weighed[summary], weighed[target]
                    if not (ours.any() and theirs.any()):
                        why[place] = NO_WEIGHT
                        continue
                    best = best_matches(texts[summary].vectors, texts[target].vectors)
                    found[place] = best[0] @ ours / ours.sum(), best[1] @ theirs / theirs.sum()

    def _shown(self) -> dict[str, str]:
        shown = super()._shown()
        return shown if self._baseline is None else {**shown, "baseline": self._baseline.label}
