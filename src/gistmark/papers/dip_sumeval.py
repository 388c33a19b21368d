"""DIP-SumEval: Mieskes, Loza Mencía and Kronsbein, "A Data Set for the Analysis of Text Quality
Dimensions in Summarization Evaluation" (LREC 2020).

The public copy has the 43,218 votes of PairAnno, 1,247 annotations of LikertAnno (the paper counts
1,274) without the annotators' confidence, and the summaries, but not the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gistmark.analysis.agreement import comparisons_agreement
from gistmark.analysis.agreement.coefficients.alpha import alpha
from gistmark.analysis.agreement.comparisons import pairwise_agreement
from gistmark.analysis.correlation.correlations import dimension_correlations, vote_correlations
from gistmark.analysis.correlation.levels import Level
from gistmark.analysis.data.columns import RatingColumns, columns_by_dimension
from gistmark.analysis.human import VOTES, dimension_means, votes_won
from gistmark.analysis.ranking.ranking import MEAN_RANK, MeanRanks, mean_ranks
from gistmark.analysis.studies.records import Correlation
from gistmark.corpus import Corpus
from gistmark.papers.paper import Cell, Paper, Printed, Release, beside, cell, unchecked

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

_PAIRS_OF_TOPICS = (
    "Ours: of the annotators who rated one of two summaries higher, the share of those who agree "
    "on which, where there are two or more; equal ratings prefer neither. In the released rows "
    "nobody rated two summaries of one topic, so these are of different topics. The paper does not "
    "say how equal ratings count."
)

_TIES = {
    "equal ratings as no": "A vote for each annotator on “is the first rated higher?”, in the "
    "order of systems and topics.",
    "equal ratings half": "An annotator's equal ratings are half a vote for each of the two.",
}

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
    groups = {
        (record.dimension, record.statistic): record
        for record in comparisons_agreement(corpus)
        if not record.scope
    }
    values = {
        (row, column): groups[row, statistic].value
        for row in _PAIRS
        for column, statistic in _PAIR_COLUMNS.items()
    }
    yield from beside("Table 2, PairAnno", tuple(_PAIR_COLUMNS), _PAIRS, values, 3)
    table = "Table 2, PairAnno, beyond the print"
    for row in _PAIRS:
        symmetric = groups[row, "alpha-symmetric"].value
        chance = groups[row, "pairwise-agreement"].chance
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
    yield from unchecked(f"{table}, confidence", ("Conf.",), confidence, 2, _NO_CONFIDENCE)
    shares = {row: _preferences_agreement(columns[row]) for row in _LIKERT}
    for row, (*_, printed) in _LIKERT.items():
        yield cell(
            f"{table}, pairs", row, "pairw.", printed, shares[row][0], 3, why=_PAIRS_OF_TOPICS
        )
    for row in _LIKERT:
        for (column, why), value in zip(_TIES.items(), shares[row][1:], strict=True):
            yield cell(f"{table}, pairs by other rules", row, column, None, value, 3, why=why)


def _preferences_agreement(columns: RatingColumns) -> tuple[float | None, ...]:
    """How far annotators agree on which of two summaries is rated higher, by three rules of ties.

    Equal ratings prefer neither; or they count as not higher; or as half a vote for each. The mean
    is over the pairs on which two or more annotators have a preference, or ratings of both.
    """
    units = columns.unit_names
    matrix = columns.matrix[sorted(range(len(units)), key=lambda unit: units[unit][::-1])]
    first, second = np.triu_indices(len(units), 1)
    higher, lower, equal = np.zeros((3, len(first)), dtype=np.int64)
    for values in matrix.T:
        left, right = values[first], values[second]
        higher += left > right
        lower += left < right
        equal += left == right
    shared = higher + lower + equal >= 2
    first_votes, second_votes, ties = higher[shared], lower[shared], equal[shared]
    return (
        pairwise_agreement(higher, lower).value,
        pairwise_agreement(first_votes, second_votes + ties).value,
        pairwise_agreement(2 * first_votes + ties, 2 * second_votes + ties).value,
    )


def _differing(compared: Cell, remark: str = "") -> Cell:
    """The cell; where its values differ, it says so without a reason, which we do not know."""
    differs = "The released rows and the table differ." if compared.verdict == "differs" else ""
    return replace(compared, why=" ".join(filter(None, (differs, remark))))


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

Pair = tuple[str, str]

_OVERALL = "Overall Quality"

_COLUMN = "Spearman"

# Figure 2: Spearman over the annotations of LikertAnno.
_FIGURE_2: Mapping[Pair, float] = {
    ("Structure", "Coherence"): 0.711,
    ("Information Content", _OVERALL): 0.758,
    ("Focus", _OVERALL): 0.677,
    ("Coherence", _OVERALL): 0.665,
    ("Structure", _OVERALL): 0.661,
    ("Readability", _OVERALL): 0.636,
    ("Grammaticality", "Spelling"): 0.471,
    ("Length", _OVERALL): 0.429,
}

_TWO_LEVELS = (("Structure", "Coherence"), ("Information Content", _OVERALL))

# Figure 4: Spearman over the summaries of PairAnno, by votes won within the topic.
_FIGURE_4: Mapping[Pair, float] = {
    (_OVERALL, "Structure"): 0.733,
    (_OVERALL, "Readability"): 0.644,
    (_OVERALL, "Information Content"): 0.620,
    (_OVERALL, "Referential Clarity"): 0.430,
    (_OVERALL, "Non-Redundancy"): 0.409,
    ("Structure", "Readability"): 0.664,
    ("Non-Redundancy", "Referential Clarity"): 0.269,
}

# Figure 5: normalised mean rank for Overall Quality.
_FIGURE_5_LIKERT = {
    "H2": 0.710, "H3": 0.642, "H4": 0.627, "H1": 0.596, "LeadFirst": 0.417, "H5": 0.390,
    "MMR": 0.100,
}  # fmt: skip

_FIGURE_5_PAIRS = {
    "H4": 0.706, "H2": 0.704, "H3": 0.609, "H1": 0.602, "MMR*": 0.480, "Submodular": 0.386,
    "PG-MMR": 0.014,
}  # fmt: skip

_LEVEL = "The level matters: here the means of summaries correlate more highly than annotations do."

_H2 = "By this mean rank H4 is just ahead of H2; the paper's text has H2 first in both evaluations."

_NO_DOCUMENTS = (
    "The topics' documents, which serve as the reference for ROUGE, PEAK, JSD and KL, are not in "
    "the public copy; with documents, the metrics of the group dip-sumeval are those."
)


def figure_cells(corpus: Corpus) -> Iterator[Cell]:
    """What the figures show, as far as it can be recomputed."""
    single = _spearman(corpus, "annotation")
    means = _spearman(corpus, "global")
    votes = _by_pair(vote_correlations(corpus.comparisons, coefficients=("spearman",)))
    yield from _figure_pair_cells("Figure 2", _FIGURE_2, single)
    for pair in _TWO_LEVELS:
        yield cell(
            "Figure 2 over means of summaries", _name(pair), _COLUMN, None,
            means[frozenset(pair)], 3, why=_LEVEL,
        )  # fmt: skip
    yield cell("Figure 3", "all", _COLUMN, None, None, 3, why=_NO_DOCUMENTS)
    yield from _figure_pair_cells("Figure 4", _FIGURE_4, votes)
    likert = mean_ranks(dimension_means(corpus.ratings), _OVERALL)
    pairs = mean_ranks(votes_won(corpus.comparisons), f"{_OVERALL}{VOTES}")
    yield from _rank_cells("Figure 5, LikertAnno, Overall Quality", _FIGURE_5_LIKERT, likert)
    yield from _rank_cells("Figure 5, PairAnno, Overall Quality", _FIGURE_5_PAIRS, pairs)


def _spearman(corpus: Corpus, level: Level) -> dict[frozenset[str], float | None]:
    result = dimension_correlations(corpus.ratings, levels=(level,), coefficients=("spearman",))
    return _by_pair(result)


def _by_pair(records: Iterable[Correlation]) -> dict[frozenset[str], float | None]:
    return {
        frozenset(name.removesuffix(VOTES) for name in (record.metric, record.human)): record.value
        for record in records
    }


def _figure_pair_cells(
    table: str, others: Mapping[Pair, float], result: Mapping[frozenset[str], float | None]
) -> Iterator[Cell]:
    for pair, other in others.items():
        value = result[frozenset(pair)]
        yield cell(table, _name(pair), _COLUMN, other, value, 3, source="recomputed")


def _rank_cells(table: str, others: Mapping[str, float], ranks: MeanRanks) -> Iterator[Cell]:
    value_of = dict(zip(ranks.systems, ranks.values.tolist(), strict=True))
    turned = others is _FIGURE_5_PAIRS and value_of["H4"] > value_of["H2"]
    for system, other in others.items():
        yield cell(
            table, system, MEAN_RANK, other, value_of[system], 3, source="recomputed",
            why=_H2 if turned and system in ("H2", "H4") else "",
        )  # fmt: skip


def _name(pair: Pair) -> str:
    return " and ".join(pair)
