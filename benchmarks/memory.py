"""Peak memory of `gistmark score` on 1,000,000 line-aligned pairs with ROUGE-1, 2 and L."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import report
from texts import overlapping, texts

PAIRS = 1_000_000
PIECE = 50_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        summaries, references, scores = (
            Path(folder) / name for name in ("system.txt", "reference.txt", "scores.csv")
        )
        write(summaries, references)
        command = [
            sys.executable, "-m", "gistmark", "score", str(summaries), str(references),
            "-m", "rouge1", "-m", "rouge2", "-m", "rougeL", "--no-cache", "-o", str(scores),
        ]  # fmt: skip
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - started
        with scores.open() as stream:
            rows = sum(1 for _ in stream) - 1
    if rows != PAIRS * 9:
        raise SystemExit(f"{rows} values were written, not {PAIRS * 9}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
    print(f"      {PAIRS:,} pairs in {seconds:.0f} s, scores file included")
    report("peak memory for 1,000,000 pairs, in GiB", peak, "< 1.5", peak < 1.5)


def write(summaries: Path, references: Path) -> None:
    with summaries.open("w") as left, references.open("w") as right:
        for piece in range(PAIRS // PIECE):
            made = texts(PIECE, 58, seed=100 + piece)
            right.writelines(f"{text}\n" for text in made)
            left.writelines(f"{text}\n" for text in overlapping(made, 44, seed=500 + piece))


if __name__ == "__main__":
    main()
