"""Oracle: an upper bound for extractive systems, which looks at the references or highlights.

Sentences are added greedily as long as ROUGE rises: R. Nallapati, F. Zhai and B. Zhou,
"SummaRuNNer" (2017); Y. Liu and M. Lapata, "Text Summarization with Pretrained Encoders" (2019).
`Overlap` keeps the ROUGE-N of the growing selection without counting anything twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Literal

import numpy as np

from gistmark.errors import GistmarkError
from gistmark.options import option
from gistmark.summarizers.extractive.selection import Choice, Extractive, in_document_order
from gistmark.summarizers.extractive.similarity import Float64, Int64
from gistmark.summarizers.summarizer import Budget, Limit, Sentence, Source
from gistmark.text import Profile, profile_for, word_spans
from gistmark.text.highlighted import highlighted_words
from gistmark.text.tokens import TokenTable, tokenize

NO_REFERENCE = "there is no reference, so the highlights stand in"
NOTHING_SHARED = "no sentence shares a word with what it is compared with"
_ORDERS = {"rouge1": (1,), "rouge2": (2,), "mean": (1, 2)}
_RISE = 1e-12

Combining = Literal["max", "mean"]


@dataclass(frozen=True)
class OracleOptions:
    """Options of Oracle."""

    against: Literal["references", "highlights"] = option(
        "references", "what ROUGE is computed against; highlights stand in for missing references"
    )
    measure: Literal["mean", "rouge1", "rouge2"] = option(
        "mean", "the F to maximise: of ROUGE-1, of ROUGE-2, or the mean of both"
    )
    refs: Combining = option("max", "how several references are combined")
    stem: bool = option(False, "compare stems: Porter's in English, else Snowball's")


@dataclass(frozen=True)
class _Targets:
    """What ROUGE is computed against: texts, each in one piece or several."""

    texts: tuple[tuple[str, ...], ...]
    combined: Combining
    note: str | None = None


class Oracle(Extractive):
    """Adds the sentence with which ROUGE rises most until it rises no more.

    Against highlights, each annotator's highlighted words serve as a reference, and the mean
    over the annotators counts. One sentence is always taken; of equals it is the first. Bigrams
    across two sentences do not count, as in the programs of both papers.
    """

    name = "Oracle"
    about = "The sentences with the best ROUGE against the reference or the highlights."
    Options = OracleOptions

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        targets = self._targets(source)
        texts = [sentence.text for sentence in candidates]
        words = profile_for(source.document.lang, stem=self.options.stem)
        selected, value = self._greedy(texts, targets, limit, words)
        note = targets.note if value > 0 else NOTHING_SHARED
        return Choice(in_document_order(selected, candidates), note=note)

    def _greedy(
        self, texts: Sequence[str], targets: _Targets, limit: Limit, words: Profile
    ) -> tuple[list[int], float]:
        groups = self._overlaps(texts, targets.texts, words)
        budget = Budget(limit)
        selected: list[int] = []
        value = 0.0
        available = np.ones(len(texts), dtype=bool)
        while available.any():
            values = _combine(groups, targets.combined)
            best = int(np.argmax(np.where(available, values, -1.0)))
            if selected and values[best] <= value + _RISE:
                break
            available[best] = False
            if not budget.take(texts[best]):
                continue
            selected.append(best)
            value = float(values[best])
            for overlap in (overlap for group in groups for overlap in group):
                overlap.take(best)
        return selected, value

    def _overlaps(
        self, texts: Sequence[str], targets: Sequence[tuple[str, ...]], words: Profile
    ) -> list[list[Overlap]]:
        """For each target the overlaps of the measure's n-grams."""
        pieces = [piece for target in targets for piece in target]
        table = tokenize([*texts, *pieces], words)
        numbers = iter(range(len(texts), len(texts) + len(pieces)))
        overlaps = []
        for target in targets:
            target_numbers = [next(numbers) for _ in target]
            orders = _ORDERS[self.options.measure]
            overlaps.append([Overlap(table, range(len(texts)), target_numbers, n) for n in orders])
        return overlaps

    def _targets(self, source: Source) -> _Targets:
        references = tuple((text,) for text in source.references if word_spans(text, "words"))
        if references and self.options.against == "references":
            return _Targets(references, self.options.refs)
        highlighted = _highlighted_runs(source)
        if highlighted:
            note = NO_REFERENCE if self.options.against == "references" else None
            return _Targets(highlighted, "mean", note)
        against = self.options.against
        required = "highlights" if against == "highlights" else "references or highlights"
        raise GistmarkError(
            f"The Oracle needs {required} with words, and was given none of document "
            f"{source.document.id!r}."
        )


