"""Tests that run in several processes are reported as if they had run in one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from workers import LONGEST_FIRST, Files

TESTS = Path(__file__).parent

ONE = """
import warnings
import pytest

def test_that_passes(tmp_path):
    warnings.warn("a warning that is shown")

def test_that_fails():
    print("what it printed")
    assert 1 == 2

@pytest.fixture
def broken():
    raise ValueError("a fixture that fails")

def test_with_an_error(broken): ...
"""
TWO = """
import os
import signal

def test_that_kills_its_process():
    os.kill(os.getpid(), signal.SIGKILL)

def test_after_that(): ...
"""


def run(folder: Path, *options: str) -> tuple[int, str]:
    """Run two files of tests in two workers: the exit status, and what is printed."""
    (folder / "test_one.py").write_text(ONE)
    (folder / "test_two.py").write_text(TWO)
    command = [sys.executable, "-m", "pytest", "-p", "workers", "-p", "no:django", "--workers", "2"]
    env = {**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [*command, *options], cwd=folder, env=env, capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stdout


def test_failures_errors_warnings_and_deaths_are_reported(tmp_path: Path):
    status, shown = run(tmp_path)
    assert status == 1
    assert "2 failed, 2 passed, 1 warning, 1 error" in shown
    assert "what it printed" in shown
    assert "a warning that is shown" in shown
    assert "ValueError: a fixture that fails" in shown
    assert "The process died: -9" in shown


def test_a_run_stops_where_it_is_told_to(tmp_path: Path):
    status, shown = run(tmp_path, "--exitfirst", "test_one.py")
    assert status == 1
    assert "stopping after 1 failures" in shown


def test_workers_stay_in_a_folder_and_keep_out_of_those_of_others():
    names = ["tests/a/1", "tests/a/2", "tests/b/1", "tests/b/2", LONGEST_FIRST[0]]
    files = Files([SimpleNamespace(nodeid=f"{name}::test") for name in names])
    assert files.take("", set()).name == LONGEST_FIRST[0]
    assert files.take("tests/b", set()).name == "tests/b/1"
    assert files.take("", {"tests/b"}).name == "tests/a/1"
    assert files.take("tests/a", {"tests/b"}).name == "tests/a/2"
    assert files.take("tests/a", {"tests/b"}).name == "tests/b/2"
    assert files.take("tests/a", {"tests/b"}) is None


def test_the_files_that_take_long_exist():
    assert [name for name in LONGEST_FIRST if not (TESTS.parent / name).exists()] == []
