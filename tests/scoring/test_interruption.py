"""Ctrl-C in the middle of a real run: what was done is kept, and the next run goes on."""

from __future__ import annotations

import json
import os
import runpy
import signal
import subprocess
import sys
import time
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


def wait_for(folder: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Until so many blocks are in the cache."""
    deadline = time.monotonic() + 60
    while len(list(folder.rglob("*.scores"))) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_interrupted_run_keeps_what_was_done_and_the_next_goes_on(
    files: tuple[Path, Path], plugin: Path, tmp_path: Path, cache_folder: Path
):
    log, output = tmp_path / "log", tmp_path / "scores.csv"
    command = [
        sys.executable, "-m", "gistmark", "score", *map(str, files), "-m", "slow:seconds=0.4",
        "--workers", "1", "-o", str(output),
    ]  # fmt: skip
    env = os.environ | {"PYTHONPATH": str(plugin), "GISTMARK_SAMPLE_LOG": str(log)}
    process = subprocess.Popen(
        command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=heed_interrupts,
    )  # fmt: skip
    wait_for(cache_folder, 2, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)

    kept_file = tmp_path / "scores.partial.csv"
    partial = pd.read_csv(kept_file)
    done = len(partial)
    assert process.returncode == 1
    assert not output.exists()
    assert out == ""
    assert err.splitlines() == [
        f"The {done:,} summaries done so far are in {kept_file}.",
        f"gistmark: Interrupted after {done:,} summaries. They are in the cache: the same "
        "command goes on from there.",
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


def entries_of(segment: Path) -> int:
    header = segment.read_bytes().split(b"\n", 2)[1]
    return int(json.loads(header)["entries"])
