"""Sentences on confidence and weights are said where they are true, and not of noise."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.pipeline import people_study, study
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.records import Rating, Summary
from gistmark.scoring import score

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


def said(result: Study) -> list[str]:
    return [finding.text for finding in result.findings if finding.kind == "confidence"]


@pytest.mark.parametrize(
    ("annotators", "people"),
    [(1, "The annotator gives"), (3, "These annotators give"), (12, "Annotators give")],
)
def test_the_dimension_that_weighs_most_is_named(annotators: int, people: str):
    """The overall dimension weighs more by itself, and is no candidate."""
    [text] = said(studied(0, heavier=1.0, annotators=annotators))
    assert text.startswith(f"{people} most weight to focus: ")


def test_that_the_unsure_differ_more_is_said():
    [text] = said(studied(1, doubt=0.8))
    assert text.startswith("The same two annotators differ more where neither is sure")


def test_noise_has_no_sentence():
    assert sum(bool(said(studied(seed))) for seed in range(12)) <= 2


def test_the_records_are_in_the_study_and_its_file():
    result = studied(0, heavier=1.0)
    records = result.records()
    for kind in ("confidence", "confidence_agreement", "hard_documents", "document_tests"):
        assert records[kind], kind
        assert kind in result.to_json()
    assert "weighted overall" in {record["dimension"] for record in records["ranking"]}


def test_a_study_without_confidence_has_none():
    bare = people_study(Corpus(ratings=(Rating("d", "s", "a", "focus", 3.0),)))
    assert (bare.confidence, bare.confidence_agreement, bare.hard_documents) == ((), (), ())
    assert not said(bare)


@pytest.mark.parametrize(("documents", "annotators"), [(1, 3), (6, 1), (1, 1)])
def test_few_people_and_few_documents_have_reasons_and_no_sentence(documents: int, annotators: int):
    rng = np.random.default_rng(0)
    ratings = [
        Rating(f"d{d}", f"s{s}", f"a{a}", dimension, *map(float, rng.integers(1, 6, 3)))
        for d in range(documents) for s in range(3) for a in range(annotators)
        for dimension in ("focus", "grammar")
    ]  # fmt: skip
    few = people_study(Corpus(ratings=tuple(ratings)), StudyOptions(resamples=99))
    assert few.confidence
    assert few.confidence_agreement
    assert few.hard_documents == ()
    for record in (*few.confidence, *few.confidence_agreement):
        assert record.low is not None or record.reason
    assert not said(few)


def test_metrics_are_correlated_where_people_are_sure_and_where_not():
    """Every second summary is rated with certainty; any other limit may be asked for."""
    rng = np.random.default_rng(0)
    units = [(f"d{d}", f"s{s}") for d in range(8) for s in range(3)]
    corpus = Corpus(
        summaries=tuple(Summary(*unit, "word " * int(rng.integers(1, 9))) for unit in units),
        ratings=tuple(
            Rating(*unit, "a", "focus", float(rng.integers(1, 6)), confidence=5.0 - 3 * (k % 2))
            for k, unit in enumerate(units)
        ),
    )
    options = StudyOptions(resamples=40, subsets=["confidence < 2 or words > 8"])
    result = study(corpus, score(corpus, ["words"], cache=False), options)
    sizes = {r.subset: r.n for r in result.correlation if r.metric == "words" and r.subset}
    assert sizes["confidence >= 3"] == sizes["confidence < 3"] == 12
    assert {*sizes} == {"confidence >= 3", "confidence < 3", *options.subsets}
