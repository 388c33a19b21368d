"""What a causal model foresees, asked once per batch whichever metrics want to know it.

BLANC and the Shannon scores put the same sentences after the same contexts. An answer is kept
for each token of a context's continuation, so a metric that asks for some tokens and one that
asks for all of them share what they have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gistmark.metrics.batch import Batch
from gistmark.metrics.on_models import ModelOptions
from gistmark.models.causal import Foreseen, Query, Tokens, causal_model

_Answers = dict[int, tuple[float, bool]]
_Known = dict[tuple[Tokens, Tokens], _Answers]


def foreseen(batch: Batch, options: ModelOptions, queries: Sequence[Query]) -> list[Foreseen]:
    """What the model says of each query; it is asked only for what the batch does not know yet."""
    known: _Known = batch.memo(("foreseen", options.model, options.precision), dict)
    missing = _missing(known, queries)
    if missing:
        model = causal_model(options.model, options.precision)
        for query, answer in zip(missing, model.foresee(missing), strict=True):
            both = zip(answer.likelihoods.tolist(), answer.right.tolist(), strict=True)
            known[query.context, query.tokens].update(zip(query.wanted, both, strict=True))
    return [_told(known, query) for query in queries]


def _missing(known: _Known, queries: Sequence[Query]) -> list[Query]:
    """One query for each context and continuation of which something is wanted but not known."""
    wanted: dict[tuple[Tokens, Tokens], set[int]] = {}
    for query in queries:
        wanted.setdefault((query.context, query.tokens), set()).update(query.wanted)
    found = []
    for key, places in wanted.items():
        unknown = places - known.setdefault(key, {}).keys()
        if unknown:
            found.append(Query(*key, tuple(sorted(unknown))))
    return found


def _told(known: _Known, query: Query) -> Foreseen:
    answers = [known[query.context, query.tokens][place] for place in query.wanted]
    return Foreseen(
        np.array([likelihood for likelihood, _ in answers], dtype=np.float64),
        np.array([right for _, right in answers], dtype=np.bool_),
    )
