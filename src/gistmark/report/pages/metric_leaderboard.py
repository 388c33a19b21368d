"""The leaderboard of metrics: a file that grows with every study (EMFoS, chapter 8).

The file is JSON: `{"version": 1, "entries": [...]}`. An entry is one part of one metric on one
set of human scores, with its signature and its correlations at global level.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any, get_args

from gistmark.analysis.correlation import COEFFICIENTS, shown_coefficients
from gistmark.analysis.correlation.accuracy import ACC_EQ, CROSS_VALIDATED, SPA
from gistmark.analysis.findings import words
from gistmark.analysis.studies.displays import closeness
from gistmark.analysis.studies.records import Correlation
from gistmark.analysis.studies.results import Study
from gistmark.errors import GistmarkError
from gistmark.metrics.metric import Better
from gistmark.report.outline import Section
from gistmark.report.page import html_page
from gistmark.report.table import Cell, Column, Table
from gistmark.report.views import leading
from gistmark.report.writers.markdown import markdown_report
from gistmark.runtime.files import write_text

VERSION = 1
TITLE = "Leaderboard of metrics"
_DIGEST = 12


@dataclass(frozen=True, slots=True)
class Entry:
    """How one part of a metric followed people on one dataset.

    `content` is a hash of the human scores, so that the same name for other data, or another name
    for the same data, is noticed. `correlations` is human score → coefficient → value, `accuracy`
    human score → statistic (acc_eq, SPA) → value. `better` is `higher`, `lower` or `neither`.
    """

    metric: str
    part: str
    signature: str
    dataset: str
    content: str
    n: int
    correlations: Mapping[str, Mapping[str, float | None]]
    date: str
    accuracy: Mapping[str, Mapping[str, float | None]]
    better: Better


def update_leaderboard(
    file: Path, study: Study, *, dataset: str, n: int, today: date
) -> list[Entry]:
    """Add this study's metrics to the file and return the entries that are new.

    A metric that is already there with the same signature and data stays as it is.
    """
    stored_entries = read_leaderboard(file) if file.exists() else []
    stored_identities = {_identity(entry) for entry in stored_entries}
    result = _entries(study, dataset=dataset, n=n, today=today)
    new = [entry for entry in result if _identity(entry) not in stored_identities]
    if new or not file.exists():
        _write(file, [*stored_entries, *new])
    return new


def read_leaderboard(file: Path) -> list[Entry]:
    """The entries of a leaderboard file, checked."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise GistmarkError(f"{file}: cannot be read ({error.strerror}).") from None
    except ValueError as error:
        raise GistmarkError(f"{file}: is not a leaderboard: not valid JSON ({error}).") from None
    if not isinstance(content, dict) or "version" not in content:
        raise GistmarkError(f"{file}: is not a leaderboard: it has no version.")
    if content["version"] != VERSION:
        raise GistmarkError(
            f"{file}: is a leaderboard of version {content['version']!r}; this Gistmark reads and "
            f"writes version {VERSION} only, so it was left as it is."
        )
    entries = content.get("entries")
    if not isinstance(entries, list):
        raise GistmarkError(f"{file}: is not a leaderboard: it has no list of entries.")
    return [_entry(file, index, entry) for index, entry in enumerate(entries, start=1)]


def render_leaderboard(file: Path) -> tuple[str, str]:
    """The leaderboard as Markdown and as a page, the metrics that follow people best on top."""
    entries = read_leaderboard(file)
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.dataset, entry.content)):
        groups.setdefault((entry.dataset, entry.content), []).append(entry)
    sections = [
        Section(f"dataset-{index}", dataset, [_table(f"dataset_{index}", group)])
        for index, ((dataset, _), group) in enumerate(groups.items(), start=1)
    ]
    metrics = len({entry.signature for entry in entries})
    counts = {"datasets": len(groups), "metrics": metrics} if entries else {}
    return markdown_report(TITLE, counts, sections), html_page(TITLE, counts, sections, None)


