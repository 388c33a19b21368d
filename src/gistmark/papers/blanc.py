"""BLANC: Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC: Human-free quality estimation of
document summaries" (2020).

Released are 555 summaries of CNN / Daily Mail (Table 1, Figure 7) and 300 of daily news (Table 2,
Figures 8 and 9), each with its annotators' scores, so that the rows about people can be computed.
The news are in files of their own, which are read where they are in the folder:
`DailyNews_300.json` with a single score, `DailyNews_300_aspects.json` with scores of five
qualities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from gistmark.analysis.agreement.coefficients.splits import (
    annotators_against_rest,
    splits_against_rest,
)
from gistmark.analysis.correlation.coefficients import t_test
from gistmark.analysis.correlation.correlations import correlations
from gistmark.analysis.correlation.subsets import choose
from gistmark.analysis.data.columns import Float64, RatingColumns, columns_by_dimension
from gistmark.analysis.data.measures import LENGTHS, joined, length_measures, measures_of
from gistmark.analysis.human import HumanScores, dimension_means, grade_weighted_means
from gistmark.corpus import Corpus
from gistmark.papers.paper import Cell, Paper, Printed, Release, beside, cell, unchecked
from gistmark.records import Rating
from gistmark.runtime.seeds import generator
from gistmark.scoring import score

NEWS = "DailyNews_300.json"
ASPECTS = "DailyNews_300_aspects.json"

GRADE_WEIGHTS = {0.0: 3.0, 1.0: 3.0, 2.0: 1.0, 3.0: 1.0, 4.0: 2.0}
"""Section 4: what each grade may weigh in an averaged human score."""

_OVERALL = "overall"

# Table 1: correlation with the length L and the compression C; the print leaves cells empty.
_HUMANS: Printed = {"humans, Pearson": (0.41, 0.31), "humans, Spearman": (0.41, 0.43)}

_BLANC: Printed = {"BLANC-help, Pearson": (0.47, 0.75), "BLANC-help, Spearman": (0.51, 0.76)}

_ROUGE: Printed = {
    "rouge-L, Pearson": (-0.27, None),
    "rouge-L, Spearman": (-0.22, None),
    "rouge-L-sum, Pearson": (-0.23, None),
    "rouge-L-sum, Spearman": (-0.15, None),
}

_HELP = "BLANC-help"

_LENGTHS = {"L": "chars", "C": "compression"}

# Table 2: the same on daily news.
_NEWS_BLANC: Printed = {"BLANC-help, Pearson": (0.20, 0.77), "BLANC-help, Spearman": (0.19, 0.73)}

_NEWS_HUMANS: Printed = {"humans, Pearson": (0.42, 0.41), "humans, Spearman": (0.38, 0.39)}

# Table 3: correlation with the mean human score; which coefficient is not said.
_TABLE_3: Printed = {
    "All": (0.22, 0.28),
    "Human": (0.34, 0.37),
    "Close length": (0.15, 0.13),
    "Bad": (0.23, 0.21),
    "Compressed": (0.18, None),
}

_TABLE_3_N: Printed = {
    "All": (855,), "Human": (300,), "Close length": (319,), "Bad": (141,), "Compressed": (155,),
}  # fmt: skip

_SELECTIONS = {
    "All": "chars > 0",
    "Close length": "200 <= chars <= 350",
    "Bad": f"{_OVERALL} < 2",
    "Compressed": "compression < 0.05",
}

# Figure 7: each annotator against the mean of the others, by id, as another program computed them.
_ANNOTATORS = {
    "14": 0.175, "6": 0.227, "23": 0.323, "4": 0.333, "13": 0.424, "15": 0.454, "12": 0.456,
    "21": 0.457, "5": 0.480, "19": 0.549, "10": 0.555, "16": 0.569, "18": 0.597,
}  # fmt: skip

# The text of section 4: where BERTScore would be in Figure 7.
_BERTSCORE: Printed = {"BERTScore": (0.35, 0.16, 0.47)}

_JS = {"js": "JS through the midpoint", "js-kl": "JS as the mean of both KL"}

_AGAINST_OTHERS = "Spearman with the others"

_NO_REFERENCES = "The released file does not say which summaries are references."

_NO_MODEL = (
    "BLANC-help needs the model bert-base-uncased and long; --models BLANC-help computes it, and "
    "--scores takes its scores from elsewhere."
)

_NO_NEWS_MODEL = (
    "BLANC-help needs the model bert-base-uncased, which this command does not run on the news."
)

_ALGORITHM = (
    "By the algorithm that the paper prints (rule=paper), over {n:,} of {total:,} summaries{why}."
)

_NO_NEWS = f"{NEWS} is not in the folder."

_NO_ASPECTS = f"{ASPECTS} is not in the folder."

_GRADED = (
    "Section 4: each score weighs 3, 3, 1, 1 or 2 by its grade; the paper says only that "
    "the changes to its results are of order 1 %."
)

_CIRCLES = (
    "Three annotators against the others. Two scores of one annotator for a summary count as their "
    "mean; annotator 15 scored few summaries for most qualities. The figure's other markers are of "
    "BLANC-help, which this command does not run."
)

_NO_AUTHORS = (
    "The table is about 855 summaries, 300 of them written by people; the released file has 555 "
    "and does not say who wrote which."
)

_PART = "On the 555 released summaries, not on the 855 of the table."

_IDS = "The released file has 13 annotators' ids; the figure shows 10 annotators."

_BARE = "The paper shows these values in a figure."

_TEAMS = "The figure is about daily news; these are the 120 splits of each team of ten."

_GENERIC = (
    f"The figure is about scores of several qualities ({ASPECTS}); these are the splits of the "
    "single score."
)


def compute(release: Release) -> Sequence[Cell]:
    """The tables and Figures 7 to 9 beside ours."""
    corpus = release.corpus
    return [
        *beside("Table 1", tuple(_LENGTHS), _HUMANS, _with_lengths(corpus), 2),
        *_graded("Table 1", corpus),
        *_blanc_help(release),
        *unchecked("Table 1", tuple(_LENGTHS), _ROUGE, 2, _NO_REFERENCES),
        *news_cells(release.optional.get(NEWS)),
        *unchecked("Table 3", ("N",), _TABLE_3_N, 0, _NO_AUTHORS),
        *unchecked("Table 3", ("BLANC", "JS"), _TABLE_3, 2, _NO_AUTHORS),
        *_selections(corpus),
        *_annotators(corpus),
        *unchecked("Section 4", ("F1", "Precision", "Recall"), _BERTSCORE, 2, _NO_REFERENCES),
        *aspect_cells(release.optional.get(ASPECTS)),
        *split_cells("Figure 9 on CNN / Daily Mail", corpus, why=_TEAMS),
    ]


def news_cells(news: Corpus | None) -> Iterator[Cell]:
    """Table 2 and the people of Figure 8, from the daily news if they are there."""
    columns = tuple(_LENGTHS)
    if news is None:
        yield from unchecked("Table 2", columns, _NEWS_HUMANS, 2, _NO_NEWS)
    else:
        yield from beside("Table 2", columns, _NEWS_HUMANS, _with_lengths(news), 2)
        yield from _graded("Table 2", news)
    yield from unchecked("Table 2", columns, _NEWS_BLANC, 2, _NO_NEWS_MODEL)
    if news is None:
        yield cell("Figure 8", "all", _AGAINST_OTHERS, None, None, 3, why=_NO_NEWS)
        return
    for name, value in _against_others(news).items():
        yield cell("Figure 8", f"annotator {name}", _AGAINST_OTHERS, None, value, 3, why=_BARE)
    yield from split_cells("Figure 9 on the single score", news, why=_GENERIC)


def _graded(table: str, corpus: Corpus) -> Iterator[Cell]:
    """The row about people, with each score weighing as much as its grade."""
    human = grade_weighted_means(corpus.ratings, GRADE_WEIGHTS)
    for (row, column), value in _with_lengths(corpus, human).items():
        yield cell(f"{table} with grades weighted", row, column, None, value, 2, why=_GRADED)


def _blanc_help(release: Release) -> Iterator[Cell]:
    """The row of BLANC-help, where there are scores of it."""
    columns, scores = tuple(_LENGTHS), release.scores
    if scores is None or _HELP not in scores.columns:
        yield from unchecked("Table 1", columns, _BLANC, 2, _NO_MODEL)
        return
    values = measures_of(scores, parts="main")
    counts = np.isfinite(values.values).astype(np.int64)
    n, reason = int(counts.sum()), scores[_HELP].why
    why = _ALGORITHM.format(n=n, total=scores.summary_count, why=f": {reason}" if reason else "")
    score_of_summaries = HumanScores(values.units, (_HELP,), values.values, counts)
    result = _with_lengths(release.corpus, score_of_summaries, who=_HELP)
    yield from beside("Table 1", columns, _BLANC, result, 2, why=why)


def _with_lengths(
    corpus: Corpus, human: HumanScores | None = None, *, who: str = "humans"
) -> Mapping[tuple[str, str], float | None]:
    """How a score of summaries, by default the mean human one, goes with L and C."""
    records = correlations(
        length_measures(corpus, tuple(_LENGTHS.values())),
        human or dimension_means(corpus.ratings),
        levels=("global",), coefficients=("pearson", "spearman"),
    )  # fmt: skip
    values = {(record.metric, record.coefficient): record.value for record in records}
    return {
        (f"{who}, {coefficient.title()}", column): values[metric, coefficient]
        for coefficient in ("pearson", "spearman")
        for column, metric in _LENGTHS.items()
    }


def _selections(corpus: Corpus) -> Iterator[Cell]:
    """Table 3's selections among the released summaries; divergence is negated, as in the paper."""
    table = "Table 3 on the released summaries"
    human = dimension_means(corpus.ratings)
    measures = joined(
        measures_of(score(corpus, list(_JS), cache=False)), length_measures(corpus, LENGTHS)
    )
    for row, expression in _SELECTIONS.items():
        subset = choose(expression, measures, human)
        yield cell(table, row, "N", None, len(subset), 0, why=_PART)
        records = correlations(
            measures.select(list(_JS)), human, levels=("global",),
            coefficients=("pearson", "spearman"), subset=subset,
        )  # fmt: skip
        for record in records:
            column = f"{_JS[record.metric]}, {record.coefficient.title()}"
            value = None if record.value is None else -record.value
            yield cell(table, row, column, None, value, 3, why=_PART)


