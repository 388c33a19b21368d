"""Answers to questions beyond ratings and comparisons, and the errors that people marked.

There is an overview of the questions and a table for each of them, by its type; and a table that
counts errors by system, category and severity.
"""

from __future__ import annotations

from collections.abc import Sequence

from gistmark.analysis.findings.headline import headline_agreement
from gistmark.analysis.human.questions import (
    OPTION_TYPES,
    SET_TYPES,
    OptionShare,
    QuestionSummary,
    TextAnswer,
)
from gistmark.analysis.human.sets import SetScore
from gistmark.analysis.studies.records import Agreement, ErrorCount
from gistmark.corpus.files.tables import guarded_cell
from gistmark.report.table import Cell, Column, Estimate, Label, Table, cell_value, statistic_cell
from gistmark.report.views import View

OVERVIEW = "questions"
PREFIX = "question_"

_ALL = "all"
_TYPES = {
    "choice": "one of several",
    "choices": "several of several",
    "yes-no": "yes or no",
    "text": "free text",
    "ranking": "ranking",
    "best-worst": "best and worst",
}


def question_tables(view: View) -> list[Table]:
    """An overview and a table per question; none if nobody was asked such questions."""
    questions = view.study.questions
    if not questions:
        return []
    tables = [_overview(view)]
    for number, question in enumerate(questions, start=1):
        name = f"{PREFIX}{number}"
        if question.type in OPTION_TYPES:
            option_shares = [o for o in view.study.options if o.question == question.question]
            tables.append(_options(view, name, question, option_shares))
        elif question.type in SET_TYPES:
            scores = [s for s in view.study.sets if s.question == question.question]
            tables.append(_sets(name, question, scores))
        else:
            tables.append(_texts(view, name, question))
    return tables


def _overview(view: View) -> Table:
    statistics = {
        record.dimension: record
        for record in headline_agreement(view.study.agreement)
        if record.subject in ("answers", "rankings", "best-worst")
    }
    rows = [
        _overview_row(question, statistics.get(question.question))
        for question in view.study.questions
    ]
    columns = (
        Column("question", "Question"),
        Column("type", "Type"),
        Column("answers", "Answers", "count"),
        Column("annotators", "Annotators", "count"),
        Column("documents", "Documents", "count"),
        Column("systems", "Systems", "count"),
        Column("agreement", "Agreement [95 %]", "estimate"),
        Column("statistic", "Statistic"),
    )
    note = "0 is the agreement that chance gives, 1 full agreement. Texts are listed, not compared."
    return Table(OVERVIEW, "Questions", columns, rows, note=note)


def _overview_row(question: QuestionSummary, agreement: Agreement | None) -> list[Cell]:
    value: Cell = None
    if agreement is not None:
        value = cell_value(
            agreement.value, agreement.reason, low=agreement.low, high=agreement.high
        )
    return [
        question.question, Label(question.type, _TYPES[question.type]), question.answers,
        question.annotators, question.documents, question.systems, value,
        statistic_cell(agreement.statistic) if agreement is not None else "",
    ]  # fmt: skip


def _options(
    view: View, name: str, question: QuestionSummary, records: Sequence[OptionShare]
) -> Table:
    """A row for all answers and one per system, a column per option."""
    options = list(dict.fromkeys(record.option for record in records))
    cells = {(r.system, r.option): Estimate(r.share, r.low, r.high) for r in records}
    numbers = {record.system: record.n for record in records}
    systems = [system for system in view.systems if system in numbers]
    rows: list[list[Cell]] = [
        [system or _ALL, numbers[system], *(cells[system, option] for option in options)]
        for system in ("", *systems, *(s for s in numbers if s and s not in systems))
    ] if options else []  # fmt: skip
    columns = (
        Column("system", "System"),
        Column("n", "Answers", "count"),
        *(Column(f"option: {option}", option, "estimate") for option in options),
    )
    several = "An answer may have several options. " if question.type == "choices" else ""
    note = f"{several}Shares of the answers, with intervals over documents."
    title = f"{question.question}: share of each option"
    empty = f"{question.question}: nobody chose an option."
    return Table(name, title, columns, rows, note=note, empty=empty, rules=frozenset({1}))


