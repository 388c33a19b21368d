"""PyrXSum: the mean share of content units of its ten systems, as METHODS.md has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.analysis.human.units import unit_shares
from gistmark.analysis.ranking.ranking import MEAN, rank_human
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.corpus.formats import FORMATS
from gistmark.seeds import generator

pytestmark = pytest.mark.papers

PUBLISHED = {
    "facebook-bart-large": 0.3141, "google-pegasus": 0.3116, "t5-large": 0.2912,
    "BertSumExtAbs": 0.2176, "BertSumAbs": 0.1897, "convs2s": 0.1225, "topic-convs2s": 0.1218,
    "fast-abs-rl": 0.0867, "ptgen": 0.0862, "TransformerAbs": 0.0715,
}  # fmt: skip


def test_the_ten_human_scores_are_exact(paper_data: Path) -> None:
    source = paper_data / "pyrxsum"
    if not source.is_dir():
        pytest.skip(f"PyrXSum's released data are not in {source}")
    corpus = FORMATS.get("pyrxsum").read(source)
    assert len(corpus.documents) == 100
    resampling = Resampling(generator(0), 20)
    ranks = rank_human(unit_shares(corpus), resampling, by="units", methods=(MEAN,)).ranks
    assert {record.system: round(record.value or 0.0, 4) for record in ranks} == PUBLISHED
    assert [record.system for record in ranks] == list(PUBLISHED)
