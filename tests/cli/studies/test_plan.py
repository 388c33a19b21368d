"""`gistmark plan`: how many judgements a study needs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gistmark

Run = Callable[..., Any]
TYPED = ("plan", "--difference", "0.4", "--summary-sd", "0.6", "--residual-sd", "0.8")


def test_the_command_prints_a_sentence_and_a_grid(run: Run):
    done = run(*TYPED, "--documents", "20,80", "--annotators", "2")
    assert done.status == 0
    first, *_, last = done.out.splitlines()
    assert first == (
        "To see a difference of 0.4 points with 80 % power: 2 annotators on 80 documents, 320 "
        "ratings of 2 systems."
    )
    assert last.split()[0] == "80"
    plans = json.loads(run(*TYPED, "--json").out)
    assert plans["best"]["documents"] == 80
    assert plans["sentence"].startswith("To see a difference of 0.4 points")


def test_a_pilot_brings_its_spread_and_time_along(run: Run):
    done = run("plan", gistmark.sample_folder(), "--difference", "0.3", "--rate", "13")
    assert done.status == 0
    assert "hours, at a cost of about" in done.out
    assert "note: The pilot has 14 documents" in done.out


def test_choices_are_planned_and_written_with_a_chart(run: Run, tmp_path: Path):
    arguments = ("plan", "--share", "0.6", "--systems", "3,5", "--seconds", "30", "--rate", "12",
                 "--currency", "€", "--document-correlation", "0.2")  # fmt: skip
    page = tmp_path / "plan.html"
    done = run(*arguments, "-o", page)
    assert done.status == 0
    assert "choices between 3 systems, about" in done.out
    assert "Power with 5 systems:" in done.out
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") >= 2
    assert "Cost (€)" in text
    chart = tmp_path / "plan.svg"
    assert run("plan", "--share", "0.6", "--documents", "20,40", "-o", chart).status == 0
    assert chart.read_text(encoding="utf-8").startswith("<svg")


def test_a_plan_of_no_known_kind_is_refused_before_it_is_computed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("gistmark.analysis.planning.plan", lambda *_, **__: pytest.fail("computed"))
    wrong = run("plan", "--share", "0.6", "-o", tmp_path / "plan.png")
    assert wrong.status == 2
    assert "a plan can be written as .html, .svg or .pdf" in wrong.err


def test_bad_input_gets_a_sentence(run: Run):
    for arguments, sentence in (
        ((*TYPED, "--documents", "20;80"), "--documents: write whole numbers with commas"),
        (("plan",), "Give either a difference"),
        (("plan", "--share", "0.4"), "The share of choices must be between 0.5 and 1"),
        (("plan", "--difference", "1"), "A plan needs a pilot with ratings"),
        (("plan", "--difference", "1", "--summary-sd", "1"), "Give both --summary-sd and"),
        (("plan", gistmark.sample_folder(), "--difference", "1", "--dimension", "x"),
         "There is no dimension in the pilot 'x'"),
    ):  # fmt: skip
        done = run(*arguments)
        assert done.status == 2
        assert sentence in done.err
