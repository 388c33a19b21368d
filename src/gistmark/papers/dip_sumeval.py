"""DIP-SumEval: Mieskes, Loza Mencía and Kronsbein, "A Data Set for the Analysis of Text Quality
Dimensions in Summarization Evaluation" (LREC 2020).

The public copy has the 43,218 votes of PairAnno, 1,247 annotations of LikertAnno (the paper counts
1,274) without the annotators' confidence, and the summaries, but not the documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gistmark.analysis.agreement import comparisons_agreement
from gistmark.analysis.agreement.alpha import alpha
from gistmark.analysis.columns import columns_by_dimension
from gistmark.corpus import Corpus
from gistmark.papers.cells import Cell, Printed, beside, cell, unchecked
from gistmark.papers.dip_figures import figure_cells
from gistmark.papers.paper import Paper, Release

# Table 1.
_COUNTS: Printed = {
    "Number of criteria": (11, 6),
    "Number of systems": (7, 7),
    "Number of annotators": (26, 64),
    "Number of annotations": (1274, 43218),
}
# Table 2: LikertAnno's mean score, confidence, alpha and pairwise agreement; PairAnno's alpha and
# pairwise agreement.
_LIKERT: Printed = {
    "Non-Redundancy": (4.12, 4.12, 0.154, 0.788),
    "Referential Clarity": (3.47, 4.27, 0.327, 0.833),
    "Grammaticality": (4.07, 4.25, 0.229, 0.809),
    "Focus": (3.27, 4.01, 0.247, 0.813),
    "Structure": (3.00, 3.75, 0.255, 0.814),
    "Coherence": (3.01, 3.70, 0.271, 0.818),
    "Readability": (3.51, 4.21, 0.233, 0.810),
    "Information Content": (3.25, 4.04, 0.256, 0.818),
    "Spelling": (4.32, 4.16, 0.200, 0.801),
    "Length": (3.70, 3.96, 0.167, 0.791),
    "Overall Quality": (3.05, 4.11, 0.356, 0.841),
}
_PAIRS: Printed = {
    "Non-Redundancy": (0.017, 0.664),
    "Referential Clarity": (0.022, 0.670),
    "Structure": (0.122, 0.713),
    "Readability": (0.180, 0.735),
    "Information Content": (0.094, 0.699),
    "Overall Quality": (0.195, 0.743),
}
_SETS = ("LikertAnno", "PairAnno")
_PAIR_COLUMNS = {"K's alpha": "alpha", "pairw.": "pairwise-agreement"}

_NO_CONFIDENCE = "The annotators' confidence is not in the public copy."
_ONE_PER_TOPIC = (
    "In the released rows nobody rated two summaries of one topic, and we do not know which pairs "
    "of summaries the paper counts."
)
_ORIENTATION = (
    "Nominal alpha depends on which summary stands left; this is its value with every pair in "
    "both orientations."
)
_CHANCE = (
    "The agreement to expect of 7 coin flips. The paper compares with 4/7 = 0.57, the least that "
    "7 votes can have."
)
_ALPHA = "Ours is the ordinal alpha; a unit is a summary."


def compute(release: Release) -> Sequence[Cell]:
    """Tables 1 and 2 and Figures 2 to 5 beside ours."""
    corpus = release.corpus
    counts = _counts(corpus)
    rows = counts["Number of annotations", "LikertAnno"]
    why = f"The public copy has {rows:,.0f} annotations, the paper counts 1,274."
    return [
        *beside("Table 1", _SETS, _COUNTS, counts, 0, why=why),
        *_pair_cells(corpus),
        *_likert_cells(corpus),
        *figure_cells(corpus),
    ]


def _counts(corpus: Corpus) -> Mapping[tuple[str, str], float]:
    ratings, votes = corpus.ratings, corpus.comparisons
    sets = (
        {r.dimension for r in ratings},
        {r.system for r in ratings},
        {r.annotator for r in ratings},
        {(r.annotator, r.document, r.system) for r in ratings},
    ), (
        {v.dimension for v in votes},
        {name for v in votes for name in (v.left, v.right)},
        {v.annotator for v in votes},
        votes,
    )  # fmt: skip
    return {
        (row, name): len(kind)
        for name, kinds in zip(_SETS, sets, strict=True)
        for row, kind in zip(_COUNTS, kinds, strict=True)
    }


def _pair_cells(corpus: Corpus) -> Iterator[Cell]:
    found = {
        (record.dimension, record.statistic): record
        for record in comparisons_agreement(corpus, resamples=1)
        if not record.scope
    }
    values = {
        (row, column): found[row, statistic].value
        for row in _PAIRS
        for column, statistic in _PAIR_COLUMNS.items()
    }
    yield from beside("Table 2, PairAnno", tuple(_PAIR_COLUMNS), _PAIRS, values, 3)
    table = "Table 2, PairAnno, beyond the print"
    for row in _PAIRS:
        symmetric = found[row, "alpha-symmetric"].value
        chance = found[row, "pairwise-agreement"].chance
        yield cell(table, row, "alpha in both orientations", None, symmetric, 4, why=_ORIENTATION)
        yield cell(table, row, "pairw. by chance", None, chance, 4, why=_CHANCE)


def _likert_cells(corpus: Corpus) -> Iterator[Cell]:
    """Means and ordinal alphas (a unit is a summary) of the released rows beside the print."""
    table = "Table 2, LikertAnno"
    columns = columns_by_dimension(corpus.ratings)
    for row, (score, _, printed, _) in _LIKERT.items():
        own = columns[row]
        yield _differing(cell(table, row, "Scores", score, float(own.values.mean()), 2))
        value = alpha(own.units, own.values, "ordinal").value
        yield _differing(cell(table, row, "K's alpha", printed, value, 3), _ALPHA)
    confidence: Printed = {row: (values[1],) for row, values in _LIKERT.items()}
    agreement: Printed = {row: (values[3],) for row, values in _LIKERT.items()}
    yield from unchecked(f"{table}, confidence", ("Conf.",), confidence, 2, _NO_CONFIDENCE)
    yield from unchecked(f"{table}, pairs", ("pairw.",), agreement, 3, _ONE_PER_TOPIC)


def _differing(made: Cell, remark: str = "") -> Cell:
    """The cell; where its values differ, this is said and nothing more, as we do not know why."""
    differs = "The released rows and the table differ." if made.verdict == "differs" else ""
    return replace(made, why=" ".join(filter(None, (differs, remark))))


PAPER = Paper(
    name="dip-sumeval",
    citation="Mieskes, Loza Mencía and Kronsbein, DIP-SumEval (LREC 2020)",
    home="github.com/keelm/DIP-SumEval",
    files=("LikertAnno.csv", "PairAnno.csv"),
    compute=compute,
    metrics=("words", "chars"),
    baseline="words",
    scales=dict.fromkeys(_LIKERT, (1.0, 5.0)),
)
