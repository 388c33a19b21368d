"""Tables on the agreement of annotators, on each annotator, and on machines as judges.

Also on the sources of variance in ratings: variance components, reliability and contrasts.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from gistmark.analysis.studies.records import Agreement
from gistmark.report.table import (
    Cell,
    Column,
    Kind,
    Label,
    Missing,
    Table,
    cell_value,
    estimate_cell,
    statistic_cell,
)
from gistmark.report.views import View, leading_first

_COLUMNS = (
    Column("statistic", "Statistic"),
    Column("subject", "Of"),
    Column("dimension", "Dimension"),
    Column("value", "Value [95 %]", "estimate"),
    Column("chance", "By chance", "number"),
    Column("n", "n", "count"),
    Column("documents", "Documents", "count"),
)

SOURCES = {
    "system": "system",
    "annotator": "annotator",
    "document": "document",
    "annotator:document": "annotator × document",
    "document:system": "single summary",
    "annotator:system": "annotator × system",
    "residual": "rest",
}
"""The sources of variance in words, in the order of the figure."""

_HOLDS = {"both": "other documents and annotators", "documents": "other documents"}


def agreement_overview_table(view: View) -> Table:
    """A row per statistic, a column per dimension."""
    unscoped = [record for record in view.study.agreement if not record.scope]
    dimensions = leading_first(tuple(dict.fromkeys(record.dimension for record in unscoped)))
    cells_of_statistic: dict[tuple[str, str], dict[str, Cell]] = {}
    for record in unscoped:
        cells_of_statistic.setdefault((record.statistic, record.subject), {})[record.dimension] = (
            estimate_cell(record)
        )
    columns = [Column("statistic", "Statistic"), Column("subject", "Of")]
    columns += [Column(d or "all", d or "All", "estimate") for d in dimensions]
    return Table(
        "agreement_overview",
        "Agreement of annotators",
        columns,
        [[statistic_cell(code), subject, *map(cells.get, dimensions)]
         for (code, subject), cells in cells_of_statistic.items()],
        note="1 is full agreement. For kappa, alpha, AC1, AC2, Brennan and Prediger’s coefficient "
        "and ICC 0 is what chance gives; the share of the majority has its chance level in the "
        "full table. A high coefficient of variation means little agreement. Intervals are over "
        "documents, for these annotators.",
        empty="There are no ratings, comparisons or highlights by two or more annotators.",
        keys=2,
    )  # fmt: skip


def agreement_table(view: View) -> Table:
    """The statistics over everything."""
    unscoped = [record for record in view.study.agreement if not record.scope]
    return Table(
        "agreement",
        "Agreement with chance levels and n",
        _COLUMNS,
        [_row(record) for record in unscoped],
        note="“By chance” is what coin flips would give; n is the number of units. Intervals are "
        "over documents, for these annotators.",
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
    return _annotators(view, "annotators", "Annotators", by_dimension=False)


def annotators_by_dimension_table(view: View) -> Table:
    """What is known about each annotator, dimension by dimension."""
    title = "Annotators by dimension"
    return _annotators(view, "annotators_by_dimension", title, by_dimension=True)


def _annotators(view: View, name: str, title: str, *, by_dimension: bool) -> Table:
    """A row per record, and a column for each of its fields that any record fills."""
    every_record = [asdict(record) for record in view.study.annotators]
    records = [record for record in every_record if bool(record.get("dimension")) == by_dimension]
    fields = dict.fromkeys(key for record in records for key in record)
    keys = [key for key in fields if any(record.get(key) not in (None, "") for record in records)]
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
    about: list[Cell] = [name, record.subject, record.dimension]
    return [*about, estimate_cell(record), record.chance, record.n, record.documents]


def _kind(values: list[Any]) -> Kind:
    present = [value for value in values if value is not None]
    if all(isinstance(value, int) and not isinstance(value, bool) for value in present):
        return "count" if present else "text"
    return "number" if all(isinstance(value, int | float) for value in present) else "text"


def _title(key: str) -> str:
    words = {"n": "n", "reason": "Remark"}
    return words.get(key, key.replace("_", " ").capitalize())


def _cell(value: Any) -> Cell:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, int) else str(value)


_JUDGES_NOTE = (
    "The alternative annotator test: each annotator is left out in turn, and the judge must be as "
    "close to the others as that annotator is, up to ε, which is what a person costs. ω is the "
    "share of annotators for whom it is, by a t-test with Benjamini and Yekutieli’s correction at "
    "5 %. ρ is the mean share of items on which it is at least as close as the annotator. From "
    "ω = 0.5 on, the judge may stand in, if it is also closer to people than the best constant and "
    "than its own values in random order, and its correlation (Spearman) with the mean of people "
    "is above 0, each by a one-sided t-test over documents at 5 %; else there is no verdict. No "
    "table about people has the judges’ ratings in it."
)
_NO_PEOPLE = "no two people judged the same items"
_MACHINES_NOTE = (
    "For ratings it is the Spearman correlation with the mean of people, for comparisons and "
    "answers the share that most people agree with, for highlights the mean F1 on words. The "
    "machine takes the place of each person in turn, and beside it is the mean of what that "
    "person has in this place, so a machine as good as a person has about the same. Only items "
    "that people judged too are counted."
)


def machine_tables(view: View) -> list[Table]:
    """A row per machine and dimension; none if no machine judged."""
    records = view.study.machines
    if not records:
        return []
    columns = (
        Column("machine", "Machine"),
        Column("model", "Model"),
        Column("subject", "Subject"),
        Column("dimension", "Dimension"),
        Column("agreement", "With people", "number"),
        Column("people", "Person with people", "number"),
        Column("n", "Judgements", "count"),
    )
    rows: list[list[Cell]] = []
    for r in records:
        value: Cell = Missing(r.reason or "") if r.agreement is None else r.agreement
        people: Cell = Missing(_NO_PEOPLE) if r.people is None else r.people
        rows.append([r.machine, r.model or "", r.subject, r.dimension, value, people, r.n])
    title = "Agreement of machines with people"
    return [Table("machines", title, columns, rows, note=_MACHINES_NOTE, keys=4)]


_MATCH_NOTE = (
    "Means over the documents that both highlighted. Shared is the share of the highlighted words "
    "that at least one person highlighted, each person left out in turn; F1 and κ are with each "
    "(other) person. Beside each number of the machine is the same of a person."
)
_ORDER_NOTE = (
    "Of all pairs of systems, how many have the same order by the machine’s highlights as by "
    "people’s, and how many by one person’s highlights as by the others’ (a mean over people). "
    "This is how these systems came out on these documents; pairs of a few systems depend on each "
    "other, so it is no test, and says nothing about other systems."
)


def highlight_tables(view: View) -> list[Table]:
    """Machines' highlights against people's, and the systems by both; none without a machine's."""
    matches = [_match_table(view)] if view.study.highlight_matches else []
    return [*matches, *([_order_table(view)] if view.study.highlight_rankings else [])]


