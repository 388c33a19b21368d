"""The figures: what they leave out they say, and nothing random gets in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gistmark.corpus import Corpus
from gistmark.records import Rating
from gistmark.report.figures import Absent, Figure, all_figures
from gistmark.report.figures.drawing import shorten
from gistmark.report.figures.heatmaps import metric_figure
from gistmark.report.figures.histograms import histogram_figure
from gistmark.report.figures.ranks import rank_figure
from gistmark.report.svg import inline_svg
from gistmark.report.views import View
from gistmark.study.records import Correlation, Rank
from gistmark.study.results import Signature, Study


def correlation(metric: str, value: float | None, human: str = "Overall") -> Correlation:
    return Correlation(metric, "f", human, "global", "spearman", value, None, None, None, 9)


def test_every_figure_is_drawn_from_a_full_study(view: View):
    assert [f.name for f in all_figures(view).values() if isinstance(f, Absent)] == []


def test_every_figure_says_why_it_is_missing():
    figures = all_figures(View(Study(), Corpus(), None, "rouge1"))
    assert all(isinstance(figure, Absent) and figure.reason for figure in figures.values())


def test_a_heat_map_keeps_the_strongest_thirty_and_says_so():
    names = [f"m{place}" for place in range(40)]
    study = Study(
        correlation=tuple(correlation(name, place / 50) for place, name in enumerate(names)),
        signatures=tuple(Signature(name, name) for name in names),
    )
    figure = metric_figure(View(study, Corpus(), None, "m0"))
    assert isinstance(figure, Figure)
    assert "The strongest 30 of 40 metrics are shown." in figure.caption
    assert ">m39.f<" in figure.svg
    assert ">m9.f<" not in figure.svg
    assert "Highest: m39.f with Overall, 0.780." in figure.alt


def test_an_undefined_correlation_is_a_dash_in_its_cell():
    study = Study(
        correlation=(correlation("a", 0.5), correlation("a", None, "Focus"),
                     correlation("b", 0.1), correlation("b", 0.2, "Focus")),
        signatures=(Signature("a", "a"), Signature("b", "b")),
    )  # fmt: skip
    figure = metric_figure(View(study, Corpus(), None, "a"))
    assert isinstance(figure, Figure)
    assert ">—<" in figure.svg


def test_many_systems_are_cut_and_that_is_said():
    ranks = tuple(
        Rank("ratings", "Overall", "mean", f"s{n:02}", 9.0 - n, None, None, n + 1.0, 1, 5)
        for n in range(40)
    )
    figure = rank_figure(View(Study(ranking=ranks), Corpus(), None, "rouge1"))
    assert isinstance(figure, Figure)
    assert "The first 24 of 40 systems are shown." in figure.caption


@pytest.mark.parametrize("values", [(1, 5), (0.0, 0.0), (1, 100), (0.25, 0.75)])
def test_histograms_take_any_scale(values: tuple[float, float]):
    ratings = tuple(
        Rating("d", "s", f"a{n}", "Overall", float(value), campaign=f"set {n % 2}")
        for n, value in enumerate(values * 3)
    )
    figure = histogram_figure(View(Study(), Corpus(ratings=ratings), None, "rouge1"))
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