def _annotators(corpus: Corpus) -> Iterator[Cell]:
    values = _against_others(corpus)
    for name, other in _ANNOTATORS.items():
        yield cell(
            "Figure 7", f"annotator {name}", _AGAINST_OTHERS, other, values[name], 3,
            why=_IDS, source="recomputed",
        )  # fmt: skip


def _against_others(corpus: Corpus) -> dict[str, float | None]:
    """Each annotator's correlation with the mean of the others, the lowest first."""
    splits = annotators_against_rest(columns_by_dimension(corpus.ratings)[_OVERALL])
    values = {split.group[0]: split.correlation.value for split in splits}
    return dict(sorted(values.items(), key=lambda item: (item[1] is None, item[1])))


PAPER = Paper(
    name="blanc",
    citation="Vasilyev, Dharnidharka and Bohannon, Fill in the BLANC (2020)",
    home="github.com/PrimerAI/blanc",
    inside="data",
    files=("CNN_DailyMail_555.json",),
    source="CNN_DailyMail_555.json",
    optional=(NEWS, ASPECTS),
    compute=compute,
    metrics=("rouge1:against=document", "rougeLsum:against=document", "js", "js-kl"),
    baseline="rouge1:against=document",
    scales={_OVERALL: (0.0, 4.0)},
    aliases={_HELP: "blanc-help:model=bert-base-uncased,rule=paper"},
)

