"""EMFoS: Ranpara, "Finding Proxy For Human Evaluation: Re-evaluating the evaluation of news
summarization" (thesis).

Released are 1,001 summaries with their references and two sets of ratings, so everything about the
lexical metrics can be recomputed. The other metrics need some forty models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gistmark.analysis.composites import composite_scores
from gistmark.analysis.correlation.coefficients import Coefficient
from gistmark.analysis.correlation.correlations import correlations
from gistmark.analysis.measures import measures_of
from gistmark.corpus import Corpus
from gistmark.papers.cells import Cell, Printed, beside, cell, unchecked
from gistmark.papers.emfos_printed import MODELS, SAME_NUMBERS
from gistmark.papers.paper import Paper, Release
from gistmark.scoring import score

_METRICS = {"R1": "rouge1:stem=yes", "R2": "rouge2:stem=yes", "RL": "rougeL:stem=yes"}
_HUMAN = ("HS1", "HS2", "HS3")
_SCALE = (1.0, 5.0)
_DIMENSIONS = (
    "grammatical correctness", "arrangement", "text quality", "conciseness", "exhaustiveness",
    "overall",
)  # fmt: skip

# Table 7.1: Pearson.
_TABLE_7_1: Printed = {
    "R1": (0.391125, 0.403563, 0.405817),
    "R2": (0.302982, 0.312113, 0.316820),
    "RL": (0.306813, 0.316603, 0.316652),
}
# Table 7.7: Spearman.
_TABLE_7_7: Printed = {
    "R1": (0.379260, 0.388557, 0.400669),
    "R2": (0.302302, 0.311316, 0.322189),
    "RL": (0.298070, 0.306450, 0.317079),
}

_TIES = (
    "Ours counts scores as tied that differ only in the last bits of a floating-point number. "
    "Without that, and with HS1 as a sum of products by 0.2, the values are within 0.0001 of the "
    "print; we do not know how the thesis treats ties."
)
_NO_MODELS = "The metrics of the table need models that this command does not run."
_WEIGHTS = "The thesis describes the weights and does not print them."


def compute(release: Release) -> Sequence[Cell]:
    """Chapter 7 beside ours, and the weights of HS2."""
    corpus = release.corpus
    return [
        *beside("Table 7.1", _HUMAN, _TABLE_7_1, _correlations(corpus, "pearson"), 6),
        *beside("Table 7.7", _HUMAN, _TABLE_7_7, _correlations(corpus, "spearman"), 6,
                why=_TIES),
        *_weights(corpus),
        *_tables_of_models(),
    ]  # fmt: skip


def _correlations(
    corpus: Corpus, coefficient: Coefficient
) -> Mapping[tuple[str, str], float | None]:
    """F-measures with stems against HS1 to HS3; the weights of HS2 are by the same coefficient."""
    measures = measures_of(score(corpus, list(_METRICS.values()), cache=False), parts="main")
    made = composite_scores(corpus.ratings, scales=PAPER.scales, coefficient=coefficient)
    found = correlations(measures, made.scores, levels=("global",), coefficients=(coefficient,))
    values = {(record.metric, record.human): record.value for record in found}
    return {
        (row, column): values[metric, column]
        for row, metric in _METRICS.items()
        for column in _HUMAN
    }


def _weights(corpus: Corpus) -> Iterator[Cell]:
    coefficients: tuple[Coefficient, ...] = ("pearson", "spearman")
    for coefficient in coefficients:
        made = composite_scores(corpus.ratings, scales=PAPER.scales, coefficient=coefficient)
        for dimension, weight in made.weights.items():
            column = f"by {coefficient.title()}"
            yield cell("Weights of HS2", dimension, column, None, weight, 6, why=_WEIGHTS)


def _tables_of_models() -> Iterator[Cell]:
    for table, printed in MODELS.items():
        yield from unchecked(table, _HUMAN, printed, 6, _NO_MODELS)
    for table, other in SAME_NUMBERS.items():
        why = (
            f"{_NO_MODELS} It has the same numbers as {other}, which is about Pearson correlation."
        )
        yield from unchecked(table, _HUMAN, MODELS[other], 6, why)


PAPER = Paper(
    name="emfos",
    citation="Ranpara, Finding Proxy For Human Evaluation (EMFoS, thesis)",
    home="github.com/TarangRanpara/EMFoS",
    inside="Dataset",
    files=("DATA.csv",),
    compute=compute,
    metrics=tuple(_METRICS.values()),
    baseline=_METRICS["R1"],
    scales=dict.fromkeys(_DIMENSIONS, _SCALE),
)
