"""A paper's metrics by the names that it gives them: read from a file of scores, or computed here.

Metrics without a model, and those on embedded models that are on this machine, are always computed.
Others may need gigabytes or hours and are computed only for who asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath

import numpy as np

from gistmark.corpus import Corpus
from gistmark.errors import UsageError, unknown_name
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.metric import Better, Metric
from gistmark.models import EMBEDDED, is_here, known_model
from gistmark.models.catalogue import models_of
from gistmark.scoring import Scores, score
from gistmark.scoring.run import Progress
from gistmark.scoring.scores import Column

NOT_IN_FILE = "the file has no score of this summary"


def paper_scores(
    aliases: Mapping[str, str],
    corpus: Corpus,
    *,
    wanted: Sequence[str] = (),
    file: Scores | None = None,
    progress: Progress | None = None,
) -> Scores:
    """The scores of a corpus by metrics that a paper calls `aliases`, each by its main part alone.

    Those in `file` are taken from it; those `wanted`, by alias or by model, are computed too.
    """
    units = [(s.document, s.system) for s in corpus.summaries if not s.reference]
    columns = {} if file is None else _columns_of_file(aliases, file, units)
    names = _aliases_of(aliases, wanted)
    specs = {
        alias: spec
        for alias, spec in aliases.items()
        if alias not in columns and (alias in names or _is_at_hand(spec))
    }
    if specs:
        computed = score(corpus, list(specs.values()), progress=progress)
        for alias, spec in specs.items():
            columns[alias] = _column(computed, spec, _metric(spec).better, units)
    return Scores(
        [document for document, _ in units],
        [system for _, system in units],
        {alias: columns[alias] for alias in aliases if alias in columns},
    )


def model_of(spec: str) -> str | None:
    """The model that a metric needs, if any."""
    return next(iter(models_of(_metric(spec).options)), None)


def _is_at_hand(spec: str) -> bool:
    model = model_of(spec)
    return model is None or (model in EMBEDDED and is_here(known_model(model)))


def _aliases_of(aliases: Mapping[str, str], wanted: Sequence[str]) -> set[str]:
    """The aliases that some aliases or models stand for."""
    models = {alias: model_of(spec) or "" for alias, spec in aliases.items()}
    names: set[str] = set()
    for name in wanted:
        fitting = [
            alias
            for alias, model in models.items()
            if name == alias or (model and name in (model, PurePosixPath(model).name))
        ]
        if not fitting:
            raise unknown_name("metric or model of the paper", name, tuple(aliases))
        names.update(fitting)
    return names


def _columns_of_file(
    aliases: Mapping[str, str], file: Scores, units: Sequence[tuple[str, str]]
) -> dict[str, Column]:
    if set(units).isdisjoint(zip(file.documents, file.systems, strict=True)):
        raise UsageError("The scores are not of the summaries of the paper's released data.")
    metrics = {name: _metric_or_none(name) for name in file.columns}
    columns = {}
    for alias, spec in aliases.items():
        metric = _metric(spec)
        for name, other in metrics.items():
            same = other is not None and type(other) is type(metric)
            if name == alias or (same and other and other.options == metric.options):
                columns[alias] = _column(file, name, metric.better, units)
                break
    if not columns:
        raise UsageError(
            f"None of the scores is by a metric of the paper: {', '.join(aliases.values())}."
        )
    return columns


def _column(scores: Scores, name: str, better: Better, units: Sequence[tuple[str, str]]) -> Column:
    """The main part of a metric in the order of the units."""
    column = scores[name]
    rows = {u: row for row, u in enumerate(zip(scores.documents, scores.systems, strict=True))}
    positions = np.array([rows.get(unit, -1) for unit in units], dtype=np.int64)
    padded = np.append(column.part(column.main_part), np.nan)
    reasons = {
        number: column.reasons.get(position, "") if position >= 0 else NOT_IN_FILE
        for number, position in enumerate(positions.tolist())
        if np.isnan(padded[position])
    }
    values = padded[positions][:, None]
    return Column(column.signature, ("value",), "value", better, values, reasons)


@lru_cache(maxsize=128)
def _metric(spec: str) -> Metric:
    return metric_from(spec)


def _metric_or_none(name: str) -> Metric | None:
    """The metric that a column of a file is called after; other programs have other names."""
    try:
        return _metric(name)
    except UsageError:
        return None
