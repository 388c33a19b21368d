from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from gistmark.judges import limits
from gistmark.judges.limits import Limits, Meter
from judges.server import JudgeServer, running


@pytest.fixture(autouse=True)
def no_judge_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "MODEL", "KEY"):
        monkeypatch.delenv(f"GISTMARK_JUDGE_{name}", raising=False)


@pytest.fixture
def serve() -> Iterator[Callable[..., JudgeServer]]:
    """Starts servers, which stop at the end of the test."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(running(JudgeServer(**settings)))


class Time:
    """A clock that goes on when somebody sleeps, and at no other time."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def meter(self, **settings: Any) -> Meter:
        return Meter(Limits(**settings), clock=lambda: self.now, sleep=self.sleep)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture(autouse=True)
def quick_meter(monkeypatch: pytest.MonkeyPatch, time: Time) -> Meter:
    """Nobody waits for a pause between two tries."""
    meter = time.meter()
    monkeypatch.setattr(limits, "_meters", [meter])
    return meter
