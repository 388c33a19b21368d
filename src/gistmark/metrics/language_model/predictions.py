"""What a model predicts: its architecture, and the predictions that metrics of a batch share.

A masked model fills in words from both sides, a causal one predicts them from left to right. BLANC
and the Shannon scores put the same sentences after the same contexts. A causal model is queried
once per batch for each token of a context's continuation, whichever metrics want it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np

from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Batch
from gistmark.metrics.options import ModelOptions
from gistmark.models.catalogue import KNOWN
from gistmark.models.language_models.causal import Predictions, Query, Tokens, causal_model
from gistmark.models.loading import Source, model_classes, source_of
from gistmark.models.store import hub_model
from gistmark.runtime.files import user_path
from gistmark.signature import without_hash

Architecture = Literal["masked", "causal"]

_MASKED = re.compile(r"\w*ForMaskedLM|(Bert|Albert)ForPreTraining")
_CAUSAL = re.compile(r"\w*ForCausalLM|\w*LMHeadModel")

_Memo = dict[tuple[Tokens, Tokens], dict[int, tuple[float, bool]]]
"""By context and continuation, for the index of a token: its log-likelihood, and whether the model
predicts it."""


_Announced = dict[tuple[Tokens, Tokens], set[int]]
"""By context and continuation, the indexes of the tokens that will be needed."""


def architecture_of(name: str) -> Architecture:
    """The architecture of the model of this name; one that is neither is an error."""
    if _is_embedded(name):
        return "causal"
    source = source_of(name)
    architecture = _architecture(model_classes(source))
    if architecture is None:
        classes = ", ".join(model_classes(source)) or "unknown"
        raise GistmarkError(
            f"The model {source.name} (its architecture: {classes}) is neither a masked nor a "
            "causal language model; take one such as bert-base-uncased or gpt2."
        )
    return architecture


def known_architecture(name: str) -> Architecture | None:
    """The architecture for a signature: None where the model is not here, never an error."""
    if _is_embedded(name):
        return "causal"
    plain = without_hash(name)
    try:
        folder = user_path(plain)
        folder = folder if folder.is_dir() else hub_model(plain, fetch=False)
        return _architecture(model_classes(Source(plain, folder, plain)))
    except (GistmarkError, OSError):
        return None


def predictions(batch: Batch, options: ModelOptions, queries: Sequence[Query]) -> list[Predictions]:
    """The model's predictions for each query; it runs only for what the batch does not know yet."""
    memo: _Memo = batch.memo(("predictions", options.model, options.precision), dict)
    missing = _missing(memo, queries, _announced(batch, options))
    if missing:
        model = causal_model(options.model, options.precision)
        for query, output in zip(missing, model.predict(missing), strict=True):
            values = zip(output.likelihoods.tolist(), output.right.tolist(), strict=True)
            memo[query.context, query.tokens].update(zip(query.wanted, values, strict=True))
    return [_looked_up(memo, query) for query in queries]


def announce(batch: Batch, options: ModelOptions, queries: Sequence[Query]) -> None:
    """Announce queries, so that the first metric that needs one has all of them predicted."""
    announced = _announced(batch, options)
    for query in queries:
        announced.setdefault((query.context, query.tokens), set()).update(query.wanted)


def _announced(batch: Batch, options: ModelOptions) -> _Announced:
    return batch.memo(("announced", options.model, options.precision), dict)


def _missing(memo: _Memo, queries: Sequence[Query], announced: _Announced) -> list[Query]:
    """One query for each context and continuation that lacks a requested prediction."""
    requested: dict[tuple[Tokens, Tokens], set[int]] = {}
    for query in queries:
        requested.setdefault((query.context, query.tokens), set()).update(query.wanted)
    missing = []
    for key, positions in requested.items():
        unknown = positions - memo.setdefault(key, {}).keys()
        if unknown:
            unknown |= announced.get(key, set()) - memo[key].keys()
            missing.append(Query(*key, tuple(sorted(unknown))))
    return missing


def _looked_up(memo: _Memo, query: Query) -> Predictions:
    outputs = [memo[query.context, query.tokens][position] for position in query.wanted]
    return Predictions(
        np.array([likelihood for likelihood, _ in outputs], dtype=np.float64),
        np.array([right for _, right in outputs], dtype=np.bool_),
    )


def _is_embedded(name: str) -> bool:
    """Whether it is a language model from a wheel, all of which are causal."""
    model = KNOWN.get(without_hash(name))
    return model is not None and model.wheel is not None and model.kind == "language model"


def _architecture(classes: tuple[str, ...]) -> Architecture | None:
    if any(map(_MASKED.fullmatch, classes)):
        return "masked"
    return "causal" if any(map(_CAUSAL.fullmatch, classes)) else None
