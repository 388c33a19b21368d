"""Table 5 of HighRES: ROUGE against the original document, computed as HROUGE with beta = 1."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.formats import FORMATS
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from

pytestmark = pytest.mark.papers

TABLE_5 = {  # P1, R1, P2, R2, rows "ROUGE (Original document)"
    "tconvs2s": (77.17, 4.20, 26.12, 1.21),
    "ptgen": (77.09, 4.99, 28.75, 1.64),
    "gold": (73.65, 4.42, 22.42, 1.17),
}
NORMALISED = {"tconvs2s": 78.36, "ptgen": 79.01, "gold": 74.93}


@pytest.fixture(scope="module")
def corpus(paper_data: Path) -> Corpus:
    return FORMATS.get("highres").read(paper_data / "highres")


def batch_of(corpus: Corpus, system: str) -> Batch:
    return Batch.of(
        [
            Item(summary.text, document=corpus.document(summary.document).text)
            for summary in corpus.summaries
            if summary.system == system
        ]
    )


def percentages(batch: Batch, spec: str) -> list[float]:
    """Precision and recall, the mean over the documents, with the two decimals of the paper."""
    result = metric_from(spec).score(batch)
    assert result.values.shape == (50, 3)
    assert not result.reasons
    return [round(float(value), 2) for value in 100 * np.mean(result.values[:, :2], axis=0)]


@pytest.mark.parametrize("system", TABLE_5)
def test_the_printed_values_are_ours(corpus: Corpus, system: str) -> None:
    batch = batch_of(corpus, system)
    result = percentages(batch, "hrouge1:beta=one") + percentages(batch, "hrouge2:beta=one")
    assert tuple(result) == TABLE_5[system]


@pytest.mark.parametrize("system", TABLE_5)
def test_plain_rouge_against_the_document_gives_the_same(corpus: Corpus, system: str) -> None:
    batch = batch_of(corpus, system)
    for n in (1, 2):
        np.testing.assert_array_equal(
            metric_from(f"hrouge{n}:beta=one").score(batch).values,
            metric_from(f"rouge{n}:against=document,tok=space").score(batch).values,
        )


def test_unified_quotes_reverse_the_printed_order_of_the_systems(corpus: Corpus) -> None:
    """The summaries write `` and '' where the documents have ", which never match as they are."""
    result = {
        system: percentages(batch_of(corpus, system), "hrouge1:beta=one,norm=quotes")[0]
        for system in NORMALISED
    }
    assert result == NORMALISED
    assert TABLE_5["tconvs2s"][0] > TABLE_5["ptgen"][0]
    assert result["tconvs2s"] < result["ptgen"]
