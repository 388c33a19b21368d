"""Correlations of EMFoS, BLANC and DIP-SumEval, recomputed from the released data."""

from __future__ import annotations

from pathlib import Path

import pytest

import gistmark
from gistmark.analysis.correlation.correlations import (
    correlations,
    dimension_correlations,
    vote_correlations,
)
from gistmark.analysis.data.measures import Measures, length_measures, measures_of
from gistmark.analysis.human import VOTES, dimension_means
from gistmark.analysis.human.composites import Composites, composite_scores
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.formats import FORMATS

pytestmark = pytest.mark.papers

ROUGE = ("rouge1:stem=yes", "rouge2:stem=yes", "rougeL:stem=yes")

HS2_WEIGHTS = {  # grammatical correctness, arrangement, text quality, conciseness, exhaustiveness
    "pearson": (0.082849, 0.217474, 0.190170, 0.278851, 0.230656),
    "spearman": (0.083536, 0.218501, 0.191852, 0.277375, 0.228736),
}
EMFOS = {  # R1, R2 and RL (F, stemmed) with HS1, HS2, HS3
    # Table 7.1, exactly as printed
    "pearson": (
        (0.391125, 0.403563, 0.405817),
        (0.302982, 0.312113, 0.316820),
        (0.306813, 0.316603, 0.316652),
    ),
    # Table 7.7 with exact ties; the print is within 0.002
    "spearman": (
        (0.377958, 0.388642, 0.400705),
        (0.302167, 0.311237, 0.322114),
        (0.296709, 0.306489, 0.317114),
    ),
}
TABLE_7_7 = (  # as printed
    (0.379260, 0.388557, 0.400669),
    (0.302302, 0.311316, 0.322189),
    (0.298070, 0.306450, 0.317079),
)
HUMANS = {  # the "humans" row of BLANC's Table 1: length and compression in characters
    "pearson": {"chars": 0.4068, "compression": 0.3079},
    "spearman": {"chars": 0.4130, "compression": 0.4300},
}
FIGURE_2 = {  # Spearman over the 1,247 annotations
    ("Structure", "Coherence"): 0.711,
    ("Information Content", "Overall Quality"): 0.758,
    ("Focus", "Overall Quality"): 0.677,
    ("Coherence", "Overall Quality"): 0.665,
    ("Structure", "Overall Quality"): 0.661,
    ("Readability", "Overall Quality"): 0.636,
    ("Grammaticality", "Spelling"): 0.471,
    ("Length", "Overall Quality"): 0.429,
}
FIGURE_2_MEANS = {  # the same over the means of the 332 summaries
    ("Structure", "Coherence"): 0.829,
    ("Information Content", "Overall Quality"): 0.868,
}
FIGURE_4 = {  # Spearman over 343 summaries, by votes won within the topic
    ("Overall Quality", "Structure"): 0.733,
    ("Overall Quality", "Readability"): 0.644,
    ("Overall Quality", "Information Content"): 0.620,
    ("Overall Quality", "Referential Clarity"): 0.430,
    ("Overall Quality", "Non-Redundancy"): 0.409,
    ("Structure", "Readability"): 0.664,
    ("Non-Redundancy", "Referential Clarity"): 0.269,
}


@pytest.fixture(scope="module")
def emfos(paper_data: Path) -> Corpus:
    return FORMATS.get("emfos").read(paper_data / "emfos" / "DATA.csv")


@pytest.fixture(scope="module")
def rouge(emfos: Corpus) -> Measures:
    return measures_of(gistmark.score(emfos, ROUGE, cache=False), parts="main")


@pytest.fixture(scope="module")
def blanc(paper_data: Path) -> Corpus:
    return FORMATS.get("blanc").read(paper_data / "blanc" / "CNN_DailyMail_555.json")


@pytest.fixture(scope="module")
def dip(paper_data: Path) -> Corpus:
    return FORMATS.get("dip-sumeval").read(paper_data / "dip-sumeval")


