"""`vowels`: the share of vowels among the letters of a summary."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gistmark.metrics import Batch, Metric, Need, Values
from gistmark_sample_plugin import VERSION


@dataclass(frozen=True)
class VowelOptions:
    """What counts as a vowel."""

    y: bool = field(default=False, metadata={"help": "count y as a vowel"})


class Vowels(Metric):
    """Vowels over letters; a summary without letters cannot be scored."""

    family = "vowels"
    about = "The share of vowels among the summary's letters, 0 to 1."
    better = "neither"
    Options = VowelOptions
    version = VERSION

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset()

    def score(self, batch: Batch) -> Values:
        shares = [self._share(item.summary) for item in batch]
        missing = {i: "the summary has no letters" for i, s in enumerate(shares) if s is None}
        return Values(np.array([[np.nan if s is None else s] for s in shares]), missing)

    def _share(self, text: str) -> float | None:
        letters = [letter for letter in text.lower() if letter.isalpha()]
        vowels = "aeiouy" if self.options.y else "aeiou"
        return sum(letter in vowels for letter in letters) / len(letters) if letters else None
