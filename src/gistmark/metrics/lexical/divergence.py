"""Divergence between the words of a summary and those of its document.

Kullback-Leibler in both directions, and Jensen-Shannon in the two senses that papers give it:
through the midpoint (Lin, 1991; Louis and Nenkova, 2013), and as the mean of the two
Kullback-Leibler divergences, which BLANC's authors use. In bits; lower is better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.batch import Batch
from gistmark.metrics.metric import Better, Metric, Need, Values
from gistmark.metrics.options import Against, ComparisonOptions, PositionOptions
from gistmark.metrics.targets import NEEDED, combine, pair_up
from gistmark.options import option
from gistmark.runtime.compiled import compiled
from gistmark.text.languages import Tokenizer

Mentions = Literal["all", "first"]

KL_SMOOTHING = 0.0005
NO_WORDS = "the summary or its target has no words that count"
INFINITE = "a word occurs in only one of the texts; set smooth above 0"


@dataclass(frozen=True)
class DivergenceOptions(PositionOptions, ComparisonOptions):
    """Options of JS."""

    tok: Tokenizer = option("words", "how words are found")
    against: Against = option("document", "what the summary is compared with")
    stop: bool = option(True, "leave out the stop words of the language")
    stem: bool = option(True, "compare stems: Porter's in English, else Snowball's")
    smooth: float = option(0.0, "what is added to the count of every word of either text")
    mentions: Mentions = option(
        "all",
        "a word of the target has the summed weight of all its mentions, or the weight of the "
        "first times log(1 + their number)",
        implied=True,
    )


@dataclass(frozen=True)
class SmoothedOptions(DivergenceOptions):
    """Options of the divergences that need smoothing."""

    smooth: float = option(KL_SMOOTHING, "what is added to the count of every word of either text")


class _Divergence(Metric):
    """Shared: distributions of words, one value per pair, the lowest of several references.

    `mean_of` says which of the kernel's columns (KL, reverse KL, JS) are averaged.
    """

    mean_of: ClassVar[tuple[int, ...]]

    better: ClassVar[Better] = "lower"
    range = (0.0, float("inf"))
    Options: ClassVar[type[Any]] = SmoothedOptions

    @property
    def needs(self) -> frozenset[Need]:
        return NEEDED[self.options.against]

    def score(self, batch: Batch) -> Values:
        pairs = pair_up(batch, self.options.against)
        table = batch.tokens(self.options.profile)
        longest = int(table.lengths[pairs.targets].max(initial=0))
        columns = divergences(
            table.ids, table.offsets, table.size, pairs.targets, pairs.summaries,
            self.options.smooth, self.options.decayed(longest), self.options.mentions == "first",
        )  # fmt: skip
        bits = columns[:, list(self.mean_of)].mean(axis=1) / np.log(2)
        words = (table.lengths[pairs.targets] > 0) & (table.lengths[pairs.summaries] > 0)
        return combine(
            pairs, np.clip(bits, *self.range)[:, None], size=len(batch),
            usable=words & np.isfinite(bits), unusable=np.where(words, INFINITE, NO_WORDS),
            how=self.options.refs, lower=True,
        )  # fmt: skip


class Kl(_Divergence):
    """KL(summary || target): what the summary says that the target does not."""

    family = "kl"
    about = "Kullback-Leibler divergence of the summary's words from the target's, in bits."
    mean_of = (0,)


class KlReverse(_Divergence):
    """KL(target || summary): what the target says that the summary does not."""

    family = "kl-reverse"
    about = "Kullback-Leibler divergence of the target's words from the summary's, in bits."
    mean_of = (1,)


class Js(_Divergence):
    """Jensen-Shannon divergence through the midpoint; range 0 to 1."""

    family = "js"
    about = "Jensen-Shannon divergence of the words through the midpoint, in bits."
    mean_of = (2,)
    range = (0.0, 1.0)
    Options = DivergenceOptions


class JsKl(_Divergence):
    """The mean of the two Kullback-Leibler divergences (Jeffreys, halved)."""

    family = "js-kl"
    about = "The mean of the two Kullback-Leibler divergences, as BLANC's authors define JS."
    mean_of = (0, 1)


Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Float64 = NDArray[np.float64]


@compiled
def divergences(
    ids: Int32, offsets: Int64, size: int, targets: Int64, summaries: Int64, smoothing: float,
    weights: Float64, first: bool,
) -> Float64:  # fmt: skip
    """KL(summary || target), KL(target || summary) and JS (midpoint) of each pair, in nats.

    `smoothing` is added to the count of every word that occurs in either text. Without it, a
    KL divergence is infinite when the first text has a word that the second lacks. A word of the
    target counts as much as `weights` say for its index, each time or, with `first`, for its first
    index, times log(1 + n) of its n mentions. A pair with a text without words gets zeros.
    """
    result = np.zeros((targets.size, 3), np.float64)
    in_target = np.zeros(size, np.float64)
    in_summary = np.zeros(size, np.int32)
    for pair in range(targets.size):
        target = ids[offsets[targets[pair]] : offsets[targets[pair] + 1]]
        summary = ids[offsets[summaries[pair]] : offsets[summaries[pair] + 1]]
        if target.size == 0 or summary.size == 0:
            continue
        types, target_mass = _fill_target_weights(target, weights, first, in_target, in_summary)
        for k in range(summary.size):
            types += in_summary[summary[k]] == 0 and in_target[summary[k]] == 0
            in_summary[summary[k]] += 1
        target_mass += smoothing * types
        summary_mass = summary.size + smoothing * types
        for side in range(2):
            text = target if side == 0 else summary
            for k in range(text.size):
                word = text[k]
                if in_target[word] == 0 and in_summary[word] == 0:
                    continue
                p = (in_summary[word] + smoothing) / summary_mass
                q = (in_target[word] + smoothing) / target_mass
                result[pair, 0] += _term(p, q)
                result[pair, 1] += _term(q, p)
                result[pair, 2] += (_term(p, (p + q) / 2) + _term(q, (p + q) / 2)) / 2
                in_target[word] = 0
                in_summary[word] = 0
    return result


@compiled
def _fill_target_weights(
    target: Int32, weights: Float64, first: bool, in_target: Float64, mentions: Int32
) -> tuple[int, float]:
    """Put the weight of each word of a target into `in_target`; the number of words and the sum.

    `mentions` is zero before and after.
    """
    types = 0
    mass = 0.0
    for k in range(target.size):
        mentions[target[k]] += 1
        if mentions[target[k]] == 1 or not first:
            in_target[target[k]] += weights[k]
    for k in range(target.size):
        word = target[k]
        if mentions[word] == 0:
            continue
        if first:
            in_target[word] *= np.log1p(mentions[word])
        types += 1
        mass += in_target[word]
        mentions[word] = 0
    return types, mass


@compiled
def _term(p: float, q: float) -> float:
    """p ln(p / q): 0 when p is 0, infinite when only q is."""
    if p == 0.0:
        return 0.0
    return np.inf if q == 0.0 else p * np.log(p / q)
