"""How far annotators agree, as a whole and in detail, and how each of them works."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from gistmark.analysis.records import Agreement
from gistmark.report.table import Cell, Column, Kind, Table, cell_value, statistic_cell
from gistmark.report.views import View, leading_first

_COLUMNS = (
    Column("statistic", "Statistic"),
    Column("subject", "Of"),
    Column("dimension", "Dimension"),
    Column("value", "Value [95 %]", "estimate"),
    Column("chance", "By chance", "number"),
    Column("n", "n", "count"),
)


def agreement_overview_table(view: View) -> Table:
    """A row per statistic, a column per dimension."""
    whole = [record for record in view.study.agreement if not record.scope]
    dimensions = leading_first(tuple(dict.fromkeys(record.dimension for record in whole)))
    lines: dict[tuple[str, str], dict[str, Cell]] = {}
    for record in whole:
        lines.setdefault((record.statistic, record.subject), {})[record.dimension] = _value(record)
    columns = [Column("statistic", "Statistic"), Column("subject", "Of")]
    columns += [Column(d or "all", d or "All", "estimate") for d in dimensions]
    return Table(
        "agreement_overview",
        "Agreement of annotators",
        columns,
        [[statistic_cell(code), subject, *map(cells.get, dimensions)]
         for (code, subject), cells in lines.items()],
        note="1 is full agreement. For kappa, alpha and ICC 0 is what chance gives; the share of "
        "the majority has its chance level in the full table. A high coefficient of variation "
        "means little agreement.",
        empty="There are no ratings, comparisons or highlights by two or more annotators.",
        keys=2,
    )  # fmt: skip


def agreement_table(view: View) -> Table:
    """The statistics over everything."""
    whole = [record for record in view.study.agreement if not record.scope]
    return Table(
        "agreement",
        "Agreement with chance levels and n",
        _COLUMNS,
        [_row(record) for record in whole],
        note="“By chance” is what coin flips would give; n is the number of units.",
        empty="There are no ratings, comparisons or highlights by two or more annotators.",
    )


def agreement_details_table(view: View) -> Table:
    """The statistics about single documents, annotators and splits."""
    scoped = [record for record in view.study.agreement if record.scope]
    return Table(
        "agreement_details",
        "Agreement by document, annotator and split",
        (_COLUMNS[0], Column("scope", "About"), *_COLUMNS[1:]),
        [[statistic_cell(record.statistic), record.scope, *_row(record)[1:]] for record in scoped],
        empty="There is no agreement by document, annotator or split.",
    )


def annotators_table(view: View) -> Table:
    """What is known about each annotator as a whole."""
    return _annotators(view, "annotators", "Annotators", whole=True)


def annotators_by_dimension_table(view: View) -> Table:
    """What is known about each annotator, dimension by dimension."""
    title = "Annotators by dimension"
    return _annotators(view, "annotators_by_dimension", title, whole=False)


def _annotators(view: View, name: str, title: str, *, whole: bool) -> Table:
    """The columns are those of the study's records, where any has something to say."""
    every_record = [asdict(record) for record in view.study.annotators]
    records = [record for record in every_record if (not record.get("dimension")) == whole]
    every = dict.fromkeys(key for record in records for key in record)
    keys = [key for key in every if any(record.get(key) not in (None, "") for record in records)]
    keys.sort(key=lambda key: (key == "reason", key != "annotator"))
    kinds = {key: _kind([record.get(key) for record in records]) for key in keys}
    return Table(
        name,
        title,
        [Column(key, _title(key), kinds[key]) for key in keys],
        [[_cell(record.get(key)) for key in keys] for record in records],
        empty="Nothing is known about single annotators.",
    )


def _row(record: Agreement) -> list[Cell]:
    name = statistic_cell(record.statistic)
    return [name, record.subject, record.dimension, _value(record), record.chance, record.n]


def _value(record: Agreement) -> Cell:
    return cell_value(record.value, record.reason, low=record.low, high=record.high)


def _kind(values: list[Any]) -> Kind:
    there = [value for value in values if value is not None]
    if all(isinstance(value, int) and not isinstance(value, bool) for value in there):
        return "count" if there else "text"
    return "number" if all(isinstance(value, int | float) for value in there) else "text"


def _title(key: str) -> str:
    words = {"n": "n", "reason": "Remark"}
    return words.get(key, key.replace("_", " ").capitalize())


def _cell(value: Any) -> Cell:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, int) else str(value)
