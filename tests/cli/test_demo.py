"""`gistmark demo`: the whole way, in a folder that the user names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gistmark.metrics.catalogue import METRICS

Run = Callable[..., Any]


def test_the_demo_goes_the_whole_way_with_every_metric_in_a_folder_of_its_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    folder = Path("gistmark-demo")
    done = run("demo")
    assert done.status == 0
    assert done.err == ""
    frame = pd.read_csv(folder / "scores.csv")
    assert list(dict.fromkeys(frame["metric"])) == list(METRICS)
    assert not frame["value"].isna().any()
    assert frame.groupby("metric")["document"].nunique().eq(14).all()
    signatures = json.loads((folder / "scores.csv.signatures.json").read_text())
    report = (folder / "report.md").read_text()
    for name in METRICS:
        assert signatures[name].replace("|", "\\|") in report
    for system in ("careful", "lead", "terse", "garbled"):
        assert f"\n{system} " in done.out
    assert "Best by ratings of Overall Quality (mean): careful" in done.out
    assert str(folder / "scores.csv") in done.out
    assert str(folder / "report.html") in done.out


def test_a_file_where_the_folder_should_be_is_a_wrong_command(run: Run, tmp_path: Path):
    (tmp_path / "taken").write_text("mine")
    done = run("demo", "-o", tmp_path / "taken")
    assert done.status == 2
    assert "taken" in done.err
    assert (tmp_path / "taken").read_text() == "mine"
