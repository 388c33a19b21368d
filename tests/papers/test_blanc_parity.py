"""BLANC-help counts exactly what the package blanc 0.3.4 of its authors counts.

The expected numbers were written by tests/metrics/language_model/golden/make_blanc.py: counts, both
measures, and a hash of every token that the package's model filled in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blanc_cases import GAPS, SHORT, cases
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.language_model.blanc_help import BlancHelp
from gistmark.metrics.metric import Values
from gistmark.models.language_models.masked import Gapped, MaskedModel
from guessing_model import guessing_model

pytestmark = pytest.mark.papers

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "metrics" / "language_model" / "golden" / "blanc.json").read_text()
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return guessing_model(tmp_path_factory.mktemp("models") / "guessing")


@pytest.fixture(scope="module")
def batch(paper_data: Path) -> Batch:
    return Batch.of([Item(case.summary, (), case.document) for case in cases(paper_data)])


@pytest.fixture(scope="module", params=GAPS)
def run(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return [run for run in GOLDEN["runs"] if run["gap"] == request.param]


def scored(model: Path, batch: Batch, gap: int, measure: str) -> Values:
    return BlancHelp(BlancHelp.Options(model=str(model), gap=gap, measure=measure)).score(batch)


@pytest.mark.parametrize("measure", ["relative", "improve"])
def test_counts_and_values_equal_those_of_the_package(
    model: Path, batch: Batch, run: list[dict[str, Any]], measure: str
) -> None:
    result = scored(model, batch, run[0]["gap"], measure)
    assert result.reasons == {}
    assert result.values[:, 1:].tolist() == [case["counts"] for case in run]
    assert result.values[:, 0].tolist() == pytest.approx([case[measure] for case in run], abs=1e-15)


def test_every_token_that_the_model_fills_in_is_that_of_the_package(
    model: Path,
    paper_data: Path,
    run: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    filled: list[str] = []
    predict = MaskedModel.predict

    def recorded(self: MaskedModel, sequences: Sequence[Gapped]) -> list[Any]:
        answers = predict(self, sequences)
        tokens = self.tokenizer.convert_ids_to_tokens(np.concatenate(answers).tolist())
        filled.append(hashlib.sha256(" ".join(tokens).encode()).hexdigest()[:16])
        return answers

    monkeypatch.setattr(MaskedModel, "predict", recorded)
    for case in cases(paper_data):
        scored(model, Batch.of([Item(case.summary, (), case.document)]), run[0]["gap"], "relative")
    assert filled == [case["filled"] for case in run]


def test_the_cases_cover_every_count_and_enough_documents() -> None:
    """Otherwise equal counts would say little."""
    assert len(SHORT) >= 20
    for gap in GAPS:
        counts = np.array([run["counts"] for run in GOLDEN["runs"] if run["gap"] == gap])
        assert (counts.sum(axis=0) >= 20).all()
