"""The figures: what they leave out they say, and nothing random gets in."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from gistmark.analysis.findings.words import show_number
from gistmark.analysis.ranking.letters import show_letters
from gistmark.analysis.studies.displays import rating_bins
from gistmark.analysis.studies.records import Correlation, Headline, Rank
from gistmark.analysis.studies.results import Signature, Study
from gistmark.corpus import Corpus
from gistmark.records import Rating
from gistmark.report.figures import Absent, Figure, all_figures
from gistmark.report.figures.drawing import shorten
from gistmark.report.figures.heatmaps import metric_figure
from gistmark.report.figures.pairs import (
    Cell,
    _cells_above_diagonal,
    difference_figure,
    metric_pairs_figure,
    system_pairs_figure,
)
from gistmark.report.figures.ratings import histogram_figure
from gistmark.report.figures.systems import forest_figure, rank_figure
from gistmark.report.page import inline_svg
from gistmark.report.table import without_gaps
from gistmark.report.tables.correlation import headline_pairs
from gistmark.report.tables.ranking import first_ranking_tables, ranking_table
from gistmark.report.views import View

LONG = "bert_lstm_pn_rl_a_system_with_a_very_long_name_indeed_out"


def correlation(metric: str, value: float | None, human: str = "Overall") -> Correlation:
    return Correlation(metric, "f", human, "global", "spearman", value, None, None, None, 9)


NUMBER = re.compile(r"(?<![\w.])[-−]?\d+\.\d+(?![\w.])")


@pytest.fixture(scope="module")
def figures(view: View) -> dict[str, Figure | Absent]:
    return all_figures(view)


def test_every_figure_is_drawn_from_a_full_study(figures: dict[str, Figure | Absent]):
    assert [f.name for f in figures.values() if isinstance(f, Absent)] == []


def test_a_figure_needs_nothing_but_the_records_of_the_study(
    view: View, figures: dict[str, Figure | Absent]
):
    """Without ratings and scores at hand every figure is the same to the last byte."""
    assert all_figures(View(view.study, Corpus(), None, view.baseline)) == figures


def test_every_number_that_a_figure_shows_is_in_study_json(
    view: View, figures: dict[str, Figure | Absent]
):
    """Numbers in words, and those printed in cells; a difference may be seen from either side."""
    content = json.loads(view.study.to_json())
    records = [record for kind in content.values() if isinstance(kind, list) for record in kind]
    values = [v for record in records for v in record.values() if isinstance(v, float)]
    known = {show_number(sign * value) for value in values for sign in (1, -1)}
    known.add("1.000")  # every human score with itself
    for figure in map(drawn, figures.values()):
        cells = re.findall(r">([-−]?\d\.\d{3})</text>", figure.svg)
        shown = {number.replace("−", "-") for number in (*NUMBER.findall(figure.alt), *cells)}
        assert shown <= known, figure.name


def test_every_figure_says_why_it_is_missing():
    figures = all_figures(View(Study(), Corpus(), None, "rouge1"))
    assert all(isinstance(figure, Absent) and figure.reason for figure in figures.values())


def test_a_heat_map_keeps_the_closest_thirty_and_says_so():
    names = [f"m{position}" for position in range(40)]
    study = Study(
        correlation=tuple(correlation(name, position / 50) for position, name in enumerate(names)),
        signatures=tuple(Signature(name, name) for name in names),
    )
    figure = metric_figure(View(study, Corpus(), None, "m0"))
    assert isinstance(figure, Figure)
    assert "The closest 30 of 40 metrics are shown." in figure.caption
    assert ">m39.f<" in figure.svg
    assert ">m9.f<" not in figure.svg
    assert "Global level: Highest: m39.f with Overall, 0.780." in figure.alt


def test_an_undefined_correlation_is_a_dash_in_its_cell():
    study = Study(
        correlation=(correlation("a", 0.5), correlation("a", None, "Focus"),
                     correlation("b", 0.1), correlation("b", 0.2, "Focus")),
        signatures=(Signature("a", "a"), Signature("b", "b")),
    )  # fmt: skip
    figure = metric_figure(View(study, Corpus(), None, "a"))
    assert isinstance(figure, Figure)
    assert ">—<" in figure.svg


def drawn(figure: Figure | Absent) -> Figure:
    assert isinstance(figure, Figure)
    return figure


def test_every_system_is_in_the_forest_with_its_letters_and_a_long_name_in_full(big_view: View):
    figure = drawn(forest_figure(big_view))
    texts = re.findall(r">([^<>]+)</text>", figure.svg)
    ranked = big_view.ranks(*big_view.rankings[0])
    assert len(ranked) == 25
    for record in ranked:
        assert shorten(record.system) in texts
        assert record.letters is not None
        assert show_letters(record.letters) in texts
    assert f"<title>{LONG}</title>{shorten(LONG)}" in figure.svg
    assert "Systems that share a letter cannot be told apart" in figure.caption


def rank(system: str, place: int, letters: str, cluster: int) -> Rank:
    return Rank("ratings", "Overall", "mean", system, 9.0 - place, 8.5 - place, 9.5 - place,
                float(place), letters, cluster, 20)  # fmt: skip


@pytest.mark.parametrize(("clusters", "said"), [((1, 1, 2), True), ((1, 1, 1), False)])
def test_lines_are_spoken_of_only_where_there_is_one(clusters: tuple[int, ...], said: bool):
    ranks = tuple(rank(f"s{n}", n, "a", cluster) for n, cluster in enumerate(clusters, 1))
    study = Study(ranking=ranks, headline=(Headline(None, "Overall", None, "system", "spearman"),))
    view = View(study, Corpus(), None, "rouge1")
    assert ("A line stands only where" in drawn(forest_figure(view)).caption) == said
    (table,) = first_ranking_tables(view)
    assert table.rules == ({2} if said else set())
    assert ("A line stands only where" in table.note) == said


def test_nothing_is_said_about_letters_where_there_are_none():
    bare = tuple(
        replace(rank(f"s{n}", n, "a", 1), letters=None, reason="too many groups") for n in (1, 2)
    )
    study = Study(ranking=bare, headline=(Headline(None, "Overall", None, "system", "spearman"),))
    view = View(study, Corpus(), None, "rouge1")
    assert "letter" not in drawn(forest_figure(view)).caption
    for table in (*first_ranking_tables(view), ranking_table(view)):
        assert "letter" not in table.note
        assert "Letters (too many groups)" in without_gaps(table).note


def test_the_matrix_counts_the_significant_pairs_of_the_leading_ranking(big_view: View):
    figure = drawn(system_pairs_figure(big_view))
    pairs = big_view.pairs(*big_view.rankings[0])
    sure = sum(p.p_corrected is not None and p.p_corrected < 0.05 for p in pairs)
    assert len(pairs) == 300
    assert 0 < sure < 300
    assert f"{sure} of 300 pairs are significant" in figure.caption
    assert "cluster" not in figure.caption


def test_a_pair_seen_from_the_other_side_is_turned():
    cells = {("b", "a"): Cell(0.25, True), ("a", "c"): Cell(0.5, False)}
    assert _cells_above_diagonal(["a", "b", "c"], cells) == {
        (0, 1): Cell(-0.25, True),
        (0, 2): Cell(0.5, False),
    }


def test_every_pair_of_metrics_stands_once_at_each_level_of_the_headline(big_view: View):
    lines = headline_pairs(big_view)
    pairs = {frozenset((r.metric, r.other)) for line in lines for r in line.values()}
    parts = {name for pair in pairs for name in pair}
    assert len(lines) == len(pairs) == len(parts) * (len(parts) - 1) // 2
    assert all(set(line) == {"system", "summary"} for line in lines)
    assert all((line["system"].value or 0.0) >= 0 for line in lines)
    caption = drawn(metric_pairs_figure(big_view)).caption
    assert f"of {len(pairs)} pairs at system level and" in caption


def test_ranks_compare_other_rankings_with_the_leading_one(big_view: View):
    figure = drawn(rank_figure(big_view))
    assert "Rings: ranks by litepyramid recall, which orders the rows." in figure.caption
    assert figure.caption.endswith("1 further ranking is in the tables.")
    assert ">system_23_out</text>" in figure.svg


def test_a_single_ranking_has_nothing_to_be_compared_with():
    ranks = (rank("a", 1, "a", 1), rank("b", 2, "a", 1))
    study = Study(ranking=ranks, headline=(Headline(None, "Overall", None, "system", "spearman"),))
    figure = rank_figure(View(study, Corpus(), None, "rouge1"))
    assert isinstance(figure, Absent)
    assert figure.reason == "There is only one ranking of two or more systems."


def test_a_hundred_systems_are_all_drawn():
    names = [f"s{n:03}" for n in range(100)]
    ranks = tuple(rank(name, n, "a", 1) for n, name in enumerate(names, 1))
    study = Study(ranking=ranks, headline=(Headline(None, "Overall", None, "system", "spearman"),))
    svg = drawn(forest_figure(View(study, Corpus(), None, "rouge1"))).svg
    assert all(f">{name}</text>" in svg for name in names)


def test_the_baseline_that_was_not_computed_is_named(big_view: View):
    figure = difference_figure(replace(big_view, baseline="blanc-help"))
    assert isinstance(figure, Absent)
    assert figure.reason == "No metric was compared with blanc-help."


@pytest.mark.parametrize("values", [(1, 5), (0.0, 0.0), (1, 100), (0.25, 0.75)])
def test_histograms_take_any_scale(values: tuple[float, float]):
    ratings = tuple(
        Rating("d", "s", f"a{n}", "Overall", float(value), campaign=f"set {n % 2}")
        for n, value in enumerate(values * 3)
    )
    study = Study(histograms=tuple(rating_bins(ratings)))
    figure = histogram_figure(View(study, Corpus(), None, "rouge1"))
    assert isinstance(figure, Figure)
    assert "set 0" in figure.svg


def test_a_figure_in_the_page_has_names_of_its_own_and_the_pages_colours(view: View):
    figure = metric_figure(view)
    assert isinstance(figure, Figure)
    one, other = inline_svg(figure), inline_svg(replace(figure, name="other"))
    assert 'id="metric_correlations-figure_1"' in one
    assert 'id="other-figure_1"' in other
    assert "currentColor" in one
    assert "<metadata>" not in one


def test_names_are_made_to_fit():
    assert shorten("x" * 50, 10) == "x" * 9 + "…"
    assert shorten("a\x00b\nc") == "a�b c"
    assert shorten("  ") == "(no name)"
