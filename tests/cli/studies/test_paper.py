"""`gistmark paper`: what it prints, what it writes, and what it says without the data."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gistmark.papers import paper_names
from papers.test_emfos import scores_file, write_data
from tiny_models import llama

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def no_named_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GISTMARK_PAPER_DATA", raising=False)


def test_without_data_it_says_what_is_expected_and_where_the_public_copy_is(run: Run) -> None:
    done = run("paper", "emfos")
    assert (done.status, done.out) == (1, "")
    assert done.err == (
        "gistmark: Name the folder with the released data of emfos by --data or "
        "GISTMARK_PAPER_DATA; "
        "expected: DATA.csv; the public copy is at github.com/TarangRanpara/EMFoS, "
        "folder Dataset.\n"
    )


def test_a_folder_without_the_data_is_named(run: Run, tmp_path: Path) -> None:
    done = run("paper", "blanc", "--data", tmp_path / "nowhere")
    assert done.status == 1
    assert f"are not in {tmp_path / 'nowhere'}; expected: CNN_DailyMail_555.json" in done.err


def test_an_unknown_paper_is_a_wrong_command(run: Run) -> None:
    done = run("paper", "highrez")
    assert done.status == 2
    assert "Did you mean 'highres'?" in done.err


def test_the_help_names_every_paper_and_verdict(run: Run) -> None:
    text = run("paper", "--help").out
    for word in (*paper_names(), "exact", "within rounding", "differs", "not checked", "no print"):
        assert word in " ".join(text.split())


def test_emfos_takes_scores_and_models_by_name(run: Run, tmp_path: Path) -> None:
    data = write_data(tmp_path)
    scores = scores_file(tmp_path, {"CS1": {str(row): row for row in range(16)}})
    command = ("paper", "emfos", "--data", data, "--json")
    plain, scored = (json.loads(run(*command, *more).out) for more in ((), ("--scores", scores)))
    changed = [
        (new["table"], new["row"])
        for old, new in zip(plain, scored, strict=True)
        if new["value"] != old["value"]
    ]
    assert changed == [(table, "CS1") for table in ("Table 7.2", "Table 7.8") for _ in range(3)]
    done = run(*command, "--models", "CS9,CS99")
    assert done.status == 2
    assert "'CS99'" in done.err


def test_a_paper_without_models_refuses_them(run: Run, tmp_path: Path) -> None:
    done = run("paper", "highres", "--data", tmp_path, "--models", "CS1")
    assert done.status == 2
    assert "The tables of highres need no --models and no --scores." in done.err


@pytest.mark.papers
def test_it_prints_published_and_ours_and_closes_with_the_count(
    run: Run, paper_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GISTMARK_PAPER_DATA", str(paper_data))
    done = run("paper", "highres")
    lines = done.out.splitlines()
    assert done.status == 0
    assert lines[0].split() == [
        "Table", "5,", "ROUGE", "(Original", "document)", "Published", "Ours", "Verdict",
    ]  # fmt: skip
    assert lines[1].split() == ["TConvS2S", "Unigram", "Prec", "77.17", "77.17", "exact"]
    assert "Table 4: 6 printed values not checked: The crowd's judgements" in done.out
    assert lines[-1].startswith("Checked 12 of 64 printed values: 12 exact")


@pytest.mark.papers
def test_reasons_stand_under_the_table_and_figures_say_where_their_numbers_are_from(
    run: Run, paper_data: Path
) -> None:
    done = run("paper", "blanc", "--data", paper_data / "blanc")
    assert "(2) The released file does not say which summaries are references." in done.out
    assert "The numbers under “Another program” are not the paper's" in done.out
    (head,) = [line for line in done.out.splitlines() if line.startswith("Figure 7")]
    assert "Another program" in head
    assert "Published" not in head
    news = "Table 2: 4 printed values not checked: DailyNews_300.json is not in the folder.\n"
    assert news in done.out
    assert "within rounding" in done.out


@pytest.mark.papers
def test_json_has_every_cell_in_full(run: Run, paper_data: Path) -> None:
    done = run("paper", "emfos", "--data", paper_data, "--json")
    assert done.err == ""
    cells = json.loads(done.out)
    assert len(cells) == 280
    first = cells[0]
    assert list(first) == [
        "table", "row", "column", "published", "value", "decimals", "verdict", "why", "source",
    ]  # fmt: skip
    assert (first["published"], round(first["value"], 6)) == (0.391125, 0.391125)
    assert first["value"] != first["published"]


@pytest.mark.usefixtures("blank_figures")
@pytest.mark.papers
def test_the_folder_holds_page_tables_and_study(run: Run, paper_data: Path, tmp_path: Path) -> None:
    done = run("paper", "highres", "--data", paper_data, "-o", tmp_path / "out")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith(f"Report: {tmp_path / 'out' / 'paper.html'}\n")
    folder = tmp_path / "out"
    page, text = (folder / "paper.html").read_text(), (folder / "paper.md").read_text()
    assert "Checked 12 of 64 printed values" in page
    assert "Checked 12 of 64 printed values" in text
    assert "| PTGen | Unigram Prec | 77.09 | 77.09 | exact |" in text
    assert (folder / "study" / "report.html").exists()
    table = folder / "tables" / "table_5_rouge_original_document"
    assert (
        r"PTGen & Unigram Prec & 77.09 & 77.09 & exact \\" in table.with_suffix(".tex").read_text()
    )
    rows = list(csv.DictReader(table.with_suffix(".csv").open()))
    cells = json.loads((folder / "paper.json").read_text())
    assert [float(row["value"]) for row in rows] == [cell["value"] for cell in cells[:12]]


@pytest.mark.usefixtures("blank_figures")
@pytest.mark.papers
def test_the_folder_is_the_same_on_every_run(run: Run, paper_data: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("paper", "highres", "--data", paper_data, "-o", tmp_path / name, "--json")
    files = sorted(path for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) > 20
    for path in files:
        twin = tmp_path / "two" / path.relative_to(tmp_path / "one")
        assert path.read_bytes() == twin.read_bytes(), path.name


@pytest.mark.papers
def test_blanc_is_validated_on_its_released_data(
    run: Run, paper_data: Path, tmp_path: Path
) -> None:
    folder = llama(tmp_path / "tiny")
    command = ["paper", "blanc", "--data", paper_data / "blanc", "--validate", "--sample", 2]
    command += ["--metric", f"blanc-help:model={folder},first=2"]
    done = run(*command, "-o", tmp_path / "out")
    assert done.status == 0, done.err
    assert "random sentences" in done.out
    assert f"Report: {tmp_path / 'out'}" in done.out
    told = json.loads(run(*command, "--json").out)
    assert [len(each["written"]) for each in told["duels"]] == [2, 2]


@pytest.mark.papers
def test_only_blanc_can_be_validated(run: Run, paper_data: Path) -> None:
    done = run("paper", "highres", "--data", paper_data / "highres", "--validate")
    assert (done.status, "is for the paper blanc only, not for highres" in done.err) == (2, True)
