"""ROUGE: overlap of n-grams, subsequences and skip-bigrams.

C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004). ROUGE-N, L and Lsum
equal the package rouge_score; ROUGE-W, S and SU (and Lsum as its ROUGE-L) equal the Perl script
ROUGE-1.5.5, its peculiarities included, and with `stemmer=rouge155` its stems (-m), too.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch
from gistmark.metrics.kernels.ngrams import ngram_overlap, skip_bigram_overlap
from gistmark.metrics.kernels.subsequences import lcs_lengths, union_lcs
from gistmark.metrics.metric import PRECISION_RECALL_F, Float64, Metric, Need, Values
from gistmark.metrics.options import ComparisonOptions
from gistmark.metrics.targets import NEEDED, Pairs, combine, pair_up, precision_recall_f, with_f
from gistmark.models.catalogue import WORDNET_EXCEPTIONS
from gistmark.models.loading import label_of
from gistmark.models.store import model_folder
from gistmark.options import option
from gistmark.text.languages import ENGLISH, Profile
from gistmark.text.tokens import TokenTable
from gistmark.text.words import ASCII_TOKENIZERS, words

NO_WEIGHTS = np.empty(0, dtype=np.float64)
TOO_FEW = "the target has too few words to compare"
UNREAD = f"{TOO_FEW}: its letters are outside a-z; tok=words counts them"
TOO_LONG = "the texts are too long to align; put each sentence on a line of its own"


@dataclass(frozen=True)
class RougeOptions(ComparisonOptions):
    """Options of every kind of ROUGE."""

    stemmer: Literal["porter", "rouge155"] = option(
        "porter",
        "which English stems: Porter's as in NLTK, or those of ROUGE-1.5.5 with -m",
        implied=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stemmer == "rouge155" and not (self.stem and self.lang == ENGLISH):
            raise UsageError("stemmer=rouge155 goes with stem=yes, and with English texts only.")

    @property
    def profile(self) -> Profile:
        profile = super().profile
        if self.stemmer == "porter":
            return profile
        return replace(profile, exceptions=model_folder(WORDNET_EXCEPTIONS))


@dataclass(frozen=True)
class RougeNOptions(RougeOptions):
    """Options of ROUGE-N."""

    n: int = option(1, "the number of words in an n-gram", least=1)


@dataclass(frozen=True)
class RougeLsumOptions(RougeOptions):
    """Options of ROUGE-Lsum."""

    lines: Literal["newline", "sentences"] = option(
        "newline", "whether lines or sentences found by rule are matched one by one"
    )


@dataclass(frozen=True)
class RougeWOptions(RougeLsumOptions):
    """Options of ROUGE-W."""

    weight: float = option(1.2, "the power that favours runs of neighbouring words", least=1)
    base: Literal["rouge155", "paper"] = option(
        "rouge155", "whether recall is scaled as the script does (twice) or as the paper says"
    )


@dataclass(frozen=True)
class RougeSOptions(RougeOptions):
    """Options of ROUGE-S and ROUGE-SU."""

    gap: int = option(4, "the most words between the two of a skip-bigram")
    unigrams: bool = option(False, "whether single words count too (ROUGE-SU)")


class _Rouge(Metric):
    """What all kinds of ROUGE share: precision, recall and F against one or several targets.

    Range 0 to 1, higher is better. A summary without words scores 0; a target without anything to
    count is skipped, and if no other is left the value is missing.
    """

    parts = PRECISION_RECALL_F
    Options = RougeOptions

    @property
    def needs(self) -> frozenset[Need]:
        return NEEDED[self.options.against]

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, self.options.against)
        table = self._table(batch)
        values = self._values(table, pairs)
        has_units = self._units(table.lengths[pairs.targets].astype(np.float64)) > 0
        usable = has_units & ~np.isnan(values[:, 0])
        why = "" if usable.all() else self._reasons(batch, pairs, has_units)
        return combine(
            pairs, values, size=len(batch), usable=usable, unusable=why, how=self.options.refs
        )

    def _reasons(
        self, batch: Batch, pairs: Pairs, has_units: NDArray[np.bool_]
    ) -> NDArray[np.object_]:
        """Why each pair has no value, if it has none."""
        why = np.where(has_units, TOO_LONG, TOO_FEW).astype(object)
        why[np.isin(pairs.targets, self._unread_targets(batch, pairs, has_units))] = UNREAD
        return why

    def _unread_targets(
        self, batch: Batch, pairs: Pairs, has_units: NDArray[np.bool_]
    ) -> list[int]:
        """The targets that have enough words, but none that the tokenizer finds."""
        profile = self.options.profile
        if profile.tok not in ASCII_TOKENIZERS:
            return []
        any_script = replace(profile, tok="words")
        return [
            target
            for target in np.unique(pairs.targets[~has_units]).tolist()
            if self._units(np.array([float(len(words(batch.texts[target], any_script)))]))[0] > 0
        ]

    def _shown(self) -> dict[str, str]:
        if self.options.stemmer == "porter":
            return {}
        return {"exceptions": label_of(WORDNET_EXCEPTIONS)}

    def _table(self, batch: Batch) -> TokenTable:
        return batch.tokens(self.options.profile)

    def _units(self, words: Float64) -> Float64:
        """How many units (such as n-grams) texts of these numbers of words have."""
        return words

    @abstractmethod
    def _values(self, table: TokenTable, pairs: Pairs) -> Float64:
        """Precision, recall and F of each pair."""

    def _ratios(self, table: TokenTable, pairs: Pairs, hits: Float64) -> Float64:
        lengths = table.lengths.astype(np.float64)
        in_summary = self._units(lengths[pairs.summaries])
        return precision_recall_f(hits, in_summary, self._units(lengths[pairs.targets]))


class RougeN(_Rouge):
    """ROUGE-N: shared n-grams, clipped."""

    family = "rouge"
    about = "ROUGE-N: shared n-grams over those of the summary (precision) and of the target."
    Options = RougeNOptions

    def _units(self, words: Float64) -> Float64:
        units: Float64 = np.maximum(words - self.options.n + 1, 0)
        return units

    def _values(self, table: TokenTable, pairs: Pairs) -> Float64:
        hits, _, _ = ngram_overlap(
            table.ids, table.offsets, table.size, pairs.targets, pairs.summaries,
            self.options.n, NO_WEIGHTS,
        )  # fmt: skip
        return self._ratios(table, pairs, hits)


class RougeL(_Rouge):
    """ROUGE-L: the longest common subsequence of the whole texts."""

    family = "rougeL"
    about = "ROUGE-L: the longest common subsequence of words, texts taken as a whole."

    def _values(self, table: TokenTable, pairs: Pairs) -> Float64:
        lengths = lcs_lengths(table.ids, table.offsets, table.size, pairs.targets, pairs.summaries)
        return self._ratios(table, pairs, lengths.astype(np.float64))


class RougeLsum(_Rouge):
    """ROUGE-Lsum: the union of subsequences line by line; the script's ROUGE-L."""

    family = "rougeLsum"
    about = "ROUGE-Lsum: common subsequences line by line, united; ROUGE-1.5.5 calls it ROUGE-L."
    Options = RougeLsumOptions

    def _table(self, batch: Batch) -> TokenTable:
        profile = self.options.profile
        by_sentence = self.options.lines == "sentences"
        return batch.sentence_tokens(profile) if by_sentence else batch.tokens(profile)

    def _values(self, table: TokenTable, pairs: Pairs) -> Float64:
        hits, _ = self._union(table, pairs, 1.0)
        return self._ratios(table, pairs, hits)

    def _union(self, table: TokenTable, pairs: Pairs, power: float) -> tuple[Float64, Float64]:
        hits, bases = union_lcs(
            table.ids, table.lines, table.offsets, table.size,
            pairs.targets, pairs.summaries, power,
        )  # fmt: skip
        hits[hits < 0] = np.nan
        return hits, bases


