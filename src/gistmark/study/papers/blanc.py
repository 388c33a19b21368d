"""BLANC: Vasilyev, Dharnidharka and Bohannon, "Fill in the BLANC: Human-free quality estimation of
document summaries" (2020).

Released are 555 summaries of CNN / Daily Mail with their scores, so what the people of Table 1 and
Figure 7 did can be recomputed; the human references and the daily news cannot be had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gistmark.corpus import Corpus
from gistmark.scoring import score
from gistmark.study.agreement.splits import annotators_against_rest
from gistmark.study.correlation import correlations
from gistmark.study.human import dimension_means
from gistmark.study.measures import LENGTHS, joined, length_measures, measures_of
from gistmark.study.papers.blanc_splits import split_cells
from gistmark.study.papers.cells import Cell, Printed, beside, cell, lacking
from gistmark.study.papers.paper import Paper
from gistmark.study.ratings import columns_by_dimension
from gistmark.study.subsets import choose

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
_LENGTHS = {"L": "chars", "C": "compression"}
# Table 2: the same on daily news.
_NEWS: Printed = {
    "BLANC-help, Pearson": (0.20, 0.77),
    "BLANC-help, Spearman": (0.19, 0.73),
    "humans, Pearson": (0.42, 0.41),
    "humans, Spearman": (0.38, 0.39),
}
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
# Figure 7: each annotator against the mean of the others, by id, as another program found them.
_ANNOTATORS = {
    "14": 0.175, "6": 0.227, "23": 0.323, "4": 0.333, "13": 0.424, "15": 0.454, "12": 0.456,
    "21": 0.457, "5": 0.480, "19": 0.549, "10": 0.555, "16": 0.569, "18": 0.597,
}  # fmt: skip
# The text of section 4: where BERTScore would be in Figure 7.
_BERTSCORE: Printed = {"BERTScore": (0.35, 0.16, 0.47)}
_JS = {"js": "JS through the midpoint", "js-kl": "JS as the mean of both KL"}

_NO_REFERENCES = "The reference summaries are not released."
_NO_MODEL = "It needs the masked language model bert-base-uncased."
_NO_NEWS = "The summaries of daily news are not released."
_NO_HUMANS = "The 300 human references among its 855 summaries are not released."
_PART = "On the 555 released summaries, not on the 855 of the table."
_IDS = "The release has 13 ids, the figure 10 annotators."


def compute(corpus: Corpus) -> Sequence[Cell]:
    """The tables and Figure 7 beside ours, and splits like those of Figure 9."""
    return [
        *beside("Table 1", tuple(_LENGTHS), _HUMANS, _with_lengths(corpus), 2),
        *lacking("Table 1", tuple(_LENGTHS), _BLANC, 2, _NO_MODEL),
        *lacking("Table 1", tuple(_LENGTHS), _ROUGE, 2, _NO_REFERENCES),
        *lacking("Table 2", tuple(_LENGTHS), _NEWS, 2, _NO_NEWS),
        *lacking("Table 3", ("N",), _TABLE_3_N, 0, _NO_HUMANS),
        *lacking("Table 3", ("BLANC", "JS"), _TABLE_3, 2, _NO_HUMANS),
        *_selections(corpus),
        *_annotators(corpus),
        *lacking("Section 4", ("F1", "Precision", "Recall"), _BERTSCORE, 2, _NO_REFERENCES),
        *split_cells(corpus),
    ]


def _with_lengths(corpus: Corpus) -> Mapping[tuple[str, str], float | None]:
    found = correlations(
        length_measures(corpus, tuple(_LENGTHS.values())), dimension_means(corpus.ratings),
        levels=("global",), coefficients=("pearson", "spearman"),
    )  # fmt: skip
    values = {(record.metric, record.coefficient): record.value for record in found}
    return {
        (f"humans, {coefficient.title()}", column): values[metric, coefficient]
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
        found = correlations(
            measures.select(list(_JS)), human, levels=("global",),
            coefficients=("pearson", "spearman"), subset=subset,
        )  # fmt: skip
        for record in found:
            column = f"{_JS[record.metric]}, {record.coefficient.title()}"
            value = None if record.value is None else -record.value
            yield cell(table, row, column, None, value, 3, why=_PART)


def _annotators(corpus: Corpus) -> Iterator[Cell]:
    splits = annotators_against_rest(columns_by_dimension(corpus.ratings)[_OVERALL])
    values = {split.group[0]: split.correlation.value for split in splits}
    for name, published in _ANNOTATORS.items():
        yield cell(
            "Figure 7", f"annotator {name}", "Spearman with the others", published, values[name],
            3, why=_IDS, source="recomputed",
        )  # fmt: skip


PAPER = Paper(
    name="blanc",
    citation="Vasilyev, Dharnidharka and Bohannon, Fill in the BLANC (2020)",
    home="github.com/PrimerAI/blanc",
    inside="data",
    files=("CNN_DailyMail_555.json",),
    source="CNN_DailyMail_555.json",
    compute=compute,
    metrics=("rouge1:against=document", "rougeLsum:against=document", "js", "js-kl"),
    baseline="rouge1:against=document",
    scales={_OVERALL: (0.0, 4.0)},
)
