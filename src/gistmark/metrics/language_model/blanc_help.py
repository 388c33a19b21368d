"""BLANC-help: how many more words of a document a language model knows with the summary before it.

Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC: Human-free quality estimation of document
summaries" (2020). The model predicts the long words of each sentence of the document, once with the
summary in front of it and once with a filler of the same length, and the words are counted that it
gets right with only one of them.

A masked model fills in every gap-th word, as in the paper; a causal model, which the paper does not
have, predicts each long word from what precedes it. Texts are first brought to Unicode's form NFKD
for masked models, as the authors' package does, and to NFKC for causal ones, which are used to
composed letters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gistmark.errors import UsageError
from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.language_model.blanc import (
    NO_SEPARATOR,
    SEPARATORS,
    Blanc,
    HelpMeasure,
    Pair,
    Tally,
    named_separator,
    separator_text,
)
from gistmark.metrics.language_model.blanc_help_counts import (
    Form,
    Guard,
    Step,
    announce_counts,
    causal_counts,
    masked_counts,
    split,
    steps,
)
from gistmark.metrics.language_model.eligible import GAPS, Least, Rule
from gistmark.metrics.language_model.predictions import Architecture, architecture_of
from gistmark.metrics.language_model.reading import CountedWords, ReadingOptions
from gistmark.metrics.options import LANGUAGE_MODEL, LanguageOptions, ModelOptions
from gistmark.options import option


@dataclass(frozen=True)
class HelpOptions(ReadingOptions, LanguageOptions, ModelOptions):
    """Options of BLANC-help; for masked models the defaults are those of the authors' package.

    The algorithm of the paper's Figure 2 is `rule=paper` with a masked model: M = 6, and words of
    L_min = 4 letters or more. The paper's model is BERT; that of the package is bert-base-uncased.
    """

    model: str = option(LANGUAGE_MODEL, "a masked or causal language model, its folder or hub name")
    gap: int = option(
        0, "masked models: every gap-th word of a sentence is masked; 0: 2, or 6 for rule=paper"
    )
    masks: int = option(1, "masked models: how many neighbouring words are masked", least=1)
    rule: Rule = option("package", "masked models: which words are predicted")
    words: CountedWords = option(
        "long", "causal models: the first token of long words, or long words of one token",
        implied=True,
    )  # fmt: skip
    least: int = option(4, "the least number of characters of a word that is predicted", least=1)
    lead: int = option(2, "rule=package: the same for the first piece of a split word", least=1)
    follow: int = option(100, "rule=package: the same for its later pieces", least=1)
    filler: str = option(".", "what replaces each token of the summary where the model has no help")
    sep: str = option(NO_SEPARATOR, f"between the summary and the sentence: {SEPARATORS}")
    guard: Guard = option("none", "what is done about sentences that the summary copies")
    cut: int = option(100, "tokens that a sentence keeps before a long summary is cut")
    measure: HelpMeasure = option(
        "relative",
        "what is made of the counts; causal models: expected, of the words' probabilities",
    )

    def __post_init__(self) -> None:
        ModelOptions.__post_init__(self)
        LanguageOptions.__post_init__(self)
        ReadingOptions.__post_init__(self)
        if not self.filler.strip():
            raise UsageError("filler: it cannot be empty; the usual one is a full stop.")
        object.__setattr__(self, "sep", named_separator(self.sep))
        object.__setattr__(self, "gap", self.gap or GAPS[self.rule])

    @property
    def lengths(self) -> Least:
        """What the rule of the package needs to know."""
        return Least(self.least, self.lead, self.follow)

    @property
    def separator(self) -> str:
        """The separator as text."""
        return separator_text(self.sep)


_Counter = Callable[[Batch, HelpOptions, Sequence[Sequence[Step]]], list[Tally]]
_COUNTERS: dict[Architecture, tuple[Form, _Counter]] = {
    "masked": ("NFKD", masked_counts),
    "causal": ("NFKC", causal_counts),
}


class BlancHelp(Blanc):
    """The counts of a model without and with the summary as help.

    An empty summary helps as much as its empty filler and has the value 0. A document that is
    empty, has only short words, or whose sentences the guard skips has no value.
    """

    family = "blanc-help"
    about = "How many more words of the document a model knows thanks to the summary; -1 to 1."
    block_size = 4
    Options = HelpOptions

    def __init__(self, options: HelpOptions | None = None) -> None:
        super().__init__(options)
        if self.options.sentences:
            self.parts = (*self.parts, "se")

    def announce(self, batch: Batch) -> None:
        pairs = zip(batch.documents.tolist(), batch.summaries.tolist(), strict=True)
        distinct = [pair for pair in dict.fromkeys(pairs) if pair[0] != NO_DOCUMENT]
        if distinct and architecture_of(self.options.model) == "causal":
            announce_counts(batch, self.options, self._work(batch, distinct, "NFKC"))

    def _counts(self, batch: Batch, pairs: Sequence[Pair]) -> dict[Pair, Tally]:
        architecture = architecture_of(self.options.model)
        if architecture == "masked":
            _refuse_causal_options(self.options)
        form, counter = _COUNTERS[architecture]
        work = self._work(batch, pairs, form)
        return dict(zip(pairs, counter(batch, self.options, work), strict=True))

    def _work(self, batch: Batch, pairs: Sequence[Pair], form: Form) -> list[list[Step]]:
        guard, lang = self.options.guard, self.options.lang
        first = self.options.first if form == "NFKC" else 0
        texts = {number: split(batch, number, form, lang) for pair in pairs for number in pair}
        return [
            list(steps(texts[document], texts[summary], guard, first))
            for document, summary in pairs
        ]


def _refuse_causal_options(options: HelpOptions) -> None:
    """Raise an error if an option is set that only causal models use."""
    if options.sentences:
        raise UsageError("sentences: only a causal model can sample sentences; use 0.")
    if options.half_life:
        raise UsageError("half_life: only a causal model gives sentences weights; use 0.")
    if options.measure == "expected":
        raise UsageError("measure: expected is only for a causal model; take relative or improve.")
