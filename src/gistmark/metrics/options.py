"""Options that several metrics share, each defined once with its help text."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.models.runtime import Precision
from gistmark.options import option
from gistmark.signature import without_hash
from gistmark.text.languages import ENGLISH, Normalization, Profile, Tokenizer, language

Against = Literal["references", "document"]
Combination = Literal["max", "mean", "jackknife"]

SENTENCE_ENCODER = "all-MiniLM-L6-v2"
LANGUAGE_MODEL = "SmolLM2-135M-Instruct"


@dataclass(frozen=True)
class LanguageOptions:
    """The language of the texts, in which sentences are found."""

    lang: str = option(
        ENGLISH,
        "the language, such as de or zh, by which sentences, words, stems and stop words are found",
        implied=True,
    )

    def __post_init__(self) -> None:
        """Any code or name of a language stands for its shortest code."""
        object.__setattr__(self, "lang", language(self.lang).code)


@dataclass(frozen=True)
class WordOptions(LanguageOptions):
    """How texts become words."""

    tok: Tokenizer = option("rouge_score", "how words are found")
    norm: Normalization = option("none", "unify quotes and brackets, or apply Unicode's NFKC")
    stop: bool = option(False, "leave out the stop words of the language")
    stem: bool = option(False, "compare stems: Porter's in English, else Snowball's")

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_what_lacks(self.lang, stem=self.stem, stop=self.stop)

    @property
    def profile(self) -> Profile:
        return Profile(tok=self.tok, norm=self.norm, stop=self.stop, stem=self.stem, lang=self.lang)


@dataclass(frozen=True)
class ComparisonOptions(WordOptions):
    """Which words are compared with which."""

    against: Against = option("references", "what the summary is compared with")
    refs: Combination = option("max", "how several references are combined")


@dataclass(frozen=True)
class PositionOptions:
    """How much the target's words weigh by where they stand: news puts what matters most first."""

    half_life: int = option(
        0,
        "the number of words after which a word of the target weighs half as much; 0: all alike",
        least=0,
        implied=True,
    )

    def decayed(self, count: int) -> NDArray[np.float64]:
        """The weights of the first `count` words."""
        if self.half_life == 0:
            return np.ones(count)
        # Never 0, so that each word is still known to stand there.
        return np.maximum(np.exp2(-np.arange(count) / self.half_life), np.finfo(float).tiny)


@dataclass(frozen=True)
class ModelOptions:
    """Options of every metric on a model; a subclass gives `model` its default."""

    model: str = option("", "a known model, a model folder, or a name on the hub")
    precision: Precision = option(
        "full",
        "numbers of 32 bits, or of 16 on a GPU (half) or anywhere (bfloat16); causal language "
        "models of the Llama kind: products of 8 bits on a CPU (int8)",
    )

    def __post_init__(self) -> None:
        """A name with the hash that a signature shows means the same as the name alone."""
        object.__setattr__(self, "model", without_hash(self.model))


def refuse_what_lacks(lang: str, *, stem: bool, stop: bool) -> None:
    """Raise an error where a language lacks the requested stemmer or stop words."""
    spoken = language(lang)
    if stem and spoken.stemmer is None:
        raise UsageError(f"stem=yes, but there is no stemmer for {spoken}; leave it out.")
    if stop and spoken.stop_words is None:
        raise UsageError(f"stop=yes, but there are no stop words for {spoken}; leave it out.")


def language_settings(options: type[Any], settings: Mapping[str, Any], lang: str) -> dict[str, Any]:
    """What a language changes of the defaults of an options class.

    The user's `settings` stay, `lang` among them. In English, and for metrics that a language
    makes no difference to, nothing changes. In other languages words are found by Unicode's
    classes, and a default that the language does not support causes no error.
    """
    spoken = language(settings.get("lang", lang))
    if spoken.code == ENGLISH or not issubclass(options, LanguageOptions):
        return {}
    defaults = {item.name: item.default for item in dataclasses.fields(options)}
    changed: dict[str, Any] = {"lang": spoken.code, "tok": spoken.tok}
    if defaults.get("stem") and spoken.stemmer is None:
        changed["stem"] = False
    if defaults.get("stop") and spoken.stop_words is None:
        changed["stop"] = False
    return {name: value for name, value in changed.items() if name in defaults}
