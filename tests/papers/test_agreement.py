"""Agreement in the papers' released data: DIP-SumEval's Table 2, and BLANC's annotators."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.analysis.agreement import comparisons_agreement, ratings_agreement
from gistmark.analysis.agreement.coefficients.splits import (
    annotators_against_rest,
    splits_against_rest,
)
from gistmark.analysis.data.columns import columns_by_dimension
from gistmark.analysis.studies.records import Agreement
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.formats import FORMATS

pytestmark = pytest.mark.papers

# Table 2, PairAnno: alpha and pairwise agreement as printed; the third is the alpha of every pair
# in both orientations, found with an independent program.
PAIRS = {
    "Non-Redundancy": (0.017, 0.664, 0.0175),
    "Referential Clarity": (0.022, 0.670, 0.0316),
    "Structure": (0.122, 0.713, 0.1249),
    "Readability": (0.180, 0.735, 0.1839),
    "Information Content": (0.094, 0.699, 0.0943),
    "Overall Quality": (0.195, 0.743, 0.2026),
}

# LikertAnno as released (1,247 rows; the print rests on 1,274 and cannot be reproduced): mean and
# ordinal alpha, found with independent libraries.
LIKERT = {
    "Non-Redundancy": (4.044, 0.170),
    "Referential Clarity": (3.513, 0.383),
    "Grammaticality": (4.030, 0.305),
    "Focus": (3.290, 0.318),
    "Structure": (2.998, 0.201),
    "Coherence": (3.005, 0.238),
    "Readability": (3.455, 0.237),
    "Information Content": (3.274, 0.317),
    "Spelling": (4.294, 0.202),
    "Length": (3.577, 0.103),
    "Overall Quality": (3.036, 0.380),
}

# BLANC, CNN_DailyMail_555: Spearman of each annotator with the mean of the others, recomputed from
# the released scores; scipy on the plain lists gives the same. 18 is 0.59646, which becomes 0.597
# only when it is rounded twice.
ANNOTATORS = {
    "14": 0.175,
    "6": 0.227,
    "23": 0.323,
    "4": 0.333,
    "13": 0.424,
    "15": 0.454,
    "12": 0.456,
    "21": 0.457,
    "5": 0.480,
    "19": 0.549,
    "10": 0.555,
    "16": 0.569,
    "18": 0.596,
}


@pytest.fixture(scope="module")
def dip(paper_data: Path) -> Corpus:
    return FORMATS.get("dip-sumeval").read(paper_data / "dip-sumeval")


@pytest.fixture(scope="module")
def blanc(paper_data: Path) -> Corpus:
    return FORMATS.get("blanc").read(paper_data / "blanc" / "CNN_DailyMail_555.json")


@pytest.fixture(scope="module")
def votes(dip: Corpus) -> dict[tuple[str, str], Agreement]:
    result = comparisons_agreement(dip)
    return {(one.dimension, one.statistic): one for one in result if one.scope == ""}


@pytest.mark.parametrize("dimension", PAIRS)
def test_pairwise_votes_agree_as_printed(
    votes: dict[tuple[str, str], Agreement], dimension: str
) -> None:
    alpha, agreement, _ = PAIRS[dimension]
    assert rounded(votes[dimension, "alpha"].value, 3) == alpha
    assert rounded(votes[dimension, "pairwise-agreement"].value, 3) == agreement
    assert votes[dimension, "pairwise-agreement"].chance == 0.65625
    assert votes[dimension, "alpha"].n == 1029


@pytest.mark.parametrize("dimension", PAIRS)
def test_alpha_without_orientation(votes: dict[tuple[str, str], Agreement], dimension: str) -> None:
    result = votes[dimension, "alpha-symmetric"]
    assert rounded(result.value, 4) == PAIRS[dimension][2]
    assert result.low is not None
    assert result.value is not None
    assert result.low < result.value


def test_likert_means_and_ordinal_alphas(dip: Corpus) -> None:
    columns = columns_by_dimension(dip.ratings)
    records = ratings_agreement(dip, most_splits=1)
    alphas = {one.dimension: one for one in records if one.statistic == "alpha-ordinal"}
    result = {
        dimension: (round(float(own.values.mean()), 3), rounded(alphas[dimension].value, 3))
        for dimension, own in columns.items()
    }
    assert result == LIKERT
    assert {len(own) for own in columns.values()} == {1247}


def test_each_annotator_of_blanc_against_the_others(blanc: Corpus) -> None:
    splits = annotators_against_rest(columns_by_dimension(blanc.ratings)["overall"])
    result = {split.group[0]: rounded(split.correlation.value, 3) for split in splits}
    assert result == ANNOTATORS


def test_three_of_blancs_annotators_against_the_rest(blanc: Corpus) -> None:
    """13 ids are released, not 10: three of them can be chosen in 286 ways."""
    columns = columns_by_dimension(blanc.ratings)["overall"]
    splits = splits_against_rest(columns, 3, rng=np.random.default_rng(0))
    values = [split.correlation.value or 0.0 for split in splits]
    assert len(values) == 286
    assert 0.2 < min(values) < max(values) < 0.8


def rounded(value: float | None, digits: int) -> float:
    assert value is not None
    return round(value, digits)
