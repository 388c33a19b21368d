"""`gistmark-1`, which was trained on people's scores, and `learnt`, by weights of your own.

The weights come from `gistmark metric train`; docs/learnt.md is the model card of `gistmark-1`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.metrics.batch import Batch
from gistmark.metrics.learnt.copies import beside_the_rest
from gistmark.metrics.learnt.features import measured
from gistmark.metrics.learnt.model import GROUPS, Stored, read_model, shipped
from gistmark.metrics.metric import Float64, Need, OnModel, Values
from gistmark.metrics.options import SENTENCE_ENCODER, LanguageOptions, ModelOptions
from gistmark.metrics.targets import NEEDED, pair_up
from gistmark.options import option
from gistmark.records import Part
from gistmark.signature import without_hash

NO_WORDS = "the text that the summary is compared with is empty"
_MISSING = {"references": "the document has no reference", "document": "the document has no text"}


@dataclass(frozen=True)
class _Options(LanguageOptions, ModelOptions):
    """Which encoder the features are computed with."""

    model: str = option(SENTENCE_ENCODER, "the encoder of the features; weights are for one only")

    def __post_init__(self) -> None:
        LanguageOptions.__post_init__(self)
        ModelOptions.__post_init__(self)


@dataclass(frozen=True)
class GistmarkOptions(_Options):
    """Options of `gistmark-1`."""

    references: bool = option(False, "compare with the references instead of the document")


@dataclass(frozen=True)
class LearntOptions(_Options):
    """Options of `learnt`."""

    weights: str = option("gistmark-1", "gistmark-1, or a file that `gistmark metric train` wrote")

    def __post_init__(self) -> None:
        """A file with the hash that a signature shows is the same as the file."""
        super().__post_init__()
        object.__setattr__(self, "weights", without_hash(self.weights))


class _OnWeights(OnModel):
    """A weighted sum of features, in standard deviations of people's scores.

    `sd` is the standard deviation of the value, and the other parts are what each group of features
    contributes to it; they sum to the value. An empty summary has the worst value of every feature.
    Without anything to compare the summary with, the value is missing.
    """

    parts: tuple[Part, ...] = ("value", "sd", *GROUPS)
    range = (-np.inf, np.inf)
    tolerance = 1e-3

    def __init__(self, options: Any | None = None) -> None:
        super().__init__(options)
        self._stored = self._weights()
        encoder = self._stored.model.encoder
        if encoder != self.options.model:
            warnings.warn(
                f"The weights {self._stored.label} are for features of the encoder {encoder}, not "
                f"{self.options.model}, so values are not comparable.",
                stacklevel=2,
            )

    def _weights(self) -> Stored:
        raise NotImplementedError

    def _shown(self) -> dict[str, str]:
        return {**super()._shown(), "weights": self._stored.label}

    @property
    def needs(self) -> frozenset[Need]:
        return NEEDED[self._stored.model.against]

    @property
    def card(self) -> tuple[str, ...]:
        return self._stored.model.described

    def score(self, batch: Batch) -> Values:
        model = self._stored.model
        pairs = pair_up(batch, model.against)
        filled = np.array([bool(text.strip()) for text in batch.texts], dtype=bool)
        comparable = np.zeros(len(batch), dtype=bool)
        comparable[pairs.items[filled[pairs.targets]]] = True
        features = np.tile(model.worst, (len(batch), 1))
        readable = np.flatnonzero(comparable & filled[batch.summaries])
        if len(readable):
            items = batch if len(readable) == len(batch) else batch.subset(readable.tolist())
            features[readable] = self._measured(items)
        predicted = model.predict(features)
        columns = (predicted.values, predicted.deviations, *predicted.contributions.T)
        values = np.column_stack(columns)
        values[~comparable] = np.nan
        nothing = np.isin(np.arange(len(batch)), pairs.items, invert=True)
        return Values(values, {
            int(i): _MISSING[model.against] if nothing[i] else NO_WORDS
            for i in np.flatnonzero(~comparable)
        })  # fmt: skip

    def _measured(self, batch: Batch) -> Float64:
        model = self._stored.model

        def measure(batch: Batch) -> Float64:
            return measured(batch, model.features, self.options)

        if not model.rest:
            return measure(batch)
        return beside_the_rest(batch, model.features, measure, self.options.lang)


class Gistmark1(_OnWeights):
    """The metric that comes with Gistmark."""

    family = "gistmark-1"
    about = (
        "A learnt metric: content, support, repetition, order, copying and style, weighted to "
        "fit people's scores; in standard deviations of these, 0 is an average summary."
    )
    Options = GistmarkOptions

    def _weights(self) -> Stored:
        return shipped("gistmark-1-references" if self.options.references else "gistmark-1")


class Learnt(_OnWeights):
    """A metric fitted to your own data."""

    family = "learnt"
    about = (
        "A learnt metric by weights that `gistmark metric train` fitted to people's scores; in "
        "standard deviations of these, 0 is an average summary."
    )
    Options = LearntOptions

    def _weights(self) -> Stored:
        name = self.options.weights
        return shipped(name) if name == "gistmark-1" else read_model(name)
