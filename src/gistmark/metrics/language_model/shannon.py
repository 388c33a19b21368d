"""The Shannon game: how much better a language model predicts a document after its summary.

Relatives of BLANC that its authors published later: Egan, Vasilyev and Bohannon, "Play the Shannon
Game With Language Models: A Human-Free Approach to Summary Evaluation" (2021). A causal model
predicts the tokens of each sentence of the document after three contexts:

    base    nothing, or a filler: as many full stops as the summary has tokens
    help    the summary
    full    the sentence itself

The sentences upstream stand between that and the sentence, and for `full` once more in front of it
all. A separator, if there is one, follows the summary, its filler, and the sentence that is known
in full.

Where this is longer than the model reads, the sentences are cut at their ends, but not below 100
tokens, and the summary at its end, for all sentences of a document alike; what is upstream is cut
at its beginning, and so is the context of `full`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.language_model.blanc import (
    NO_SEPARATOR,
    NO_TEXT,
    NOTHING_TO_PREDICT,
    PARTS,
    SEPARATORS,
    fractions,
    kept_of_sentence,
    named_separator,
    separator_text,
    tally,
    valued,
)
from gistmark.metrics.language_model.predictions import announce, predictions
from gistmark.metrics.language_model.reading import (
    Eligible,
    Float64,
    ReadingOptions,
    Sample,
    Words,
    eligible_tokens,
    first_tokens,
    ratio_error,
    weighted_sample,
)
from gistmark.metrics.metric import Need, OnModel, Values
from gistmark.metrics.options import LANGUAGE_MODEL, LanguageOptions, ModelOptions
from gistmark.models.language_models.causal import Predictions, Query, Tokens, causal_model
from gistmark.options import option
from gistmark.text.sentences import sentences

Base = Literal["filler", "bare"]


@dataclass(frozen=True)
class ShannonOptions(ReadingOptions, LanguageOptions, ModelOptions):
    """Options of the metrics that play the Shannon game.

    `base=bare,words=all` is the game of the authors' package. The filler of BLANC is the default
    because without it a part of what is measured is that any text in front helps. Long words are
    predicted because what is gained on them follows people's scores better.
    """

    model: str = option(LANGUAGE_MODEL, "a causal language model, its folder or its hub name")
    base: Base = option(
        "filler", "what the base has in place of the summary: a filler of its length, or nothing"
    )
    words: Words = option(
        "long", "what is predicted: first tokens of long words, long words of one token, or all"
    )
    least: int = option(4, "words=long or whole: letters and digits that a word needs", least=1)
    upstream: int = option(0, "how many sentences before the predicted one are read")
    sep: str = option(NO_SEPARATOR, f"between the summary and the document: {SEPARATORS}")

    def __post_init__(self) -> None:
        ModelOptions.__post_init__(self)
        LanguageOptions.__post_init__(self)
        ReadingOptions.__post_init__(self)
        object.__setattr__(self, "sep", named_separator(self.sep))

    @property
    def separator(self) -> str:
        """The separator as text."""
        return separator_text(self.sep)


Kind = Literal["base", "help", "full"]
Readings = dict[Kind, list[Query]]

FILLER = "."
LEAST_SENTENCE_TOKENS = 100


def readings(batch: Batch, options: ShannonOptions, document: int, summary: int) -> Readings:
    """The queries of a document with a summary, both by their number in the batch.

    Those of a sentence stand at the same index for each kind and want the same tokens. Sentences
    of which nothing is predicted are left out. A blank summary is an empty one.
    """
    model = causal_model(options.model, options.precision)
    eligible = eligible_tokens(
        batch, model, options, _sentences(batch, options, document),
        words=options.words, least=options.least, lang=options.lang,
    )  # fmt: skip
    text = batch.texts[summary]
    summary_tokens, full_stop, separator = model.encode(
        [text if text.strip() else "", FILLER, options.separator]
    )
    summary_tokens = summary_tokens[: options.prefix or None]
    budget = model.longest - 1
    longest = max((len(tokens) for tokens, _ in eligible), default=0)
    sentence_budget = kept_of_sentence(
        longest, len(summary_tokens + separator), budget=budget, cut=LEAST_SENTENCE_TOKENS
    )
    summary_tokens = summary_tokens[: max(0, budget - sentence_budget - len(separator))]
    after = separator if summary_tokens else ()
    filler = (full_stop * len(summary_tokens))[: len(summary_tokens)] + after
    contexts: dict[Kind, Tokens] = {
        "base": filler if options.base == "filler" else (),
        "help": summary_tokens + after,
    }
    queries: Readings = {"base": [], "help": [], "full": []}
    shortened = [first_tokens(sentence, sentence_budget) for sentence in eligible]
    for index, (tokens, positions) in enumerate(shortened):
        if positions:
            remaining = budget - len(tokens)
            upstream = _upstream_tokens(
                shortened[:index], options.upstream, remaining - len(contexts["help"])
            )
            for kind, context in contexts.items():
                queries[kind].append(Query(context + upstream, tokens, positions))
            itself = _last_tokens(upstream + tokens + separator + upstream, remaining)
            queries["full"].append(Query(itself, tokens, positions))
    return queries


def _sentences(batch: Batch, options: ShannonOptions, document: int) -> list[str]:
    """The sentences of a document that are read."""
    key = ("shannon sentences", options.lang, document)
    all_sentences = batch.memo(key, lambda: sentences(batch.texts[document], options.lang))
    return all_sentences[: options.first or None]


def _upstream_tokens(preceding: Sequence[Eligible], count: int, budget: int) -> Tokens:
    """The tokens of the sentences upstream."""
    nearest = preceding[max(0, len(preceding) - count) :]
    return _last_tokens(tuple(token for tokens, _ in nearest for token in tokens), budget)


def _last_tokens(tokens: Tokens, count: int) -> Tokens:
    return tokens[max(0, len(tokens) - count) :]


Pair = tuple[int, int]

LEAST_GAIN = 0.1
NO_GAIN = "the model gains nothing from knowing each sentence itself"


@dataclass(frozen=True)
class Game:
    """What the model predicts of each sentence that is read, of a `population` of sentences."""

    readings: dict[Kind, list[Predictions]]
    population: int
    weights: Float64

    @property
    def sizes(self) -> Float64:
        """How many tokens of each sentence are predicted, times its weight."""
        sizes = [len(prediction.right) for prediction in self.readings["base"]]
        return np.array(sizes, dtype=np.float64) * self.weights

    def gains(self, kind: Kind) -> Float64:
        """By how many nats each sentence is likelier than in the base, times its weight."""
        pairs = zip(self.readings[kind], self.readings["base"], strict=True)
        gains = [(aided.likelihoods - base.likelihoods).sum() for aided, base in pairs]
        return np.array(gains, dtype=np.float64) * self.weights

    def counts(self) -> NDArray[np.int64]:
        """S00 to S11 of each sentence."""
        pairs = zip(self.readings["base"], self.readings["help"], strict=True)
        rows = [tally(base.right, helped.right) for base, helped in pairs]
        return np.array(rows, dtype=np.int64).reshape(-1, 4)


class _Shannon(OnModel):
    """Shared: every distinct pair of a document and a summary is played once.

    A document without text, or without any token to predict, has no value. An empty
    summary and its filler are nothing, so that nothing is gained by it. With `sentences=N` the
    part `se` is the standard error of what stands per token, or of the share.
    """

    block_size = 4
    Options: ClassVar[type[Any]] = ShannonOptions
    kinds: ClassVar[tuple[Kind, ...]] = ("base", "help")

    def __init__(self, options: ShannonOptions | None = None) -> None:
        super().__init__(options)
        if self.options.sentences:
            self.parts = (*self.parts, "se")

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})

    def announce(self, batch: Batch) -> None:
        queries = [
            query
            for readings, _ in self._queries(batch).values()
            for kind in self.kinds
            for query in readings[kind]
        ]
        announce(batch, self.options, queries)

    def score(self, batch: Batch) -> Values:
        pairs = _pairs(batch)
        games = self._games(batch)
        values = np.full((len(pairs), len(self.parts)), np.nan)
        reasons = {}
        for row, pair in enumerate(pairs):
            why = self._missing_reason(games[pair]) if pair in games else NO_TEXT
            if why is None:
                parts = self._row(games[pair])
                error = ratio_error(*self._fractions(games[pair]), games[pair].population)
                values[row] = (*parts, error)[: len(self.parts)]
            else:
                reasons[row] = why
        return Values(values, reasons)

    def _queries(self, batch: Batch) -> dict[Pair, tuple[Readings, Sample]]:
        """The queries for each pair, and which sentences they are for."""
        queries = {}
        for pair in dict.fromkeys(_pairs(batch)):
            if pair[0] != NO_DOCUMENT:
                all_readings = readings(batch, self.options, *pair)
                lengths = [len(query.tokens) for query in all_readings["base"]]
                sample = weighted_sample(lengths, self.options)
                sampled: Readings = {
                    kind: [kind_queries[index] for index in sample.indexes]
                    for kind, kind_queries in all_readings.items()
                }
                queries[pair] = sampled, sample
        return queries

    def _games(self, batch: Batch) -> dict[Pair, Game]:
        """What the model predicts for each pair; all queries run together."""
        games = self._queries(batch)
        queries = [
            query for game, _ in games.values() for kind in self.kinds for query in game[kind]
        ]
        outputs = iter(predictions(batch, self.options, queries))
        return {
            pair: Game(
                {kind: [next(outputs) for _ in game[kind]] for kind in self.kinds},
                sample.population,
                sample.weights,
            )
            for pair, (game, sample) in games.items()
        }

    def _missing_reason(self, game: Game) -> str | None:
        """The reason for which a game has no value, if there is one."""
        return None if game.readings["base"] else NOTHING_TO_PREDICT

    @abstractmethod
    def _fractions(self, game: Game) -> tuple[Float64, Float64]:
        """For each sentence the numerator and the denominator of the value."""

    @abstractmethod
    def _row(self, game: Game) -> Sequence[float]:
        """The parts but the error."""


class InfoDiff(_Shannon):
    """By how many nats the summary makes the document likelier: ll_help - ll_base.

    `value` is the sum over all predicted tokens, `per_token` their mean. 0 for an empty summary.
    Where sentences are sampled, the sum is scaled up to all of them.
    """

    family = "info-diff"
    about = (
        "By how many nats the document is likelier to a language model after the summary, in all "
        "and per token; 0 if the summary does not help."
    )
    parts = ("value", "per_token")
    range = (-np.inf, np.inf)
    # A sum over all tokens, each of which a model rounds.
    tolerance = 1e-2

    def _fractions(self, game: Game) -> tuple[Float64, Float64]:
        return game.gains("help"), game.sizes

    def _row(self, game: Game) -> Sequence[float]:
        gains, sizes = self._fractions(game)
        total = float(gains.sum())
        return total * game.population / len(gains), total / float(sizes.sum())


class Shannon(_Shannon):
    """How much of what can be known of the document the summary tells, as a share.

    (ll_help - ll_base) / (ll_full - ll_base): 0 for an empty summary, 1 for one that helps with
    each sentence as much as the sentence itself. A model that gains less than a tenth of a nat
    per token from knowing the very sentence cannot play, and there is no value.
    """

    family = "shannon"
    about = (
        "The gain in likelihood of the document thanks to the summary, over that thanks to the "
        "document itself; 0 if the summary does not help, 1 if it tells all."
    )
    range = (-np.inf, np.inf)
    tolerance = 1e-3
    kinds = ("base", "help", "full")

    def _missing_reason(self, game: Game) -> str | None:
        why = super()._missing_reason(game)
        enough = LEAST_GAIN * game.sizes.sum()
        return NO_GAIN if why is None and game.gains("full").sum() < enough else why

    def _fractions(self, game: Game) -> tuple[Float64, Float64]:
        return game.gains("help"), game.gains("full")

    def _row(self, game: Game) -> Sequence[float]:
        above, below = self._fractions(game)
        return (float(above.sum() / below.sum()),)


class BlancShannon(_Shannon):
    """BLANC on the Shannon game: (S01 - S10) / (S00 + S01 + S10 + S11).

    S01 counts the tokens that the model predicts rightly only after the summary, S10 those only
    after the base. 0 for an empty summary.
    """

    family = "blanc-shannon"
    about = "How many more words of the document a model predicts after the summary; -1 to 1."
    parts = PARTS
    range = (-1.0, 1.0)

    def _fractions(self, game: Game) -> tuple[Float64, Float64]:
        above, below = fractions(game.counts(), "relative")
        return above * game.weights, below * game.weights

    def _row(self, game: Game) -> Sequence[float]:
        counts, sums = game.counts().sum(axis=0), np.sum(self._fractions(game), axis=1)
        row: list[float] = valued(counts[None], sums[:, None], {}).values[0].tolist()
        return row


def _pairs(batch: Batch) -> list[Pair]:
    return list(zip(batch.documents.tolist(), batch.summaries.tolist(), strict=True))
