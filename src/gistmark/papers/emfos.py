"""EMFoS, Tables 7.2 to 7.6, 7.8 and 7.9: the metrics that need models, as printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gistmark.analysis.correlation.correlations import correlations
from gistmark.analysis.data.measures import measures_of
from gistmark.analysis.human.composites import composite_scores
from gistmark.corpus import Corpus
from gistmark.papers.paper import Cell, Paper, Printed, Release, beside, cell, unchecked
from gistmark.scoring import score

# By table: HS1, HS2, HS3 of each metric, by the alias of Tables 5.2 to 5.6.
MODELS: Mapping[str, Printed] = {
    "Table 7.2": {
        "CS1": (0.474557, 0.489912, 0.481815),
        "CS2": (0.473413, 0.490389, 0.488624),
        "CS3": (0.390508, 0.402207, 0.397415),
        "CS4": (0.424224, 0.439674, 0.426063),
        "CS5": (0.380785, 0.394660, 0.379361),
    },
    "Table 7.3": {
        "CS6": (0.310038, 0.316681, 0.333384),
        "CS7": (0.307965, 0.311064, 0.327259),
    },
    "Table 7.4": {
        "BS00": (0.420552, 0.430709, 0.431368),
        "BS01": (0.408182, 0.418725, 0.420935),
        "BS02": (0.383917, 0.393258, 0.390887),
        "BS03": (0.422546, 0.433619, 0.432300),
        "BS04": (0.417388, 0.427617, 0.428478),
        "BS05": (0.405949, 0.418768, 0.423377),
        "BS06": (0.421794, 0.432247, 0.432853),
        "BS07": (0.439262, 0.450845, 0.450916),
        "BS08": (0.426432, 0.438161, 0.440847),
        "BS09": (0.426478, 0.438706, 0.438667),
        "BS10": (0.446845, 0.459058, 0.463744),
        "BS11": (0.391053, 0.402589, 0.405289),
        "BS12": (0.411650, 0.423299, 0.424781),
        "BS13": (0.420807, 0.433452, 0.436602),
        "BS14": (0.414748, 0.425428, 0.428430),
        "BS15": (0.397459, 0.409896, 0.414107),
        "BS16": (0.433419, 0.445226, 0.445338),
        "BS17": (0.420299, 0.433826, 0.437837),
        "BS18": (0.430478, 0.441647, 0.440460),
        "BS19": (0.412649, 0.426417, 0.428735),
        "BS20": (0.454003, 0.467445, 0.472490),
    },
    "Table 7.5": {
        "CS8": (0.285575, 0.290975, 0.281239),
        "CS9": (0.331576, 0.346874, 0.339983),
        "CS10": (0.310512, 0.325337, 0.319883),
        "CS11": (0.408396, 0.423316, 0.404882),
        "CS12": (0.291956, 0.305086, 0.309118),
    },
    "Table 7.6": {
        "WMD00": (0.375220, 0.385934, 0.384831),
        "WMD01": (0.374999, 0.385250, 0.385092),
        "WMD02": (0.381790, 0.393033, 0.386811),
        "WMD03": (0.380668, 0.391698, 0.387522),
    },
    "Table 7.8": {
        "CS1": (0.442113, 0.454188, 0.457508),
        "CS2": (0.442481, 0.455519, 0.464508),
        "CS3": (0.359298, 0.367239, 0.370118),
        "CS4": (0.393563, 0.405466, 0.403517),
        "CS5": (0.349610, 0.359223, 0.352005),
    },
    "Table 7.9": {
        "CS6": (0.300683, 0.305207, 0.321900),
        "CS7": (0.346404, 0.344943, 0.358525),
    },
}

SAME_NUMBERS: Mapping[str, str] = {
    "Table 7.10": "Table 7.4",
    "Table 7.11": "Table 7.5",
    "Table 7.12": "Table 7.6",
}
"""Tables of Spearman correlations, and the tables of Pearson correlations with the same numbers."""

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


def _correlations(corpus: Corpus, coefficient: str) -> Mapping[tuple[str, str], float | None]:
    """F-measures with stems against HS1 to HS3; the weights of HS2 are by the same coefficient."""
    measures = measures_of(score(corpus, list(_METRICS.values()), cache=False), parts="main")
    composites = composite_scores(corpus.ratings, scales=PAPER.scales, coefficient=coefficient)
    result = correlations(
        measures, composites.scores, levels=("global",), coefficients=(coefficient,)
    )
    values = {(record.metric, record.human): record.value for record in result}
    return {
        (row, column): values[metric, column]
        for row, metric in _METRICS.items()
        for column in _HUMAN
    }


def _weights(corpus: Corpus) -> Iterator[Cell]:
    coefficients: tuple[str, ...] = ("pearson", "spearman")
    for coefficient in coefficients:
        composites = composite_scores(corpus.ratings, scales=PAPER.scales, coefficient=coefficient)
        for dimension, weight in composites.weights.items():
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