def _entries(study: Study, *, dataset: str, n: int, today: date) -> list[Entry]:
    signatures = {record.metric: record.signature for record in study.signatures}
    groups: dict[tuple[str, str], list[Correlation]] = {}
    for record in study.correlation:
        plain = record.level == "global" and not record.given and not record.subset
        if plain and record.metric in signatures and record.coefficient in COEFFICIENTS:
            groups.setdefault((record.metric, record.part), []).append(record)
    accuracy: dict[tuple[str, str], dict[str, dict[str, float | None]]] = {}
    for measured in study.accuracy:
        by_human = accuracy.setdefault((measured.metric, measured.part), {})
        by_human.setdefault(measured.human, {})[measured.statistic] = measured.value
    better = {(record.metric, record.part): record.better for record in study.measures}
    content = _digest(study, dataset)
    return [
        Entry(metric, part, signatures[metric], dataset, content, n, _values(records),
              today.isoformat(), accuracy.get((metric, part), {}), better[metric, part])
        for (metric, part), records in groups.items()
    ]  # fmt: skip


def _values(records: Sequence[Correlation]) -> dict[str, dict[str, float | None]]:
    groups: dict[str, dict[str, float | None]] = {}
    for record in records:
        groups.setdefault(record.human, {})[record.coefficient] = record.value
    return groups


def _digest(study: Study, dataset: str) -> str:
    """A hash of the human scores; without any, of the dataset's name."""
    lines = sorted(
        json.dumps([record.document, record.system, record.human, f"{record.value:.10g}"])
        for record in study.human_scores
    )
    return hashlib.sha256("\n".join(lines or [dataset]).encode()).hexdigest()[:_DIGEST]


def _identity(entry: Entry) -> tuple[str, str, str, int]:
    return (entry.signature, entry.part, entry.content, entry.n)


def _entry(file: Path, index: int, content: Any) -> Entry:
    names = [entry_field.name for entry_field in fields(Entry)]
    if not isinstance(content, dict) or set(content) != set(names):
        raise GistmarkError(f"{file}: entry {index} must have exactly: {', '.join(names)}.")
    for name in ("correlations", "accuracy"):
        values = content[name]
        if not isinstance(values, dict) or not all(isinstance(v, dict) for v in values.values()):
            raise GistmarkError(f"{file}: entry {index}: {name} must be objects in an object.")
    if content["better"] not in get_args(Better):
        allowed = ", ".join(get_args(Better))
        raise GistmarkError(f"{file}: entry {index}: better must be one of: {allowed}.")
    return Entry(**content)


def _write(file: Path, entries: Sequence[Entry]) -> None:
    """Write the file whole or not at all."""
    content = {"version": VERSION, "entries": [asdict(entry) for entry in entries]}
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    write_text(file, text, errors="replace")


def _table(name: str, entries: Sequence[Entry]) -> Table:
    """A row per entry and human score: the leading human score first, closest on top."""
    humans = tuple(dict.fromkeys(human for entry in entries for human in entry.correlations))
    first = leading(humans)
    lines = [(human, entry, entry.correlations[human]) for entry in entries
             for human in entry.correlations]  # fmt: skip
    lines.sort(
        key=lambda line: (
            line[0] != first, line[0], closeness(line[2].get("spearman"), line[1].better)
        )
    )  # fmt: skip
    rows: list[list[Cell]] = [
        [entry.metric, entry.part, human, *(values.get(c) for c in shown_coefficients()),
         *_accuracy(entry.accuracy.get(human, {})), entry.n, entry.date, entry.signature]
        for human, entry, values in lines
    ]  # fmt: skip
    columns = [Column("metric", "Metric"), Column("part", "Part"), Column("human", "Human score")]
    columns += [Column(name, words.coefficient(name), "number") for name in shown_coefficients()]
    columns += [
        Column("acc_eq", "acc_eq", "number"),
        Column("spa", "SPA", "number"),
        Column("n", "n", "count"),
        Column("date", "Date"),
        Column("signature", "Signature", "code"),
    ]
    note = (
        f"Correlations at global level; acc_eq cross-validated where there are documents enough; "
        f"human scores {entries[0].content}."
    )
    return Table(name, entries[0].dataset, columns, rows, note=note, whole=True)


def _accuracy(values: Mapping[str, float | None]) -> tuple[Cell, Cell]:
    cross_validated = values.get(CROSS_VALIDATED)
    return (values.get(ACC_EQ) if cross_validated is None else cross_validated), values.get(SPA)
