"""Ctrl-C in the middle of a real run: what was done is kept, and the next run goes on."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

BLOCK_SIZE = 100  # the sample plugin's metric `slow` wants so few at a time
BLOCKS = 5
TOTAL = BLOCKS * BLOCK_SIZE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample plugin, whose metric `slow` keeps a log."""
    install = runpy.run_path(str(Path(__file__).parents[1] / "sample_plugin" / "install.py"))
    return install["install"](tmp_path_factory.getbasetemp() / "installed-sample-plugin")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Line-aligned files of some blocks' length; no two summaries are equal."""
    summaries = tmp_path / "sys.txt"
    references = tmp_path / "ref.txt"
    summaries.write_text("".join(f"summary {number}\n" for number in range(TOTAL)))
    references.write_text("".join("reference\n" for _ in range(TOTAL)))
    return summaries, references


def heed_interrupts() -> None:
    """Whoever started the tests in the background may have had SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Until the process has come so far."""
    deadline = time.monotonic() + 60
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def command_of(files: tuple[Path, Path], seconds: float, *more: str) -> list[str]:
    metric = f"slow:seconds={seconds}"
    start = [sys.executable, "-m", "gistmark", "score", *map(str, files), "-m", metric]
    return [*start, "--workers", "1", *more]


def environment(plugin: Path, log: Path) -> dict[str, str]:
    paths = [str(plugin), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths), "GISTMARK_SAMPLE_LOG": str(log)}


def started(command: list[str], env: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )  # fmt: skip


def test_a_metric_that_never_looks_up_does_not_hold_up_an_interrupt(
    files: tuple[Path, Path], plugin: Path, tmp_path: Path
):
    log = tmp_path / "log"
    process = started(command_of(files, 3600), environment(plugin, log))
    wait_for(lambda: log.exists(), process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err == f"gistmark: Interrupted after 0 of {TOTAL} summaries.\n"


def test_an_interrupted_run_keeps_what_was_done_and_the_next_goes_on(
    files: tuple[Path, Path], plugin: Path, tmp_path: Path, cache_folder: Path
):
    log, output = tmp_path / "log", tmp_path / "scores.csv"
    command, env = command_of(files, 0.4, "-o", str(output)), environment(plugin, log)
    process = started(command, env)
    wait_for(lambda: len(list(cache_folder.rglob("*.scores"))) >= 2, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)

    kept_file = tmp_path / "scores.partial.csv"
    partial = pd.read_csv(kept_file)
    done = len(partial)
    assert process.returncode == 1
    assert not output.exists()
    assert out == ""
    assert err.splitlines() == [
        f"The scores so far are in {kept_file}.",
        f"gistmark: Interrupted after {done:,} of {TOTAL:,} summaries. They are in the cache: the "
        "same command goes on from there.",
    ]
    assert BLOCK_SIZE <= done < TOTAL
    assert done % BLOCK_SIZE == 0
    assert list(partial["document"]) == list(range(1, done + 1))
    assert list(partial["value"][:2]) == [len("summary 0"), len("summary 1")]

    kept = sum(entries_of(file) for file in cache_folder.rglob("*.scores"))
    assert kept >= done
    log.unlink()
    again = subprocess.run(command, env=env, text=True, capture_output=True, timeout=60)
    assert again.returncode == 0, again.stderr
    computed = sum(map(int, log.read_text().split()))
    assert computed == TOTAL - kept
    assert len(pd.read_csv(output)) == TOTAL
    assert not kept_file.exists()
    assert not kept_file.with_name(f"{kept_file.name}.signatures.json").exists()


def entries_of(segment: Path) -> int:
    header = segment.read_bytes().split(b"\n", 2)[1]
    return int(json.loads(header)["entries"])