class RougeW(RougeLsum):
    """ROUGE-W: like ROUGE-Lsum, but runs of neighbouring words weigh more.

    ROUGE-1.5.5 raises the target's length to the power twice, so its recall is far below the
    paper's formula; `base=paper` raises it once.
    """

    family = "rougeW"
    about = "ROUGE-W: common subsequences in which k neighbouring words count k ** weight."
    Options = RougeWOptions

    def _values(self, table: TokenTable, pairs: Pairs) -> Float64:
        power = self.options.weight
        hits, bases = self._union(table, pairs, power)
        summary = table.lengths[pairs.summaries].astype(np.float64) ** power
        if self.options.base == "rouge155":
            bases = bases**power
        powers = precision_recall_f(hits, summary, bases)
        return with_f(powers[:, 0] ** (1 / power), powers[:, 1] ** (1 / power))


class RougeS(_Rouge):
    """ROUGE-S and ROUGE-SU: shared skip-bigrams.

    ROUGE-1.5.5 leaves out a text's last word as a unigram of ROUGE-SU, and so does this.
    """

    family = "rougeS"
    about = "ROUGE-S: pairs of words in order with a bounded gap; ROUGE-SU adds single words."
    Options = RougeSOptions

    def _units(self, words: Float64) -> Float64:
        reach = self.options.gap + 1
        starts = np.maximum(words - 1, 0)
        full = np.maximum(starts - reach, 0)
        partial = starts - full
        bigrams: Float64 = full * reach + partial * (partial + 1) / 2
        return bigrams + starts if self.options.unigrams else bigrams

    def _values(self, table: TokenTable, pairs: Pairs) -> Float64:
        hits = skip_bigram_overlap(
            table.ids, table.offsets, table.size, pairs.targets, pairs.summaries,
            self.options.gap, self.options.unigrams,
        )  # fmt: skip
        return self._ratios(table, pairs, hits.astype(np.float64))
