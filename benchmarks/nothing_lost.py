"""Many annotators submit while the server is killed again and again: is anything lost or doubled?

    python benchmarks/nothing_lost.py [--clients 20] [--each 200] [--kills 20] [--database both]

Every client submits each task twice, as a browser does that got no reply, and all processes of the
server are killed at once (SIGKILL) at even intervals. Meanwhile a separate process compares studies
with their markets, as `gistmark serve` does. It prints how many submissions were
acknowledged, stored, lost and doubled, and how many items have more judges than wanted; the exit
status is 1 unless the last three are 0. `tests/web/test_nothing_lost.py` is the short form.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path.insert(0, str(TESTS))
JUDGES = 4
SYNC = """
import time, django
django.setup()
from django.db import connection
from gistmark.web.crowd.prolific.sync import sync_all
while True:
    try:
        sync_all()
        print("compared", flush=True)
    except Exception as error:
        print("failed:", type(error).__name__, flush=True)
    finally:
        connection.close()
    time.sleep(1)
"""


class Tally:
    """Counts what was acknowledged, and says when a kill is due."""

    def __init__(self, total: int, kills: int) -> None:
        self._lock, self._count = Lock(), 0
        marks = [round(total * (number + 1) / (kills + 1)) for number in range(kills)]
        self.due = {mark: Event() for mark in marks}

    def __call__(self) -> None:
        with self._lock:
            self._count += 1
            if self._count in self.due:
                self.due[self._count].set()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    os.environ["GISTMARK_STAGED_PEOPLE"] = str(options.clients)
    os.environ["GISTMARK_STAGED_DOCUMENTS"] = str(options.clients * options.each // JUDGES)
    os.environ["DJANGO_SETTINGS_MODULE"] = "gistmark.web.config.settings"
    import django

    django.setup()
    kinds = ["sqlite", "postgres"] if options.database == "both" else [options.database]
    results = [run(kind, options) for kind in kinds]
    sys.exit(0 if all(results) else 1)


def run(kind: str, options: argparse.Namespace) -> bool:
    """Run everything on one database; returns whether nothing was lost or doubled."""
    from web.annotating import Annotator
    from web.serving import Server, database

    began = time.perf_counter()
    total = options.clients * options.each
    with tempfile.TemporaryDirectory() as folder, database(kind) as url:
        server = Server(Path(folder) / "data", url)
        made = json.loads(server.run("-m", "web.staging", "make"))
        server.start()
        sync = subprocess.Popen(
            [sys.executable, "-c", SYNC], env=server.environment, stdout=subprocess.PIPE, text=True
        )
        tally = Tally(total, options.kills)
        people = [Annotator(server.port, made["campaign"], s, tally) for s in made["sessions"]]
        try:
            with ThreadPoolExecutor(options.clients) as pool:
                working = [pool.submit(person.work) for person in people]
                for event in tally.due.values():
                    while not event.wait(1):
                        assert not all(each.done() for each in working), "the work has ended"
                    server.kill()
                    server.start()
                for each in working:
                    each.result()
        finally:
            server.kill()
            sync.kill()
        compared = (sync.communicate()[0] or "").splitlines()
        found = json.loads(server.run("-m", "web.staging", "look"))
    return tell(kind, people, found, options, Counter(compared), time.perf_counter() - began)


def tell(kind, people, found, options, compared, seconds) -> bool:  # type: ignore[no-untyped-def]
    """Print the counts of one database; returns whether they are as they should be."""
    acknowledged = Counter(key for person in people for key in person.acknowledged)
    stored = Counter(found["keys"])
    lost = sum((acknowledged - stored).values())
    doubled = sum(count - 1 for count in stored.values())
    done: Counter[int] = Counter()
    for batch, state, count in found["places"]:
        done[batch] += count if state == "done" else 0
    more = sum(count > JUDGES for count in done.values())
    print(
        f"{kind}: {options.clients} clients, {options.kills} kills, {seconds:.0f} s: "
        f"{sum(acknowledged.values())} acknowledged, {sum(stored.values())} stored, {lost} lost, "
        f"{doubled} doubled, {more} items with more than {JUDGES} judges; studies were compared "
        f"{compared['compared']} times, {sum(compared.values()) - compared['compared']} failed"
    )
    return not (lost or doubled or more)


if __name__ == "__main__":
    main()
