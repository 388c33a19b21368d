"""BLANC-help: how many more words of a document a language model knows with the summary before it.

Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC: Human-free quality estimation of document
summaries" (2020). The model is asked for the long words of each sentence of the document, once
with the summary in front of it and once with a filler of the same length, and the words are
counted that it gets right with only one of them.

A masked model fills in every gap-th word, as in the paper; a causal model foresees each long word
from what precedes it. Texts are first brought to Unicode's form NFKD for masked models, as the
authors' package does, and to NFKC for causal ones, which are used to composed letters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.blanc.counts import PARTS, Int64, valued
from gistmark.metrics.blanc.foresight import causal_counts
from gistmark.metrics.blanc.help_options import HelpOptions
from gistmark.metrics.blanc.masking import masked_counts
from gistmark.metrics.blanc.steps import Form, Step, split, steps
from gistmark.metrics.blanc.way import Way, way_of, way_told
from gistmark.metrics.metric import Need, Values
from gistmark.metrics.on_models import OnModel
from gistmark.records import COUNTS

Pair = tuple[int, int]

NO_TEXT = "the document has no text"

_Counter = Callable[[Batch, HelpOptions, Sequence[Sequence[Step]]], list[Int64]]
_WAYS: dict[Way, tuple[Form, _Counter]] = {
    "masked": ("NFKD", masked_counts),
    "causal": ("NFKC", causal_counts),
}


class BlancHelp(OnModel):
    """The counts of a model without and with the summary as help.

    An empty summary helps as much as its empty filler and has the value 0. A document of which no
    word can be asked for (it is empty, has only short words, or the guard skips every sentence)
    has no value.
    """

    family = "blanc-help"
    about = "How many more words of the document a model knows thanks to the summary; -1 to 1."
    parts = PARTS
    range = (-1.0, 1.0)
    block_size = 4
    Options = HelpOptions

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})

    def _shown(self) -> dict[str, str]:
        """With the architecture of the model, if the model is here to tell."""
        way = way_told(self.options.model)
        return {**super()._shown(), **({"way": way} if way else {})}

    def score(self, batch: Batch) -> Values:
        pairs = list(zip(batch.documents.tolist(), batch.summaries.tolist(), strict=True))
        reasons = {row: NO_TEXT for row, pair in enumerate(pairs) if pair[0] == NO_DOCUMENT}
        found = self._counts(batch, [pair for pair in pairs if pair[0] != NO_DOCUMENT])
        nothing = np.zeros(len(COUNTS), dtype=np.int64)
        rows = [found.get(pair, nothing) for pair in pairs]
        counts = np.array(rows, dtype=np.int64).reshape(-1, len(COUNTS))
        return valued(counts, self.options.measure, reasons)

    def _counts(self, batch: Batch, pairs: Iterable[Pair]) -> dict[Pair, Int64]:
        """The counts of each distinct pair of a document and a summary."""
        distinct = list(dict.fromkeys(pairs))
        if not distinct:
            return {}
        form, counted = _WAYS[way_of(self.options.model)]
        guard, lang = self.options.guard, self.options.lang
        work = [
            list(
                steps(split(batch, document, form, lang), split(batch, summary, form, lang), guard)
            )
            for document, summary in distinct
        ]
        return dict(zip(distinct, counted(batch, self.options, work), strict=True))
