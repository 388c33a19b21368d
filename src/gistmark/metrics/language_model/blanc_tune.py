"""BLANC-tune: how much better a language model knows a document after it was tuned on the summary.

Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC" (2020). The model is tuned on the summary
alone; then it and the original predict the long words of each sentence of the document, and the
words are counted that only one of them gets right.

A masked model is trained by filling in masked words of the summary, and tested by masking every
gap-th word of a sentence. A causal model is trained to predict the long words of the summary, and
tested on those of the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch
from gistmark.metrics.language_model.blanc import (
    Blanc,
    Int64,
    Measure,
    Pair,
    Tally,
    tally,
)
from gistmark.metrics.language_model.eligible import GAPS, Rule
from gistmark.metrics.language_model.tuned_models import (
    Bools,
    Masking,
    TunableModel,
    chunks,
    tunable_model,
)
from gistmark.metrics.options import LANGUAGE_MODEL, LanguageOptions, ModelOptions
from gistmark.models.language_models.frozen_layers import Store, replayed
from gistmark.models.language_models.tuning import Training, frozen_layers, tuned
from gistmark.options import option

_CHUNK, _STRIDE = 64, 32
"""The tokens of a chunk in the authors' package, and how far apart chunks start."""


@dataclass(frozen=True)
class TuneOptions(LanguageOptions, ModelOptions):
    """Options of BLANC-tune; the defaults mix the paper and the authors' package.

    The algorithm of the paper's Figure 4 is `rule=paper` with a masked model: M = int(1 / share),
    in the document words of `least` letters or more, in the summary longer ones, int(words *
    share) of them at a time, and the whole summary in each example. Of optimiser and rate the
    paper says only that they are those of Hugging Face's training; ours are those of the package.

    The defaults, `rule=package`, have the package's gap of 2, lengths of tokens, and chunks. From
    the paper they have random masks, drawn anew in each of ten epochs: the package masks evenly
    unless told otherwise, and draws random masks once for all epochs.
    """

    model: str = option(LANGUAGE_MODEL, "a masked or causal language model, its folder or hub name")
    gap: int = option(
        0,
        "masked models: every gap-th word of a sentence is masked; 0: 2, or int(1/share) for "
        "rule=paper",
    )
    rule: Rule = option("package", "masked models: which words are predicted")
    least: int = option(4, "the least number of characters of a word that is predicted", least=1)
    lead: int = option(2, "rule=package: the same for the first piece of a split word", least=1)
    follow: int = option(100, "rule=package: the same for its later pieces", least=1)
    measure: Measure = option("relative", "what is computed from the counts")
    epochs: int = option(10, "how often the model is trained on the whole summary", least=1)
    masking: Masking = option("random", "masked models: how words of the summary are chosen")
    share: float = option(
        0.15,
        "masking=random: the share of tokens (rule=paper: of words) that is chosen at a time",
    )
    replaced: float = option(0.1, "masked models: of these, the share shown as a random token")
    kept: float = option(0.1, "masked models: of these, the share shown as it is")
    chunk: int = option(
        0, "how many tokens of the summary are in a chunk; 0: 64, or all of them for rule=paper"
    )
    stride: int = option(
        0,
        "how many tokens after the one before a chunk starts; 0: 32, or as many as it has where "
        "the chunk is the summary",
    )
    batch: int = option(1, "how many chunks are in a batch, which makes one training step", least=1)
    rate: float = option(5e-5, "the learning rate of AdamW, which falls to 0")
    warmup: int = option(0, "over how many steps the learning rate rises first")
    decay: float = option(0.01, "the weight decay of AdamW")
    layers: int = option(0, "how many of the top layers are tuned; 0: the whole model")
    seed: int = option(0, "the seed of the choice of words and of training")

    def __post_init__(self) -> None:
        ModelOptions.__post_init__(self)
        LanguageOptions.__post_init__(self)
        if not 0 < self.share <= 1:
            raise UsageError(f"share: it must be above 0 and at most 1, not {self.share:g}.")
        package = self.rule == "package"
        chunk = self.chunk or (_CHUNK if package else 0)
        gap = GAPS[self.rule] if package else int(1 / self.share)
        object.__setattr__(self, "gap", self.gap or gap)
        object.__setattr__(self, "chunk", chunk)
        object.__setattr__(self, "stride", self.stride or (_STRIDE if chunk else 0))
        if self.precision in ("bfloat16", "int8"):
            raise UsageError(
                f"precision: {self.precision} is too coarse to tune a model in; take full."
            )

    def chunks(self, count: int, longest: int) -> list[slice]:
        """Where the chunks of a summary of `count` tokens start and end, for a model's length."""
        size = min(self.chunk or longest, longest)
        return chunks(count, size, self.stride or size)


class BlancTune(Blanc):
    """The counts of an original and a tuned model.

    An empty summary gives no training examples and has the value 0.
    """

    family = "blanc-tune"
    about = "How many more words of the document a model knows once tuned on the summary; -1 to 1."
    block_size = 1
    Options = TuneOptions

    def _counts(self, batch: Batch, pairs: Sequence[Pair]) -> dict[Pair, Tally]:
        model = tunable_model(self.options)
        return {pair: Tally.of([self._counted(batch, model, *pair)]) for pair in pairs}

    def _counted(self, batch: Batch, model: TunableModel, document: int, summary: int) -> Int64:
        """The counts of one document and summary; the original predicts a document once."""
        key = ("blanc-tune", self.options, document)
        original = batch.memo(key, lambda: self._predicted(batch, model, document))
        examples = model.examples(batch.texts[summary]) if len(original) else []
        if not examples:
            return tally(original, original)
        options = self.options
        training = Training(
            rate=options.rate, warmup=options.warmup, decay=options.decay, batch=options.batch,
            layers=options.layers, seed=options.seed,
        )  # fmt: skip
        with tuned(model.network, examples, model.loss, training):
            return tally(original, self._predicted(batch, model, document))

    def _predicted(self, batch: Batch, model: TunableModel, document: int) -> Bools:
        """What the model, as it is now, gets right; layers that never learn read a document once.

        Of the documents of a batch, the states of one are kept.
        """
        stores: dict[int, Store] = batch.memo(("blanc-tune states", self.options), dict)
        if document not in stores:
            stores.clear()
        layers = frozen_layers(model.network, self.options.layers)
        with replayed(layers, stores.setdefault(document, {})):
            return model.predicted(batch.texts[document])