def _combine(groups: Sequence[Sequence[Overlap]], how: Combining) -> Float64:
    """The value with each sentence added: the mean over n-grams, then `how` over the targets."""
    values = np.array([np.mean([overlap.f() for overlap in group], axis=0) for group in groups])
    return np.asarray(values.max(axis=0) if how == "max" else values.mean(axis=0))


def _highlighted_runs(source: Source) -> tuple[tuple[str, ...], ...]:
    """For each annotator the runs of words that they highlighted."""
    text = source.document.text
    spans = word_spans(text, "words")
    targets = []
    for _, marks in sorted(highlighted_words(spans, source.highlights).items()):
        runs = groupby(zip(marks.tolist(), spans, strict=True), key=itemgetter(0))
        pieces = [[span for _, span in run] for marked, run in runs if marked]
        if pieces:
            targets.append(tuple(text[piece[0][0] : piece[-1][1]] for piece in pieces))
    return tuple(targets)


class Overlap:
    """The F of n-grams of chosen sentences against one target.

    `sentences` and `target` are the numbers of texts in the table; a target may be in pieces.
    N-grams across two sentences or two pieces do not count. A target without n-grams gives 0.
    """

    def __init__(
        self, table: TokenTable, sentences: Sequence[int], target: Sequence[int], n: int
    ) -> None:
        target_grams = np.concatenate([_grams(table, piece, n) for piece in target])
        grams, self.target_counts = np.unique(target_grams, return_counts=True)
        self.total = len(target_grams)
        grams_of = [_grams(table, sentence, n) for sentence in sentences]
        self.lengths = np.array([len(sentence_grams) for sentence_grams in grams_of])
        self.rows, self.columns, self.counts = _occurrences(grams_of, grams)
        self.selected = np.zeros(len(grams), dtype=np.int64)
        self.selected_length = 0

    def f(self) -> Float64:
        """The F that the selection would have with each of the sentences added."""
        hits_before = np.minimum(self.selected, self.target_counts)
        hits_after = np.minimum(
            self.selected[self.columns] + self.counts, self.target_counts[self.columns]
        )
        hits = np.full(len(self.lengths), hits_before.sum(), dtype=np.float64)
        np.add.at(hits, self.rows, hits_after - hits_before[self.columns])
        total = self.selected_length + self.lengths + self.total
        f: Float64 = np.divide(2 * hits, total, out=np.zeros_like(hits), where=total > 0)
        return f

    def take(self, sentence: int) -> None:
        """Add a sentence to the selection."""
        entries = self.rows == sentence
        np.add.at(self.selected, self.columns[entries], self.counts[entries])
        self.selected_length += int(self.lengths[sentence])


def _grams(table: TokenTable, text: int, n: int) -> Int64:
    """The n-grams of a text (n is 1 or 2) as numbers; equal ones have equal numbers."""
    ids = table.ids[table.offsets[text] : table.offsets[text + 1]].astype(np.int64)
    return ids if n == 1 else ids[:-1] * table.size + ids[1:]


def _occurrences(grams_of: Sequence[Int64], grams: Int64) -> tuple[Int64, Int64, Int64]:
    """Which sentence has which of the grams how often."""
    rows = np.repeat(np.arange(len(grams_of)), [len(sentence_grams) for sentence_grams in grams_of])
    all_grams = np.concatenate(grams_of)
    columns = np.searchsorted(grams, all_grams)
    in_target = columns < len(grams)
    in_target[in_target] = grams[columns[in_target]] == all_grams[in_target]
    pairs, counts = np.unique(rows[in_target] * len(grams) + columns[in_target], return_counts=True)
    size = max(len(grams), 1)
    return pairs // size, pairs % size, counts
