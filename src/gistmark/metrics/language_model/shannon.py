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

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.language_model.blanc import (
    NO_SEPARATOR,
    NO_TEXT,
    NOTHING_TO_PREDICT,
    PARTS,
    SEPARATORS,
    kept_of_sentence,
    named_separator,
    separator_text,
    tally,
    valued,
)
from gistmark.metrics.language_model.eligible import Positions, word_starts
from gistmark.metrics.language_model.predictions import predictions
from gistmark.metrics.metric import Need, OnModel, Values
from gistmark.metrics.options import LANGUAGE_MODEL, LanguageOptions, ModelOptions
from gistmark.models.language_models.causal import (
    CausalModel,
    Predictions,
    Query,
    Tokens,
    causal_model,
)
from gistmark.options import option
from gistmark.text.sentences import sentences

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
    words: Words = option("all", "all tokens, or the first ones of long words, are predicted")
    least: int = option(4, "words=long: letters and digits that a word needs", least=1)
    upstream: int = option(0, "how many sentences before the one that is predicted are read")
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

    words: Words = option("long", "the first tokens of long words, or all, are predicted")


Kind = Literal["base", "help", "full"]
Readings = dict[Kind, list[Query]]
Eligible = tuple[Tokens, Positions]

FILLER = "."
KEPT = 100


def readings(batch: Batch, options: ShannonOptions, document: int, summary: int) -> Readings:
    """The queries of a document with a summary, both by their number in the batch.

    Those of a sentence stand at the same index for each kind and want the same tokens. Sentences
    of which nothing is predicted are left out. A blank summary is an empty one.
    """
    model = causal_model(options.model, options.precision)
    eligible = _sentences(batch, options, model, document)
    text = batch.texts[summary]
    summary_tokens, full_stop, separator = model.encode(
        [text if text.strip() else "", FILLER, options.separator]
    )
    budget = model.longest - 1
    longest = max((len(tokens) for tokens, _ in eligible), default=0)
    kept = kept_of_sentence(longest, len(summary_tokens + separator), budget=budget, cut=KEPT)
    summary_tokens = summary_tokens[: max(0, budget - kept - len(separator))]
    after = separator if summary_tokens else ()
    filler = (full_stop * len(summary_tokens))[: len(summary_tokens)] + after
    before: dict[Kind, Tokens] = {
        "base": filler if options.base == "filler" else (),
        "help": summary_tokens + after,
    }
    queries: Readings = {"base": [], "help": [], "full": []}
    cut = [_first(sentence, kept) for sentence in eligible]
    for index, (tokens, wanted) in enumerate(cut):
        if wanted:
            left = budget - len(tokens)
            near = _near(cut[:index], options.upstream, left - len(before["help"]))
            for kind, context in before.items():
                queries[kind].append(Query(context + near, tokens, wanted))
            itself = _last(near + tokens + separator + near, left)
            queries["full"].append(Query(itself, tokens, wanted))
    return queries


def _sentences(
    batch: Batch, options: ShannonOptions, model: CausalModel, document: int
) -> list[Eligible]:
    """The tokens of a document's sentences and the positions of those that are predicted."""

    def compute() -> list[Eligible]:
        texts = sentences(batch.texts[document], options.lang)
        if options.words == "long":
            return word_starts(model.tokenizer, texts, options.least)
        return [(tokens, tuple(range(len(tokens)))) for tokens in model.encode(texts)]

    key = ("shannon", options.model, options.words, options.least, options.lang, document)
    return batch.memo(key, compute)


def _first(sentence: Eligible, count: int) -> Eligible:
    tokens, wanted = sentence
    return tokens[:count], tuple(position for position in wanted if position < count)


def _near(before: Sequence[Eligible], count: int, budget: int) -> Tokens:
    """The tokens of the sentences upstream."""
    last = before[max(0, len(before) - count) :]
    return _last(tuple(token for tokens, _ in last for token in tokens), budget)


def _last(tokens: Tokens, count: int) -> Tokens:
    return tokens[max(0, len(tokens) - count) :]


