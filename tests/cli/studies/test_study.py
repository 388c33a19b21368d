"""`gistmark study`: from a corpus to a report, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

import gistmark
from gistmark.analysis import StudyOptions
from gistmark.analysis.correlation import COEFFICIENTS
from gistmark.analysis.resampling.significance import Test
from gistmark.analysis.studies.options import By, HeadlineLevel, PairsOver
from gistmark.cli.studies.study import study
from gistmark.metrics import metric_from

Run = Callable[..., Any]
CHOICES = {
    "level": get_args(HeadlineLevel), "coefficient": COEFFICIENTS.names(),
    "test": get_args(Test), "pairs_over": get_args(PairsOver), "by": get_args(By),
}  # fmt: skip
DIMENSIONS = ("Overall Quality", "Readability")
QUICK = ("--resamples", "20", "-m", "rouge1", "-m", "js")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some documents of the sample, with two of the dimensions on which they are rated."""
    whole = gistmark.load(gistmark.sample_folder())
    some = whole.only(whole.document_ids[:4])
    rated = tuple(each for each in some.ratings if each.dimension in DIMENSIONS)
    folder = tmp_path_factory.mktemp("corpus")
    gistmark.save(replace(some, ratings=rated), folder)
    return folder


@pytest.mark.usefixtures("blank_figures")
def test_a_study_prints_findings_and_writes_the_report(run: Run, corpus: Path, tmp_path: Path):
    done = run("study", corpus, *QUICK, "-o", tmp_path / "out")
    assert done.status == 0
    assert "careful has the highest mean of Overall Quality by people’s ratings" in done.out
    assert "Systems by ratings of Overall Quality (mean):" in done.out
    assert metric_from("rouge1").signature not in done.out
    assert str(tmp_path / "out" / "report.html") in done.out
    for name in ("report.html", "report.md", "study.json"):
        assert (tmp_path / "out" / name).stat().st_size > 1000
    content = json.loads((tmp_path / "out" / "study.json").read_text())
    assert {entry["metric"] for entry in content["signatures"]} == {"rouge1", "js"}


def test_the_level_coefficient_and_tests_of_the_study_can_be_chosen(run: Run, corpus: Path):
    done = run(
        "study", corpus, *QUICK, "--json", "--level", "global",
        "--coefficient", "kendall", "--test", "permutation", "--pairs-over", "both",
    )  # fmt: skip
    assert done.status == 0
    content = json.loads(done.out)
    headline = content["headline"][0]
    assert (headline["level"], headline["coefficient"]) == ("global", "kendall")
    assert {each["coefficient"] for each in content["differences"]} == {"kendall"}
    assert all("permutation" in each["test"] for each in content["differences"])
    means = [p for p in content["pairs"] if (p["by"], p["method"]) == ("ratings", "mean")]
    overall = [pair for pair in means if pair["dimension"] == "Overall Quality"]
    assert {pair["test"] for pair in overall} == {"sign flips over documents and annotators"}


def test_the_options_of_the_command_have_the_choices_and_defaults_of_a_study():
    given = study.make_context("study", ["corpus"]).params
    same = ("baseline", "over", "resamples", "seed", *CHOICES)
    assert {name: given[name] for name in same} == {
        name: getattr(StudyOptions(), name) for name in same
    }
    options = {each.name: each for each in study.params}
    for name, choices in CHOICES.items():
        assert set(options[name].type.choices) == set(choices)


def test_scores_can_come_from_a_file_and_json_goes_to_programs(
    run: Run, corpus: Path, tmp_path: Path
):
    scores = tmp_path / "scores.csv"
    assert run("score", corpus, "-m", "rouge2", "-o", scores).status == 0
    done = run("study", corpus, "--scores", scores, "--resamples", "20", "--json")
    assert done.status == 0
    content = json.loads(done.out)
    assert content["signatures"][0]["metric"] == "rouge2"
    assert content["signatures"][0]["signature"].startswith("rouge|v:")


def test_signatures_are_printed_where_they_are_asked_for(run: Run, corpus: Path):
    signature = metric_from("rouge1").signature
    done = run("study", corpus, *QUICK, "--signatures")
    assert f"rouge1: {signature}" in done.out.splitlines()


def test_metrics_are_weighed_and_divided_and_grades_are_weighted(run: Run, corpus: Path):
    grades = [word for grade in range(1, 6) for word in ("--grade-weight", f"{grade}={6 - grade}")]
    done = run(
        "study", corpus, *QUICK, "--json", *grades,
        "--combine", "3*rouge1 + js", "--combine", "rouge1/compression",
    )  # fmt: skip
    assert done.status == 0
    correlations = json.loads(done.out)["correlation"]
    assert {("3*rouge1+js", "sum"), ("3*rouge1+js", "rank"), ("rouge1/compression", "value")} <= {
        (each["metric"], each["part"]) for each in correlations
    }
    assert "Readability (grades weighted)" in {each["human"] for each in correlations}


