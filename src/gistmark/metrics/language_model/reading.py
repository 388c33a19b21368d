"""How a causal model reads a document: which sentences, how they follow the summary, which words.

BLANC-help and the Shannon game read the same sentences after the same summaries. Here is what
they share: options, the tokens of each sentence with the positions to predict, and a quick mode
that reads only some sentences of a document and says how far this may be off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch
from gistmark.metrics.language_model.eligible import Positions, word_starts
from gistmark.metrics.options import PositionOptions
from gistmark.models.language_models.causal import CausalModel, Tokens
from gistmark.options import option
from gistmark.runtime.seeds import generator
from gistmark.text.languages import language

CountedWords = Literal["long", "whole"]
Words = Literal["long", "whole", "all"]
Eligible = tuple[Tokens, Positions]
"""The tokens of a sentence, and the positions of those that are predicted."""

Float64 = NDArray[np.float64]

_SPACES = ("\u2581", "\u0120")
"""How the tokens of SentencePiece and of byte-level tokenizers write a space."""


@dataclass(frozen=True)
class ReadingOptions(PositionOptions):
    """What a causal model reads of a document and a summary; 0 means all of it.

    `half_life` counts tokens of the sentences that have something to predict; a sentence weighs as
    much as its first one.
    """

    spaced: bool = option(
        False, "causal models: a sentence follows after a space, as in running text", implied=True
    )
    first: int = option(
        0, "causal models: how many sentences of the document are read; 0: all", implied=True
    )
    longest: int = option(
        0, "causal models: how many tokens of each sentence are read; 0: all", implied=True
    )
    prefix: int = option(
        0, "causal models: how many tokens of the summary are read; 0: all", implied=True
    )
    sentences: int = option(
        0, "causal models: how many of these sentences are sampled, for speed; 0: all", implied=True
    )
    seed: int = option(0, "sentences=N: the seed of the sample", implied=True)

    def __post_init__(self) -> None:
        if self.sentences == 1:
            raise UsageError(
                "sentences: one sentence gives no standard error; take 2 or more, or 0 for all."
            )


def sampled(count: int, options: ReadingOptions) -> list[int]:
    """The indexes of the sentences to read: a sample of `count` in the quick mode, else all.

    They depend on the seed and the number of sentences, so all summaries of a document are
    compared by the same ones.
    """
    if not options.sentences or count <= options.sentences:
        return list(range(count))
    rng = generator(options.seed, "sentences", count)
    return sorted(rng.choice(count, options.sentences, replace=False).tolist())


@dataclass(frozen=True)
class Sample:
    """The sentences that are read, by index, of a `population`, and how much each weighs."""

    indexes: list[int]
    population: int
    weights: Float64


def weighted_sample(lengths: Sequence[int], options: ReadingOptions) -> Sample:
    """Which sentences are read, of those with these numbers of tokens."""
    indexes = sampled(len(lengths), options)
    return Sample(indexes, len(lengths), sentence_weights(lengths, options)[indexes])


def sentence_weights(lengths: Sequence[int], options: ReadingOptions) -> Float64:
    """How much each sentence of a document weighs, by the tokens of all of them."""
    starts = np.cumsum(lengths, dtype=np.int64) - np.array(lengths, dtype=np.int64)
    return options.decayed(sum(lengths))[starts]


def eligible_tokens(
    batch: Batch,
    model: CausalModel,
    options: ReadingOptions,
    texts: Sequence[str],
    *,
    words: Words,
    least: int,
    lang: str,
) -> list[Eligible]:
    """The tokens of sentences and what of them is predicted, each sentence once per batch."""
    prefix = " " if options.spaced and needs_space(model, lang) else ""
    key = ("eligible tokens", model.source.name, prefix, words, least, options.longest)
    memo: dict[str, Eligible] = batch.memo(key, dict)
    new = [text for text in dict.fromkeys(texts) if text not in memo]
    joined = [prefix + text for text in new]
    if words == "all":
        encoded = [(tokens, tuple(range(len(tokens)))) for tokens in model.encode(joined)]
    else:
        encoded = word_starts(model.tokenizer, joined, least, whole=words == "whole")
    for text, sentence in zip(new, encoded, strict=True):
        memo[text] = first_tokens(sentence, options.longest or len(sentence[0]))
    return [memo[text] for text in texts]


def needs_space(model: CausalModel, lang: str) -> bool:
    """Whether a space has to be written before a sentence that follows another.

    Not in a language without spaces, nor for a tokenizer that puts one before every text.
    """
    if not language(lang).spaces:
        return False
    (tokens,) = model.encode(["The"])
    (start, *_) = model.tokenizer.convert_ids_to_tokens(list(tokens))
    return not str(start).startswith(_SPACES)


def first_tokens(sentence: Eligible, count: int) -> Eligible:
    """A sentence cut at its end."""
    tokens, positions = sentence
    return tokens[:count], tuple(position for position in positions if position < count)


def ratio_error(above: Float64, below: Float64, population: int) -> float:
    """The standard error of sum(above) / sum(below) over sentences sampled without replacement.

    The ratio estimator of survey sampling, with the correction for a finite population: 0 where
    every sentence was read. From one sentence of several it cannot be told and is NaN.
    """
    count = len(above)
    if count >= population:
        return 0.0
    if count < 2 or below.sum() == 0:
        return float("nan")
    residuals = above - below * (above.sum() / below.sum())
    variance = (1 - count / population) * residuals.var(ddof=1) / count
    return float(np.sqrt(variance) / abs(below.mean()))
