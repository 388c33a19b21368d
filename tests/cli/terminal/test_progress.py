"""Progress: a bar on a terminal only, and lines now and then elsewhere."""

from __future__ import annotations

import io
import sys

import pytest

from gistmark.cli.terminal.progress import in_words, progress_bar, steps_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """A time that passes only when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("gistmark.cli.terminal.progress.time", clock)
    return clock


def test_without_a_terminal_a_line_comes_every_half_minute_and_none_before(
    clock: Clock, capsys: pytest.CaptureFixture[str]
):
    with progress_bar("Scoring") as progress:
        assert progress is not None
        for seconds, done in [(10, 400), (29, 1000), (40, 1200), (60, 1500), (75, 2500)]:
            clock.now = 1000.0 + seconds
            progress(done, 5000)
        clock.now = 1200.0
        progress(5000, 5000)
    # 40 s for 1,200 are 127 s for the other 3,800; 75 s for 2,500 are as many for the rest.
    assert capsys.readouterr().err.splitlines() == [
        "Scoring: 1,200 of 5,000 summaries, about 2 min left",
        "Scoring: 2,500 of 5,000 summaries, about 1 min left",
    ]


def test_where_the_total_is_not_known_the_line_tells_what_is_done(
    clock: Clock, capsys: pytest.CaptureFixture[str]
):
    with progress_bar("Scoring") as progress:
        assert progress is not None
        clock.now += 31
        progress(1200, None)
    assert capsys.readouterr().err == "Scoring: 1,200 summaries\n"


def test_steps_are_told_by_name_without_a_terminal(
    clock: Clock, capsys: pytest.CaptureFixture[str]
):
    with steps_bar("Study") as steps:
        assert steps is not None
        steps("agreement", 1, 6)
        clock.now += 31
        steps("correlation", 2, 6)
    assert capsys.readouterr().err == "Study: correlation (step 3 of 6)\n"


def test_steps_are_a_bar_on_a_terminal_and_nothing_where_quiet_is_asked(
    monkeypatch: pytest.MonkeyPatch,
):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("gistmark.cli.terminal.progress._PATIENCE", -1.0)
    with steps_bar("Study") as steps:
        assert steps is not None
        steps("agreement", 1, 6)
    assert "Study: agreement" in terminal.getvalue()
    assert "1/6" in terminal.getvalue()
    with steps_bar("Study", quiet=True) as steps:
        assert steps is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (59, "59 s"), (89, "1 min"), (91, "2 min"), (3590, "1 h 0 min"),
     (7800, "2 h 10 min")],
)  # fmt: skip
def test_a_time_to_wait_is_told_as_roughly_as_it_is_known(seconds: float, words: str):
    assert in_words(seconds) == words


def test_there_is_no_bar_for_a_program_that_reads_json(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    with progress_bar("Scoring", quiet=True) as progress:
        assert progress is None


@pytest.mark.parametrize(("patience", "shown"), [(-1.0, True), (3600.0, False)])
def test_the_bar_appears_once_the_work_has_taken_its_time(
    monkeypatch: pytest.MonkeyPatch, patience: float, shown: bool
):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("gistmark.cli.terminal.progress._PATIENCE", patience)
    with progress_bar("Scoring") as progress:
        assert progress is not None
        progress(1, 4)
        progress(2, None)
    assert ("Scoring" in terminal.getvalue()) is shown
