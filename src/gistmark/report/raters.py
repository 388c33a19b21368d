"""Raters against each other: each against the rest, and some against the rest."""

from __future__ import annotations

from collections.abc import Iterable

from gistmark.analysis.records import AGAINST_REST, Agreement
from gistmark.analysis.results import Study

SPLIT = "split-k-rest"


def against_rest(study: Study) -> dict[str, list[Agreement]]:
    """Each rater's Spearman correlation with the others, by dimension, weakest first."""
    return _by_dimension(record for record in study.agreement if record.statistic == AGAINST_REST)


def splits(study: Study) -> dict[str, list[Agreement]]:
    """Some raters against the rest, split by split, by dimension, weakest first."""
    return _by_dimension(record for record in study.agreement if record.statistic == SPLIT)


def _by_dimension(records: Iterable[Agreement]) -> dict[str, list[Agreement]]:
    groups: dict[str, list[Agreement]] = {}
    for record in records:
        if record.scope and record.value is not None:
            groups.setdefault(record.dimension, []).append(record)
    return {
        dimension: sorted(group, key=lambda record: record.value or 0.0)
        for dimension, group in groups.items()
    }
