"""HROUGE: n-gram overlap with the document, weighted by what was highlighted in it.

Hardy, Narayan and Vlachos, "HighRES: Highlight-based Reference-less Evaluation of Summarization"
(2019), section 4 and equations 1 to 5. With every weight 1 it is ROUGE against the document.
People's highlights count, unless `by` names one annotator, such as a machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch, Int64
from gistmark.metrics.kernels.ngrams import ngram_overlap
from gistmark.metrics.lexical.rouge import NO_WEIGHTS
from gistmark.metrics.metric import PRECISION_RECALL_F, Float64, Metric, Need, Values
from gistmark.metrics.options import LanguageOptions, refuse_what_lacks
from gistmark.metrics.targets import combine, pair_up, precision_recall_f
from gistmark.options import option
from gistmark.records import Highlight
from gistmark.text.highlighted import highlighted_words
from gistmark.text.languages import Normalization, Profile, Tokenizer
from gistmark.text.tokens import TokenTable
from gistmark.text.words import Span, word_spans

PAPER_BUDGET = 30
"""The number of words that each annotator of HighRES could highlight (K)."""


def word_weights(
    spans: Sequence[Span],
    highlights: Sequence[Highlight],
    *,
    budget: int | None = None,
    annotators: int | None = None,
) -> NDArray[np.float64]:
    """NumH(w) / N for every word: sum over annotators k of len(H_k) / K where k marked it, over N.

    `budget` (K) is taken from the highlights where it is not given, else the paper's 30;
    `annotators` (N) is the number of people who highlighted the document.
    """
    marks = highlighted_words(spans, highlights)
    budgets = {mark.annotator: mark.budget for mark in highlights if mark.budget is not None}
    total = np.zeros(len(spans))
    for annotator in sorted(marks):
        limit = budget or budgets.get(annotator) or PAPER_BUDGET
        total += marks[annotator] * (marks[annotator].sum() / limit)
    people = annotators or len(marks)
    return total / people if people else total


PEOPLE = "people"
NO_HIGHLIGHTS = "nobody highlighted a word of the document"
ONLY_MACHINES = "only machines highlighted the document; by=NAME takes one of them"
TOO_SHORT = "the document has too few words to compare"


@dataclass(frozen=True)
class HighlightWordOptions(LanguageOptions):
    """How texts become words, and whose highlights count."""

    tok: Tokenizer = option("space", "how words are found")
    norm: Normalization = option("none", "unify quotes and brackets, or apply Unicode's NFKC")
    stem: bool = option(False, "compare stems: Porter's in English, else Snowball's")
    by: str = option(
        PEOPLE,
        "whose highlights count: people's, or those of one annotator, such as machine:LexRank",
        implied=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_what_lacks(self.lang, stem=self.stem, stop=False)

    @property
    def profile(self) -> Profile:
        return Profile(tok=self.tok, norm=self.norm, stem=self.stem, lang=self.lang)

    def highlights(self, batch: Batch) -> Mapping[int, Sequence[Highlight]]:
        """The highlights that count, by the number of the document's text."""
        if self.by == PEOPLE:
            return batch.highlights
        all_highlights = (*batch.highlights.items(), *batch.machine_highlights.items())
        by_annotator: dict[int, list[Highlight]] = {}
        for number, marks in all_highlights:
            by_annotator.setdefault(number, []).extend(m for m in marks if m.annotator == self.by)
        return {number: marks for number, marks in by_annotator.items() if marks}

    def unmarked(self, batch: Batch, documents: Int64) -> NDArray[np.str_]:
        """For each document, in words, why none of its words is highlighted."""
        if self.by != PEOPLE:
            return np.full(len(documents), f"{self.by} highlighted no word of the document")
        by_machines = [
            number in batch.machine_highlights and number not in batch.highlights
            for number in documents.tolist()
        ]
        return np.where(np.array(by_machines, dtype=bool), ONLY_MACHINES, NO_HIGHLIGHTS)


@dataclass(frozen=True)
class HRougeOptions(HighlightWordOptions):
    """Options of HROUGE-N."""

    n: int = option(1, "the number of words in an n-gram", least=1)
    beta: Literal["highlights", "one"] = option(
        "highlights", "the weight of n-grams: by highlights, or 1 (ROUGE against the document)"
    )
    budget: int | None = option(
        None, "K, the words an annotator may highlight; 30 without data", least=1
    )
    annotators: int | None = option(None, "N, the number of annotators of a document", least=1)