def _match_table(view: View) -> Table:
    numbers = ("words", "coverage", "shared", "f1", "kappa")
    titles = dict(zip(numbers, ("Words", "Coverage", "Shared", "F1", "κ"), strict=True))
    columns = [Column("machine", "Machine")]
    for name in numbers:
        columns.append(Column(name, titles[name], "number"))
        columns.append(Column(f"people_{name}", f"{titles[name]}, person", "number"))
    columns.append(Column("n", "Documents", "count"))
    rows: list[list[Cell]] = []
    for record in view.study.highlight_matches:
        values = (getattr(record, column.key) for column in columns[1:-1])
        missing = Missing(record.reason or "it is not defined")
        rows.append([record.machine, *(missing if v is None else v for v in values), record.n])
    title = "Highlights of machines and of people"
    return Table("highlight_matches", title, tuple(columns), rows, note=_MATCH_NOTE, keys=1)


def _order_table(view: View) -> Table:
    columns = (
        Column("machine", "Machine"),
        Column("metric", "Metric"),
        Column("part", "Part"),
        Column("by_people", "By people"),
        Column("by_machine", "By the machine"),
        Column("same", "Same order", "count"),
        Column("people_same", "Person and others", "number"),
        Column("pairs", "Pairs", "count"),
        Column("n", "Documents", "count"),
    )
    rows: list[list[Cell]] = [
        [
            r.machine, r.metric, r.part, " > ".join(r.by_people), " > ".join(r.by_machine),
            Missing(r.reason or "") if r.same is None else r.same,
            Missing(r.reason or "") if r.people_same is None else r.people_same, r.pairs, r.n,
        ]
        for r in view.study.highlight_rankings
    ]  # fmt: skip
    title = "Systems by HROUGE with machines’ and with people’s highlights"
    return Table("highlight_rankings", title, columns, rows, note=_ORDER_NOTE, keys=3)


