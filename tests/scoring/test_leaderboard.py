"""The leaderboard: means, intervals, order, and how it is shown."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gistmark.errors import UsageError
from gistmark.metrics.metric import Metric
from gistmark.scoring.leaderboard import Leaderboard, leaderboard
from gistmark.scoring.scores import Column, Scores

Table = dict[str, list[float]]


def board_of(values: Table, *, better: str = "higher", metric: str = "m") -> Leaderboard:
    """A leaderboard of one metric with one part; NaN is a missing value."""
    return leaderboard(scores_of(values, better=better, metric=metric))


def scores_of(values: Table, *, better: str = "higher", metric: str = "m") -> Scores:
    systems = [system for system, row in values.items() for _ in row]
    numbers = np.array([value for row in values.values() for value in row]).reshape(-1, 1)
    reasons = {int(i): "no" for i in np.flatnonzero(np.isnan(numbers[:, 0]))}
    column = Column("sig", ("value",), "value", better, numbers, reasons)  # type: ignore[arg-type]
    return Scores([str(i) for i in range(len(systems))], systems, {metric: column})


def test_mean_and_interval_of_three_values_worked_by_hand():
    # mean 2; s = 1; t(2, 0.975) = 4.302652729749; margin 4.302652729749 / sqrt(3) = 2.484137711719
    entry = board_of({"s": [1.0, 2.0, 3.0]}).of("s", "m")
    assert entry.mean == 2.0
    assert entry.low == pytest.approx(2 - 2.484137711719)
    assert entry.high == pytest.approx(2 + 2.484137711719)
    assert (entry.n, entry.missing) == (3, 0)


def test_the_interval_is_that_of_scipy():
    values = np.random.default_rng(7).random(23)
    entry = board_of({"s": list(values)}).of("s", "m")
    low, high = stats.t.interval(0.95, 22, loc=values.mean(), scale=stats.sem(values))
    assert entry.mean == pytest.approx(values.mean())
    assert (entry.low, entry.high) == pytest.approx((low, high))


def test_missing_values_are_left_out_of_the_mean_and_counted():
    entry = board_of({"s": [1.0, np.nan, 3.0]}).of("s", "m")
    low, high = stats.t.interval(0.95, 1, loc=2, scale=stats.sem([1.0, 3.0]))
    assert entry.mean == 2.0
    assert (entry.low, entry.high) == pytest.approx((low, high))
    assert (entry.n, entry.missing) == (2, 1)


def test_one_value_has_a_mean_but_no_interval():
    entry = board_of({"s": [0.5]}).of("s", "m")
    assert (entry.mean, entry.low, entry.high) == (0.5, None, None)


def test_a_system_without_values_has_no_mean():
    entry = board_of({"s": [np.nan, np.nan]}).of("s", "m")
    assert (entry.mean, entry.low, entry.high) == (None, None, None)
    assert (entry.n, entry.missing) == (0, 2)


TWO = {"low": [0.1, 0.2], "high": [0.8, 0.9], "middle": [0.5, 0.5]}


@pytest.mark.parametrize(
    ("better", "order"),
    [
        ("higher", ("high", "middle", "low")),
        ("lower", ("low", "middle", "high")),
        ("neither", ("low", "high", "middle")),
    ],
)
def test_systems_go_from_best_to_worst_or_as_they_came(better: str, order: tuple[str, ...]):
    assert board_of(TWO, better=better).systems == order


def test_the_first_metric_that_ranks_decides_the_order():
    length = scores_of(TWO, better="neither", metric="length")
    error = scores_of(TWO, better="lower", metric="error")
    quality = scores_of(TWO, better="higher", metric="quality")
    columns = {**length.columns, **error.columns, **quality.columns}
    board = leaderboard(Scores(length.documents, length.systems, columns))
    assert board.systems == ("low", "middle", "high")


def test_a_system_without_values_comes_last_whichever_way_is_better():
    values = {"none": [np.nan], "some": [-1.0], "more": [2.0]}
    assert board_of(values, better="higher").systems == ("more", "some", "none")
    assert board_of(values, better="lower").systems == ("some", "more", "none")


def test_a_metric_that_scored_nobody_does_not_decide_the_order():
    nothing = scores_of({name: [np.nan] * 2 for name in TWO}, metric="nothing")
    quality = scores_of(TWO, metric="quality")
    columns = {**nothing.columns, **quality.columns}
    board = leaderboard(Scores(quality.documents, quality.systems, columns))
    assert board.systems == ("high", "middle", "low")


def test_ties_stay_in_the_order_of_the_corpus():
    assert board_of({"b": [1.0], "a": [1.0], "c": [2.0]}).systems == ("c", "b", "a")


def test_f_is_the_part_that_is_shown_and_ranks():
    values = np.array([[0.9, 0.1, 0.2], [0.5, 0.5, 0.5]])
    column = Column("sig", ("precision", "recall", "f"), "f", "higher", values, {})
    board = leaderboard(Scores(["d", "d"], ["a", "b"], {"r": column}))
    assert board.of("a", "r").part == "f"
    assert board.of("a", "r", "precision").mean == 0.9
    assert board.systems == ("b", "a")


def test_asking_for_a_standing_that_is_not_there_tells_what_there_is():
    board = board_of({"s": [1.0]})
    with pytest.raises(UsageError, match=r"no part of m named 'recall'\. Known: value\."):
        board.of("s", "m", "recall")
    with pytest.raises(UsageError, match=r"no system 'nobody'\. Known: s\."):
        board.of("nobody", "m")
    with pytest.raises(UsageError, match=r"no metric 'n'\. Known: m\."):
        board.of("s", "n")


def test_the_frame_has_a_row_per_standing_under_the_names_of_its_fields():
    frame = board_of({"s": [1.0, 3.0], "t": [np.nan, np.nan]}).to_pandas()
    assert list(frame.columns) == [
        "system", "metric", "part", "mean", "low", "high", "n", "missing", "better",
    ]  # fmt: skip
    assert list(frame["mean"].fillna(-1)) == [2.0, -1.0]
    assert list(board_of({}).to_pandas().columns) == list(frame.columns)


def test_the_model_behind_a_metric_stands_in_every_heading():
    column = Column("bertscore|v:1|model:tiny@0123456789ab", ("f",), "f", "higher",
                    np.array([[0.5]]), {})  # fmt: skip
    board = leaderboard(Scores(["d"], ["a"], {"bertscore": column}))
    assert board.rows()[0] == ["system", "bertscore (tiny) ↑"]
    for shown in (str(board), board.to_markdown(), board._repr_html_()):
        assert "bertscore (tiny) ↑" in shown
    assert board.of("a", "bertscore").mean == 0.5


def test_text_shows_the_arrow_the_margin_and_how_many_count():
    text = str(board_of({"s": [1.0, np.nan, 3.0], "t": [np.nan] * 3}, better="lower"))
    head, first, second = text.splitlines()
    assert head.split() == ["system", "m", "↓"]
    # t(1, 0.975) = 12.706, s / sqrt(2) = 1: the margin is 12.706; two of three values count.
    assert first.split() == ["s", "2.000", "±12.706", "(2)"]
    assert second.split() == ["t", "missing"]


def test_large_means_are_shown_with_fewer_decimals():
    assert board_of({"s": [1234.5]}).rows()[1] == ["s", "1234"]
    assert board_of({"s": [12.3456]}).rows()[1] == ["s", "12.35"]


def test_markdown_escapes_bars_and_keeps_one_line_per_system():
    markdown = board_of({"a|b\nc": [1.0]}).to_markdown()
    assert markdown.splitlines() == ["| system | m ↑ |", "| --- | ---: |", r"| a\|b c | 1.000 |"]


def test_html_escapes_names():
    html = board_of({"<b>": [1.0]}, metric="a&b")._repr_html_()
    assert "<td>&lt;b&gt;</td>" in html
    assert "<th>a&amp;b ↑</th>" in html


def test_the_main_part_of_a_metric_without_f_is_its_first():
    class Bare(Metric):
        family = "bare"
        about = "Nothing."
        parts = ("recall", "precision")
        needs = frozenset()

        def score(self, batch):
            raise NotImplementedError

    assert Bare().main_part == "recall"
