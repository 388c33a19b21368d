"""A server that is killed in the middle of the work, and started again, loses nothing.

Twelve annotators submit sixty tasks through HTTP, each twice, while all processes of the
server are killed at once. What was acknowledged is there exactly once, and every item has exactly
its number of judges.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

import pytest

from web.annotating import Annotator
from web.serving import Server, database
from web.staging import DOCUMENTS, JUDGES, PEOPLE

SUBMISSIONS = DOCUMENTS * JUDGES
KILLED_AFTER = (20, 40)
PATIENCE = 180


class Tally:
    """Counts acknowledged submissions, and tells when a number of them is reached."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self.reached = {number: Event() for number in KILLED_AFTER}

    def __call__(self) -> None:
        with self._lock:
            self._count += 1
            if self._count in self.reached:
                self.reached[self._count].set()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_killed_server_loses_nothing_and_counts_nothing_twice(kind: str, tmp_path: Path) -> None:
    with database(kind) as url:
        server = Server(tmp_path / "data", url)
        made = json.loads(server.run("-m", "web.staging", "make"))
        server.start()
        try:
            tally = Tally()
            people = [
                Annotator(server.port, made["campaign"], session, tally)
                for session in made["sessions"]
            ]
            with ThreadPoolExecutor(PEOPLE) as pool:
                working = [pool.submit(person.work) for person in people]
                for number in KILLED_AFTER:
                    assert tally.reached[number].wait(timeout=PATIENCE), "the work does not get on"
                    server.kill()
                    time.sleep(0.5)
                    server.start()
                for each in working:
                    each.result(timeout=PATIENCE)
        finally:
            server.kill()
        result = json.loads(server.run("-m", "web.staging", "look"))
    acknowledged = [key for person in people for key in person.acknowledged]
    assert Counter(result["keys"]) == Counter(acknowledged)
    assert len(acknowledged) == result["current"] == SUBMISSIONS
    assert result["places"] == [[number, "done", JUDGES] for number in range(1, DOCUMENTS + 1)]
    assert len({tuple(pair) for pair in result["judges"]}) == SUBMISSIONS
    assert result["open"] == 0
