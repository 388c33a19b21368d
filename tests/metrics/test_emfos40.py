"""The forty metrics of the EMFoS thesis: all of them, and a run that goes on without the models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gistmark
from gistmark.metrics.catalogue import EMFOS40, GROUPS, metric_from, metrics_from
from gistmark.models import KNOWN, store
from gistmark.models.catalogue import models_of

HERE = ["rouge1:stem=yes", "rouge2:stem=yes", "rougeL:stem=yes"]
EMBEDDED = "wordvec-cosine:vectors=en_core_web_sm"


def test_there_are_forty_in_the_numbers_of_the_thesis():
    assert GROUPS["emfos40"] == EMFOS40
    assert len(set(EMFOS40)) == 40
    families = [spec.partition(":")[0] for spec in EMFOS40]
    assert {family: families.count(family) for family in families} == {
        "rouge1": 1, "rouge2": 1, "rougeL": 1, "sentence-cosine": 5, "cls-cosine": 2,
        "bertscore": 21, "wordvec-cosine": 5, "wmd": 4,
    }  # fmt: skip


def model_of(spec: str) -> str | None:
    return next(iter(models_of(metric_from(spec).options)), None)


def test_every_model_is_known_by_its_name():
    for spec, metric in metrics_from(["emfos40"]).items():
        assert metric.needs == {"references"}
        if "rouge" in spec:
            assert metric.options.stem
        else:
            assert model_of(spec) in KNOWN


def test_every_known_model_of_the_thesis_is_used():
    used = {model_of(spec) for spec in EMFOS40}
    others = {"glove-6b-50d", "all-MiniLM-L6-v2", "SmolLM2-135M-Instruct", "wordnet-exceptions"}
    others |= {"all-mpnet-base-v2", "granite-embedding-30m"}
    assert set(KNOWN) - others == used - {None}


@pytest.fixture
def cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine that has no models but the embedded ones, and reaches no store."""
    import huggingface_hub

    asked: list[str] = []

    def snapshot_download(name: str, **_: object) -> str:
        asked.append(name)
        raise huggingface_hub.errors.LocalEntryNotFoundError("no route")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    monkeypatch.setattr(store, "_hub_refusals", {})
    monkeypatch.setattr("gistmark.models.store.spacy_package", lambda _: None)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path / "gensim-data"))
    return asked


def test_without_the_hub_the_rest_runs_and_each_metric_says_what_it_lacks(cut_off: list[str]):
    pairs = gistmark.TextPairs(
        summaries=["The bridge is shut because of a crack.", "Ferries run."],
        references=["A crack shut the swing bridge.", "The bridge is shut, but ferries run."],
    )
    scores = gistmark.score(pairs, metrics="emfos40", cache=False)
    assert list(scores.columns) == list(EMFOS40)
    run = [name for name, column in scores.columns.items() if not column.reasons]
    assert run == [*HERE, EMBEDDED]
    assert np.isfinite(scores.columns[EMBEDDED].values).all()
    for name, column in scores.columns.items():
        if name not in run:
            assert set(column.reasons) == {0, 1}
            (reason,) = set(column.reasons.values())
            assert str(model_of(name)) in reason
            assert "\n" not in reason
    assert len(cut_off) == 1, "a hub that cannot be reached is asked once"
    assert scores.signatures["bertscore:model=bert-base-uncased"].startswith("bertscore|")
    assert "@missing" in scores.signatures["bertscore:model=bert-base-uncased"]
