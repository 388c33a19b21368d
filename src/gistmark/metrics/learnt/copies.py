"""A summary that copies the document's beginning is compared with the rest of the document.

Every measure of similarity to the document favours a copy, most of all where the first words weigh
most. But a lead is a good summary as far as it tells what the rest of the document tells: beside
that, it does not profit from itself. There is no jump between a copy and other summaries: as the
measure `lead` rises from 0 to 1, features pass from those beside the whole document to those beside
the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.learnt.features import COPYING, Feature
from gistmark.metrics.learnt.structure import rest
from gistmark.metrics.learnt.texts import Text
from gistmark.metrics.metric import Float64
from gistmark.text import ENGLISH


def beside_the_rest(
    batch: Batch,
    features: Sequence[Feature],
    measure: Callable[[Batch], Float64],
    lang: str = ENGLISH,
) -> Float64:
    """The features of a batch by `measure`, those of copies beside the rest of their document.

    Where nothing is left of the document, they are not numbers.
    """
    values = measure(batch)
    copying = np.array([feature.group == COPYING for feature in features])
    share = -values[:, copying].sum(axis=1)
    rows = np.flatnonzero(share > 0)
    if len(rows):
        shortened = [_without_copy(batch.item(row), lang) for row in rows.tolist()]
        beside_rest = measure(Batch.of(shortened))
        compared = ~copying & ~np.array([feature.alone for feature in features])
        change = share[rows, None] * (beside_rest - values[rows])
        values[rows] += np.where(compared, change, 0.0)
    return values


def _without_copy(item: Item, lang: str) -> Item:
    summary, document = (Text.read(text or "", lang) for text in (item.summary, item.document))
    return replace(item, document=rest(summary, document))
