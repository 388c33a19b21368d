"""The options of the Shannon game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gistmark.metrics.blanc.separators import (
    NO_SEPARATOR,
    SEPARATORS,
    named_separator,
    separator_text,
)
from gistmark.metrics.on_models import LANGUAGE_MODEL, ModelOptions
from gistmark.metrics.options import LanguageOptions
from gistmark.options import option

Base = Literal["filler", "bare"]
Words = Literal["long", "all"]


@dataclass(frozen=True)
class ShannonOptions(LanguageOptions, ModelOptions):
    """Options of the metrics that play the Shannon game.

    `base=bare,words=all` is the game of the authors' package. The filler of BLANC is the default
    because without it a part of what is measured is that any text in front helps.
    """

    model: str = option(LANGUAGE_MODEL, "a causal language model, its folder or its hub name")
    base: Base = option("filler", "a filler of the summary's length, or nothing before the base")
    words: Words = option("all", "all tokens, or the first ones of long words, are foreseen")
    least: int = option(4, "words=long: letters and digits that a word needs", least=1)
    upstream: int = option(0, "how many sentences before the one that is foreseen are read")
    sep: str = option(NO_SEPARATOR, f"between the summary and the document: {SEPARATORS}")

    def __post_init__(self) -> None:
        ModelOptions.__post_init__(self)
        LanguageOptions.__post_init__(self)
        object.__setattr__(self, "sep", named_separator(self.sep))

    @property
    def separator(self) -> str:
        """The separator as text."""
        return separator_text(self.sep)


@dataclass(frozen=True)
class CountOptions(ShannonOptions):
    """The same with the word rule of BLANC's paper, which counts follow people better with."""

    words: Words = option("long", "the first tokens of long words, or all, are foreseen")
