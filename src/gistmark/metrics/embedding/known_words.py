"""A floor of known words for metrics on word vectors.

Words without a vector are ignored, so two texts that share their only known word are equal to such
a metric, whatever else they say. Below the floor a value is missing, and the reason gives the share
of known words and of which text it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gistmark.metrics.metric import Float64, Values
from gistmark.metrics.options import Combination
from gistmark.metrics.targets import Pairs, combine
from gistmark.records import Part

Int64 = NDArray[np.int64]

PARTS: tuple[Part, ...] = ("value", "known")
NO_KNOWN_WORDS = "the summary or its target has no words that the vectors know"

_KNOWN = PARTS.index("known")


@dataclass(frozen=True)
class Floor:
    """The share of each text's words that must be known to the vectors `name`.

    `content` says that stop words are not counted.
    """

    least: float
    name: str
    content: bool

    def reason(self, share: float, side: str) -> str:
        """Why a text with this share of known words cannot be compared; `side` says whose it is."""
        percent = round(100 * share)
        if share == 0:
            amount = "none"
        elif percent >= 100 * self.least:
            amount = f"just under {100 * self.least:g} %"
        else:
            amount = f"only {percent} %" if percent else "less than 1 %"
        words = "words other than stop words" if self.content else "words"
        return (
            f"{amount} of the {side}'s {words} are known to {Path(self.name).name} "
            f"(known={self.least:g} requires {100 * self.least:g} %)"
        )


def combine_known(
    pairs: Pairs,
    values: Float64,
    shares: Float64,
    *,
    size: int,
    floor: Floor,
    why: NDArray[np.str_],
    how: Combination,
    lower: bool = False,
) -> Values:
    """One row per item from one value per pair: the value, and the smaller share of both texts.

    `shares` are those of the texts of the pool, not a number where a text has no words to count.
    `why` says of each pair why it has no value, and is empty where it has one. An item without a
    value keeps the share of its best known target.
    """
    pair_shares = np.minimum(shares[pairs.summaries], shares[pairs.targets])
    below = pair_shares < floor.least
    reasons = why.astype(object)
    for pair in np.flatnonzero(below).tolist():
        reasons[pair] = _reason(pairs, shares, floor, pair)
    combined = combine(
        pairs, np.column_stack([values, pair_shares]), size=size, usable=~below & (why == ""),
        unusable=reasons, how=how, key=0, lower=lower,
    )  # fmt: skip
    best = np.full(size, np.nan)
    np.fmax.at(best, pairs.items, pair_shares)
    missing_rows = list(combined.reasons)
    combined.values[missing_rows, _KNOWN] = best[missing_rows]
    return combined


def shares_of(known: Int64, words: Int64) -> Float64:
    """The share of known words of each text; not a number where it has no words."""
    shares = np.full(len(words), np.nan)
    np.divide(known, words, out=shares, where=words > 0)
    return shares


def _reason(pairs: Pairs, shares: Float64, floor: Floor, pair: int) -> str:
    """The reason of the text of which less is known."""
    summary, target = float(shares[pairs.summaries[pair]]), float(shares[pairs.targets[pair]])
    if summary <= target:
        return floor.reason(summary, "summary")
    return floor.reason(target, "document" if pairs.against == "document" else "reference")
