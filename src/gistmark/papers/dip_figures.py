"""DIP-SumEval's Figures 2 to 5.

The figures are heat maps and charts: the numbers beside ours are not read off them but were
recomputed from the released data by another program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gistmark.analysis.correlation.correlations import dimension_correlations, vote_correlations
from gistmark.analysis.correlation.levels import Level
from gistmark.analysis.human import VOTES, dimension_means, votes_won
from gistmark.analysis.ranking.ranking import MEAN_RANK, MeanRanks, mean_ranks
from gistmark.analysis.records import Correlation
from gistmark.corpus import Corpus
from gistmark.papers.cells import Cell, cell

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
    "the public copy."
)


def figure_cells(corpus: Corpus) -> Iterator[Cell]:
    """What the figures show, as far as it can be recomputed."""
    single = _spearman(corpus, "annotation")
    means = _spearman(corpus, "global")
    votes = _by_pair(vote_correlations(corpus.comparisons, coefficients=("spearman",)))
    yield from _pair_cells("Figure 2", _FIGURE_2, single)
    for pair in _TWO_LEVELS:
        yield cell(
            "Figure 2 over means of summaries", _name(pair), _COLUMN, None,
            means[frozenset(pair)], 3, why=_LEVEL,
        )  # fmt: skip
    yield cell("Figure 3", "all", _COLUMN, None, None, 3, why=_NO_DOCUMENTS)
    yield from _pair_cells("Figure 4", _FIGURE_4, votes)
    likert = mean_ranks(dimension_means(corpus.ratings), _OVERALL)
    pairs = mean_ranks(votes_won(corpus.comparisons), f"{_OVERALL}{VOTES}")
    yield from _rank_cells("Figure 5, LikertAnno, Overall Quality", _FIGURE_5_LIKERT, likert)
    yield from _rank_cells("Figure 5, PairAnno, Overall Quality", _FIGURE_5_PAIRS, pairs)


def _spearman(corpus: Corpus, level: Level) -> dict[frozenset[str], float | None]:
    found = dimension_correlations(corpus.ratings, levels=(level,), coefficients=("spearman",))
    return _by_pair(found)


def _by_pair(records: Iterable[Correlation]) -> dict[frozenset[str], float | None]:
    return {
        frozenset(name.removesuffix(VOTES) for name in (record.metric, record.human)): record.value
        for record in records
    }


def _pair_cells(
    table: str, others: Mapping[Pair, float], found: Mapping[frozenset[str], float | None]
) -> Iterator[Cell]:
    for pair, other in others.items():
        value = found[frozenset(pair)]
        yield cell(table, _name(pair), _COLUMN, other, value, 3, source="recomputed")


def _rank_cells(table: str, others: Mapping[str, float], ranks: MeanRanks) -> Iterator[Cell]:
    found = dict(zip(ranks.systems, ranks.values.tolist(), strict=True))
    turned = others is _FIGURE_5_PAIRS and found["H4"] > found["H2"]
    for system, other in others.items():
        yield cell(
            table, system, MEAN_RANK, other, found[system], 3, source="recomputed",
            why=_H2 if turned and system in ("H2", "H4") else "",
        )  # fmt: skip


def _name(pair: Pair) -> str:
    return " and ".join(pair)