def composites(emfos: Corpus, coefficient: str) -> Composites:
    result = composite_scores(emfos.ratings, coefficient=coefficient)
    assert result.overall == "overall"
    assert set(result.scales.values()) == {(1.0, 5.0)}
    return result


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_emfos_weights_of_hs2(emfos: Corpus, coefficient: str) -> None:
    result = composites(emfos, coefficient).weights
    assert tuple(round(weight, 6) for weight in result.values()) == HS2_WEIGHTS[coefficient]


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_emfos_rouge_against_the_human_scores(
    emfos: Corpus, rouge: Measures, coefficient: str
) -> None:
    human = composites(emfos, coefficient).scores
    result = correlations(rouge, human, levels=["global"], coefficients=[coefficient])
    assert {record.n for record in result} == {1_001}
    values = {(record.metric, record.human): round(record.value or 0, 6) for record in result}
    for metric, row in zip(ROUGE, EMFOS[coefficient], strict=True):
        assert tuple(values[metric, name] for name in ("HS1", "HS2", "HS3")) == row


def test_emfos_without_exact_ties_is_within_a_ten_thousandth_of_table_7_7(
    paper_data: Path,
) -> None:
    """What the report says of Table 7.7, by pandas and rouge_score: scores as floats have them."""
    import numpy as np
    import pandas as pd
    from rouge_score.rouge_scorer import RougeScorer

    data = pd.read_csv(paper_data / "emfos" / "DATA.csv")
    names = ("grammatical_correctness", "arrangement", "quality", "conciseness", "exhaustiveness")
    first, second = (
        [(data[f"{name}_{number}"] - 1) / 4 for name in (*names, "subjectiveScore")]
        for number in (1, 2)
    )
    *measures, overall = [(one + two) / 2 for one, two in zip(first, second, strict=True)]
    powers = np.exp(pd.concat(measures, axis=1).corr("spearman").to_numpy().sum(axis=1))
    human = {
        "HS1": sum(0.2 * measure for measure in measures),
        "HS2": sum(w * m for w, m in zip(powers / powers.sum(), measures, strict=True)),
        "HS3": overall,
    }
    kinds = ["rouge1", "rouge2", "rougeL"]
    scorer = RougeScorer(kinds, use_stemmer=True)
    scores = [scorer.score(*pair) for pair in zip(data["gold"], data["candidate"], strict=True)]
    for kind, row in zip(kinds, TABLE_7_7, strict=True):
        metric = pd.Series([score[kind].fmeasure for score in scores])
        values = [metric.corr(each, "spearman") for each in human.values()]
        assert values == pytest.approx(row, abs=1e-4)


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_blanc_humans_against_length_and_compression(blanc: Corpus, coefficient: str) -> None:
    human, lengths = dimension_means(blanc.ratings), length_measures(blanc)
    result = correlations(lengths, human, levels=["global"], coefficients=[coefficient])
    values = {record.metric: record.value for record in result}
    for metric, value in HUMANS[coefficient].items():
        assert values[metric] == pytest.approx(value, abs=5e-5)


def test_blanc_divergence_against_the_mean_score(blanc: Corpus) -> None:
    """0.484 and 0.466 were found with NLTK's stop list and tokenizer; ours are our own."""
    measures = measures_of(gistmark.score(blanc, ["js"], cache=False))
    human = dimension_means(blanc.ratings)
    result = correlations(measures, human, levels=["global"])
    values = {record.coefficient: -(record.value or 0) for record in result}
    assert values["pearson"] == pytest.approx(0.484, abs=0.002)
    assert values["spearman"] == pytest.approx(0.466, abs=0.002)


def test_dip_sumeval_figure_2(dip: Corpus) -> None:
    result = dimension_correlations(dip.ratings, coefficients=["spearman"])
    for level, figure, n in (("annotation", FIGURE_2, 1_247), ("global", FIGURE_2_MEANS, 332)):
        records = [record for record in result if record.level == level]
        assert {record.n for record in records} == {n}
        values = {frozenset((record.metric, record.human)): record.value for record in records}
        for pair, value in figure.items():
            assert values[frozenset(pair)] == pytest.approx(value, abs=5e-4)


def test_dip_sumeval_figure_4(dip: Corpus) -> None:
    result = vote_correlations(dip.comparisons, coefficients=["spearman"])
    assert {record.n for record in result} == {343}
    values = {
        frozenset((record.metric.removesuffix(VOTES), record.human.removesuffix(VOTES))): (
            record.value
        )
        for record in result
    }
    for pair, value in FIGURE_4.items():
        assert values[frozenset(pair)] == pytest.approx(value, abs=5e-4)
