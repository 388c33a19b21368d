"""Whole studies: what is studied, what is named, and what is refused."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from html import escape
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import gistmark
from gistmark.analysis.findings.headline import headline_score
from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.pipeline import people_study, study
from gistmark.analysis.studies.records import (
    Agreement,
    Correlation,
    Difference,
    Finding,
    HumanScore,
    Pair,
    Rank,
)
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, UsageError
from gistmark.records import Comparison, Rating, Summary

FEW = StudyOptions(resamples=40)
MORE = replace(FEW, subsets=["chars < 300"], combinations=["rouge1+rougeL"])


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return gistmark.load(gistmark.sample_folder())


@pytest.fixture(scope="module")
def scores(corpus: Corpus) -> gistmark.Scores:
    return gistmark.score(corpus, ["rouge1", "rougeL", "js", "hrouge1"], cache=False)


@pytest.fixture(scope="module")
def finished(corpus: Corpus, scores: gistmark.Scores) -> Study:
    return study(corpus, scores, MORE)


def ratings(values: dict[tuple[str, str, str], float], dimension: str = "overall") -> list[Rating]:
    return [Rating(d, s, a, dimension, value) for (d, s, a), value in values.items()]


def test_the_json_has_the_keys_and_fields_of_the_contract(finished: Study, tmp_path: Path):
    content = json.loads(finished.write(tmp_path).read_text())
    for key in (
        "agreement", "correlation", "ranking", "pairs", "human_scores", "findings", "notes",
        "signatures",
    ):  # fmt: skip
        assert isinstance(content[key], list)
    wanted = {"metric", "part", "human", "level", "coefficient", "value", "low", "high", "p", "n"}
    assert wanted <= set(content["correlation"][0])
    for key, kind in (
        ("agreement", Agreement),
        ("correlation", Correlation),
        ("differences", Difference),
        ("findings", Finding),
        ("pairs", Pair),
        ("ranking", Rank),
        ("human_scores", HumanScore),
    ):
        assert set(content[key][0]) == {field.name for field in fields(kind)}
    assert {entry["metric"] for entry in content["signatures"]} == {
        "rouge1", "rougeL", "js", "hrouge1",
    }  # fmt: skip


def test_a_global_correlation_is_the_one_of_scipy(
    finished: Study, corpus: Corpus, scores: gistmark.Scores
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
        for r in finished.correlation
        if (r.metric, r.part, r.human, r.level, r.coefficient, r.given, r.subset)
        == ("rouge1", "f", "Overall Quality", "global", "spearman", "", "")
    ]
    assert record.value == pytest.approx(expected.statistic, abs=1e-9)
    assert record.over == "documents of these systems"
    assert record.p is None  # 4 systems; and scipy takes summaries as independent
    assert record.n == len(units)
    assert record.low is not None
    assert record.high is not None
    assert record.low <= record.high


def test_combinations_subsets_and_partial_correlations_are_there(finished: Study):
    assert any(record.metric == "rouge1+rougeL" for record in finished.correlation)
    subsets = {record.subset for record in finished.correlation}
    assert {subset.partition(" ")[0] for subset in subsets} == {"", "chars", "confidence"}
    assert {record.given for record in finished.correlation} == {"", "chars"}
    sizes = {
        r.subset: r.n for r in finished.correlation if r.level == "global" and r.metric == "js"
    }
    assert sizes["chars < 300"] < sizes[""] == 56


def test_the_same_seed_gives_the_same_study(
    corpus: Corpus, scores: gistmark.Scores, finished: Study
):
    assert study(corpus, scores, MORE).to_json() == finished.to_json()
    assert study(corpus, scores, replace(MORE, seed=1)).to_json() != finished.to_json()


def test_a_study_does_without_scores_ratings_comparisons_or_highlights_and_tells_its_steps(
    corpus: Corpus, scores: gistmark.Scores
):
    steps: list[tuple[str, int, int]] = []
    people = study(corpus, None, FEW, progress=lambda *step: steps.append(step))
    assert [name for name, *_ in steps] == [
        "Agreement", "Correlation", "Ranking", "Differences between metrics", "Findings",
    ]  # fmt: skip
    assert [(done, total) for _, done, total in steps] == [(k, 5) for k in range(5)]
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
    finished = study(corpus, None, replace(FEW, scales={"far": (1, 5)}))
    notes = {note.about: note.text for note in finished.notes}
    assert notes["far"] == "1 rating outside the scale from 1 to 5 was left out."
    assert "Every rating is 2" in notes["flat"]
    assert "once" in notes["annotators"]
    assert "ghost" in notes["systems"]
    assert "only 4 documents" in notes["documents"]
    assert not any(score.human == "far" for score in finished.human_scores)
    flat = [r for r in finished.correlation if "flat" in (r.metric, r.human)]
    assert flat
    assert all(record.value is None and record.reason for record in flat)


def test_a_subset_that_cannot_be_read_is_a_wrong_command(corpus: Corpus, scores: gistmark.Scores):
    with pytest.raises(UsageError):
        study(corpus, scores, replace(FEW, subsets=["chars <"]))


def test_the_package_offers_the_function():
    assert gistmark.study is study


def test_frames_hold_the_records(finished: Study):
    assert len(finished.to_pandas()) == len(finished.correlation)
    assert len(finished.to_polars("ranking")) == len(finished.ranking)
    assert "correlation=" in repr(finished)
    assert list(finished.to_pandas("pairs")) == [field.name for field in fields(Pair)]
    assert list(Study().to_pandas("pairs")) == [field.name for field in fields(Pair)]
    assert list(Study().to_polars("ranking").columns) == [field.name for field in fields(Rank)]


def test_a_kind_of_record_that_there_is_not_names_those_that_there_are(finished: Study):
    for frame in (finished.to_pandas, finished.to_polars):
        with pytest.raises(UsageError, match=r"'nope'.*correlation.*pairs"):
            frame("nope")


def test_a_notebook_shows_the_findings_and_a_figure(finished: Study):
    page = finished._repr_html_()
    for finding in finished.findings:
        assert escape(finding.text) in page
    assert page.count("<circle") == 4
    assert "<svg" in page
    assert "There are no findings" in Study()._repr_html_()


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


def test_what_people_say_is_the_same_with_and_without_metrics(corpus: Corpus, finished: Study):
    alone = people_study(corpus, FEW)
    by_people = [record for record in finished.ranking if record.by != "scores"]
    assert list(alone.ranking) == by_people
    assert list(alone.pairs) == [record for record in finished.pairs if record.by != "scores"]
    assert alone.agreement == finished.agreement
    kinds = ("systems", "agreement", "confidence")
    assert list(alone.findings) == [f for f in finished.findings if f.kind in kinds]


def test_letters_follow_from_the_pairs_of_the_same_ranking(finished: Study):
    apart = {
        (p.by, p.dimension, p.method, frozenset((p.left, p.right))): p.p_corrected < 0.05
        for p in finished.pairs
    }
    rankings: dict[tuple[str, str, str], list[Rank]] = {}
    for rank in finished.ranking:
        if rank.rank is not None:
            rankings.setdefault((rank.by, rank.dimension, rank.method), []).append(rank)
    assert rankings
    for kind, ranks in rankings.items():
        for one, other in combinations(ranks, 2):
            shared = set(str(one.letters)) & set(str(other.letters))
            assert bool(shared) != apart[(*kind, frozenset((one.system, other.system)))]


def test_an_option_that_there_is_not_names_those_that_there_are():
    with pytest.raises(UsageError, match=r"'globe'.*system, summary, global"):
        StudyOptions(level="globe")  # type: ignore[arg-type]


def test_a_judged_system_without_a_summary_has_no_rank():
    rows = ratings({(f"d{i}", s, "a"): v for i in range(8) for s, v in (("x", 2), ("ghost", 5))})
    corpus = Corpus(
        summaries=tuple(Summary(f"d{i}", "x", "text") for i in range(8)), ratings=tuple(rows)
    )
    result = study(corpus, None, FEW)
    ranks = {record.system: record.rank for record in result.ranking if record.method == "mean"}
    assert ranks == {"x": 1.0, "ghost": None}
    assert result.findings[0].name == "x"
    assert result.findings[0].detail == "8 documents. It is the only system that is ranked."


def test_summaries_that_are_only_numbered_are_correlated_but_no_system_is_ranked():
    rng = np.random.default_rng(0)
    units = [(f"d{d}", f"s{s}") for d in range(12) for s in (1, 2, 3)]
    corpus = Corpus(
        summaries=tuple(Summary(d, s, f"{d} {s} " * 3, anonymous=True) for d, s in units),
        ratings=tuple(Rating(d, s, "a", "overall", int(rng.integers(1, 6))) for d, s in units),
    )
    result = study(corpus, gistmark.score(corpus, ["repeated1"], cache=False), FEW)
    assert result.ranking == result.pairs == ()
    assert {record.level for record in result.correlation} == {"annotation", "summary", "global"}
    assert not [finding for finding in result.findings if finding.kind == "systems"]
    notes = [note.text for note in result.notes if note.about == "systems"]
    assert notes == [
        "s1, s2 and s3 only number the summaries of a document, so nothing is said about systems."
    ]
