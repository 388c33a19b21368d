"""`--lang` of the commands that read texts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def chinese(tmp_path: Path) -> Path:
    entry = {
        "id": "d", "text": "政府宣布了新的经济政策。人们很高兴。",
        "references": ["新的经济政策由政府宣布。"], "summaries": {"s": "政府宣布了新的经济政策。"},
    }  # fmt: skip
    path = tmp_path / "zh.jsonl"
    path.write_text(json.dumps(entry, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def test_without_a_language_rouge_says_what_it_ignores_and_what_helps(run: Run, chinese: Path):
    done = run("score", chinese, "-m", "rouge1", "-m", "words")
    assert done.status == 0
    assert done.err.count("warning: ") == 1
    assert (
        "warning: rouge1: 100 % of the letters of the summaries are outside a-z and are ignored by "
        "tok=rouge_score; --lang CODE or tok=words counts them."
    ) in done.err
    assert "its letters are outside a-z; tok=words counts them" in done.err


def test_with_its_language_a_corpus_is_scored(run: Run, chinese: Path):
    done = run("score", chinese, "-m", "rouge1", "--lang", "zh", "--json")
    assert done.status == 0
    assert done.err == ""
    found = json.loads(done.out)
    assert "|lang:zh|" in found["signatures"]["rouge1"]
    assert found["leaderboard"][0]["mean"] == pytest.approx(10 / 11)


def test_a_study_takes_the_language_too(run: Run, chinese: Path, tmp_path: Path):
    done = run("study", chinese, "-m", "rouge1", "--lang", "zh", "--json", "--resamples", "5")
    assert done.status == 0
    (signature,) = json.loads(done.out)["signatures"]
    assert "|lang:zh|" in signature["signature"]
    scores = tmp_path / "scores.csv"
    assert run("score", chinese, "-m", "rouge1", "--lang", "zh", "-o", scores).status == 0
    both = run("study", chinese, "--scores", scores, "--lang", "zh")
    assert both.status == 2
    assert "Give either --scores or --lang, not both." in both.err


def test_summaries_are_made_of_the_sentences_of_the_language(
    run: Run, chinese: Path, tmp_path: Path
):
    target = tmp_path / "out"
    done = run(
        "summarize", chinese, "-s", "LeadFirst", "--max-sentences", "1", "--lang", "zh",
        "-o", target, "--json",
    )  # fmt: skip
    assert done.status == 0
    (system,) = json.loads(done.out)["systems"]
    assert system["signature"].endswith("|lang:zh")
    assert "政府宣布了新的经济政策。" in (target / "summaries.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["score", "study", "summarize"])
def test_what_is_no_language_is_refused(run: Run, chinese: Path, command: str):
    done = run(command, chinese, "--lang", "Deutsch")
    assert done.status == 2
    assert "lang: 'Deutsch' is not the code of a language; write one such as de" in done.err


def test_a_metric_describes_its_language(run: Run):
    done = run("metrics", "rouge1")
    assert "    lang=en: the language, such as de or zh, by which sentences, words, " in done.out
    assert "chars" in done.out
