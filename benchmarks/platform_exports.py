"""How much time and memory exports, approvals and statistics of a large campaign take.

    python benchmarks/platform_exports.py [--submissions 200000] [--annotators 400] [--data DIR]

A campaign with that many submissions is made in a database of its own; with `--data` the folder is
kept and used again. Every piece of work runs in a process of its own, so that its peak of memory is
its own too: `start` is what a process takes that only loads the platform. There is no peer to
compare with and no threshold: compare the numbers before and after a change. The second
column is the processor's time, which tells more on a machine that is busy with other work.
"""

from __future__ import annotations

import argparse
import csv
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import platform_pages

WORK = (
    "start", "folder", "folder+rejected", "csv", "jsonl", "parquet", "approvals", "statistics",
)  # fmt: skip
KEY_FILE = "campaign-key"
ROWS = 2000
"""So many rows the market's file has."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=200_000)
    parser.add_argument("--annotators", type=int, default=400)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", choices=WORK, nargs="*", default=WORK)
    parser.add_argument("--run", choices=WORK, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        print(run(options.run, options.data))
        return
    with tempfile.TemporaryDirectory(prefix="gistmark-exports-") as temporary:
        data = options.data or Path(temporary)
        data.mkdir(parents=True, exist_ok=True)
        if not (data / KEY_FILE).exists():
            command = [sys.executable, "-c", FILL, str(data)]
            command += [str(options.annotators), str(options.submissions)]
            subprocess.run(command, check=True, cwd=Path(__file__).parent)
        print(f"{'work':16} {'seconds':>8} {'of CPU':>8} {'peak MB':>8} {'file MB':>8}")
        for name in options.only:
            command = [sys.executable, __file__, "--run", name, "--data", str(data)]
            print(subprocess.run(command, check=True, capture_output=True, text=True).stdout[:-1])


FILL = """
import sys
from pathlib import Path
import platform_pages
folder, annotators, submissions = sys.argv[1:]
platform_pages.set_up(folder)
keys = platform_pages.fill(int(annotators), int(submissions) * 4 // 3, 0)
Path(folder, "campaign-key").write_text(keys["key"])
"""


def run(name: str, data: Path) -> str:
    """Do one piece of work; returns a line with its time and memory."""
    platform_pages.set_up(str(data))
    from gistmark.web.campaigns.models import Campaign
    from gistmark.web.crowd import approvals  # noqa: F401
    from gistmark.web.results import exports  # noqa: F401
    from gistmark.web.results.statistics import study as statistics  # noqa: F401

    campaign = Campaign.objects.get(key=(data / KEY_FILE).read_text())
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "target"
        began, busy = time.perf_counter(), time.process_time()
        work(name, campaign, target)
        took, worked = time.perf_counter() - began, time.process_time() - busy
        size = target.stat().st_size / 1e6 if target.exists() else 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{name:16} {took:8.1f} {worked:8.1f} {peak:8.0f} {size:8.1f}"


def work(name: str, campaign: Any, target: Path) -> None:
    """Write an export, fill in a market's file, or compute the statistics."""
    from gistmark.web.crowd.approvals import fill_batch
    from gistmark.web.results.exports import Choices, export_to
    from gistmark.web.results.statistics.study import statistics_of

    if name == "approvals":
        campaign.completion_codes = True
        target.write_text("".join(market_file(campaign)))
        filled = fill_batch(campaign, target.read_bytes(), None)
        assert filled.approved > 0, filled
    elif name == "statistics":
        campaign.statistics.delete() if hasattr(campaign, "statistics") else None
        assert statistics_of(campaign).ranking
    elif name != "start":
        form, _, rejected = name.partition("+")
        export_to(campaign, form, target, Choices(rejected=bool(rejected)))


def market_file(campaign: Any) -> list[str]:
    """A market's file with the codes of some tasks."""
    from gistmark.web.annotate.codes import completion_code

    done = campaign.tasks.filter(state="done").values_list("pk", flat=True)[:ROWS]
    lines: list[str] = []
    writer = csv.writer(_Lines(lines))
    writer.writerow(["WorkerId", "Answer.surveycode"])
    writer.writerows([f"W{pk}", completion_code(pk, campaign)] for pk in done)
    return lines


class _Lines:
    """What `csv.writer` writes to."""

    def __init__(self, lines: list[str]) -> None:
        self.write = lines.append


if __name__ == "__main__":
    main()