_TEAM = 10

_GROUP = 3

_SIGNIFICANT = 0.05


def split_cells(table: str, corpus: Corpus, *, why: str) -> Iterator[Cell]:
    """For each team of ten the lowest, median, mean and highest correlation over its splits."""
    for team, ratings in _teams(corpus).items():
        (columns,) = columns_by_dimension(ratings).values()
        yield from _split_row(table, "team " + " ".join(team), columns, why)


def aspect_cells(aspects: Corpus | None) -> Iterator[Cell]:
    """The circles of Figure 9: three of the ten annotators against the others, by quality."""
    if aspects is None:
        yield cell("Figure 9", "all", _AGAINST_OTHERS, None, None, 3, why=_NO_ASPECTS)
        return
    for quality, columns in columns_by_dimension(aspects.ratings).items():
        yield from _split_row("Figure 9", quality, columns, _CIRCLES)


def _split_row(table: str, row: str, columns: RatingColumns, why: str) -> Iterator[Cell]:
    """How three annotators go with the others, over all ways to choose them.

    The figure leaves out correlations with p > 0.05, so those that it would show are counted.
    """
    splits = splits_against_rest(columns, _GROUP, rng=generator(0))
    values = np.array([split.correlation.value for split in splits], dtype=np.float64)
    sizes = np.array([split.correlation.n for split in splits])
    yield cell(table, row, "summaries", None, len(columns.unit_names), 0, why=why)
    yield cell(table, row, "splits", None, len(splits), 0, why=why)
    significant = int(np.count_nonzero(t_test(values, sizes - 2) <= _SIGNIFICANT))
    yield cell(table, row, "splits with p up to 0.05", None, significant, 0, why=why)
    for column, value in _distribution(values).items():
        yield cell(table, row, column, None, value, 3, why=why)


def _distribution(values: Float64) -> Mapping[str, float]:
    return {
        "lowest": float(values.min()),
        "median": float(np.median(values)),
        "mean": float(values.mean()),
        "highest": float(values.max()),
    }


def _teams(corpus: Corpus) -> dict[tuple[str, ...], list[Rating]]:
    """The ratings of each team of ten, that with the most summaries first."""
    units: dict[tuple[str, str], list[Rating]] = defaultdict(list)
    for rating in corpus.ratings:
        units[rating.document, rating.system].append(rating)
    teams: dict[tuple[str, ...], list[Rating]] = defaultdict(list)
    for ratings in units.values():
        if len(ratings) == _TEAM:
            names = sorted((r.annotator for r in ratings), key=lambda name: (len(name), name))
            teams[tuple(names)] += ratings
    return dict(sorted(teams.items(), key=lambda team: (-len(team[1]), team[0])))
