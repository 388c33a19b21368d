"""How many of the words the models of a study's metrics know."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gistmark.analysis.records import Note
from gistmark.scoring import Scores


def known_word_notes(scores: Scores) -> Iterator[Note]:
    """A note on each metric whose word vectors do not know every word.

    Of a summary and what it is compared with, the smaller share counts. Summaries without a value
    count, too, where their share is known.
    """
    for name, column in scores.columns.items():
        if "known" not in column.parts:
            continue
        shares = column.part("known")
        shares = shares[np.isfinite(shares)]
        if len(shares) and shares.min() < 1:
            mean, least = _percent(float(shares.mean())), _percent(float(shares.min()))
            yield Note(
                name,
                f"The word vectors know {mean} of the words on average (least: {least}); of a "
                "summary and its target the smaller share counts.",
            )


def _percent(share: float) -> str:
    """A share in whole percent; only what is nothing or all of it is told as such."""
    if 0 < share < 0.005:
        return "less than 1 %"
    return "over 99 %" if 0.995 <= share < 1 else f"{100 * share:.0f} %"
