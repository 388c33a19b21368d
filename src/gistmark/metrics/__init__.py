"""Metrics: one file per family, the catalogue of all, and what a metric is made of."""

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