@dataclass(frozen=True)
class HighlightOverlapOptions(HighlightWordOptions):
    """Options of the highlight overlap."""

    least: int = option(1, "how many annotators must have highlighted a word", least=1)


class HRouge(Metric):
    """HROUGE-N. Range 0 to 1, higher is better; documents without highlights are missing.

    Precision, and with it F, rises above 1 only where somebody highlighted more words than the
    budget allows; recall never does.
    """

    family = "hrouge"
    about = "HROUGE-N: n-grams shared with the document, weighted by its highlights."
    parts = PRECISION_RECALL_F
    range = (0.0, float("inf"))
    Options = HRougeOptions

    @property
    def needs(self) -> frozenset[Need]:
        weighted = self.options.beta == "highlights"
        return frozenset({"documents", "highlights"} if weighted else {"documents"})

    def score(self, batch: Batch) -> Values:
        n = self.options.n
        pairs = pair_up(batch, "document")
        table = batch.tokens(self.options.profile)
        weights = NO_WEIGHTS
        if self.options.beta == "highlights":
            options = self.options
            key = ("highlights", options.tok, options.budget, options.annotators, options.by)
            weights = batch.memo(key, lambda: self._weights(batch, table))
        hits, _, totals = ngram_overlap(
            table.ids, table.offsets, table.size, pairs.targets, pairs.summaries, n, weights
        )
        in_summary = np.maximum(table.lengths[pairs.summaries] - n + 1, 0).astype(np.float64)
        values = precision_recall_f(np.minimum(hits, totals), in_summary, totals)
        unmarked = self.options.unmarked(batch, pairs.targets)
        why = np.where(table.lengths[pairs.targets] < n, TOO_SHORT, unmarked)
        return combine(pairs, values, size=len(batch), usable=totals > 0, unusable=why)

    def _weights(self, batch: Batch, table: TokenTable) -> Float64:
        """The weight of each word of the pool, 0 where it is not a highlighted document's."""
        weights = np.zeros(max(len(table.ids), 1))
        for number, highlights in self.options.highlights(batch).items():
            first, last = table.offsets[number], table.offsets[number + 1]
            weights[first:last] = word_weights(
                word_spans(batch.texts[number], self.options.tok),
                highlights,
                budget=self.options.budget,
                annotators=self.options.annotators,
            )
        return weights


class HighlightOverlap(Metric):
    """How much of the highlighted text a summary covers, word by word.

    Recall is the share of highlighted words that the summary has, precision the share of the
    summary's words that are highlighted ones. Range 0 to 1, higher is better.
    """

    family = "highlight-overlap"
    about = "The share of the highlighted words that the summary has, and the reverse."
    parts = PRECISION_RECALL_F
    Options = HighlightOverlapOptions

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents", "highlights"})

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, "document")
        table = batch.tokens(self.options.profile)
        ids, offsets = self._append_highlighted(batch, table)
        hits, _, totals = ngram_overlap(
            ids, offsets, table.size, pairs.targets + len(batch.texts), pairs.summaries, 1,
            NO_WEIGHTS,
        )  # fmt: skip
        in_summary = table.lengths[pairs.summaries].astype(np.float64)
        values = precision_recall_f(hits, in_summary, totals)
        why = self.options.unmarked(batch, pairs.targets)
        return combine(pairs, values, size=len(batch), usable=totals > 0, unusable=why)

    def _append_highlighted(
        self, batch: Batch, table: TokenTable
    ) -> tuple[
        np.ndarray[tuple[int], np.dtype[np.int32]], np.ndarray[tuple[int], np.dtype[np.int64]]
    ]:
        """The pool's words, and behind them, text by text, only the highlighted ones."""
        ids = [table.ids]
        lengths = np.zeros(len(batch.texts), dtype=np.int64)
        for number, highlights in sorted(self.options.highlights(batch).items()):
            spans = word_spans(batch.texts[number], self.options.tok)
            marks = highlighted_words(spans, highlights)
            highlighted = np.sum(list(marks.values()), axis=0) >= self.options.least
            words = table.ids[table.offsets[number] : table.offsets[number + 1]][highlighted]
            ids.append(words)
            lengths[number] = len(words)
        highlighted_offsets = table.offsets[-1] + np.cumsum(lengths)
        return np.concatenate(ids), np.concatenate([table.offsets, highlighted_offsets])
