"""Limits of a run with a judge behind a server, and the meter that holds to them.

They bound how much a run may ask and cost; they change no value, so no signature names them. All
judges within `limited` share a meter, however many dimensions or threads they work for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Lock

from gistmark.errors import UsageError
from gistmark.runtime.cancellation import check

PARALLEL = 4
_SLICE = 0.1
_MILLION = 1e6


@dataclass(frozen=True)
class Limits:
    """How many requests a minute and in all, and how much a run may cost; None is no limit.

    Prices are per million tokens, in whatever currency; `cost` is in the same one and needs both.
    """

    per_minute: int | None = None
    requests: int | None = None
    cost: float | None = None
    price_in: float | None = None
    price_out: float | None = None
    parallel: int = PARALLEL

    def __post_init__(self) -> None:
        for name in ("per_minute", "requests", "parallel"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise UsageError(f"The limit {name} must be 1 or more, not {number}.")
        for name in ("cost", "price_in", "price_out"):
            amount = getattr(self, name)
            if amount is not None and not 0 <= amount < float("inf"):
                raise UsageError(f"{name} must be 0 or more, not {amount}.")
        if self.cost is not None and not self.has_prices:
            raise UsageError("A limit on the cost needs the prices of tokens read and written.")

    @property
    def has_prices(self) -> bool:
        return self.price_in is not None and self.price_out is not None

    def cost_of(self, tokens_in: int, tokens_out: int) -> float | None:
        """What so many tokens cost; None without prices."""
        if self.price_in is None or self.price_out is None:
            return None
        return (tokens_in * self.price_in + tokens_out * self.price_out) / _MILLION


class LimitReachedError(Exception):
    """No request may be sent any more; the message is a reason for a missing value."""


@dataclass(eq=False)
class Meter:
    """What was sent and what it cost, shared by threads; it lets no request through that is too
    many, and spaces them out by the minute.
    """

    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    _reserved: float = field(default=0.0, repr=False)
    _next: float = field(default=0.0, repr=False)
    _slots: BoundedSemaphore = field(init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        self._slots = BoundedSemaphore(self.limits.parallel)

    @property
    def cost(self) -> float | None:
        """What was spent so far; None without prices."""
        return self.limits.cost_of(self.tokens_in, self.tokens_out)

    def admit(self, tokens_in: int, tokens_out: int) -> None:
        """Wait until a request may be sent; `LimitReachedError` where none may.

        What it may cost is reserved until `settle`.
        """
        limits = self.limits
        with self._lock:
            if limits.requests is not None and self.requests >= limits.requests:
                raise LimitReachedError(f"the limit of {limits.requests:,} requests was reached")
            expected = limits.cost_of(tokens_in, tokens_out) or 0.0
            if limits.cost is not None:
                spent = (self.cost or 0.0) + self._reserved
                if spent + expected > limits.cost:
                    raise LimitReachedError(f"the limit on the cost, {limits.cost:g}, was reached")
            self._reserved += expected
            self.requests += 1
            pause = self._pause()
        self.wait(pause)

    def settle(self, expected: tuple[int, int], used: tuple[int, int]) -> None:
        """Count the tokens that a request used, instead of the expected ones."""
        with self._lock:
            self._reserved -= self.limits.cost_of(*expected) or 0.0
            self.tokens_in += used[0]
            self.tokens_out += used[1]

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Within it, one of the requests that may be under way at once."""
        while not self._slots.acquire(timeout=_SLICE):
            check()
        try:
            yield
        finally:
            self._slots.release()

    def wait(self, seconds: float) -> None:
        """Sleep, but stop where the run is cancelled."""
        end = self.clock() + seconds
        while (left := end - self.clock()) > 0:
            check()
            self.sleep(min(left, _SLICE))
        check()

    def _pause(self) -> float:
        """How long this request has to wait for its turn within the minute."""
        if self.limits.per_minute is None:
            return 0.0
        now = self.clock()
        turn = max(now, self._next)
        self._next = turn + 60.0 / self.limits.per_minute
        return turn - now


_meters: list[Meter] = [Meter()]


@contextmanager
def limited(limits: Limits) -> Iterator[Meter]:
    """Within it, all judges share these limits; the meter tells what they have used."""
    meter = Meter(limits)
    _meters.append(meter)
    try:
        yield meter
    finally:
        _meters.remove(meter)


def current_meter() -> Meter:
    """The meter of the innermost `limited`; outside of any, one without limits."""
    return _meters[-1]
