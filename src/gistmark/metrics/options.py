"""Options that several metrics share, each defined once with its help text."""

from __future__ import annotations

from dataclasses import dataclass

from gistmark.metrics.targets import Against, Combination
from gistmark.options import option
from gistmark.text.profiles import Normalization, Profile, Tokenizer


@dataclass(frozen=True)
class WordOptions:
    """How texts become words."""

    tok: Tokenizer = option("rouge_score", "how words are found")
    norm: Normalization = option("none", "unify quotes and brackets, or apply Unicode's NFKC")
    stop: bool = option(False, "leave out English stop words")
    stem: bool = option(False, "compare Porter stems")

    @property
    def profile(self) -> Profile:
        return Profile(tok=self.tok, norm=self.norm, stop=self.stop, stem=self.stem)


@dataclass(frozen=True)
class ComparisonOptions(WordOptions):
    """Which words are compared with which."""

    against: Against = option("references", "what the summary is compared with")
    refs: Combination = option("max", "how several references are combined")
