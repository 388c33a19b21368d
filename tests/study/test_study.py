"""Whole studies: what is studied, what is named, and what is refused."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import gistmark
from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, UsageError
from gistmark.records import Comparison, Rating, Summary
from gistmark.study.findings import headline_findings
from gistmark.study.records import Agreement, Correlation, HumanScore, Rank
from gistmark.study.results import Study, best_metrics
from gistmark.study.study import StudyOptions, headline_score, study

FEW = StudyOptions(resamples=20)
MORE = replace(FEW, subsets=["chars < 300"], combinations=["rouge1+rougeL"])


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return gistmark.load(gistmark.sample_folder())


@pytest.fixture(scope="module")
def scores(corpus: Corpus) -> gistmark.Scores:
    return gistmark.score(corpus, ["rouge1", "rougeL", "js", "hrouge1"], cache=False)


@pytest.fixture(scope="module")
def found(corpus: Corpus, scores: gistmark.Scores) -> Study:
    return study(
        corpus, scores, replace(FEW, subsets=["chars < 300"], combinations=["rouge1+rougeL"])
    )


def ratings(values: dict[tuple[str, str, str], float], dimension: str = "overall") -> list[Rating]:
    return [Rating(d, s, a, dimension, value) for (d, s, a), value in values.items()]


def test_the_json_has_the_keys_and_fields_of_the_contract(found: Study, tmp_path: Path):
    content = json.loads(found.write(tmp_path).read_text())
    for key in ("agreement", "correlation", "ranking", "human_scores", "notes", "signatures"):
        assert isinstance(content[key], list)
    wanted = {"metric", "part", "human", "level", "coefficient", "value", "low", "high", "p", "n"}
    assert wanted <= set(content["correlation"][0])
    for key, kind in (
        ("agreement", Agreement),
        ("correlation", Correlation),
        ("ranking", Rank),
        ("human_scores", HumanScore),
    ):
        assert set(content[key][0]) == {field.name for field in fields(kind)}
    assert {entry["metric"] for entry in content["signatures"]} == {
        "rouge1", "rougeL", "js", "hrouge1",
    }  # fmt: skip


def test_a_global_correlation_is_the_one_of_scipy(
    found: Study, corpus: Corpus, scores: gistmark.Scores
):
    means: dict[tuple[str, str], list[float]] = {}
    for rating in corpus.ratings:
        if rating.dimension == "Overall Quality":
            means.setdefault((rating.document, rating.system), []).append(rating.value)
    units = list(zip(scores.documents, scores.systems, strict=True))
    human = [np.mean(means[unit]) for unit in units]
    values = scores.columns["rouge1"].part("f")
    expected = stats.spearmanr(values.round(10), np.round(human, 10))  # equal values are ties
    (record,) = [
        r
        for r in found.correlation
        if (r.metric, r.part, r.human, r.level, r.coefficient, r.given, r.subset)
        == ("rouge1", "f", "Overall Quality", "global", "spearman", "", "")
    ]
    assert record.value == pytest.approx(expected.statistic, abs=1e-9)
    assert record.p == pytest.approx(expected.pvalue, rel=1e-6)
    assert record.n == len(units)
    assert record.low is not None
    assert record.high is not None
    assert record.low <= record.high


def test_combinations_subsets_and_partial_correlations_are_there(found: Study):
    assert any(record.metric == "rouge1+rougeL" for record in found.correlation)
    subsets = {record.subset for record in found.correlation}
    assert subsets == {"", "chars < 300"}
    assert {record.given for record in found.correlation} == {"", "chars"}
    sizes = {r.subset: r.n for r in found.correlation if r.level == "global" and r.metric == "js"}
    assert sizes["chars < 300"] < sizes[""] == 56


def test_the_same_seed_gives_the_same_study(corpus: Corpus, scores: gistmark.Scores, found: Study):
    assert study(corpus, scores, MORE).to_json() == found.to_json()
    assert study(corpus, scores, replace(MORE, seed=1)).to_json() != found.to_json()


def test_a_study_does_without_scores_ratings_comparisons_or_highlights(
    corpus: Corpus, scores: gistmark.Scores
):
    people = study(corpus, None, FEW)
    assert people.ranking
    assert not people.differences
    bare = replace(corpus, ratings=(), comparisons=(), highlights=())
    metrics_only = study(bare, scores, FEW)
    assert {record.by for record in metrics_only.ranking} == {"scores"}
    assert not metrics_only.agreement
    marks = study(replace(bare, highlights=corpus.highlights), None, FEW)
    assert {record.subject for record in marks.agreement} == {"highlights"}


def test_a_corpus_with_nothing_to_study_is_a_sentence(corpus: Corpus):
    bare = replace(corpus, ratings=(), comparisons=(), highlights=())
    with pytest.raises(GistmarkError, match="nothing to study"):
        study(bare, None, FEW)


def test_odd_data_are_named_and_do_not_stop_the_study():
    rows = ratings(
        {(f"d{i}", s, a): 1 + (i + len(s)) % 5 for i in range(4) for s in ("x", "yy") for a in "ab"}
    )
    rows += ratings({("d0", "x", "once"): 3})
    rows += ratings({(f"d{i}", "x", a): 2 for i in range(4) for a in "ab"}, "flat")
    rows += ratings({("d1", "yy", "a"): 99}, "far")
    rows += ratings({("d2", "ghost", "a"): 4, ("d2", "ghost", "b"): 2})
    corpus = Corpus(
        summaries=tuple(Summary(f"d{i}", s, "text") for i in range(4) for s in ("x", "yy")),
        ratings=tuple(rows),
        comparisons=(Comparison("d0", "x", "yy", "c", "overall", "left"),),
    )
    found = study(corpus, None, replace(FEW, scales={"far": (1, 5)}))
    notes = {note.about: note.text for note in found.notes}
    assert notes["far"] == "1 ratings are outside the scale from 1 to 5 and were left out."
    assert "Every rating is 2" in notes["flat"]
    assert "once" in notes["annotators"]
    assert "ghost" in notes["systems"]
    assert "only 4 documents" in notes["documents"]
    assert not any(score.human == "far" for score in found.human_scores)
    flat = [r for r in found.correlation if "flat" in (r.metric, r.human)]
    assert flat
    assert all(record.value is None and record.reason for record in flat)


def test_a_subset_that_cannot_be_read_is_a_wrong_command(corpus: Corpus, scores: gistmark.Scores):
    with pytest.raises(UsageError):
        study(corpus, scores, replace(FEW, subsets=["chars <"]))


def test_the_package_can_be_called_like_the_function(corpus: Corpus):
    import gistmark.study as package

    assert callable(gistmark.study)
    assert package(corpus, None, FEW).to_json() == study(corpus, None, FEW).to_json()


def test_frames_hold_the_records(found: Study):
    assert len(found.to_pandas()) == len(found.correlation)
    assert len(found.to_polars("ranking")) == len(found.ranking)
    assert "correlation=" in repr(found)
    assert "<table>" in found._repr_html_()


def test_the_best_metrics_come_strongest_first_and_dimensions_are_no_metrics(found: Study):
    ranked = best_metrics(found, "Overall Quality")
    strengths = [abs(record.value or 0) for record in ranked]
    assert strengths == sorted(strengths, reverse=True)
    assert not {record.metric for record in ranked} & {"Readability", "Information Content"}


@pytest.mark.parametrize(
    ("names", "overall", "expected"),
    [
        (["Focus", "Overall Quality", "HS3"], None, "Overall Quality"),
        (["Focus", "HS1", "HS3"], None, "HS3"),
        (["Focus", "Structure"], None, "Focus"),
        (["Focus", "Structure"], "Structure", "Structure"),
    ],
)
def test_the_headline_score_is_the_overall_one(
    names: list[str], overall: str | None, expected: str
):
    assert headline_score(names, overall) == expected


def test_the_findings_name_the_best_system_and_metric_and_the_agreement(found: Study):
    lines = headline_findings(found)
    assert lines[0].startswith("Best by ratings of Overall Quality (mean): careful 4.2")
    assert any(line.startswith("Closest to people (Overall Quality") for line in lines)
    assert any("alpha-ordinal" in line for line in lines)
    assert not any("alpha-nominal" in line for line in lines)
