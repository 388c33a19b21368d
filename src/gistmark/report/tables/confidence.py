"""Tables on annotators' confidence, on the weights of dimensions, and on hard documents."""

from __future__ import annotations

from collections.abc import Sequence

from gistmark.analysis.confidence.documents import DocumentTest
from gistmark.analysis.confidence.halves import DIFFERENCE, ConfidenceAgreement
from gistmark.analysis.confidence.means import ConfidenceMean
from gistmark.analysis.findings.words import show_estimate, show_p, statistic
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.report.table import Cell, Column, Missing, Table, estimate_cell
from gistmark.report.views import View

_TITLES = {
    "confidence": "Confidence [95 %]",
    "weight": "Weight [95 %]",
    "weight share": "Share of weights [95 %]",
}
_ALL = "all"

Key = tuple[str, str, str]


def confidence_tables(view: View) -> list[Table]:
    """Means by dimension, agreement, all other means; none without a confidence or weight."""
    return [*_means(view), *_agreement(view)]


def hard_documents_tables(view: View) -> list[Table]:
    """A row per document, the hardest first; none if no two documents can be held together."""
    records = view.study.hard_documents
    if not records:
        return []
    columns = (
        Column("document", "Document"),
        Column("rank", "Rank", "rank"),
        Column("mean_rank", "Mean rank", "number"),
        Column("confidence", "Confidence", "number"),
        Column("disagreement", "Disagreement", "number"),
        Column("words", "Words", "count"),
        Column("summary_words", "Words of summaries", "number"),
        Column("annotators", "Annotators", "count"),
        Column("n", "Ratings", "count"),
    )
    rows: list[list[Cell]] = [
        [
            Missing(record.reason) if record.reason and column.key == "rank"
            else getattr(record, column.key)
            for column in columns
        ]
        for record in records
    ]  # fmt: skip
    first = records[0]
    parts = {
        "confidence (the lowest first)": first.confidence_rank,
        "disagreement (the highest first)": first.disagreement_rank,
        "length (the longest first)": first.words_rank,
    }
    by = ", ".join(name for name, rank in parts.items() if rank is not None)
    note = (
        f"Ordered by the mean rank by {by}. Disagreement is the mean absolute difference of two "
        "annotators’ ratings of a summary, as a share of the scale, as mean over dimensions. This "
        "is an order of these documents by these annotators and no test; with few ratings of a "
        f"document it may be chance. {_about_tests(view.study.document_tests)}"
    ).rstrip()
    title = "Documents by how hard they seem to judge"
    return [Table("hard_documents", title, columns, rows, note=note)]


def _about_tests(tests: Sequence[DocumentTest]) -> str:
    """Say whether documents' disagreement may be chance, and how it correlates with confidence."""
    sentences = []
    for test in tests:
        if test.statistic == "spread" and test.p is not None:
            summaries = f"dealing the summaries of each system anew, p {show_p(test.p)}"
            sentences.append(
                f"How far documents differ in disagreement may be chance ({summaries}), and "
                "so may the order by disagreement."
                if test.p >= SIGNIFICANT
                else f"Documents differ more in disagreement than by chance ({summaries}): by "
                "themselves, by who judged them, or because ratings near an end of the scale "
                "cannot differ as far."
            )
        elif test.statistic == "spread" and test.reason:
            sentences.append(f"Whether that is more than chance cannot be tested: {test.reason}.")
        if test.statistic == "spearman" and test.value is not None:
            value = show_estimate(test.value, test.low, test.high)
            sentences.append(
                f"Spearman of documents’ confidence with their disagreement: {value}"
                f"{f' ({test.reason})' if test.reason else ''}."
            )
    return " ".join(sentences)


