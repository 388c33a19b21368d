"""EMFoS from other scores and models, on a made-up table of its form: no released data needed."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from blank_figures import figures_left_blank
from gistmark.corpus.formats.datasets.emfos import DIMENSIONS
from gistmark.errors import UsageError
from gistmark.papers import Cell, Release, paper_named
from gistmark.papers.emfos import ALIASES, FAMILIES, TABLES
from gistmark.papers.paper import DifferencePlot, SharePlot
from gistmark.report.pages.paper import write_paper
from gistmark.runtime.seeds import generator
from gistmark.scoring.files import read_scores

PAPER = paper_named("emfos")
ROWS = 16
WORDS = [f"word{number}" for number in range(15)]
HUMAN = ("HS1", "HS2", "HS3")


def write_data(folder: Path) -> Path:
    """Sixteen summaries; `ann` rated three quarters of the first set, `eve` all of the second."""
    rng = generator(3, "emfos")
    measures = [
        *(f"{name}_1" for name in DIMENSIONS), "annotator_1",
        *(f"{name}_2" for name in DIMENSIONS), "annotator_2",
    ]  # fmt: skip
    with (folder / "DATA.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["summaryID", "candidate", "gold", "title", *measures])
        for row in range(ROWS):
            first, second = rng.integers(1, 6, (2, len(DIMENSIONS))).tolist()
            texts = [" ".join(rng.permutation(WORDS)[:9]) for _ in range(2)]
            reviewer = "ann" if row % 4 else "bob"
            writer.writerow([row, *texts, "T", *first, reviewer, *second, "eve"])
    return folder


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return PAPER.read(write_data(tmp_path_factory.mktemp("emfos")))


def overall(release: Release) -> dict[str, float]:
    """The mean overall rating of each summary, which HS3 is on another scale."""
    values: dict[str, list[float]] = {}
    for rating in release.corpus.ratings:
        if rating.dimension == "overall":
            values.setdefault(rating.document, []).append(rating.value)
    return {document: sum(v) / len(v) for document, v in values.items()}


def scores_file(folder: Path, columns: Mapping[str, Mapping[str, float]]) -> Path:
    path = folder / "scores.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["document", "system", "metric", "part", "value", "reason"])
        for metric, values in columns.items():
            for document, value in values.items():
                writer.writerow([document, "candidate", metric, "value", value, ""])
    return path


def by_alias(cells: Sequence[Cell], table: str) -> dict[tuple[str, str], Cell]:
    return {(cell.row, cell.column): cell for cell in cells if cell.table == table}


def test_a_file_of_scores_fills_the_tables_by_metric_or_by_alias(release: Release, tmp_path: Path):
    human = overall(release)
    distances = {document: -value for document, value in human.items()}
    file = scores_file(tmp_path, {"CS9": human, ALIASES["WMD00"]: distances})
    cells = PAPER.cells(PAPER.with_scores(release, file=read_scores(file)))
    for table, alias in (("7.5", "CS9"), ("7.11", "CS9"), ("7.6", "WMD00"), ("7.12", "WMD00")):
        result = by_alias(cells, f"Table {table}")[alias, "HS3"]
        assert result.value == pytest.approx(1)  # a distance counts negated, as in the print
        assert result.verdict == "differs"
    copied = by_alias(cells, "Table 7.11")["CS9", "HS1"]
    assert "the same numbers as Table 7.5, which is about Pearson" in copied.why
    assert "Table 7.5" not in by_alias(cells, "Table 7.5")["CS9", "HS1"].why


def test_values_over_fewer_summaries_say_so(release: Release, tmp_path: Path):
    human = overall(release)
    del human["3"]
    file = read_scores(scores_file(tmp_path, {"CS1": human}))
    cells = PAPER.cells(PAPER.with_scores(release, file=file))
    why = by_alias(cells, "Table 7.2")["CS1", "HS3"].why
    assert why.startswith("Over 15 of 16 summaries, because of the others: the file has no score")


def test_metrics_without_scores_name_their_models(release: Release):
    cells = PAPER.cells(release)
    for alias, model in (("CS7", "roberta-base"), ("BS20", "google/pegasus-xsum")):
        (table,) = (name for name in list(TABLES)[:6] if alias in TABLES[name])
        found = by_alias(cells, table)[alias, "HS1"]
        assert (found.value, found.verdict) == (None, "not checked")
        assert f"{model} ({alias})" in found.why or f"--models {alias}" in found.why


def test_a_model_that_cannot_be_had_is_not_checked_with_the_reason(
    release: Release, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gistmark.models.store.spacy_package", lambda _: None)
    cells = PAPER.cells(PAPER.with_scores(release, wanted=["en_core_web_md"]))
    for table, alias in (("Table 7.5", "CS9"), ("Table 7.6", "WMD00")):
        result = by_alias(cells, table)[alias, "HS1"]
        assert result.verdict == "not checked"
        assert "get it with: python -m spacy download en_core_web_md" in result.why


def test_unknown_names_and_scores_of_something_else_are_refused(release: Release, tmp_path: Path):
    with pytest.raises(UsageError, match=r"'CS99'.*CS9"):
        PAPER.with_scores(release, wanted=["CS99"])
    other = read_scores(scores_file(tmp_path, {"CS1": {"elsewhere": 1.0}}))
    with pytest.raises(UsageError, match="not of the summaries of the paper's released data"):
        PAPER.with_scores(release, file=other)
    unrelated = read_scores(scores_file(tmp_path, {"mine": overall(release)}))
    with pytest.raises(UsageError, match="None of the scores is by a metric of the paper"):
        PAPER.with_scores(release, file=unrelated)


def test_contributions_are_shares_of_each_set_of_reviewers(release: Release):
    cells = PAPER.cells(release)
    shares = {
        (cell.table, cell.row): cell.value for cell in cells if cell.table.startswith("Figure A")
    }
    assert shares == {
        ("Figure A.1", "ann"): 75, ("Figure A.1", "bob"): 25, ("Figure A.2", "eve"): 100,
    }  # fmt: skip


def test_a_plot_for_each_family_and_coefficient(release: Release, tmp_path: Path):
    file = scores_file(tmp_path, {"CS1": overall(release)})
    plots = PAPER.plots(PAPER.with_scores(release, file=read_scores(file)))
    drawn = {plot.figure: plot for plot in plots if isinstance(plot, DifferencePlot)}
    assert list(drawn) == [f"Figure 7.{number}" for number in range(1, 2 * len(FAMILIES) + 1)]
    for figure in ("Figure 7.2", "Figure 7.8"):
        records = {record.human: record for record in drawn[figure].differences}
        assert tuple(records) == HUMAN
        assert {record.metric for record in records.values()} == {"CS1"}
        assert {record.other for record in records.values()} == {"R1"}
        assert np.isfinite([record.value or 0 for record in records.values()]).all()
        assert (records["HS3"].value or 0) > 0  # the metric is HS3 itself
    assert {record.metric for record in drawn["Figure 7.1"].differences} == {"R2", "RL"}
    assert not drawn["Figure 7.4"].differences
    assert [plot.figure for plot in plots if isinstance(plot, SharePlot)] == [
        "Figure A.1", "Figure A.2",
    ]  # fmt: skip


def test_the_page_names_the_figures_that_it_could_not_draw(release: Release, tmp_path: Path):
    file = scores_file(tmp_path, {"CS1": overall(release)})
    scored = PAPER.with_scores(release, file=read_scores(file))
    study, scores = PAPER.study(scored.corpus)
    with figures_left_blank():
        write_paper(PAPER, PAPER.cells(scored), scored, study, scores, tmp_path / "out")
    names = {path.stem for path in (tmp_path / "out" / "figures").glob("figure_*.svg")}
    assert {"figure_7_1", "figure_7_2", "figure_7_8", "figure_a_1"} <= names
    assert "figure_7_4" not in names
    _, _, not_drawn = (tmp_path / "out" / "paper.md").read_text().partition("not drawn")
    assert "Figure 7.4: Pearson correlation minus that of R1: BERTScore." in not_drawn
