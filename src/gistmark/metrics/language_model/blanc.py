"""What the members of the BLANC family share: the counts, what is made of them, and fitting texts
in.

Every word that is predicted is right or wrong without help (the first index) and with help (the
second): S01 words are right only with the summary, S10 only without it. Where summary and sentence
together are longer than a model reads, the sentence is cut at its end, but not below `cut` tokens,
and only then is the summary cut, as in the authors' package.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.language_model.predictions import known_architecture
from gistmark.metrics.language_model.reading import ratio_error
from gistmark.metrics.metric import Float64, Need, OnModel, Values
from gistmark.models.language_models.causal import Tokens
from gistmark.records import COUNTS, Part

Int64 = NDArray[np.int64]
Measure = Literal["relative", "improve"]
HelpMeasure = Literal["relative", "improve", "expected"]
"""`expected` is `relative` for a model that draws each word instead of choosing the likeliest."""
Pair = tuple[int, int]
"""A document and a summary, by their numbers in the batch."""

PARTS: tuple[Part, ...] = ("value", *COUNTS)
NO_TEXT = "the document has no text"
NOTHING_TO_PREDICT = "the document has no word to predict"
ALL_LOST = "every word is right without the summary and wrong with it"

_TEXTS = {"none": "", "space": " ", "line": "\n"}
_NAMES = {text: name for name, text in _TEXTS.items()}

NO_SEPARATOR = "none"
SEPARATORS = f"{', '.join(_TEXTS)}, or any other text"


class Blanc(OnModel):
    """A metric of the counts of a model without and with the summary as help.

    A document of which no word can be predicted has no value.
    """

    parts = PARTS
    range = (-1.0, 1.0)

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})

    def score(self, batch: Batch) -> Values:
        pairs = list(zip(batch.documents.tolist(), batch.summaries.tolist(), strict=True))
        reasons = {row: NO_TEXT for row, pair in enumerate(pairs) if pair[0] == NO_DOCUMENT}
        distinct = [pair for pair in dict.fromkeys(pairs) if pair[0] != NO_DOCUMENT]
        tallies = self._counts(batch, distinct) if distinct else {}
        rows = [tallies.get(pair, Tally.of(())) for pair in pairs]
        counts = np.array([row.counts for row in rows], dtype=np.int64).reshape(-1, len(COUNTS))
        fractions = np.array([row.fraction(self.options.measure) for row in rows])
        scored = valued(counts, fractions.reshape(-1, 2).T, reasons)
        if "se" not in self.parts:
            return scored
        errors = [row.error(self.options.measure) for row in rows]
        return Values(np.column_stack([scored.values, errors]), scored.reasons)

    @abstractmethod
    def _counts(self, batch: Batch, pairs: Sequence[Pair]) -> dict[Pair, Tally]:
        """The counts of each of one distinct pair or more."""

    def _shown(self) -> dict[str, str]:
        """With the architecture of the model, if the model is here."""
        architecture = known_architecture(self.options.model)
        return {**super()._shown(), **({"way": architecture} if architecture else {})}


@dataclass(frozen=True)
class Tally:
    """S00 to S11 of each sentence that was read, a row each, of a `population` of sentences.

    `gains` is by how many right words each sentence would gain if words were drawn; `weights` how
    much it weighs.
    """

    rows: Int64
    population: int
    gains: Float64
    weights: Float64

    @classmethod
    def of(
        cls,
        rows: Sequence[Int64],
        population: int = 0,
        gains: Sequence[float] = (),
        weights: Float64 | None = None,
    ) -> Tally:
        table = np.array(rows, dtype=np.int64).reshape(-1, len(COUNTS))
        row_weights = np.ones(len(table)) if weights is None else weights
        return cls(
            table, max(population, len(table)), np.array(gains, dtype=np.float64), row_weights
        )

    @property
    def counts(self) -> Int64:
        return np.asarray(self.rows.sum(axis=0), dtype=np.int64)

    def error(self, measure: HelpMeasure) -> float:
        """The standard error of the value, since not all sentences were read."""
        return ratio_error(*self._fractions(measure), self.population)

    def fraction(self, measure: HelpMeasure) -> tuple[float, float]:
        """Numerator and denominator of the value."""
        above, below = self._fractions(measure)
        return float(above.sum()), float(below.sum())

    def _fractions(self, measure: HelpMeasure) -> tuple[Float64, Float64]:
        if measure == "expected":
            above, below = self.gains, self.rows.sum(axis=1).astype(np.float64)
        else:
            above, below = fractions(self.rows, measure)
        return above * self.weights, below * self.weights


def tally(unaided: NDArray[np.bool_], helped: NDArray[np.bool_]) -> Int64:
    """S00, S01, S10 and S11 of words that were right or wrong without and with help."""
    kinds = 2 * unaided.astype(np.int64) + helped
    return np.bincount(kinds, minlength=len(COUNTS)).astype(np.int64)


def valued(counts: Int64, sums: Float64, reasons: Mapping[int, str]) -> Values:
    """A row of `PARTS` for each row of counts; `sums` are numerators and denominators.

    `relative` is (S01 - S10) / (S00 + S01 + S10 + S11): by how much the share of right words
    rises, from -1 to 1. `improve` is S01 / (S00 + S01 + S11), from 0 to 1. Where the denominator is
    0 the row is missing: there was nothing to predict, or, for `improve`, the summary spoils every
    word. Rows with a reason of their own are missing for that reason.
    """
    above, below = sums
    reasons_by_row = {
        int(row): NOTHING_TO_PREDICT if counts[row].sum() == 0 else ALL_LOST
        for row in np.flatnonzero(below == 0)
    }
    reasons_by_row |= reasons
    values = np.divide(above, below, out=np.full(len(counts), np.nan), where=below > 0)
    rows = np.column_stack([values, counts.astype(np.float64)])
    rows[list(reasons_by_row)] = np.nan
    return Values(rows, reasons_by_row)


def fractions(counts: Int64, measure: Measure) -> tuple[Float64, Float64]:
    """Numerator and denominator of a measure, for each row of counts."""
    s00, s01, s10, s11 = counts.astype(np.float64).reshape(-1, len(COUNTS)).T
    if measure == "relative":
        return s01 - s10, s00 + s01 + s10 + s11
    return s01, s00 + s01 + s11


def named_separator(sep: str) -> str:
    """The separator as an option and a signature show it: by name if it has one."""
    return _NAMES.get(sep, sep)


def separator_text(sep: str) -> str:
    """The separator as a model reads it."""
    return _TEXTS.get(sep, sep)


@dataclass(frozen=True)
class Help:
    """The tokens of a summary, and where each of its sentences ends among them."""

    tokens: Tokens
    ends: tuple[int, ...]

    @classmethod
    def of(cls, sentences: Iterable[Tokens]) -> Help:
        parts = list(sentences)
        tokens = tuple(token for part in parts for token in part)
        return cls(tokens, tuple(accumulate(map(len, parts))))

    def within(self, budget: int) -> Tokens:
        """As many of the first sentences as fit as a whole; if none does, the end of the first."""
        if len(self.tokens) <= budget:
            return self.tokens
        fitting = bisect_right(self.ends, budget)
        if fitting:
            return self.tokens[: self.ends[fitting - 1]]
        return self.tokens[self.ends[0] - budget : self.ends[0]]


def kept_of_sentence(sentence: int, summary: int, *, budget: int, cut: int) -> int:
    """How many tokens of a sentence stay beside a summary, given how many both have."""
    return max(0, min(sentence, max(cut, budget - summary), budget))
