"""Plain facts about a summary, so that people can control for length and copying.

Coverage and density are those of Grusky, Naaman and Artzi, "Newsroom" (2018).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gistmark.metrics.batch import Batch
from gistmark.metrics.kernels.ngrams import distinct_ngrams, ngram_overlap
from gistmark.metrics.kernels.subsequences import fragment_sums
from gistmark.metrics.lexical.rouge import NO_WEIGHTS
from gistmark.metrics.metric import Better, Float64, Metric, Need, Values
from gistmark.metrics.options import LanguageOptions, WordOptions
from gistmark.metrics.targets import combine, pair_up
from gistmark.options import option
from gistmark.text.languages import Tokenizer
from gistmark.text.sentences import sentences

NO_WORDS = "the document has no words"


@dataclass(frozen=True)
class StatisticOptions(WordOptions):
    """How texts become words."""

    tok: Tokenizer = option("words", "how words are found")


@dataclass(frozen=True)
class NgramOptions(StatisticOptions):
    """Options of statistics that count n-grams."""

    n: int = option(1, "the number of words in an n-gram", least=1)


class _Statistic(Metric):
    better: ClassVar[Better] = "neither"
    range = (0.0, float("inf"))

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset()


class _AgainstDocument(_Statistic):
    range = (0.0, 1.0)
    Options = StatisticOptions

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})


class Chars(_Statistic):
    """The number of characters."""

    family = "chars"
    about = "The length of the summary in characters."

    def score(self, batch: Batch) -> Values:
        return _per_summary(batch, lambda text: float(len(text)))


class Sentences(_Statistic):
    """The number of sentences, found by rule."""

    family = "sentences"
    about = "The length of the summary in sentences."
    Options = LanguageOptions

    def score(self, batch: Batch) -> Values:
        return _per_summary(batch, lambda text: float(len(sentences(text, self.options.lang))))


class Words(_Statistic):
    """The number of words."""

    family = "words"
    about = "The length of the summary in words."
    Options = StatisticOptions

    def score(self, batch: Batch) -> Values:
        lengths = batch.tokens(self.options.profile).lengths[batch.summaries]
        return Values(lengths.astype(np.float64)[:, None])


class Compression(_Statistic):
    """Characters of the summary over characters of the document, as BLANC's authors define it."""

    family = "compression"
    about = "The summary's length over the document's, in characters; small is strong compression."

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})

    def score(self, batch: Batch) -> Values:
        lengths = np.array([len(text) for text in batch.texts], dtype=np.float64)
        pairs = pair_up(batch, "document")
        document_lengths = lengths[pairs.targets]
        share = np.zeros_like(document_lengths)
        nonempty = document_lengths > 0
        np.divide(lengths[pairs.summaries], document_lengths, out=share, where=nonempty)
        return combine(
            pairs, share[:, None], size=len(batch), usable=nonempty,
            unusable="the document is empty",
        )  # fmt: skip


class Coverage(_AgainstDocument):
    """The share of the summary's words that stand in runs taken from the document."""

    family = "coverage"
    about = "Extractive coverage: the share of the summary's words copied from the document."

    def score(self, batch: Batch) -> Values:
        return _fragment_share(self, batch, squared=False)


class Density(_AgainstDocument):
    """The mean length of the copied run that a word of the summary belongs to."""

    family = "density"
    about = "Extractive density: the mean squared length of copied runs per word of the summary."
    range = (0.0, float("inf"))

    def score(self, batch: Batch) -> Values:
        return _fragment_share(self, batch, squared=True)


class Novel(_AgainstDocument):
    """The share of the summary's n-grams that do not stand in the document."""

    family = "novel"
    about = "The share of the summary's n-grams that the document does not have."
    Options = NgramOptions

    def score(self, batch: Batch) -> Values:
        n = self.options.n
        pairs = pair_up(batch, "document")
        table = batch.tokens(self.options.profile)
        _, present, _ = ngram_overlap(
            table.ids, table.offsets, table.size, pairs.targets, pairs.summaries, n, NO_WEIGHTS
        )
        total = np.maximum(table.lengths[pairs.summaries] - n + 1, 0)
        share = 1 - present / np.maximum(total, 1)
        has_words = table.lengths[pairs.targets] > 0
        return combine(
            pairs, share[:, None], size=len(batch), usable=has_words & (total > 0),
            unusable=np.where(has_words, f"the summary has fewer than {n} words", NO_WORDS),
        )  # fmt: skip


class Repeated(_Statistic):
    """The share of the summary's n-grams that repeat an earlier one: redundancy."""

    family = "repeated"
    about = "Redundancy: the share of the summary's n-grams that repeat an earlier one."
    better = "lower"
    range = (0.0, 1.0)
    Options = NgramOptions

    def score(self, batch: Batch) -> Values:
        n = self.options.n
        table = batch.tokens(self.options.profile)
        different = distinct_ngrams(table.ids, table.offsets, table.size, batch.summaries, n)
        total = np.maximum(table.lengths[batch.summaries] - n + 1, 0)
        values = np.where(total > 0, 1 - different / np.maximum(total, 1), np.nan)
        reason = f"the summary has fewer than {n} words"
        return Values(values[:, None], {int(i): reason for i in np.flatnonzero(total == 0)})


def _per_summary(batch: Batch, measure: Callable[[str], float]) -> Values:
    """A value of each distinct summary's text alone."""
    numbers, inverse = np.unique(batch.summaries, return_inverse=True)
    values: Float64 = np.array([measure(batch.texts[number]) for number in numbers])
    return Values(values[inverse].reshape(-1, 1))


def _fragment_share(metric: Metric, batch: Batch, *, squared: bool) -> Values:
    pairs = pair_up(batch, "document")
    table = batch.tokens(metric.options.profile)
    lengths, squares = fragment_sums(
        table.ids, table.offsets, table.size, pairs.targets, pairs.summaries
    )
    words = table.lengths[pairs.summaries]
    share = (squares if squared else lengths) / np.maximum(words, 1)
    has_words = table.lengths[pairs.targets] > 0
    return combine(
        pairs, share[:, None], size=len(batch), usable=has_words & (words > 0),
        unusable=np.where(has_words, "the summary has no words", NO_WORDS),
    )  # fmt: skip
