"""ROUGE equals the package rouge_score on the pairs of the released data.

Every fourth pair is taken, and of the long documents of BLANC's data every eighth; `make test-long`
takes all: the package needs minutes for them.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from on_use import on_use

rouge_score = on_use("rouge_score.rouge_scorer")

pytestmark = [pytest.mark.papers, pytest.mark.slow]

NAMES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
Pair = tuple[str, str]
Scores = dict[str, tuple[float, float, float]]


def emfos(folder: Path) -> list[Pair]:
    with (folder / "emfos" / "DATA.csv").open(encoding="utf-8", newline="") as file:
        return [(row["candidate"], row["gold"]) for row in csv.DictReader(file)]


def blanc(folder: Path) -> list[Pair]:
    text = (folder / "blanc" / "CNN_DailyMail_555.json").read_text(encoding="utf-8")
    return [(record["summary"], record["text"]) for record in json.loads(text)]


PAIRS = {"emfos": (emfos, 1_001), "blanc": (blanc, 555)}


@pytest.fixture(scope="module")
def workers() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor() as pool:
        yield pool


@pytest.mark.parametrize("stem", [False, True], ids=["plain", "stemmed"])
@pytest.mark.parametrize("data", PAIRS)
def test_every_pair_scores_as_in_rouge_score(
    paper_data: Path, workers: ProcessPoolExecutor, data: str, stem: bool
) -> None:
    read, count = PAIRS[data]
    pairs = read(paper_data)
    assert len(pairs) == count
    if os.environ.get("GISTMARK_EXAMPLES") != "many":
        pairs = pairs[:: 8 if data == "blanc" else 4]
    scorer = rouge_score.RougeScorer(NAMES, use_stemmer=stem)
    summaries, targets = zip(*pairs, strict=True)
    expected: list[Scores] = list(workers.map(scorer.score, targets, summaries, chunksize=20))
    batch = Batch.of([Item(summary, (target,)) for summary, target in pairs])
    for name in NAMES:
        result = metric_from(f"{name}:stem={'yes' if stem else 'no'}").score(batch)
        assert not result.reasons
        theirs = [tuple(scores[name]) for scores in expected]
        np.testing.assert_allclose(result.values, theirs, rtol=0, atol=1e-12)
