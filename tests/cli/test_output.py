"""What commands print besides results: notes, warnings, and a bar on a terminal only."""

from __future__ import annotations

import io
import sys
import warnings

import pytest

from gistmark.cli import output
from gistmark.cli.output import announce_notes, progress_bar, warnings_as_lines
from gistmark.errors import Problem


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_few_notes_are_all_shown_and_many_are_cut(capsys: pytest.CaptureFixture[str]):
    announce_notes([Problem("odd", "file.csv", 3)])
    assert capsys.readouterr().err == "note: file.csv:3: odd\n"
    announce_notes([Problem(f"odd {i}") for i in range(25)])
    lines = capsys.readouterr().err.splitlines()
    assert lines[19:] == ["note: odd 19", "note: ... and 5 more"]


def test_warnings_for_users_are_lines_and_those_for_developers_are_not_shown(
    capsys: pytest.CaptureFixture[str],
):
    usual = warnings.showwarning
    with warnings_as_lines():
        warnings.warn("mind the gap", stacklevel=1)
        warnings.warn("numbers overflow", RuntimeWarning, stacklevel=1)
        warnings.warn("call it differently", DeprecationWarning, stacklevel=1)
        warnings.warn("close it", ResourceWarning, stacklevel=1)
    assert capsys.readouterr().err.splitlines() == [
        "warning: mind the gap",
        "warning: numbers overflow",
    ]
    assert warnings.showwarning is usual


def test_there_is_no_bar_without_a_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_bar("Scoring") as progress:
        assert progress is None


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
    monkeypatch.setattr(output, "_PATIENCE", patience)
    with progress_bar("Scoring") as progress:
        assert progress is not None
        progress(1, 4)
        progress(2, None)
    assert ("Scoring" in terminal.getvalue()) is shown
