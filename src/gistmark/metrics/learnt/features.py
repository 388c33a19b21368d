"""What a learnt metric looks at: features that cost little, each better the higher or the lower.

Most are metrics of the catalogue; `structure` has the others. A feature that cannot be computed for
a summary is not a number, and counts as average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from gistmark.errors import unknown_name
from gistmark.metrics.batch import Batch
from gistmark.metrics.learnt.structure import MEASURES, structure
from gistmark.metrics.metric import Float64, Metric
from gistmark.metrics.options import Against
from gistmark.options import option_types, settings_from
from gistmark.records import Part

Group = Literal["content", "support", "repetition", "order", "copying", "style"]
"""What a feature tells: whether the summary has what the document has, whether it has nothing else,
whether it says things twice, whether its sentences go in order, whether it is a mere copy, and
whether it reports, in whole sentences, rather than talks."""

COPYING: Group = "copying"
"""The group of the feature that is there to see a copied lead, where a metric has one."""


@dataclass(frozen=True)
class Feature:
    """A part of a metric, or a measure of `structure`; `sign` is -1 where less is better.

    What is learnt starts from the `main` features, which follow people well by themselves. One that
    looks at the summary `alone` means the same whatever summaries are compared with.
    """

    name: str
    group: Group
    sign: Literal[1, -1]
    metric: str = ""
    settings: str = ""
    part: Part = "value"
    main: bool = False
    alone: bool = False

    @property
    def spec(self) -> str:
        """The metric as a command names it."""
        return f"{self.metric}:{self.settings}" if self.settings else self.metric


_DECAYED = "against=document,half_life=100"


def _support(against: Against) -> tuple[Feature, ...]:
    """Features that look for what the summary says in its document or its references."""
    target = f"against={against}"
    # Precision is the same however the document's words are weighed, and is computed with recall.
    bertscore = _DECAYED if against == "document" else target
    return (
        Feature("precision", "support", 1, "bertscore", bertscore, "precision"),
        Feature("bigrams", "support", 1, "rouge2", target, "precision"),
    )


_EARLY = (
    Feature("first-js", "content", -1, "js", f"{_DECAYED},mentions=first", main=True),
    Feature("early-recall", "content", 1, "bertscore", _DECAYED, "recall", main=True),
    Feature("early-sentences", "content", 1, "sentence-match", _DECAYED, "recall", main=True),
)
"""Features for which the document's first words count most, as in news."""
_REPEATED = Feature("repeated", "repetition", -1, "repeated3", alone=True)
_OVERLAP = Feature("overlap", "repetition", -1, alone=True)
_STRUCTURE = (
    Feature("names", "support", 1),
    Feature("neighbours", "support", 1),
    Feature("order", "order", 1),
    Feature("opening", "order", -1, alone=True),
    Feature("lead", COPYING, -1),
    Feature("person", "style", -1, alone=True),
    Feature("quotation", "style", -1, alone=True),
    Feature("label", "style", -1, alone=True),
    Feature("joined", "style", -1, alone=True),
    Feature("broken", "style", -1, alone=True),
)


def _unweighted(against: Against) -> tuple[Feature, ...]:
    """Features for which all words of the document or the reference count alike."""
    target = f"against={against}"
    return (
        Feature("js", "content", -1, "js", target, main=True),
        Feature("recall", "content", 1, "bertscore", target, "recall", main=True),
        Feature("cosine", "content", 1, "sentence-cosine", target),
    )


FEATURES: dict[Against, tuple[Feature, ...]] = {
    "document": (
        *_EARLY,
        Feature("sentence-precision", "support", 1, "sentence-match", _DECAYED, "precision"),
        *_support("document"),
        *_STRUCTURE,
        _REPEATED,
    ),
    "references": (
        *_unweighted("references"),
        *_support("references"),
        Feature("unigrams", "content", 1, "rouge1", "against=references,stem=yes", "recall"),
        _REPEATED,
        _OVERLAP,
    ),
}
"""What metrics learn from."""

_OF_EARLIER_METRICS = (
    Feature("early-js", "content", -1, "js", _DECAYED),
    Feature("contexts", "support", 1),
    _OVERLAP,
)
"""What earlier metrics learnt from."""


def feature_named(name: str, against: Against) -> Feature:
    """The feature of this name, for summaries compared with the document or the references.

    Also of those that earlier metrics learnt from.
    """
    all_features = (*FEATURES[against], *_unweighted(against), *_OF_EARLIER_METRICS)
    features_by_name = {feature.name: feature for feature in all_features}
    if name not in features_by_name:
        raise unknown_name("feature", name, tuple(features_by_name))
    return features_by_name[name]


def measured(batch: Batch, features: Sequence[Feature], options: Any) -> Float64:
    """A row of features for each item, turned so that more is better.

    `options` name the encoder, its precision and the language.
    """
    columns = []
    values: dict[str, tuple[Metric, Float64]] = {}
    structures = structure(batch, options.lang) if any(not f.metric for f in features) else None
    for feature in features:
        if not feature.metric:
            assert structures is not None
            column = structures[:, MEASURES.index(feature.name)]
        else:
            if feature.spec not in values:
                metric = metric_of(feature, options)
                values[feature.spec] = metric, metric.score(batch).values
            metric, table = values[feature.spec]
            column = table[:, metric.parts.index(feature.part)]
        columns.append(feature.sign * column)
    return np.column_stack(columns)


def metric_of(feature: Feature, options: Any) -> Metric:
    """The metric behind a feature, on the encoder and in the language of the options."""
    from gistmark.metrics.catalogue import FIXED, METRICS
    from gistmark.metrics.options import language_settings

    kind = METRICS.get(feature.metric)
    fixed = FIXED.get(feature.metric, {})
    explicit = settings_from(feature.metric, feature.settings, kind.Options, fixed=fixed)
    shared = {"model": options.model, "precision": options.precision}
    model_settings = {k: v for k, v in shared.items() if k in option_types(kind.Options)}
    by_language = language_settings(kind.Options, explicit, options.lang)
    return kind(kind.Options(**{**fixed, **by_language, **model_settings, **explicit}))
