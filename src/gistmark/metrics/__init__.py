"""Metrics: the catalogue of all, what a metric is made of, and a subpackage per kind.

metric, batch, options, targets    what all metrics share
lexical, embedding, language_model the metrics, one file per family
content_units                      the pyramid, one file per step
kernels                            compiled inner loops
"""

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import (
    GROUPS,
    METRICS,
    metric_from,
    metric_from_signature,
    metrics_from,
)
from gistmark.metrics.metric import PRECISION_RECALL_F, Metric, Need, Values
from gistmark.options import NoOptions

__all__ = [
    "GROUPS",
    "METRICS",
    "PRECISION_RECALL_F",
    "Batch",
    "Item",
    "Metric",
    "Need",
    "NoOptions",
    "Values",
    "metric_from",
    "metric_from_signature",
    "metrics_from",
]
