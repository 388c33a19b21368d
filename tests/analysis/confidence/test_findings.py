"""Sentences on confidence and weights are said where they are true, and not of noise."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.pipeline import people_study
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.records import Rating

WEIGHTS = {"focus": 1.0, "grammar": 0.0, "overall": 2.0}


def studied(seed: int, *, heavier: float = 0.0, annotators: int = 3, doubt: float = 0.0) -> Study:
    rng = np.random.default_rng(seed)
    ratings = [
        Rating(
            f"d{d}", f"s{s}", f"a{a}", dimension,
            float(np.clip(np.round(3 + rng.normal(0, 0.5 * np.exp(-doubt * sure))), 1, 5)),
            float(np.clip(np.round(3 + sure), 1, 5)), float(rng.integers(1, 4) + heavier * more),
        )
        for d in range(10) for s in range(3) for a in range(annotators)
        for dimension, more in WEIGHTS.items() for sure in [rng.normal()]
    ]  # fmt: skip
    return people_study(Corpus(ratings=tuple(ratings)), StudyOptions(resamples=99))


def said(study: Study) -> list[str]:
    return [finding.text for finding in study.findings if finding.kind == "confidence"]


@pytest.mark.parametrize(("annotators", "people"), [(3, "These annotators"), (12, "Annotators")])
def test_the_dimension_that_weighs_most_is_named(annotators: int, people: str):
    """The overall dimension weighs more by itself, and is no candidate."""
    [text] = said(studied(0, heavier=1.0, annotators=annotators))
    assert text.startswith(f"{people} give most weight to focus: ")


def test_that_the_unsure_differ_more_is_said():
    [text] = said(studied(1, doubt=0.8))
    assert text.startswith("The same two annotators differ more where neither is sure")


def test_noise_has_no_sentence():
    assert sum(bool(said(studied(seed))) for seed in range(12)) <= 2


def test_the_records_are_in_the_study_and_its_file():
    study = studied(0, heavier=1.0)
    records = study.records()
    for kind in ("confidence", "confidence_agreement", "hard_documents", "document_tests"):
        assert records[kind], kind
        assert kind in study.to_json()
    assert "weighted overall" in {record["dimension"] for record in records["ranking"]}


def test_a_study_without_confidence_has_none():
    study = people_study(Corpus(ratings=(Rating("d", "s", "a", "focus", 3.0),)))
    assert (study.confidence, study.confidence_agreement, study.hard_documents) == ((), (), ())
    assert not said(study)
