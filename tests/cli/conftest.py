"""What the tests of the command line share: a cache of their own, and a way to run commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gistmark.cli.main import main
from gistmark.corpus import sample_folder


@dataclass(frozen=True)
class Outcome:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a cache of its own, so that none finds another's scores."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("GISTMARK_CACHE", str(folder))
    return folder


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process; an error that is not turned into a message fails the test."""

    def call(*arguments: object) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as caught:
            main([str(argument) for argument in arguments])
        printed = capfd.readouterr()
        assert "Unexpected error: " not in printed.err, printed.err
        return Outcome(int(caught.value.code or 0), printed.out, printed.err)

    return call


@pytest.fixture
def shell() -> Run:
    """Run a command as a process of its own."""

    def call(*arguments: object, **environment: str) -> Outcome:
        command = [sys.executable, "-m", "gistmark", *map(str, arguments)]
        env = os.environ | environment
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", env=env, timeout=300
        )
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def sample() -> Path:
    return sample_folder()


@pytest.fixture
def lines(tmp_path: Path) -> tuple[Path, Path]:
    """A file of summaries and a line-aligned file of references."""
    system, reference = tmp_path / "sys.txt", tmp_path / "ref.txt"
    system.write_text("the cat sat\na dog ran\n")
    reference.write_text("the cat ran\na dog ran\n")
    return system, reference


@pytest.fixture
def corpus_of(tmp_path: Path) -> Callable[..., Path]:
    """Write a corpus of one document with these summaries, in a single file."""

    def write(**summaries: str) -> Path:
        path = tmp_path / "corpus.jsonl"
        entry = {"id": "d", "text": "The cat sat on the mat.", "references": ["the cat sat"]}
        path.write_text(json.dumps(entry | {"summaries": summaries}) + "\n", encoding="utf-8")
        return path

    return write
