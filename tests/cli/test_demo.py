"""`gistmark demo`: the whole way, in a folder that the user names."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gistmark.analysis import StudyOptions, study
from gistmark.cli import demo
from gistmark.corpus import Corpus, load, sample_folder, save
from gistmark.metrics.catalogue import GROUPS, METRICS

Run = Callable[..., Any]

NAMES = [name for name in METRICS.builtin if name not in demo.NOT_IN_DEMO]
SPECS = [demo.DEMO_SPECS.get(name, name) for name in NAMES]
DOCUMENTS, CUT, SUMMARY_CUT = 3, 150, 80
FEW = StudyOptions(resamples=50)
SLOW = [spec for spec in SPECS if spec.startswith(("blanc", "shannon", "info-diff", "judge"))]


@pytest.fixture
def short_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """In place of the sample, the beginnings of some of its documents and of their summaries."""
    whole = load(sample_folder())
    part = whole.only(whole.document_ids[:DOCUMENTS])
    short = replace(
        part,
        documents=tuple(replace(each, texts=(each.texts[0][:CUT],)) for each in part.documents),
        summaries=tuple(replace(each, text=each.text[:SUMMARY_CUT]) for each in part.summaries),
        highlights=tuple(each for each in part.highlights if each.end <= CUT),
    )
    save(short, tmp_path / "sample")
    monkeypatch.setattr("gistmark.corpus.sample_folder", lambda: tmp_path / "sample")
    return short


@pytest.mark.slow
@pytest.mark.usefixtures("short_sample", "blank_figures")
def test_the_demo_goes_the_whole_way_with_every_metric_in_a_folder_of_its_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gistmark.analysis.study", partial(study, options=FEW))
    folder = Path("gistmark-demo")
    done = run("demo")
    assert done.status == 0
    assert "warning" not in done.err
    assert "note:" not in done.err
    board = done.out.partition("Means of")[2].partition("read only")[0].rpartition("\n")[0]
    for name in demo.SHOWN:
        assert re.search(rf"(^|\s){name}(\s|$)", board, re.MULTILINE), name
    assert f"Means of {len(demo.SHOWN)} metrics" in done.out
    assert f"the report has {len(SPECS) - len(demo.SHOWN)} more" in done.out
    assert "blanc-help and shannon read only 1 document" in done.out
    findings = json.loads((folder / "study.json").read_text())["findings"]
    printed = [line.removeprefix("* ") for line in done.out.splitlines() if line.startswith("* ")]
    assert printed == [finding["text"] for finding in findings[: demo.HEADLINES]]
    assert len(printed) == 3
    frame = pd.read_csv(folder / "scores.csv")
    assert list(dict.fromkeys(frame["metric"])) == SPECS
    scored = frame[frame["value"].notna()].groupby("metric")["document"].nunique()
    assert scored.to_dict() == {spec: 1 if spec in SLOW else DOCUMENTS for spec in SPECS}
    assert set(frame["reason"].dropna()) == {demo.LEFT_OUT}
    signatures = json.loads((folder / "scores.csv.signatures.json").read_text())
    report = (folder / "report.md").read_text()
    for spec in SPECS:
        assert signatures[spec].replace("|", "\\|") in report
    for system in ("careful", "lead", "terse", "garbled"):
        assert f"\n{system} " in done.out
    assert "careful has the highest mean of Overall Quality by people’s ratings" in done.out
    assert str(folder / "scores.csv") in done.out
    assert str(folder / "report.html") in done.out


IN_SHORT = """
import functools, sys
import gistmark.analysis, gistmark.corpus, gistmark.report
from gistmark.cli.main import main

options = gistmark.analysis.StudyOptions(resamples=20)
gistmark.analysis.study = functools.partial(gistmark.analysis.study, options=options)
gistmark.report.write_report = lambda *_, **__: "report.html"
gistmark.corpus.sample_folder = lambda: sys.argv[1]
main(sys.argv[2:])
"""
"""The command on a short sample with few resamples and no report, which needs no library."""


@pytest.mark.usefixtures("short_sample")
def test_without_the_neural_libraries_the_demo_leaves_out_their_metrics(tmp_path: Path):
    """A broken plugin beside them changes nothing."""
    hidden = tmp_path / "hidden"
    broken = hidden / "broken-1.0.dist-info"
    broken.mkdir(parents=True)
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text("[gistmark.metrics]\nbroken = no_such_module:Metric\n")
    for name in ("torch", "transformers", "sentence_transformers", "spacy"):
        (hidden / f"{name}.py").write_text("raise ImportError('not installed')\n")
    done = subprocess.run(
        [sys.executable, "-c", IN_SHORT, tmp_path / "sample", "demo", "-o", tmp_path / "demo"],
        env={**os.environ, "PYTHONPATH": str(hidden)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if " is left out: " in line]
    reasons = dict(line.split(" is left out: ") for line in lines)
    neural = [*GROUPS["neural"], demo.DEMO_SPECS["blanc-tune"], "judge"]
    assert set(reasons) == set(neural)
    assert all("get it with: pip install 'gistmark[neural]'" in why for why in reasons.values())
    frame = pd.read_csv(tmp_path / "demo" / "scores.csv")
    assert list(dict.fromkeys(frame["metric"])) == [
        name for name in NAMES if name not in (*GROUPS["neural"], "blanc-tune", "judge")
    ]
    assert not frame["value"].isna().any()


def test_a_file_where_the_folder_should_be_is_a_wrong_command(run: Run, tmp_path: Path):
    (tmp_path / "taken").write_text("mine")
    done = run("demo", "-o", tmp_path / "taken")
    assert done.status == 2
    assert "taken" in done.err
    assert (tmp_path / "taken").read_text() == "mine"
