"""HighRES: Hardy, Narayan and Vlachos, "HighRES: Highlight-based Reference-less Evaluation of
Summarization" (ACL 2019).

The public copy has the documents and summaries, so Table 5's ROUGE rows can be recomputed. It does
not have what the crowd did: the highlights and the judgements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gistmark.corpus import Corpus
from gistmark.papers.paper import Cell, Paper, Printed, Release, beside, cell, unchecked
from gistmark.scoring import Scores, score

_SYSTEMS = {"TConvS2S": "tconvs2s", "PTGen": "ptgen", "Reference": "gold"}
_COLUMNS = {
    "Unigram Prec": (1, "precision"),
    "Unigram Rec": (1, "recall"),
    "Bigram Prec": (2, "precision"),
    "Bigram Rec": (2, "recall"),
}

# Table 5, in percent.
_ROUGE: Printed = {
    "TConvS2S": (77.17, 4.20, 26.12, 1.21),
    "PTGen": (77.09, 4.99, 28.75, 1.64),
    "Reference": (73.65, 4.42, 22.42, 1.17),
}
_HROUGE: Printed = {
    "TConvS2S": (7.94, 5.42, 3.30, 2.11),
    "PTGen": (7.90, 6.46, 3.37, 2.64),
    "Reference": (7.31, 5.73, 2.39, 1.84),
}
# Table 2: highlight-based, not highlight-based, reference-based.
_CONTENT: Printed = {
    "TConvS2S": (57.42, 49.95, 52.55, 41.04, 46.75, 36.45),
    "PTGen": (50.94, 44.41, 48.57, 39.21, 44.24, 38.24),
    "Reference": (67.90, 56.83, 66.01, 52.45, None, None),
}
_CONTENT_COLUMNS = (
    "Highlight Prec", "Highlight Rec", "Non-highlight Prec", "Non-highlight Rec",
    "Reference Prec", "Reference Rec",
)  # fmt: skip
# Table 3.
_VARIATION: Printed = {
    "TConvS2S": (0.67, 0.80, 0.75, 0.83),
    "PTGen": (0.73, 0.86, 0.73, 0.90),
    "Reference": (0.49, 0.63, 0.48, 0.67),
}
# Table 4.
_FLUENCY: Printed = {
    "TConvS2S": (69.51, 67.19),
    "PTGen": (55.24, 52.49),
    "Reference": (77.03, 75.83),
}
# Section 5.1, and the end of section 5.3.
_STATISTICS: Printed = {
    "Union of highlights, % of a document": (38.21,),
    "Highlights in the second half, %": (33.77,),
    "Fleiss' kappa, mean": (0.19,),
    "Fleiss' kappa, lowest": (0.04,),
    "Fleiss' kappa, highest": (0.32,),
    "Pearson of fluency and clarity": (0.68,),
}

_NO_HIGHLIGHTS = "The crowd's highlights are not in the public copy."
_NO_JUDGEMENTS = "The crowd's judgements are not in the public copy."
_NO_CROWD = "The crowd's highlights and judgements are not in the public copy."
_QUOTES = (
    "The summaries write `` and '' where the documents have \", so that these never match; with "
    "both made equal, PTGen overtakes TConvS2S in unigram precision."
)


def compute(release: Release) -> Sequence[Cell]:
    """Table 5 beside ours, and what needs the crowd."""
    corpus = release.corpus
    return [
        *beside("Table 5, ROUGE (Original document)", tuple(_COLUMNS), _ROUGE,
                _percentages(corpus, "none"), 2),
        *_normalised(corpus),
        *unchecked("Table 5, HROUGE", tuple(_COLUMNS), _HROUGE, 2, _NO_HIGHLIGHTS),
        *unchecked("Table 2", _CONTENT_COLUMNS, _CONTENT, 2, _NO_JUDGEMENTS),
        *unchecked("Table 3", _CONTENT_COLUMNS[:4], _VARIATION, 2, _NO_JUDGEMENTS),
        *unchecked("Table 4", ("Fluency", "Clarity"), _FLUENCY, 2, _NO_JUDGEMENTS),
        *unchecked("Section 5", ("value",), _STATISTICS, 2, _NO_CROWD),
    ]  # fmt: skip


def _normalised(corpus: Corpus) -> Iterator[Cell]:
    for (row, column), value in _percentages(corpus, "quotes").items():
        yield cell("Table 5 with quotes made equal", row, column, None, value, 2, why=_QUOTES)


def _percentages(corpus: Corpus, norm: str) -> dict[tuple[str, str], float | None]:
    """ROUGE against the document, which is HROUGE with every weight 1, in percent."""
    specs = {n: f"hrouge{n}:beta=one,norm={norm}" for n in (1, 2)}
    scores = score(corpus, list(specs.values()), with_references=True, cache=False)
    return {
        (row, column): 100 * _mean(scores, system, specs[n], part)
        for row, system in _SYSTEMS.items()
        for column, (n, part) in _COLUMNS.items()
    }


def _mean(scores: Scores, system: str, metric: str, part: str) -> float:
    if system not in scores.systems:
        raise KeyError(system)
    chosen = np.array([name == system for name in scores.systems])
    return float(np.mean(scores.columns[metric].part(part)[chosen]))


PAPER = Paper(
    name="highres",
    citation="Hardy, Narayan and Vlachos, HighRES (ACL 2019)",
    home="github.com/blodstone/HighRES",
    inside="dataset/BBC",
    files=("documents", "summaries/ref_gold", "summaries/system_ptgen",
           "summaries/system_tconvs2s"),
    compute=compute,
    metrics=("rouge1", "rouge2", "rougeL", "rouge1:against=document", "js", "words",
             "compression", "novel2"),
)  # fmt: skip