Pair = tuple[int, int]
Played = dict[Kind, Predictions]

LEAST_GAIN = 0.1
NO_GAIN = "the model gains nothing from knowing each sentence itself"


class _Game(OnModel):
    """Shared: every distinct pair of a document and a summary is played once.

    A document without text, or without any token to predict, has no value. An empty
    summary and its filler are nothing, so that nothing is gained by it.
    """

    block_size = 4
    Options: ClassVar[type[Any]] = ShannonOptions
    kinds: ClassVar[tuple[Kind, ...]] = ("base", "help")

    @property
    def needs(self) -> frozenset[Need]:
        return frozenset({"documents"})

    def score(self, batch: Batch) -> Values:
        pairs = list(zip(batch.documents.tolist(), batch.summaries.tolist(), strict=True))
        games = self._played(batch, [pair for pair in pairs if pair[0] != NO_DOCUMENT])
        values = np.full((len(pairs), len(self.parts)), np.nan)
        reasons = {}
        for row, pair in enumerate(pairs):
            why = self._why_not(games[pair]) if pair in games else NO_TEXT
            if why is None:
                values[row] = self._row(games[pair])
            else:
                reasons[row] = why
        return Values(values, reasons)

    def _played(self, batch: Batch, pairs: Sequence[Pair]) -> dict[Pair, Played]:
        """What the model predicts for each pair; all queries run together."""
        games = {pair: readings(batch, self.options, *pair) for pair in dict.fromkeys(pairs)}
        queries = [query for game in games.values() for kind in self.kinds for query in game[kind]]
        outputs = iter(predictions(batch, self.options, queries))
        return {
            pair: {kind: _joined([next(outputs) for _ in game[kind]]) for kind in self.kinds}
            for pair, game in games.items()
        }

    def _why_not(self, played: Played) -> str | None:
        """The reason for which a game has no value, if there is one."""
        return None if len(played["base"].right) else NOTHING_TO_PREDICT

    @abstractmethod
    def _row(self, played: Played) -> Sequence[float]:
        """The parts."""


class InfoDiff(_Game):
    """By how many nats the summary makes the document likelier: ll_help - ll_base.

    `value` is the sum over all predicted tokens, `per_token` their mean. 0 for an empty summary.
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

    def _row(self, played: Played) -> Sequence[float]:
        gain = _gain(played, "help")
        return gain, gain / len(played["base"].right)


class Shannon(_Game):
    """The share of what could be known of the document that the summary tells.

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

    def _why_not(self, played: Played) -> str | None:
        why = super()._why_not(played)
        enough = LEAST_GAIN * len(played["base"].right)
        return NO_GAIN if why is None and _gain(played, "full") < enough else why

    def _row(self, played: Played) -> Sequence[float]:
        return (_gain(played, "help") / _gain(played, "full"),)


class BlancShannon(_Game):
    """BLANC on the Shannon game: (S01 - S10) / (S00 + S01 + S10 + S11).

    S01 counts the tokens that the model predicts rightly only after the summary, S10 those only
    after the base. 0 for an empty summary.
    """

    family = "blanc-shannon"
    about = "How many more words of the document a model predicts after the summary; -1 to 1."
    parts = PARTS
    range = (-1.0, 1.0)
    Options = CountOptions

    def _row(self, played: Played) -> Sequence[float]:
        counts = tally(played["base"].right, played["help"].right)
        row: list[float] = valued(counts[None], "relative", {}).values[0].tolist()
        return row


def _gain(played: Played, kind: Kind) -> float:
    return float((played[kind].likelihoods - played["base"].likelihoods).sum())


def _joined(parts: Sequence[Predictions]) -> Predictions:
    """Sentence after sentence."""
    nothing = Predictions(np.empty(0), np.empty(0, dtype=bool))
    both = [(part.likelihoods, part.right) for part in (nothing, *parts)]
    likelihoods, right = zip(*both, strict=True)
    return Predictions(np.concatenate(likelihoods), np.concatenate(right))
