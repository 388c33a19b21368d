"""The options of BLANC-help."""

from __future__ import annotations

from dataclasses import dataclass

from gistmark.errors import UsageError
from gistmark.metrics.blanc.counts import Measure
from gistmark.metrics.blanc.eligible import Least, Rule
from gistmark.metrics.blanc.separators import (
    NO_SEPARATOR,
    SEPARATORS,
    named_separator,
    separator_text,
)
from gistmark.metrics.blanc.steps import Guard
from gistmark.metrics.on_models import LANGUAGE_MODEL, ModelOptions
from gistmark.metrics.options import LanguageOptions
from gistmark.options import option


@dataclass(frozen=True)
class HelpOptions(LanguageOptions, ModelOptions):
    """Options of BLANC-help; the defaults are those of the authors' package.

    The paper's own setting is `gap=6,rule=paper` with bert-base-uncased.
    """

    model: str = option(LANGUAGE_MODEL, "a masked or causal language model, its folder or hub name")
    gap: int = option(2, "masked models: every gap-th word of a sentence is masked", least=1)
    masks: int = option(1, "masked models: how many next to each other are masked", least=1)
    rule: Rule = option("package", "masked models: which words are asked for")
    least: int = option(4, "characters that a word needs to be asked for", least=1)
    lead: int = option(2, "rule=package: those of the first piece of a split word", least=1)
    follow: int = option(100, "rule=package: those of its later pieces", least=1)
    filler: str = option(".", "what stands in place of each token of the summary without help")
    sep: str = option(NO_SEPARATOR, f"between the summary and the sentence: {SEPARATORS}")
    guard: Guard = option("none", "what is done about sentences that the summary copies")
    cut: int = option(100, "tokens that a sentence keeps before a long summary is cut")
    measure: Measure = option("relative", "what is made of the counts")

    def __post_init__(self) -> None:
        ModelOptions.__post_init__(self)
        LanguageOptions.__post_init__(self)
        if not self.filler.strip():
            raise UsageError("filler: it cannot be empty; the usual one is a full stop.")
        object.__setattr__(self, "sep", named_separator(self.sep))

    @property
    def lengths(self) -> Least:
        """What the rule of the package needs to know."""
        return Least(self.least, self.lead, self.follow)

    @property
    def separator(self) -> str:
        """The separator as text."""
        return separator_text(self.sep)
