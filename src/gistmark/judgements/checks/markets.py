"""What crowd markets allow: for which reasons work may be rejected, and so not paid.

The rules are those of Prolific, the strictest of the markets. Only an instruction ("choose 2 here")
is an attention check: a planted summary or a True/False statement tests understanding, so it may
decide that work does not count, but not that it is unpaid. Nobody is rejected for a comprehension
question, which here only decides who gets tasks (`gistmark.web.qualification`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import mean, stdev

from gistmark.judgements.checks import CHECKS, get_check
from gistmark.judgements.checks.base import Flag
from gistmark.judgements.fields import Fault
from gistmark.judgements.protocols.protocol import Checks
from gistmark.judgements.verdicts import VERDICTS, at_most, verdict_for

SHORT_MINUTES = 5
"""In studies that take less, one failed attention check is enough to reject."""
_DEVIATIONS = 3
_FEWEST_TIMES = 3
RULE = (
    "markets such as Prolific do not allow rejecting work for it, since of the checks only an "
    "instruction such as “choose 2 here” may leave somebody unpaid"
)


def market_faults(checks: Checks) -> Iterator[Fault]:
    """The settings that lead to a worse verdict than markets allow, each with the rule."""
    for name, action in checks.actions.items():
        if action == "off" or name not in CHECKS:
            continue
        most = get_check(name).at_most
        if VERDICTS.index(verdict_for(action)) > VERDICTS.index(most):
            field = f"checks.{name}"
            allowed = "off, flag or paid" if most == "paid" else "off or flag"
            yield Fault(field, f"The field {field!r} must be {allowed}: {RULE}.")


def failures_needed(minutes: float | None) -> int:
    """How many attention checks somebody must fail to be rejected, by the time of the study.

    Where the time is not known, as many as are enough in any study.

    >>> from gistmark.judgements.checks.markets import failures_needed
    >>> failures_needed(4), failures_needed(5), failures_needed(None)
    (1, 2, 2)
    """
    return 1 if minutes is not None and minutes < SHORT_MINUTES else 2


def within_rules(flags: Sequence[Flag], needed: int | Callable[[], int]) -> tuple[Flag, ...]:
    """The flags; none of them rejects if fewer attention checks failed than are needed.

    A function that looks up how many are needed is called only where one failed. Checks for which
    markets allow no rejection are left as they are: a campaign that rejects for them was started
    earlier, or does not belong to a market.
    """
    failures = attention_failures(flags)
    if not failures or failures >= (needed() if callable(needed) else needed):
        return tuple(flags)
    return tuple(
        replace(flag, severity=at_most(flag.severity, "paid")) if _is_attention(flag.kind) else flag
        for flag in flags
    )


def attention_failures(flags: Iterable[Flag]) -> int:
    """How many attention checks failed: those that markets let somebody be rejected for."""
    return sum(_is_attention(flag.kind) for flag in flags)


def rejection_fault(
    *, failures: int, minutes: float | None, seconds: float | None, times: Sequence[float]
) -> str | None:
    """Why markets forbid rejecting somebody's work, as a sentence; None where they allow it.

    `failures` are the attention checks that they failed in the study, `minutes` is the time that
    the study was announced with, `seconds` theirs, and `times` those of everybody in seconds.
    """
    needed = failures_needed(minutes)
    if failures >= needed or (seconds is not None and is_too_fast(seconds, times)):
        return None
    short = needed == 1
    checks = "one attention check" if short else f"{needed} attention checks"
    length = f"under {SHORT_MINUTES} minutes" if short else f"of {SHORT_MINUTES} minutes or more"
    return (
        f"The market allows rejecting work in a study {length} if {checks} failed or if it took "
        f"{_DEVIATIONS} standard deviations less than the mean time; here {failures} failed. "
        "Decide that it does not count but is paid, or request a return."
    )


def is_too_fast(seconds: float, times: Sequence[float]) -> bool:
    """Whether a time is three standard deviations below the mean of all; few times tell nothing.

    >>> from gistmark.judgements.checks.markets import is_too_fast
    >>> times = [100.0, 110.0, 90.0, 100.0]
    >>> is_too_fast(70.0, times), is_too_fast(80.0, times)
    (True, False)
    """
    if len(times) < _FEWEST_TIMES:
        return False
    return seconds < mean(times) - _DEVIATIONS * stdev(times)


def _is_attention(kind: str) -> bool:
    return kind in CHECKS and get_check(kind).at_most == "rejected"
