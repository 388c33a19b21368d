"""A recomputed paper as a folder, made up from the sample so that no released data are needed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blank_figures import figures_left_blank
from gistmark.analysis import StudyOptions, study
from gistmark.corpus import load, sample_folder
from gistmark.papers import Cell, Paper, Release, cell
from gistmark.report.pages.paper import RECOMPUTED, paper_table, write_paper
from gistmark.scoring import score

CELLS = (
    cell("Table 1", "a_b", "x", 0.123456, 0.12345649, 6),
    cell("Table 1", "c", "x", 1274, 1247, 0, why="Rows are missing."),
    cell("Figure 2", "d", "x", 0.5, 0.5, 2, why="13 ids.", source="recomputed"),
    cell("Table 3", "e", "x", 0.7, None, 1, why="Not <released>."),
)
PAPER = Paper(
    name="folder",
    citation="Nobody & Son, Made up",
    home="example.org",
    files=("summaries.jsonl",),
    compute=lambda _: CELLS,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = load(sample_folder())
    scores = score(corpus, ["rouge1", "rouge2", "js"], cache=False)
    result = study(corpus, scores, StudyOptions(resamples=20))
    target = tmp_path_factory.mktemp("paper")
    with figures_left_blank():
        page = write_paper(
            PAPER, PAPER.cells(Release(corpus)), Release(corpus), result, scores, target
        )
    assert page == target / "paper.html"
    return target


def test_all_formats_show_the_digits_of_the_print(folder: Path) -> None:
    assert r"| a\_b | x | 0.123456 | 0.123456 | exact |  |" in (folder / "paper.md").read_text()
    assert r"a\_b & x & 0.123456 & 0.123456 & exact" in (folder / "tables/table_1.tex").read_text()
    assert '<td class="number short">1,247</td>' in (folder / "paper.html").read_text()
    written = (folder / "tables" / "table_1.csv").read_text().splitlines()
    assert written[1] == "a_b,x,0.123456,0.12345649,exact,,print"


def test_all_cells_are_in_the_json_file(folder: Path) -> None:
    records = json.loads((folder / "paper.json").read_text())
    assert tuple(Cell(**record) for record in records) == CELLS


def test_what_was_not_checked_stands_apart_and_says_why(folder: Path) -> None:
    page = (folder / "paper.html").read_text()
    _, _, absent = page.partition('id="absent"')
    assert "Not &lt;released&gt;." in absent
    assert 'id="table-table_3"' in absent
    assert 'id="table-table_1"' not in absent
    assert "not checked" in absent


def test_the_numbers_of_another_program_are_never_called_published(folder: Path) -> None:
    shared = "| d | x | 0.50 | 0.50 | exact |"
    _, _, figure = (folder / "paper.md").read_text().partition("Figure 2")
    head, _, _ = figure.partition(shared)
    assert "Another program" in head
    assert "Published" not in head
    latex = (folder / "tables" / "figure_2.tex").read_text()
    assert "Another program" in latex
    assert "Published" not in latex
    rows = (folder / "tables" / "figure_2.csv").read_text().splitlines()
    assert rows[0] == "row,column,another_program,value,verdict,why,source"
    table = paper_table("Figure 2", CELLS[2:3])
    assert [column.title for column in table.columns] == [
        "Row", "Column", "Another program", "Ours", "Verdict",
    ]  # fmt: skip


def test_a_table_of_both_kinds_has_a_column_for_each() -> None:
    table = paper_table("Mixed", CELLS[1:3])
    assert [column.key for column in table.columns][2:4] == ["published", "another_program"]
    assert [row[2:4] for row in table.rows] == [["1,274", None], [None, "0.50"]]


def test_the_figures_are_on_the_page_and_beside_it(folder: Path) -> None:
    names = {path.stem for path in (folder / "figures").glob("*.svg")}
    assert {"ranks", "dimension_correlations", "differences", "annotators"} <= names
    page = (folder / "paper.html").read_text()
    assert all(f'id="figure-{name}"' in page for name in names)
    assert (folder / "study" / "report.html").exists()
    assert (folder / "study" / "study.json").exists()


def test_a_shared_reason_is_the_note_and_different_ones_are_a_column() -> None:
    varied, shared = paper_table("Table 1", CELLS[:2]), paper_table("Figure 2", CELLS[2:3])
    assert [column.key for column in varied.columns][-1] == "why"
    assert varied.note == ""
    assert [column.key for column in shared.columns][-1] == "verdict"
    assert shared.note == f"13 ids. {RECOMPUTED}"
