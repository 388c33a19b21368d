"""PyrXSum: the mean share of content units of its ten systems, as METHODS.md has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.analysis.human.marks import unit_shares
from gistmark.analysis.ranking.ranking import MEAN, rank_human
from gistmark.analysis.resampling.bootstrap import Resampling
from gistmark.corpus.formats import FORMATS
from gistmark.runtime.seeds import generator
from gistmark.scoring import score

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


def test_units_found_by_their_words_order_the_systems_as_people_do(paper_data: Path) -> None:
    """Pearson over the ten systems by the share of words, as docs/content-units.md has it."""
    source = paper_data / "pyrxsum"
    if not source.is_dir():
        pytest.skip(f"PyrXSum's released data are not in {source}")
    corpus = FORMATS.get("pyrxsum").read(source)
    board = score(corpus, "pyramid:presence=words,units=written", cache=False).leaderboard()
    means = [board.of(system, "pyramid:presence=words,units=written").mean for system in PUBLISHED]
    assert all(mean is not None for mean in means)
    correlation = np.corrcoef(np.array(means, dtype=float), list(PUBLISHED.values()))[0, 1]
    assert round(float(correlation), 3) == 0.993
