"""BLANC's daily news: Table 2 and the people of Figures 8 and 9, on small files of their shape."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.corpus.formats.datasets.blanc import FORMAT
from gistmark.papers import Cell, paper_named
from gistmark.papers.blanc import ASPECTS, NEWS, aspect_cells, news_cells

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
    cells = [*news_cells(None), *aspect_cells(None)]
    assert {cell.verdict for cell in cells} == {"not checked"}
    whys = {(cell.table, cell.why) for cell in cells if not cell.row.startswith("BLANC")}
    news, aspects = (f"{name} is not in the folder." for name in (NEWS, ASPECTS))
    assert whys == {("Table 2", news), ("Figure 8", news), ("Figure 9", aspects)}


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


def test_the_people_of_table_2_stand_there_with_their_grades_weighted_too(news: Corpus) -> None:
    """Grades 0 1 2, 2 3 4, 1 2 3 and three times 4, with the weights 3 3 1 1 2.

    The means are (3 * 1 + 2) / 7, (2 + 3 + 2 * 4) / 4, (3 * 1 + 2 + 3) / 5 and 4, in the order of
    the plain ones, so Spearman is the same.
    """
    cells = list(news_cells(news))
    values = of(cells, "Table 2 with grades weighted")
    assert values["humans, Spearman", "L"] == pytest.approx(0.8)
    expected = np.corrcoef([10, 20, 30, 40], [5 / 7, 13 / 4, 8 / 5, 4])[0, 1]
    assert values["humans, Pearson", "L"] == pytest.approx(expected)


def aspects_file(folder: Path) -> Path:
    """Ten annotators score two qualities; 15 scores the first summary twice, and the last never.

    On `Fluent` all agree; on `Compact` 4, 5 and 6 say the opposite of the others.
    """
    ids = [4, 5, 6, 12, 13, 14, 19, 21, 23]
    records = []
    for number, grade in enumerate((0, 1, 2, 3, 4)):
        grades = {"Fluent": [grade] * 9, "Compact": [4 - grade] * 3 + [grade] * 6}
        twice = [15, 15] if grade == 0 else [15] if grade < 4 else []
        scores = {0: [0, 1], 4: []}.get(grade, [grade])
        records.append({
            "map_quality_scores": {
                name: {"annotators_ids": ids + twice, "scores": own + scores}
                for name, own in grades.items()
            },
            "summary": f"s{number}",
            "text": f"t{number}",
        })  # fmt: skip
    path = folder / ASPECTS
    path.write_text(json.dumps(records))
    return path


def test_figure_9_splits_the_annotators_of_each_quality(tmp_path: Path) -> None:
    """The two scores of 15, 0 and 1, count as 0.5 and keep the order of all means on `Fluent`.

    On `Compact` the split of 4, 5 and 6 from the others has their opposite orders: -1.
    """
    corpus = FORMAT.read(aspects_file(tmp_path), on_duplicate="mean")
    values = of(list(aspect_cells(corpus)), "Figure 9")
    assert {row for row, _ in values} == {"Fluent", "Compact"}
    for row in ("Fluent", "Compact"):
        assert (values[row, "summaries"], values[row, "splits"]) == (5, 120)
    assert values["Fluent", "lowest"] == values["Fluent", "highest"] == pytest.approx(1.0)
    assert values["Fluent", "splits with p up to 0.05"] == 120
    assert values["Compact", "lowest"] == pytest.approx(-1.0)


@pytest.mark.papers
def test_both_files_beside_the_other_are_read(paper_data: Path, tmp_path: Path) -> None:
    (tmp_path / "CNN_DailyMail_555.json").symlink_to(
        paper_data / "blanc" / "CNN_DailyMail_555.json"
    )
    aspects_file(tmp_path)
    paper = paper_named("blanc")
    release = paper.read(tmp_path)
    assert any("2 means" in str(note) for note in release.optional[ASPECTS].notes)
    assert of(list(paper.cells(release)), "Figure 9")["Compact", "splits"] == 120


@pytest.mark.papers
def test_the_released_aspects_give_the_values_that_scipy_gives(paper_data: Path) -> None:
    """Each split by `scipy.stats.spearmanr`, from the file itself."""
    folder = paper_data / "blanc"
    if not (folder / ASPECTS).exists():
        pytest.skip(f"{ASPECTS} is not in {folder}")
    corpus = FORMAT.read(folder / ASPECTS, on_duplicate="mean")
    values = of(list(aspect_cells(corpus)), "Figure 9")
    for row, lowest, median, highest, significant in (
        ("Fluent", -0.219747, 0.084025, 0.290514, 57),
        ("Overall", 0.034896, 0.223759, 0.344086, 112),
    ):
        assert values[row, "lowest"] == pytest.approx(lowest, abs=1e-6)
        assert values[row, "median"] == pytest.approx(median, abs=1e-6)
        assert values[row, "highest"] == pytest.approx(highest, abs=1e-6)
        assert values[row, "splits with p up to 0.05"] == significant


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
