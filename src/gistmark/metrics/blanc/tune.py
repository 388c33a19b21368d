"""BLANC-tune: how much better a language model knows a document after it has learnt the summary.

Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC" (2020). The model is tuned on the summary
alone; then it and the original are asked for the long words of each sentence of the document, and
the words are counted that only one of them gets right.

A masked model learns by filling in masked words of the summary and is asked by masking every
gap-th word of a sentence. A causal model learns to foresee the long words of the summary and is
asked for those of the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.blanc.counts import PARTS, Int64, Measure, tally, valued
from gistmark.metrics.blanc.eligible import Rule
from gistmark.metrics.blanc.lessons import Masking
from gistmark.metrics.blanc.pupils import Pupil, pupil_of
from gistmark.metrics.blanc.way import way_told
from gistmark.metrics.metric import Need, Values
from gistmark.metrics.on_models import LANGUAGE_MODEL, ModelOptions, OnModel
from gistmark.metrics.options import LanguageOptions
from gistmark.models.tuning import Training, tuned
from gistmark.options import option

NO_TEXT = "the document has no text"


@dataclass(frozen=True)
class TuneOptions(LanguageOptions, ModelOptions):
    """Options of BLANC-tune; the defaults are those of the paper and the authors' package."""

    model: str = option(LANGUAGE_MODEL, "a masked or causal language model, its folder or hub name")
    gap: int = option(2, "masked models: every gap-th word of a sentence is masked", least=1)
    rule: Rule = option("package", "masked models: which words are asked for")
    least: int = option(4, "characters that a word needs to be asked for", least=1)
    lead: int = option(2, "rule=package: those of the first piece of a split word", least=1)
    follow: int = option(100, "rule=package: those of its later pieces", least=1)
    measure: Measure = option("relative", "what is made of the counts")
    epochs: int = option(10, "how often the summary is learnt", least=1)
    masking: Masking = option("random", "masked models: how words of the summary are chosen")
    share: float = option(0.15, "masking=random: the share of tokens that is chosen at a time")
    replaced: float = option(0.1, "masked models: of these, the share shown as a random token")
    kept: float = option(0.1, "masked models: of these, the share shown as it is")
    chunk: int = option(64, "the tokens of the summary that are learnt together", least=2)
    stride: int = option(32, "how many tokens after another a chunk starts", least=1)
    batch: int = option(1, "how many chunks make a step", least=1)
    rate: float = option(5e-5, "the learning rate of AdamW, which falls to 0")
    warmup: int = option(0, "for how many steps it rises first")
    decay: float = option(0.01, "the weight decay of AdamW")
    layers: int = option(0, "how many of the top layers learn; 0 means the whole model")
    seed: int = option(0, "seeds the choice of words and what torch draws while it learns")

    def __post_init__(self) -> None:
        ModelOptions.__post_init__(self)
        LanguageOptions.__post_init__(self)


class BlancTune(OnModel):
    """The counts of an original and a tuned model.

    An empty summary teaches nothing and has the value 0. A document of which no word can be asked
    for is missing.
    """

    family = "blanc-tune"
    about = "How many more words of the document a model knows once tuned on the summary; -1 to 1."
    parts = PARTS
    range = (-1.0, 1.0)
    block_size = 1
    Options = TuneOptions

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})

    def _shown(self) -> dict[str, str]:
        """With the architecture of the model, if the model is here to tell."""
        way = way_told(self.options.model)
        return {**super()._shown(), **({"way": way} if way else {})}

    def score(self, batch: Batch) -> Values:
        counts = np.zeros((len(batch), 4), dtype=np.int64)
        missing = np.flatnonzero(batch.documents == NO_DOCUMENT)
        reasons = dict.fromkeys(map(int, missing), NO_TEXT)
        there = [row for row in range(len(batch)) if row not in reasons]
        if there:
            pupil = pupil_of(self.options)
            pairs = {row: (int(batch.documents[row]), int(batch.summaries[row])) for row in there}
            known = {pair: self._counted(batch, pupil, *pair) for pair in set(pairs.values())}
            for row in there:
                counts[row] = known[pairs[row]]
        return valued(counts, self.options.measure, reasons)

    def _counted(self, batch: Batch, pupil: Pupil, document: int, summary: int) -> Int64:
        """The counts of one document and summary; what the original knows is asked once."""
        key = ("blanc-tune", self.options, document)
        original = batch.memo(key, lambda: pupil.asked(batch.texts[document]))
        lessons = pupil.lessons(batch.texts[summary]) if len(original) else []
        if not lessons:
            return tally(original, original)
        options = self.options
        training = Training(
            rate=options.rate, warmup=options.warmup, decay=options.decay, batch=options.batch,
            layers=options.layers, seed=options.seed,
        )  # fmt: skip
        with tuned(pupil.network, lessons, pupil.loss, training):
            return tally(original, pupil.asked(batch.texts[document]))
