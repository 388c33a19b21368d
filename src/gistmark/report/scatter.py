"""The data of the interactive scatter: a point per summary, a column per measure, the texts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.analysis.studies.records import Strength
from gistmark.records import Rating, Summary
from gistmark.report.passages import highlighted_passages
from gistmark.report.views import View

MOST_TEXT = 8_000_000
"""Characters of texts that the page may carry; the other documents get a page each beside it."""

_DIGITS = 10

Unit = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure that an axis can show."""

    key: str
    label: str
    group: str
    values: dict[Unit, float]


def scatter_data(view: View) -> dict[str, Any]:
    """Everything that the page's script needs, ready for JSON."""
    measures = _measures(view)
    summaries = judged_summaries(view, measures)
    units = [(summary.document, summary.system) for summary in summaries]
    systems = scatter_systems(view, summaries)
    documents = list(dict.fromkeys(document for document, _ in units))
    files = files_beside(view, summaries)
    index = {document: number for number, document in enumerate(documents)}
    column = {system: number for number, system in enumerate(systems)}
    return {
        "systems": systems,
        "measures": [_measure_record(measure, units) for measure in measures],
        "points": [
            [index[s.document], column[s.system], "" if s.document in files else s.text]
            for s in summaries
        ],
        "documents": [_document(view, id, files.get(id)) for id in documents],
        **_ratings(view.corpus.ratings, units),
        "start": _start(view, measures),
    }


def scatter_systems(view: View, summaries: Sequence[Summary]) -> list[str]:
    """The systems that have a mark, in the order of the report."""
    systems_with_mark = {summary.system for summary in summaries}
    ranked_systems = [system for system in view.systems if system in systems_with_mark]
    return ranked_systems + sorted(systems_with_mark - set(ranked_systems))


def files_beside(view: View, summaries: Sequence[Summary]) -> dict[str, str]:
    """The documents whose texts the page cannot carry, each with the file that does."""
    sizes: dict[str, int] = {}
    for summary in summaries:
        sizes[summary.document] = sizes.get(summary.document, 0) + len(summary.text)
    texts = {document.id: len(document.text) for document in view.corpus.documents}
    files: dict[str, str] = {}
    carried = 0
    for number, (id, size) in enumerate(sizes.items(), start=1):
        references = sum(len(r.text) for r in view.corpus.references.get(id, ()))
        carried += size + references + texts.get(id, 0)
        if carried > MOST_TEXT:
            files[id] = f"texts/{number:05}.html"
    return files


def embed(data: object) -> str:
    """JSON that is safe inside a script element, whatever the texts hold."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _measures(view: View) -> list[Measure]:
    humans: dict[str, dict[Unit, float]] = {}
    for record in view.study.human_scores:
        humans.setdefault(record.human, {})[record.document, record.system] = record.value
    rows = [Measure(f"human:{name}", name, "People", values) for name, values in humans.items()]
    return [*rows, *_scored(view), *_lengths(view)]


def _scored(view: View) -> list[Measure]:
    if view.scores is None:
        return []
    units = list(zip(view.scores.documents, view.scores.systems, strict=True))
    return [
        Measure(
            f"metric:{metric}.{part}",
            view.label(metric, part),
            "Metrics",
            {u: float(v) for u, v in zip(units, column.part(part), strict=True) if np.isfinite(v)},
        )
        for metric, column in view.scores.columns.items()
        for part in sorted(column.judging, key=lambda part: part != column.main_part)
    ]


def _lengths(view: View) -> list[Measure]:
    sizes = {document.id: len(document.text) for document in view.corpus.documents}
    lengths = {(s.document, s.system): float(len(s.text)) for s in view.corpus.summaries}
    shares = {
        unit: length / sizes[unit[0]] for unit, length in lengths.items() if sizes.get(unit[0])
    }
    return [
        Measure("length:characters", "length in characters", "Length", lengths),
        Measure("length:compression", "length / document length", "Length", shares),
    ]


def judged_summaries(view: View, measures: Iterable[Measure] | None = None) -> list[Summary]:
    """The summaries of systems, and references where people or metrics judged them too."""
    measures = _measures(view) if measures is None else measures
    judged = {unit for m in measures if m.group != "Length" for unit in m.values}
    return [
        summary
        for summary in view.corpus.summaries
        if not summary.reference or (summary.document, summary.system) in judged
    ]


def _measure_record(measure: Measure, units: Sequence[Unit]) -> dict[str, Any]:
    values = [measure.values.get(unit) for unit in units]
    return {
        "key": measure.key,
        "label": measure.label,
        "group": measure.group,
        "values": [_round_value(value) for value in values],
    }


def _round_value(value: float | None) -> float | None:
    """Ten digits: enough for any figure, and values that are equal on paper stay equal."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{_DIGITS}g}")


def _document(view: View, id: str, file: str | None) -> dict[str, Any]:
    """The record of a document for the script: its texts, or the file that has them."""
    document = view.document(id)
    record = {"id": id, "title": (document.title if document else None) or id}
    if file is not None:
        return {**record, "file": file}
    highlights = view.corpus.highlights_of(id)
    return {
        **record,
        "passages": highlighted_passages(document.text if document else "", highlights),
        "annotators": len({mark.annotator for mark in highlights}),
        "references": [[r.system, r.text] for r in view.corpus.references.get(id, ())],
    }


def _ratings(ratings: Iterable[Rating], units: Sequence[Unit]) -> dict[str, Any]:
    """For each point, its ratings as [dimension, annotator, value], the names by their index."""
    points = {unit: point for point, unit in enumerate(units)}
    dimensions: dict[str, int] = {}
    annotators: dict[str, int] = {}
    ratings_of_point: list[list[list[Any]]] = [[] for _ in units]
    for rating in ratings:
        point = points.get((rating.document, rating.system))
        if point is not None:
            dimension = dimensions.setdefault(rating.dimension, len(dimensions))
            annotator = annotators.setdefault(rating.annotator, len(annotators))
            ratings_of_point[point].append([dimension, annotator, _round_value(rating.value)])
    return {
        "dimensions": list(dimensions),
        "annotators": list(annotators),
        "ratings": ratings_of_point,
    }


def _start(view: View, measures: Sequence[Measure]) -> dict[str, Any]:
    """The pair that is shown first: the best metric against the leading human score."""
    keys = [measure.key for measure in measures]
    human = f"human:{view.primary}"
    y = human if human in keys else keys[-1]
    for record in _strongest(view):
        x = f"metric:{record.metric}.{record.part or 'value'}"
        if x in keys:
            published = {
                plot: _published(view, record, level)
                for plot, level in (("system", "system"), ("summary", "global"))
            }
            return {"x": x, "y": y, **published}
    x = next((key for key in keys if key.startswith("metric:")), "length:characters")
    return {"x": x, "y": y, "system": {}, "summary": {}}


def _strongest(view: View) -> list[Strength]:
    """The metrics by the first level of the headline."""
    if view.primary is None:
        return []
    first = view.strongest(view.primary, view.headline.levels[0])
    return first or view.strongest(view.primary)


def _published(view: View, strength: Strength, level: str) -> dict[str, float]:
    """What the study says about the pair at a level, by coefficient."""
    pair = (strength.metric, strength.part, strength.human, level)
    return {
        record.coefficient: record.value
        for record in view.plain
        if (record.metric, record.part, record.human, record.level) == pair
        and record.value is not None
    }
