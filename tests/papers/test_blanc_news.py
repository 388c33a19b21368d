"""BLANC's daily news: Table 2 and the people of Figures 8 and 9, on a small file of their shape."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.datasets.blanc import FORMAT
from gistmark.papers import Cell, paper_named
from gistmark.papers.blanc import NEWS, news_cells

# The length of the text, the length of the summary, and the scores of annotators 4, 5 and 6.
RECORDS = ((100, 10, (0, 1, 2)), (100, 20, (2, 3, 4)), (100, 30, (1, 2, 3)), (400, 40, (4, 4, 4)))


def news_file(folder: Path) -> Path:
    """Records as in DailyNews_300.json: the scores stand in ascending order, with their ids."""
    records = [
        {
            "annotators_ids": [4, 5, 6],
            "scores": scores,
            "summary": "s" * size,
            "text": mark * length,
        }
        for mark, (length, size, scores) in zip("abcd", RECORDS, strict=True)
    ]
    path = folder / NEWS
    path.write_text(json.dumps(records))
    return path


@pytest.fixture
def news(tmp_path: Path) -> Corpus:
    return FORMAT.read(news_file(tmp_path))


def of(cells: list[Cell], table: str) -> dict[tuple[str, str], float | None]:
    return {(cell.row, cell.column): cell.value for cell in cells if cell.table == table}


def test_the_people_of_table_2_correlate_with_length_and_compression(news: Corpus) -> None:
    """L = 10 20 30 40, C = .1 .2 .3 .1, and the means are 1 3 2 4, of which the mean is 2.5.

    Pearson with L: 40 / sqrt(500 * 5) = 0.8, and so is Spearman, the ranks of L and the means
    being 1 2 3 4 and 1 3 2 4. Pearson with C: -0.05 / sqrt(0.0275 * 5). Spearman with C, which has
    the ranks 1.5 3 4 1.5: -0.5 / sqrt(4.5 * 5).
    """
    values = of(list(news_cells(news)), "Table 2")
    assert values["humans, Pearson", "L"] == pytest.approx(0.8)
    assert values["humans, Spearman", "L"] == pytest.approx(0.8)
    assert values["humans, Pearson", "C"] == pytest.approx(-0.1348399725)
    assert values["humans, Spearman", "C"] == pytest.approx(-0.1054092553)
    assert values["BLANC-help, Pearson", "L"] is None


def test_each_annotator_of_figure_8_stands_against_the_mean_of_the_others(news: Corpus) -> None:
    """Annotator 4 gives 0 2 1 4, and the others on average 1.5 3.5 2.5 4: the same order.

    Annotator 6 gives 2 4 3 4, with the ranks 1 3.5 2 3.5, and the others 0.5 2.5 1.5 4, with the
    ranks 1 3 2 4: 4.5 / sqrt(4.5 * 5).
    """
    values = of(list(news_cells(news)), "Figure 8")
    assert values["annotator 4", "Spearman with the others"] == pytest.approx(1.0)
    assert values["annotator 6", "Spearman with the others"] == pytest.approx(0.9486832981)


def test_without_the_file_nothing_is_checked_and_the_file_is_named() -> None:
    cells = list(news_cells(None))
    assert {cell.verdict for cell in cells} == {"not checked"}
    whys = {(cell.table, cell.why) for cell in cells if not cell.row.startswith("BLANC")}
    assert whys == {
        (table, "DailyNews_300.json is not in the folder.")
        for table in ("Table 2", "Figure 8", "Figure 9")
    }


def test_three_against_seven_are_split_where_ten_scored(tmp_path: Path) -> None:
    """Two halves that agree in everything: every split is a correlation of 1."""
    ids = [4, 5, 6, 12, 13, 14, 15, 19, 21, 23]
    records = [
        {"annotators_ids": ids, "scores": [score] * 10, "summary": "s" * score, "text": f"t{score}"}
        for score in (1, 2, 3, 4)
    ]
    path = tmp_path / NEWS
    path.write_text(json.dumps(records))
    values = of(list(news_cells(FORMAT.read(path))), "Figure 9 on the single score")
    row = "team 4 5 6 12 13 14 15 19 21 23"
    assert values[row, "splits"] == 120
    assert values[row, "summaries"] == 4
    assert values[row, "lowest"] == pytest.approx(1.0)


@pytest.mark.papers
def test_the_file_beside_the_other_is_read(paper_data: Path, tmp_path: Path) -> None:
    (tmp_path / "CNN_DailyMail_555.json").symlink_to(
        paper_data / "blanc" / "CNN_DailyMail_555.json"
    )
    news_file(tmp_path)
    paper = paper_named("blanc")
    values = of(list(paper.cells(paper.read(tmp_path))), "Table 2")
    assert values["humans, Pearson", "L"] == pytest.approx(0.8)


@pytest.mark.papers
def test_the_released_news_give_the_values_that_another_program_found(paper_data: Path) -> None:
    folder = paper_data / "blanc"
    if not (folder / NEWS).exists():
        pytest.skip(f"{NEWS} is not in {folder}")
    values = of(list(news_cells(FORMAT.read(folder / NEWS))), "Table 2")
    assert values["humans, Pearson", "L"] == pytest.approx(0.430, abs=6e-4)
    assert values["humans, Pearson", "C"] == pytest.approx(0.412, abs=6e-4)
    assert values["humans, Spearman", "L"] == pytest.approx(0.383, abs=6e-4)
    assert values["humans, Spearman", "C"] == pytest.approx(0.387, abs=6e-4)