def _sets(name: str, question: QuestionSummary, records: Sequence[SetScore]) -> Table:
    ranking = question.type == "ranking"
    value, first, last = (
        ("Mean rank [95 %]", "First", "Last")
        if ranking
        else ("Best less worst [95 %]", "Best", "Worst")
    )
    columns = (
        Column("system", "System"),
        Column("value", value, "estimate"),
        Column("first", first, "count"),
        Column("last", last, "count"),
        Column("n", "Times shown", "count"),
    )
    rows: list[list[Cell]] = [
        [r.system, Estimate(r.value, r.low, r.high), r.first, r.last, r.n] for r in records
    ]
    note = (
        "1 is the best rank; summaries that tie share the mean of their ranks. "
        if ranking
        else "Times best less times worst, over the times that a summary of the system was shown. "
    )
    note += "Intervals are over documents. Tests and strengths stand under Systems."
    title = f"{question.question}: {'ranks' if ranking else 'best and worst'} of systems"
    return Table(name, title, columns, rows, note=note)


def _text_cell(record: TextAnswer, name: str) -> Cell:
    """A field of a record; in files, a text is guarded against being read as a formula."""
    value: str | int = getattr(record, name)
    return Label(str(guarded_cell(value)), str(value)) if name == "text" else value


def _texts(view: View, name: str, question: QuestionSummary) -> Table:
    texts = [record for record in view.study.texts if record.question == question.question]
    columns = [
        Column("document", "Document"),
        Column("system", "System"),
        Column("annotator", "Annotator"),
        Column("text", "Text"),
        Column("characters", "Characters", "count"),
    ]
    if not any(record.system for record in texts):
        del columns[1]
    rows: list[list[Cell]] = [[_text_cell(r, column.key) for column in columns] for r in texts]
    return Table(name, f"{question.question}: texts", columns, rows, keys=len(columns) - 2)


_ALL_CATEGORIES = "all"


def error_tables(view: View) -> list[Table]:
    """A row per system and category, a column per severity; none if nobody marked errors."""
    records = view.study.errors
    if not records:
        return []
    severities = tuple(dict.fromkeys(record.severity for record in records))
    systems = dict.fromkeys((*view.systems, *(record.system for record in records)))
    columns = (
        Column("system", "System"),
        Column("category", "Category"),
        *(Column(f"severity: {s}", s or "no severity", "count") for s in severities),
        Column("count", "All", "count"),
        Column("judgements", "Judgements", "count"),
        Column("rate", "Per judgement", "number"),
    )
    groups = ([r for r in records if r.system == system] for system in systems)
    rows = [row for group in groups if group for row in _error_rows(group, severities)]
    note = (
        "How many errors annotators marked. A judgement is one annotator’s look at one summary, "
        "with errors or without; who did not judge a summary does not count."
    )
    title = "Errors by system, category and severity"
    first_rows = frozenset(k for k in range(1, len(rows)) if rows[k][0] != rows[k - 1][0])
    return [Table("errors", title, columns, rows, note=note, keys=2, rules=first_rows)]


def _error_rows(group: list[ErrorCount], severities: tuple[str, ...]) -> list[list[Cell]]:
    categories = dict.fromkeys(record.category for record in group)
    records_of_category = {
        category: [r for r in group if r.category == category] for category in categories
    }
    lines = [(_ALL_CATEGORIES, group)] if len(records_of_category) > 1 else []
    return [
        _error_row(category, records, severities)
        for category, records in (*lines, *records_of_category.items())
    ]


def _error_row(category: str, records: list[ErrorCount], severities: tuple[str, ...]) -> list[Cell]:
    counts = [sum(r.count for r in records if r.severity == severity) for severity in severities]
    total, judgements = sum(counts), records[0].judgements
    return [records[0].system, category, *counts, total, judgements, total / judgements]
