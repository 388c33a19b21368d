"""The alternative annotator test on SummEval: advantage and winning rate of six language models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmark.analysis.agreement.machines import judge_tests
from gistmark.records import Rating

pytestmark = pytest.mark.papers

ADVANTAGES = {
    "gemini_flash": 0.461, "gemini_pro": 0.442, "gpt-4o": 0.476, "llama-31": 0.581,
    "gpt-4o-mini": 0.545, "mistral-v03": 0.623,
}  # fmt: skip
"""Recomputed independently from the released data, with three experts and epsilon 0.2."""


def read(path: Path) -> list[Rating]:
    annotations = json.loads(path.read_text(encoding="utf-8"))
    return [
        Rating(document, system, annotator, dimension, float(value))
        for annotator, values in annotations.items()
        for (document, system, dimension), value in (
            (name.rsplit("__", 2), value) for name, value in values.items()
        )
    ]


def test_advantages_and_winning_rates_are_the_known_ones(paper_data: Path) -> None:
    source = paper_data / "alttest-summeval"
    if not source.is_dir():
        pytest.skip(f"AltTest's released data on SummEval are not in {source}")
    people, models = (read(source / f"{who}_annotations.json") for who in ("human", "llm"))
    tests = [each for each in judge_tests(people, models) if not each.dimension]
    assert {each.judge: round(each.advantage or 0.0, 3) for each in tests} == ADVANTAGES
    assert [each.winning_rate for each in tests] == [0.0] * 6
    assert {each.n for each in tests} == {6400}
