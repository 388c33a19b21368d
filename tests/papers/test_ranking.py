"""Figure 5 of DIP-SumEval: normalised mean ranks by ratings and by comparisons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.analysis.human import dimension_means
from gistmark.analysis.ranking.ranking import MEAN_RANK, rank_comparisons, rank_human
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.analysis.studies.records import Rank
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.formats import FORMATS

pytestmark = pytest.mark.papers

OVERALL = "Overall Quality"
LIKERT = {
    "H2": 0.710, "H3": 0.642, "H4": 0.627, "H1": 0.596, "LeadFirst": 0.417, "H5": 0.390,
    "MMR": 0.100,
}  # fmt: skip
PAIRWISE = {
    "H4": 0.706, "H2": 0.704, "H3": 0.609, "H1": 0.602, "MMR*": 0.480, "Submodular": 0.386,
    "PG-MMR": 0.014,
}  # fmt: skip


@pytest.fixture(scope="module")
def dip(paper_data: Path) -> Corpus:
    return FORMATS.get("dip-sumeval").read(paper_data / "dip-sumeval")


def resampling() -> Resampling:
    return Resampling(np.random.default_rng(0), 200)


def overall(ranks: tuple[Rank, ...]) -> dict[str, float | None]:
    """The values of the figure, from best to worst."""
    return {
        rank.system: rank.value
        for rank in ranks
        if rank.dimension == OVERALL and rank.method == MEAN_RANK
    }


def test_likert_ranks_are_those_of_the_figure(dip: Corpus) -> None:
    result = overall(rank_human(dimension_means(dip.ratings), resampling()).ranks)
    assert list(result) == list(LIKERT)
    assert result == pytest.approx(LIKERT, abs=5e-4)


def test_pairwise_ranks_are_those_of_the_figure(dip: Corpus) -> None:
    result = overall(rank_comparisons(dip.comparisons, resampling()).ranks)
    assert list(result) == list(PAIRWISE)
    assert result == pytest.approx(PAIRWISE, abs=5e-4)


def test_pg_mmr_differs_from_every_other_and_the_best_four_go_together(dip: Corpus) -> None:
    ranking = rank_comparisons(dip.comparisons, resampling()).ranks
    for method in (MEAN_RANK, "Bradley-Terry"):
        ranks = [r for r in ranking if (r.dimension, r.method) == (OVERALL, method)]
        letters = {rank.system: set(str(rank.letters)) for rank in ranks}
        assert set.intersection(*(letters[system] for system in ("H1", "H2", "H3", "H4")))
        for system in letters.keys() - {"PG-MMR"}:
            assert not letters["PG-MMR"] & letters[system]