def judge_tables(view: View) -> list[Table]:
    """A row per judge and dimension; none if no judge was named."""
    records = view.study.judges
    if not records:
        return []
    columns = (
        Column("judge", "Judge"),
        Column("dimension", "Dimension"),
        Column("epsilon", "ε", "number"),
        Column("winning_rate", "ω", "number"),
        Column("advantage", "ρ", "number"),
        Column("constant", "ρ of the best constant", "number"),
        Column("shuffled", "ρ in random order", "number"),
        Column("correlation", "With people", "number"),
        Column("passed", "May stand in"),
        Column("annotators", "Annotators", "count"),
        Column("n", "Items", "count"),
    )
    rows: list[list[Cell]] = []
    for r in records:
        missing = Missing(r.reason or "")
        rate = missing if r.winning_rate is None else r.winning_rate
        advantage = missing if r.advantage is None else r.advantage
        tried: list[Cell] = [r.constant, r.shuffled, r.correlation]
        passed = missing if r.passed is None else "yes" if r.passed else "no"
        about: list[Cell] = [r.judge, r.dimension or "all together", r.epsilon]
        rows.append([*about, rate, advantage, *tried, passed, r.annotators, r.n])
    title = "May a judge stand in for people?"
    return [Table("judges", title, columns, rows, note=_JUDGES_NOTE, keys=2)]


def variance_tables(view: View) -> list[Table]:
    """Variance components, reliability and contrasts; none without ratings."""
    if not view.study.variance:
        return []
    return [_component_table(view), _reliability_table(view), _contrast_table(view)]


def _component_table(view: View) -> Table:
    dimensions = leading_first(tuple(dict.fromkeys(r.dimension for r in view.study.variance)))
    shares: dict[tuple[str, str], Cell] = {
        (r.source, r.dimension): Missing(r.reason or "") if r.share is None else r.share
        for r in view.study.variance
    }
    sources = [source for source in SOURCES if any((source, d) in shares for d in dimensions)]
    return Table(
        "variance",
        "Where the differences between ratings come from",
        [Column("source", "Share of the variance"), *(Column(d, d, "number") for d in dimensions)],
        [
            [Label(source, SOURCES[source]), *(shares.get((source, d)) for d in dimensions)]
            for source in sources
        ],
        note="Of a crossed mixed-effects model (REML). “Annotator × document” is how differently "
        "annotators take a document, “single summary” what is special to one summary of a "
        "system, “annotator × system” how far annotators favour systems. What the design "
        "cannot tell apart is part of the rest.",
    )


def _reliability_table(view: View) -> Table:
    records = view.study.reliability
    counts = sorted({record.annotators for record in records})
    dimensions = leading_first(tuple(dict.fromkeys(r.dimension for r in records)))
    record_of = {(r.dimension, r.annotators): r for r in records}
    rows: list[list[Cell]] = []
    for dimension in dimensions:
        cells: list[Cell] = [dimension]
        for count in counts:
            record = record_of.get((dimension, count)) or record_of[dimension, counts[0]]
            cells.append(Missing(record.reason) if record.reason else record.value)
        rows.append(cells)
    return Table(
        "reliability",
        "Reliability of the mean of k annotators",
        [
            Column("dimension", "Dimension"),
            *(Column(f"k{k}", f"k = {k}", "number") for k in counts),
        ],
        rows,
        note="The share of the variance of a summary’s mean rating that does not come from who the "
        "k annotators were: 1 is perfect.",
    )


def _contrast_table(view: View) -> Table:
    rows = [
        [
            r.dimension, r.left, r.right,
            cell_value(r.difference, r.reason, low=r.low, high=r.high),
            r.df, r.p, r.p_corrected, _HOLDS[r.over],
        ]
        for r in view.study.contrasts
    ]  # fmt: skip
    return Table(
        "contrasts",
        "Differences between systems in the mixed model",
        [
            Column("dimension", "Dimension"),
            Column("left", "System"),
            Column("right", "Against"),
            Column("difference", "Difference [95 %]", "estimate"),
            Column("df", "Degrees of freedom", "number"),
            Column("p", "p", "p"),
            Column("p_corrected", "p corrected", "p"),
            Column("over", "Holds for"),
        ],
        rows,
        note="Means of the model, which allows for strict and lenient annotators and for hard and "
        "easy documents even where not everybody rated everything. A difference holds for other "
        "annotators where the ratings tell how far annotators favour systems. Corrected by Holm "
        "within a dimension.",
        empty="There are no two systems to compare.",
        keys=3,
    )
