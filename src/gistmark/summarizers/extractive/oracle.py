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
        taken, value = self._greedy(texts, targets, limit, words)
        note = targets.note if value > 0 else NOTHING_SHARED
        return Choice(in_document_order(taken, candidates), note=note)

    def _greedy(
        self, texts: Sequence[str], targets: _Targets, limit: Limit, words: Profile
    ) -> tuple[list[int], float]:
        groups = self._overlaps(texts, targets.texts, words)
        budget = Budget(limit)
        taken: list[int] = []
        value = 0.0
        left = np.ones(len(texts), dtype=bool)
        while left.any():
            values = _combined(groups, targets.combined)
            best = int(np.argmax(np.where(left, values, -1.0)))
            if taken and values[best] <= value + _RISE:
                break
            left[best] = False
            if not budget.take(texts[best]):
                continue
            taken.append(best)
            value = float(values[best])
            for overlap in (each for group in groups for each in group):
                overlap.take(best)
        return taken, value

    def _overlaps(
        self, texts: Sequence[str], targets: Sequence[tuple[str, ...]], words: Profile
    ) -> list[list[Overlap]]:
        """For each target the overlaps of the measure's n-grams."""
        pieces = [piece for target in targets for piece in target]
        table = tokenize([*texts, *pieces], words)
        numbers = iter(range(len(texts), len(texts) + len(pieces)))
        overlaps = []
        for target in targets:
            own = [next(numbers) for _ in target]
            orders = _ORDERS[self.options.measure]
            overlaps.append([Overlap(table, range(len(texts)), own, n) for n in orders])
        return overlaps

    def _targets(self, source: Source) -> _Targets:
        references = tuple((text,) for text in source.references if word_spans(text, "words"))
        if references and self.options.against == "references":
            return _Targets(references, self.options.refs)
        marked = _marked(source)
        if marked:
            lacking = NO_REFERENCE if self.options.against == "references" else None
            return _Targets(marked, "mean", lacking)
        against = self.options.against
        needed = "highlights" if against == "highlights" else "references or highlights"
        raise GistmarkError(
            f"The Oracle needs {needed} with words, and was given none of document "
            f"{source.document.id!r}."
        )


def _combined(groups: Sequence[Sequence[Overlap]], how: Combining) -> Float64:
    """The value with each sentence added: the mean over n-grams, then over or of the targets."""
    values = np.array([np.mean([each.f() for each in group], axis=0) for group in groups])
    return np.asarray(values.max(axis=0) if how == "max" else values.mean(axis=0))


def _marked(source: Source) -> tuple[tuple[str, ...], ...]:
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
        wanted = np.concatenate([_grams(table, piece, n) for piece in target])
        grams, self.wanted = np.unique(wanted, return_counts=True)
        self.total = len(wanted)
        grams_of = [_grams(table, sentence, n) for sentence in sentences]
        self.lengths = np.array([len(each) for each in grams_of])
        self.rows, self.columns, self.counts = _occurrences(grams_of, grams)
        self.chosen = np.zeros(len(grams), dtype=np.int64)
        self.chosen_length = 0

    def f(self) -> Float64:
        """The F that the selection would have with each of the sentences added."""
        now = np.minimum(self.chosen, self.wanted)
        after = np.minimum(self.chosen[self.columns] + self.counts, self.wanted[self.columns])
        hits = np.full(len(self.lengths), now.sum(), dtype=np.float64)
        np.add.at(hits, self.rows, after - now[self.columns])
        either = self.chosen_length + self.lengths + self.total
        f: Float64 = np.divide(2 * hits, either, out=np.zeros_like(hits), where=either > 0)
        return f

    def take(self, sentence: int) -> None:
        """Add a sentence to the selection."""
        own = self.rows == sentence
        np.add.at(self.chosen, self.columns[own], self.counts[own])
        self.chosen_length += int(self.lengths[sentence])


def _grams(table: TokenTable, text: int, n: int) -> Int64:
    """The n-grams of a text (n is 1 or 2) as numbers; equal ones have equal numbers."""
    ids = table.ids[table.offsets[text] : table.offsets[text + 1]].astype(np.int64)
    return ids if n == 1 else ids[:-1] * table.size + ids[1:]


def _occurrences(grams_of: Sequence[Int64], grams: Int64) -> tuple[Int64, Int64, Int64]:
    """Which sentence has which of the grams how often."""
    rows = np.repeat(np.arange(len(grams_of)), [len(each) for each in grams_of])
    every = np.concatenate(grams_of)
    columns = np.searchsorted(grams, every)
    known = columns < len(grams)
    known[known] = grams[columns[known]] == every[known]
    pairs, counts = np.unique(rows[known] * len(grams) + columns[known], return_counts=True)
    size = max(len(grams), 1)
    return pairs // size, pairs % size, counts
