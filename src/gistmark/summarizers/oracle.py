"""Oracle: the upper bound, found with what other systems do not see.

Sentences are added greedily as long as ROUGE rises: R. Nallapati, F. Zhai and B. Zhou,
"SummaRuNNer" (2017); Y. Liu and M. Lapata, "Text Summarization with Pretrained Encoders" (2019).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Literal

import numpy as np

from gistmark.errors import GistmarkError
from gistmark.metrics.lexical.hrouge import highlighted_words
from gistmark.options import option
from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import Choice, Extractive, in_document_order
from gistmark.summarizers.limits import Limit, Room
from gistmark.summarizers.overlap import Float64, Overlap
from gistmark.summarizers.summarizer import Source
from gistmark.text import Profile, profile_for, word_spans
from gistmark.text.tokens import tokenize

NO_REFERENCE = "there is no reference, so the highlights stand in"
NOTHING_SHARED = "no sentence shares a word with what it is compared with"
_ORDERS = {"rouge1": (1,), "rouge2": (2,), "mean": (1, 2)}
_RISE = 1e-12


@dataclass(frozen=True)
class OracleOptions:
    """Options of Oracle."""

    against: Literal["references", "highlights"] = option(
        "references", "what ROUGE is computed against; highlights stand in for lacking references"
    )
    measure: Literal["mean", "rouge1", "rouge2"] = option(
        "mean", "the F that is to rise: of ROUGE-1, of ROUGE-2, or the mean of both"
    )
    refs: Literal["max", "mean"] = option("max", "how several references are combined")
    stem: bool = option(False, "compare stems: Porter's in English, else Snowball's")


@dataclass(frozen=True)
class _Targets:
    """What ROUGE is computed against: texts, each in one piece or several."""

    texts: tuple[tuple[str, ...], ...]
    combined: Literal["max", "mean"]
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
        room = Room(limit)
        taken: list[int] = []
        value = 0.0
        left = np.ones(len(texts), dtype=bool)
        while left.any():
            values = _combined(groups, targets.combined)
            best = int(np.argmax(np.where(left, values, -1.0)))
            if taken and values[best] <= value + _RISE:
                break
            left[best] = False
            if not room.take(texts[best]):
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
        found = []
        for target in targets:
            own = [next(numbers) for _ in target]
            orders = _ORDERS[self.options.measure]
            found.append([Overlap(table, range(len(texts)), own, n) for n in orders])
        return found

    def _targets(self, source: Source) -> _Targets:
        references = tuple((text,) for text in source.references if word_spans(text, "words"))
        if references and self.options.against == "references":
            return _Targets(references, self.options.refs)
        marked = _marked(source)
        if marked:
            lacking = NO_REFERENCE if self.options.against == "references" else None
            return _Targets(marked, "mean", lacking)
        needed = "highlights" if self.options.against == "highlights" else "a reference"
        instead = " or highlights" if self.options.against == "references" else ""
        raise GistmarkError(
            f"The Oracle needs {needed}{instead} with words, and document "
            f"{source.document.id!r} has none."
        )


def _combined(groups: Sequence[Sequence[Overlap]], how: Literal["max", "mean"]) -> Float64:
    """The value with each sentence added: the mean over n-grams, then over or of the targets."""
    values = np.array([np.mean([each.f() for each in group], axis=0) for group in groups])
    return np.asarray(values.max(axis=0) if how == "max" else values.mean(axis=0))


def _marked(source: Source) -> tuple[tuple[str, ...], ...]:
    """For each annotator the runs of words that he or she highlighted."""
    text = source.document.text
    spans = word_spans(text, "words")
    found = []
    for _, marks in sorted(highlighted_words(spans, source.highlights).items()):
        runs = groupby(zip(marks.tolist(), spans, strict=True), key=itemgetter(0))
        pieces = [[span for _, span in run] for marked, run in runs if marked]
        if pieces:
            found.append(tuple(text[piece[0][0] : piece[-1][1]] for piece in pieces))
    return tuple(found)
