"""The leaderboard of metrics that grows."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gistmark.analysis.studies.results import Signature, Study
from gistmark.errors import GistmarkError
from gistmark.report import render_leaderboard, update_leaderboard

DAY = date(2025, 11, 15)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "boards" / "metrics.json"


def test_a_run_adds_its_metrics_with_all_that_identifies_them(study: Study, file: Path):
    new = update_leaderboard(file, study, dataset="sample", n=56, today=DAY)
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["version"] == 1
    assert len(content["entries"]) == len(new) == 17
    entry = next(e for e in content["entries"] if (e["metric"], e["part"]) == ("rouge1", "f"))
    assert entry["signature"].startswith("rouge|v:")
    assert (entry["dataset"], entry["n"], entry["date"]) == ("sample", 56, "2025-11-15")
    assert len(entry["content"]) == 12
    kind = ("rouge1", "f", "global", "", "")
    records = [
        r for r in study.correlation if (r.metric, r.part, r.level, r.given, r.subset) == kind
    ]
    assert len(records) > 10
    for record in records:
        assert entry["correlations"][record.human][record.coefficient] == record.value


def test_entries_have_acc_eq_and_spa(study: Study, file: Path):
    update_leaderboard(file, study, dataset="sample", n=56, today=DAY)
    content = json.loads(file.read_text(encoding="utf-8"))
    entry = next(e for e in content["entries"] if (e["metric"], e["part"]) == ("rouge1", "f"))
    own = [r for r in study.accuracy if (r.metric, r.part) == ("rouge1", "f")]
    assert own
    for record in own:
        assert entry["accuracy"][record.human][record.statistic] == record.value
    assert " SPA " in render_leaderboard(file)[0]


def test_a_metric_that_runs_against_people_stands_last(study: Study, file: Path):
    """A correlation of -0.9 follows people where less is better, and only there."""
    update_leaderboard(file, study, dataset="sample", n=56, today=DAY)
    content = json.loads(file.read_text(encoding="utf-8"))
    content["entries"] = content["entries"][:3]
    values = {"against": (-0.9, "higher"), "weak": (0.5, "higher"), "distance": (-0.7, "lower")}
    for entry, (name, (value, better)) in zip(content["entries"], values.items(), strict=True):
        entry |= {"metric": name, "better": better}
        entry["correlations"] = {"Overall Quality": {"spearman": value}}
    file.write_text(json.dumps(content), encoding="utf-8")
    lines = render_leaderboard(file)[0].splitlines()
    order = [line.split()[1] for line in lines if line.split()[1:2] and line.split()[1] in values]
    assert order == ["distance", "weak", "against"]
    content["entries"][0]["better"] = "more"
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(GistmarkError, match="entry 1: better must be one of: higher, lower"):
        render_leaderboard(file)


def test_the_same_signature_and_data_are_not_added_twice(study: Study, file: Path):
    update_leaderboard(file, study, dataset="sample", n=56, today=DAY)
    before = file.read_bytes()
    later = date(2026, 1, 1)
    assert update_leaderboard(file, study, dataset="sample", n=56, today=later) == []
    assert update_leaderboard(file, study, dataset="other name", n=56, today=later) == []
    assert file.read_bytes() == before


def test_another_signature_or_other_data_are_added(study: Study, file: Path):
    update_leaderboard(file, study, dataset="sample", n=56, today=DAY)
    newer = [Signature(s.metric, s.signature + "|new") for s in study.signatures]
    changed = replace(study, signatures=tuple(newer))
    assert len(update_leaderboard(file, changed, dataset="sample", n=56, today=DAY)) == 17
    fewer = replace(study, human_scores=study.human_scores[1:])
    assert len(update_leaderboard(file, fewer, dataset="sample", n=56, today=DAY)) == 17
    assert len(json.loads(file.read_text(encoding="utf-8"))["entries"]) == 51


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", "has no version"),
        ('{"version": 2, "entries": []}', "version 2; this Gistmark reads and writes version 1"),
        ('{"version": 1}', "no list of entries"),
        ('{"version": 1, "entries": [{"metric": "x"}]}', "entry 1 must have exactly: metric"),
    ],
)
def test_a_file_that_is_not_understood_is_refused_and_kept(
    study: Study, tmp_path: Path, text: str, message: str
):
    file = tmp_path / "board.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(GistmarkError, match=message):
        update_leaderboard(file, study, dataset="sample", n=56, today=DAY)
    assert file.read_text(encoding="utf-8") == text
    assert [path.name for path in tmp_path.iterdir()] == ["board.json"]


def test_it_is_rendered_with_the_best_on_top(study: Study, file: Path):
    update_leaderboard(file, study, dataset="sample <b>|", n=56, today=DAY)
    markdown, page = render_leaderboard(file)
    rows = [line for line in markdown.splitlines() if line.startswith("| rouge")]
    assert rows[0].startswith("| rouge2 | recall | Overall Quality | 0.702 |")
    assert r"sample &lt;b&gt;\|" in markdown
    assert "sample &lt;b&gt;|" in page
    assert "sample <b>" not in page
    assert "0.702" in page
    assert 'id="plot"' not in page


def test_an_empty_leaderboard_is_rendered_too(file: Path):
    assert update_leaderboard(file, Study(), dataset="none", n=0, today=DAY) == []
    markdown, page = render_leaderboard(file)
    assert "Leaderboard of metrics" in markdown
    assert "There is no data." in page
