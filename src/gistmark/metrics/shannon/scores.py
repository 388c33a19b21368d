"""Three scores of the Shannon game, from what a model foresees after base, help and full."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from gistmark.metrics.batch import NO_DOCUMENT, Batch
from gistmark.metrics.blanc.counts import NOTHING_ASKED, PARTS, tally, valued
from gistmark.metrics.foreseeing import foreseen
from gistmark.metrics.metric import Need, Values
from gistmark.metrics.on_models import OnModel
from gistmark.metrics.shannon.game import Kind, readings
from gistmark.metrics.shannon.options import CountOptions, ShannonOptions
from gistmark.models.causal import Foreseen

Pair = tuple[int, int]
Played = dict[Kind, Foreseen]

LEAST_GAIN = 0.1
NO_TEXT = "the document has no text"
NO_GAIN = "the model gains nothing from knowing each sentence itself"


class _Game(OnModel):
    """Shared: every distinct pair of a document and a summary is played once.

    A document without text, or without any token that may be asked for, has no value. An empty
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
        """What the model foresees for each pair; it is asked for all of them together."""
        games = {pair: readings(batch, self.options, *pair) for pair in dict.fromkeys(pairs)}
        asked = [query for game in games.values() for kind in self.kinds for query in game[kind]]
        told = iter(foreseen(batch, self.options, asked))
        return {
            pair: {kind: _joined([next(told) for _ in game[kind]]) for kind in self.kinds}
            for pair, game in games.items()
        }

    def _why_not(self, played: Played) -> str | None:
        """The reason for which a game has no value, if there is one."""
        return None if len(played["base"].right) else NOTHING_ASKED

    @abstractmethod
    def _row(self, played: Played) -> Sequence[float]:
        """The parts."""


class InfoDiff(_Game):
    """By how many nats the summary makes the document likelier: ll_help - ll_base.

    `value` is the sum over all asked tokens, `per_token` their mean. 0 for an empty summary.
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

    S01 counts the tokens that the model foresees rightly only after the summary, S10 those only
    after the base. 0 for an empty summary.
    """

    family = "blanc-shannon"
    about = "How many more words of the document a model foresees after the summary; -1 to 1."
    parts = PARTS
    range = (-1.0, 1.0)
    Options = CountOptions

    def _row(self, played: Played) -> Sequence[float]:
        counts = tally(played["base"].right, played["help"].right)
        row: list[float] = valued(counts[None], "relative", {}).values[0].tolist()
        return row


def _gain(played: Played, kind: Kind) -> float:
    return float((played[kind].likelihoods - played["base"].likelihoods).sum())


def _joined(parts: Sequence[Foreseen]) -> Foreseen:
    """Sentence after sentence."""
    nothing = Foreseen(np.empty(0), np.empty(0, dtype=bool))
    both = [(part.likelihoods, part.right) for part in (nothing, *parts)]
    likelihoods, right = zip(*both, strict=True)
    return Foreseen(np.concatenate(likelihoods), np.concatenate(right))
