"""How far judges that are no people agree with people, and whether they may stand in for them."""

from __future__ import annotations

from gistmark.report.table import Cell, Column, Missing, Table
from gistmark.report.views import View

_NOTE = (
    "The alternative annotator test: each annotator is left out in turn, and the judge has to be "
    "as close to the others as they are, up to ε, which is what a person costs. ω is the share of "
    "annotators for whom it is, by a t-test with Benjamini and Yekutieli’s correction at 5 %; the "
    "judge may stand in from 0.5 on. ρ is the mean share of items on which it is at least as close "
    "as the annotator. The judges’ ratings are in none of the other tables."
)
_NO_PEOPLE = "no two people judged the same items"
_AGREEMENT_NOTE = (
    "Of ratings the Spearman correlation with the mean of people, of comparisons and answers the "
    "share that most people share, of highlights the mean F1 on words. Beside it stands the mean "
    "of the same statistic of each person against the other people. Only items that people judged "
    "too are counted."
)


def machine_tables(view: View) -> list[Table]:
    """A row per machine and dimension; none where no machine judged."""
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
    return [Table("machines", title, columns, rows, note=_AGREEMENT_NOTE, keys=4)]


def judge_tables(view: View) -> list[Table]:
    """A row per judge and dimension; none where no judge was named."""
    records = view.study.judges
    if not records:
        return []
    columns = (
        Column("judge", "Judge"),
        Column("dimension", "Dimension"),
        Column("epsilon", "ε", "number"),
        Column("winning_rate", "ω", "number"),
        Column("advantage", "ρ", "number"),
        Column("passed", "May stand in"),
        Column("annotators", "Annotators", "count"),
        Column("n", "Items", "count"),
    )
    rows: list[list[Cell]] = []
    for r in records:
        missing = Missing(r.reason or "")
        rate = missing if r.winning_rate is None else r.winning_rate
        advantage = missing if r.advantage is None else r.advantage
        passed = missing if r.passed is None else "yes" if r.passed else "no"
        about: list[Cell] = [r.judge, r.dimension or "all together", r.epsilon]
        rows.append([*about, rate, advantage, passed, r.annotators, r.n])
    title = "May a judge stand in for people?"
    return [Table("judges", title, columns, rows, note=_NOTE, keys=2)]
