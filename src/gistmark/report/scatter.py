"""The data of the interactive scatter: a point per summary, a column per measure, the texts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gistmark.records import Document, Rating, Summary
from gistmark.report.passages import cut, highlighted_passages
from gistmark.report.views import View, label

MOST_POINTS = 2_000
MOST_CHARACTERS = 20_000
MOST_TEXT = 12_000_000
"""Characters of documents that a page may carry; beyond it each document is cut shorter."""

_SEED = 20240229
_DIGITS = 10

Unit = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that a point can be placed by."""

    key: str
    label: str
    group: str
    values: dict[Unit, float]


def scatter_data(view: View) -> dict[str, Any]:
    """Everything that the page's script needs, ready for JSON."""
    measures = _measures(view)
    summaries = _summaries(view, measures)
    chosen = _sample(summaries)
    units = [(summary.document, summary.system) for summary in chosen]
    documents = list(dict.fromkeys(document for document, _ in units))
    systems = [s for s in view.systems if any(s == system for _, system in units)]
    systems += sorted({system for _, system in units} - set(systems))
    limit = _limit(len(documents))
    places = {document: place for place, document in enumerate(documents)}
    known = {document.id: document for document in view.corpus.documents}
    return {
        "systems": systems,
        "measures": [_written(measure, units) for measure in measures],
        "points": [
            [places[s.document], systems.index(s.system), cut(s.text, limit)] for s in chosen
        ],
        "documents": [_document(view, id, known.get(id), limit) for id in documents],
        "ratings": _ratings(view.corpus.ratings, units),
        "start": _start(view, measures),
        "total": len(summaries),
        "limit": limit,
    }


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
    found = [Measure(f"human:{name}", name, "People", values) for name, values in humans.items()]
    return [*found, *_scored(view), *_lengths(view)]


def _scored(view: View) -> list[Measure]:
    if view.scores is None:
        return []
    units = list(zip(view.scores.documents, view.scores.systems, strict=True))
    return [
        Measure(
            f"metric:{metric}.{part}",
            label(metric, part),
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


def _summaries(view: View, measures: Iterable[Measure]) -> list[Summary]:
    """The summaries of systems, and references where people or metrics judged them too."""
    judged = {unit for m in measures if m.group != "Length" for unit in m.values}
    return [
        summary
        for summary in view.corpus.summaries
        if not summary.reference or (summary.document, summary.system) in judged
    ]


def _sample(summaries: Sequence[Summary]) -> list[Summary]:
    if len(summaries) <= MOST_POINTS:
        return list(summaries)
    rng = np.random.default_rng(_SEED)
    picked = np.sort(rng.choice(len(summaries), MOST_POINTS, replace=False))
    return [summaries[int(place)] for place in picked]


def _limit(documents: int) -> int:
    return min(MOST_CHARACTERS, max(1_000, MOST_TEXT // max(documents, 1)))


def _written(measure: Measure, units: Sequence[Unit]) -> dict[str, Any]:
    values = [measure.values.get(unit) for unit in units]
    return {
        "key": measure.key,
        "label": measure.label,
        "group": measure.group,
        "values": [_rounded(value) for value in values],
    }


def _rounded(value: float | None) -> float | None:
    """Ten digits: enough for any figure, and values that are equal on paper stay equal."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{value:.{_DIGITS}g}")


def _document(view: View, id: str, known: Document | None, limit: int) -> dict[str, Any]:
    text = known.text if known else ""
    return {
        "id": id,
        "title": (known.title if known else None) or id,
        "passages": highlighted_passages(text[:limit], view.corpus.highlights_of(id)),
        "annotators": len({mark.annotator for mark in view.corpus.highlights_of(id)}),
        "cut": max(0, len(text) - limit),
        "references": [
            [reference.system, cut(reference.text, limit)]
            for reference in view.corpus.references.get(id, ())
        ],
    }


def _ratings(ratings: Iterable[Rating], units: Sequence[Unit]) -> list[list[list[Any]]]:
    """For each point, its ratings as [dimension, annotator, value]."""
    places = {unit: place for place, unit in enumerate(units)}
    found: list[list[list[Any]]] = [[] for _ in units]
    for rating in ratings:
        place = places.get((rating.document, rating.system))
        if place is not None:
            found[place].append([rating.dimension, rating.annotator, _rounded(rating.value)])
    return found


def _start(view: View, measures: Sequence[Measure]) -> dict[str, Any]:
    """The pair that is shown first: the best metric against the leading human score."""
    keys = [measure.key for measure in measures]
    human = f"human:{view.primary}"
    y = human if human in keys else keys[-1]
    for record in view.strongest(view.primary) if view.primary is not None else ():
        x = f"metric:{record.metric}.{record.part or 'value'}"
        if x in keys:
            return {"x": x, "y": y, "study": _published(view, record.metric, record.part)}
    x = next((key for key in keys if key.startswith("metric:")), "length:characters")
    return {"x": x, "y": y, "study": {}}


def _published(view: View, metric: str, part: str) -> dict[str, float]:
    """What the study says about the pair, by coefficient."""
    return {
        record.coefficient: record.value
        for record in view.plain
        if (record.metric, record.part, record.human) == (metric, part, view.primary)
        and record.level == "global"
        and record.value is not None
    }