def _means(view: View) -> list[Table]:
    records = view.study.confidence
    if not records:
        return []
    note = (
        "Means of all ratings, with intervals over documents, for these annotators; those of a "
        "document are over annotators. Who judged what is not adjusted for."
    )
    shares = any(record.measure == "weight share" for record in records)
    share_note = (
        " The share is that of a dimension in the weights of an annotation, the overall dimension "
        "left out, which takes out how people use the scale."
    )
    dimensions = [record for record in records if record.by == "dimension"]
    other_records = [record for record in records if record.by != "dimension"]
    title = "Confidence and weights"
    return [
        _pivot(dimensions, "confidence", f"{title} by dimension", f"{note}{share_note * shares}"),
        _pivot(
            other_records, "confidence_details", f"{title} of systems, documents, annotators", note
        ),
    ]


def _pivot(records: Sequence[ConfidenceMean], name: str, title: str, note: str) -> Table:
    """A row per name, a column per measure."""
    by_dimension = all(record.by == "dimension" for record in records)
    measures = [m for m in _TITLES if any(record.measure == m for record in records)]
    cells: dict[tuple[str, Key], ConfidenceMean] = {}
    keys: dict[Key, int] = {}
    for record in records:
        key = (record.by, record.name, record.dimension)
        keys[key] = max(keys.get(key, 0), record.n)
        cells[record.measure, key] = record
    names = (
        (Column("name", "Dimension"),)
        if by_dimension
        else (Column("by", "By"), Column("name", "Name"), Column("dimension", "Dimension"))
    )
    columns = (
        *names,
        *(Column(measure.replace(" ", "_"), _TITLES[measure], "estimate") for measure in measures),
        Column("n", "Ratings", "count"),
    )
    rows: list[list[Cell]] = [
        [
            *((key[1],) if by_dimension else (key[0], key[1], key[2] or _ALL)),
            *(
                estimate_cell(cells[measure, key]) if (measure, key) in cells else None
                for measure in measures
            ),
            n,
        ]
        for key, n in keys.items()
    ]
    return Table(name, title, columns, rows, note=note, keys=len(names))


def _agreement(view: View) -> list[Table]:
    """A row per dimension: alpha of the sure ratings and of the others, and differences of two."""
    records = view.study.confidence_agreement
    if not records:
        return []
    columns = (
        Column("dimension", "Dimension"),
        Column("threshold", "Sure from", "number"),
        Column("sure", "Alpha, sure [95 %]", "estimate"),
        Column("unsure", "Alpha, not sure [95 %]", "estimate"),
        Column("unsure - sure", "Not sure less sure [95 %]", "estimate"),
        Column("both", "Difference, both sure [95 %]", "estimate"),
        Column("one", "One sure [95 %]", "estimate"),
        Column("neither", "Neither sure [95 %]", "estimate"),
        Column("within", "Neither less both, same two people [95 %]", "estimate"),
    )
    groups: dict[str, dict[str, ConfidenceAgreement]] = {}
    for record in records:
        groups.setdefault(record.dimension, {})[record.group] = record
    rows: list[list[Cell]] = [
        [dimension or _ALL, next(iter(group.values())).threshold]
        + [
            estimate_cell(group[column.key]) if column.key in group else None
            for column in columns[2:]
        ]
        for dimension, group in groups.items()
    ]
    alphas = dict.fromkeys(r.statistic for r in records if r.statistic != DIFFERENCE)
    note = (
        f"Alpha is {' or '.join(map(statistic, alphas))}, of the ratings with a confidence at or "
        "above the median of the dimension and of the others. Each half is a selection of "
        "summaries, and alpha is lower where these differ less. Differences are mean absolute "
        "differences of two annotators of one summary, as shares of the scale; the last column "
        "compares the same two annotators with themselves. Intervals are over documents, for these "
        "annotators, and not corrected for the number of dimensions."
    )
    rules = frozenset({1} if "" in groups else ())
    title = "Agreement where annotators are sure"
    return [Table("confidence_agreement", title, columns, rows, note=note, rules=rules)]
