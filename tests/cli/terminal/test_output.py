"""What commands print: tables, notes, warnings, findings and the leading ranking."""

from __future__ import annotations

import io
import os
import sys
import warnings
from dataclasses import replace

import numpy as np
import pytest

from gistmark.analysis import Study
from gistmark.analysis.findings.headline import leading_ranking
from gistmark.analysis.studies.records import Finding, Note, Rank
from gistmark.cli.terminal.output import (
    announce_notes,
    print_findings,
    print_leaderboard,
    warnings_as_lines,
)
from gistmark.errors import Problem
from gistmark.scoring.scores import Column, Scores

TEXT = "one has the highest mean of Overall by people’s ratings: 4.000 [3.500, 4.500]."
DETAIL = "12 documents. It cannot be told apart from two."
FINDING = Finding("systems", TEXT, DETAIL, by="ratings", dimension="Overall")


class Terminal(io.StringIO):
    """What is printed, with a terminal at the other end."""

    def isatty(self) -> bool:
        return True


def ranked(number: int, *, letters: str | None = "a", cluster: int | None = 1) -> Rank:
    return Rank(
        by="ratings", dimension="Overall", method="mean", system=f"system-{number}",
        value=5.0 - number / 100, low=None, high=None, rank=float(number), letters=letters,
        cluster=cluster, n=12,
    )  # fmt: skip


def printed(capsys: pytest.CaptureFixture[str], study: Study, *, written: bool = True) -> str:
    print_findings(study, written=written)
    return capsys.readouterr().out


def test_a_finding_is_one_line_in_a_pipe(capsys: pytest.CaptureFixture[str]):
    other = replace(FINDING, kind="agreement", text="Agreement.")
    out = printed(capsys, Study(findings=(FINDING, other)))
    assert out == f"{TEXT} {DETAIL}\nAgreement. {DETAIL}\n\n"


def test_a_finding_is_wrapped_with_a_hanging_indent_on_a_terminal(monkeypatch: pytest.MonkeyPatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((50, 24)))
    print_findings(Study(findings=(FINDING, FINDING)), written=True)
    paragraph = [
        "\x1b[1mone has the highest mean of Overall by people’s\x1b[0m",
        "\x1b[1m  ratings: 4.000 [3.500, 4.500].\x1b[0m",
        "  12 documents. It cannot be told apart from two.",
        "",
    ]
    assert screen.getvalue().split("\n") == [*paragraph, *paragraph, ""]


def test_a_rule_stands_between_clusters_and_nowhere_else(capsys: pytest.CaptureFixture[str]):
    ranks = (
        ranked(1, letters="a"),
        ranked(2, letters="a"),
        ranked(3, letters="b", cluster=2),
        replace(ranked(4), rank=None, letters=None, cluster=None, reason="it has no summary"),
    )
    lines = printed(capsys, Study(ranking=ranks)).splitlines()
    rows = ["rule" if line.startswith("─") else line.split()[1] for line in lines[2:-2] if line]
    assert rows == ["rule", "system-1", "system-2", "rule", "system-3", "system-4",
                    "that"]  # fmt: skip
    assert lines[1].split() == ["Rank", "System", "Value", "[95", "%]", "Letters", "n"]
    assert lines[-2] == "system-4: it has no summary."


def test_after_thirty_systems_the_table_says_where_the_rest_is(capsys: pytest.CaptureFixture[str]):
    study = Study(ranking=tuple(ranked(number) for number in range(1, 101)))
    out = printed(capsys, study)
    assert "system-30 " in out
    assert "system-31" not in out
    assert "… and 70 more (study.json has all)\n" in out
    assert "… and 70 more (--json prints all)\n" in printed(capsys, study, written=False)
    assert "more (" not in printed(capsys, Study(ranking=study.ranking[:30]))


def test_letters_are_explained_only_where_systems_have_some(capsys: pytest.CaptureFixture[str]):
    legend = "Systems that share a letter cannot be told apart"
    several = tuple(ranked(number) for number in (1, 2))
    assert legend in printed(capsys, Study(ranking=several))
    assert legend not in printed(capsys, Study(ranking=several[:1]))
    reason = "there are too many groups"
    without = tuple(replace(each, letters=None, reason=reason) for each in several)
    out = printed(capsys, Study(ranking=without))
    assert legend not in out
    assert "There are too many groups.\n" in out


def test_the_leading_ranking_is_the_one_that_the_first_finding_speaks_of():
    by_metric = replace(ranked(1), by="scores", dimension="rouge1.f")
    other = replace(ranked(1), dimension="Fluency")
    ranks = replace(ranked(1), method="normalised mean rank")
    study = Study(findings=(FINDING,), ranking=(by_metric, other, ranked(1), ranked(2), ranks))
    assert leading_ranking(study.findings, study.ranking) == [ranked(1), ranked(2)]


def test_without_people_the_leading_ranking_is_that_of_the_first_metric_that_ranks():
    length = replace(ranked(1), by="scores", dimension="chars", rank=None)
    by_metric = replace(ranked(1), by="scores", dimension="rouge1.f")
    assert leading_ranking((), (length, by_metric)) == [by_metric]
    assert leading_ranking((), (length,)) == []


def test_notes_go_to_standard_error(capsys: pytest.CaptureFixture[str]):
    print_findings(Study(notes=(Note("HS3", "no dimension is the overall one."),)), written=True)
    out, err = capsys.readouterr()
    assert (out, err) == ("", "note: HS3: no dimension is the overall one.\n")


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


def test_a_printed_leaderboard_names_the_model_behind_a_metric(
    capsys: pytest.CaptureFixture[str],
):
    column = Column(
        "bertscore|v:1|model:tiny@0123456789ab", ("f",), "f", "higher", np.array([[0.5]]), {}
    )
    print_leaderboard(Scores(["d"], ["a"], {"bertscore": column}).leaderboard())
    assert "bertscore (tiny) ↑" in capsys.readouterr().out