def test_a_leaderboard_of_metrics_grows_and_takes_nothing_twice(
    run: Run, corpus: Path, tmp_path: Path
):
    file = tmp_path / "metrics.json"
    first = run("study", corpus, *QUICK, "--leaderboard", file)
    again = run("study", corpus, *QUICK, "--leaderboard", file)
    assert first.status == again.status == 0
    assert "4 new entries" in first.out  # rouge1 has three parts, js one
    assert "0 new entries" in again.out
    assert "rouge1" in (tmp_path / "metrics.md").read_text()
    assert "<html" in (tmp_path / "metrics.html").read_text()


def test_a_scale_names_what_is_outside_of_it(run: Run, corpus: Path):
    done = run("study", corpus, *QUICK, "--scale", "Readability=1-4")
    assert done.status == 0
    assert "outside the scale from 1 to 4" in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("--scale", "many"), 2, "write LOW-HIGH"),
        (("--severity", "minor"), 2, "write NAME=WEIGHT, such as minor=1, not 'minor'"),
        (("--severity", "minor=-1"), 2, "write NAME=WEIGHT"),
        (("--severity", "=1"), 2, "write NAME=WEIGHT"),
        (("--scale", "5-1"), 2, "write LOW-HIGH"),
        (("--scale", "Taste=1-5"), 2, "nobody rated a dimension 'Taste'"),
        (("--subset", "chars <"), 2, "chars <"),
        (("--combine", "rouge1+nosuch"), 2, "nosuch"),
        (("--combine", "0*rouge1+js"), 2, "must be above 0"),
        (("--grade-weight", "good"), 2, "write NAME=WEIGHT, such as 2=1, not 'good'"),
        (("--grade-weight", "good=1"), 2, "a grade is a number, and its weight is above 0"),
        (("--grade-weight", "1=0"), 2, "a grade is a number, and its weight is above 0"),
        (("-m", "rogue1"), 2, "There is no metric 'rogue1'"),
        (("--scores", "nosuch.csv"), 1, "no such file"),
        (("--scores", "x.csv", "-m", "js"), 2, "either --scores or -m"),
        (("--overall", "Taste"), 2, "Taste"),
        (("--level", "document"), 2, "'system', 'summary', 'global'"),
        (("--coefficient", "cosine"), 2, "'pearson', 'spearman', 'kendall'"),
        (("--test", "t"), 2, "'bootstrap', 'permutation', 'williams'"),
        (("--pairs-over", "systems"), 2, "'documents', 'both'"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    run: Run, corpus: Path, arguments: tuple[str, ...], status: int, sentence: str
):
    done = run("study", corpus, "--resamples", "5", *arguments)
    assert done.status == status
    assert sentence in done.err
    assert "Traceback" not in done.err


def test_a_corpus_without_judgements_and_systems_is_a_sentence(run: Run, tmp_path: Path):
    (tmp_path / "documents.jsonl").write_text('{"id": "d", "text": "words"}\n')
    done = run("study", tmp_path)
    assert done.status == 1
    assert "nothing to study" in done.err


@pytest.mark.usefixtures("blank_figures")
def test_a_study_by_campaign_keeps_campaigns_apart(run: Run, corpus: Path, tmp_path: Path):
    whole = gistmark.load(corpus)
    campaigns = {name: number % 2 for number, name in enumerate(sorted(
        {rating.annotator for rating in whole.ratings}))}  # fmt: skip
    ratings = tuple(replace(r, campaign=f"c{campaigns[r.annotator]}") for r in whole.ratings)
    gistmark.save(replace(whole, ratings=ratings), tmp_path / "both")
    pooled = run("study", tmp_path / "both", *QUICK, "--json")
    notes = [note["text"] for note in json.loads(pooled.out)["notes"]]
    assert any("come from 2 campaigns (c0 and c1) and were pooled" in note for note in notes)
    done = run("study", tmp_path / "both", *QUICK, "--by", "campaign", "-o", tmp_path / "out")
    assert done.status == 0
    content = json.loads((tmp_path / "out" / "study.json").read_text())
    ranked = {record["dimension"] for record in content["ranking"] if record["by"] == "ratings"}
    assert ranked == {f"{name} (c{number})" for name in DIMENSIONS for number in (0, 1)}
    assert {record["campaign"] for record in content["modes"]} == {"c0", "c1"}
    assert content["mode_differences"]
    assert "Readability (c0)" in (tmp_path / "out" / "report.html").read_text()
