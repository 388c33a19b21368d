"""BERTScore, of Zhang, Kishore, Wu, Weinberger and Artzi, "BERTScore: Evaluating Text Generation
with BERT" (2020).

Each token of the summary is matched with the token of the target whose vector is most like it, and
the other way round. Precision is the mean cosine over the summary's tokens, recall that over the
target's, F their harmonic mean. Tokens that mark the start and the end of a text weigh nothing,
but may be matched with.

The values are those of the package bert-score, except for these:

- A text that is too long for the model is read in windows; with `long=cut` it is cut off, as there.
- Of several references the one with the best F counts; there the best of each part by itself.
- A token whose best cosine is below 0 keeps it; there the filling of a batch makes it 0. F is 0
  where only one of precision and recall is below 0; there it is without bounds.
- A text of one token is a text; there it is empty for models that mark only the end of a text.
- Before the first word of a text for RoBERTa goes a space, as before all others. bert-score asks
  for that, too, but the tokenizers of transformers 5 no longer listen.

Rescaled by a baseline, which is what BERTScore gives for texts that have nothing to do with each
other, a score of 0 says that two texts are no more alike than any two. The files of bert-score can
be used as they are.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.batch import Batch
from gistmark.metrics.embedding.token_vectors import (
    NO_TARGET,
    NO_WEIGHT,
    Collection,
    OnTokens,
    TokenOptions,
)
from gistmark.metrics.metric import PRECISION_RECALL_F, Float64, Values
from gistmark.metrics.options import PositionOptions
from gistmark.metrics.targets import Pairs, combine, pair_up
from gistmark.models.encoders import Float32
from gistmark.options import option
from gistmark.runtime.files import user_path
from gistmark.signature import without_hash


@dataclass(frozen=True)
class BertScoreOptions(PositionOptions, TokenOptions):
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
        matches = np.zeros((len(pairs.items), 2))
        why = np.full(len(pairs.items), "", dtype=f"U{max(len(NO_TARGET), len(NO_WEIGHT))}")
        if len(pairs.items):
            self._match(batch, pairs, matches, why)
        values = with_harmonic_mean(*np.clip(matches, *self.range).T)
        if self._baseline is not None and len(pairs.items):
            values = self._baseline.rescaled(values, self._layer)
        return combine(
            pairs, values, size=len(batch), usable=why == "", unusable=why, how=self.options.refs
        )

    def _match(self, batch: Batch, pairs: Pairs, matches: Float64, why: Any) -> None:
        """Fill in precision and recall of every pair, or why there is none."""
        weights = self._weights
        for indexes, texts in self._groups(batch, pairs):
            weighed = {number: weights.of(text.tokens) for number, text in texts.items()}
            for index in indexes:
                summary, target = int(pairs.summaries[index]), int(pairs.targets[index])
                if target not in texts:
                    why[index] = NO_TARGET
                elif summary in texts:
                    ours, theirs = weighed[summary], weighed[target]
                    if not (ours.any() and theirs.any()):
                        why[index] = NO_WEIGHT
                        continue
                    theirs = theirs * self.options.decayed(len(theirs))
                    best = best_matches(texts[summary].vectors, texts[target].vectors)
                    matches[index] = best[0] @ ours / ours.sum(), best[1] @ theirs / theirs.sum()

    def _shown(self) -> dict[str, str]:
        fields = super()._shown()
        return fields if self._baseline is None else {**fields, "baseline": self._baseline.label}


MOST_CELLS = 4_000_000
"""How many likenesses are held at a time."""


def best_matches(ours: Float32, theirs: Float32) -> tuple[Float32, Float32]:
    """The highest cosine of each of our tokens with theirs, and of each of theirs with ours.

    Both are vectors of length 1. Long texts are matched some rows at a time.
    """
    step = max(1, MOST_CELLS // len(theirs))
    for_ours = np.empty(len(ours), dtype=np.float32)
    for_theirs = np.full(len(theirs), -np.inf, dtype=np.float32)
    for start in range(0, len(ours), step):
        likeness = ours[start : start + step] @ theirs.T
        for_ours[start : start + step] = likeness.max(axis=1)
        np.maximum(for_theirs, likeness.max(axis=0), out=for_theirs)
    return for_ours, for_theirs


def with_harmonic_mean(precision: Float64, recall: Float64) -> Float64:
    """Precision, recall and F as columns; F is 0 where they do not have the same sign."""
    product = precision * recall
    total = precision + recall
    f = np.divide(2 * product, total, out=np.zeros_like(total), where=product > 0)
    return np.column_stack([precision, recall, f])


@dataclass(frozen=True)
class Baseline:
    """Precision, recall and F by layer; `label` is what a signature calls the file."""

    label: str
    rows: Mapping[int, tuple[float, float, float]]

    def rescaled(self, values: Float64, layer: int) -> Float64:
        """Columns of precision, recall and F: (value - baseline) / (1 - baseline)."""
        if layer not in self.rows:
            raise GistmarkError(f"The baseline {self.label} has no row for layer {layer}.")
        base = np.array(self.rows[layer])
        result: Float64 = (values - base) / (1 - base)
        return result


def read_baseline(file: str) -> Baseline:
    """The baseline of a file: a header, then layer, P, R and F with commas or tabs between."""
    path = user_path(file)
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"baseline: {file!r} is neither no nor a text file here.") from None
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    rows: dict[int, tuple[float, float, float]] = {}
    for number, fields in enumerate(csv.reader(lines[1:], delimiter=delimiter), start=2):
        if fields:
            rows.update([_row(file, number, fields)])
    if not rows:
        raise UsageError(f"baseline: {file} has no rows; each is layer, P, R and F.")
    return Baseline(f"{path.name}@{sha256(content).hexdigest()[:12]}", rows)


def _row(file: str, number: int, fields: list[str]) -> tuple[int, tuple[float, float, float]]:
    try:
        layer, (precision, recall, f) = int(fields[0]), map(float, fields[1:])
    except ValueError:
        raise UsageError(
            f"baseline: line {number} of {file} is not a layer and three numbers."
        ) from None
    if not all(-1 <= number < 1 for number in (precision, recall, f)):
        raise UsageError(
            f"baseline: a number on line {number} of {file} is not from -1 to below 1."
        )
    return layer, (precision, recall, f)
