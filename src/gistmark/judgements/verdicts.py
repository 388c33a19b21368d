"""The three verdicts on submitted work: it counts, does not count but is paid, or is rejected.

Only work that counts keeps its slot and is exported; the other two open the slot again. Whoever did
the work is paid unless it is rejected, which crowd markets allow for only a few reasons
(`gistmark.judgements.checks.markets`). Work without a verdict waits for a manager.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

Verdict = Literal["counts", "paid", "rejected"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""From the best to the worst."""

Action = Literal["off", "flag", "paid", "reject"]
ACTIONS: tuple[Action, ...] = get_args(Action)
"""What may happen to work that fails a check: nothing, a flag for the manager, or a verdict."""
Severity = Literal["flag", "paid", "reject"]

_OF_SEVERITY: Mapping[Severity, Verdict] = {"flag": "counts", "paid": "paid", "reject": "rejected"}
_SEVERITY_OF: Mapping[Verdict, Severity] = {of: name for name, of in _OF_SEVERITY.items()}


def counts(verdict: Verdict) -> bool:
    """Whether work with this verdict keeps its slot and is exported as a judgement."""
    return verdict == "counts"


def is_paid(verdict: Verdict) -> bool:
    """Whether the market is told to pay for work with this verdict."""
    return verdict != "rejected"


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of several verdicts; without any, the work counts.

    >>> from gistmark.judgements.verdicts import worst
    >>> worst(["counts", "paid"]), worst([])
    ('paid', 'counts')
    """
    return max(verdicts, key=VERDICTS.index, default="counts")


def verdict_for(severity: Severity) -> Verdict:
    """The verdict that a failed check of this severity leads to; flagged work may still count."""
    return _OF_SEVERITY[severity]


def at_most(severity: Severity, most: Verdict) -> Severity:
    """The severity, or a lower one where it leads to a worse verdict than `most`."""
    verdict = verdict_for(severity)
    return severity if VERDICTS.index(verdict) <= VERDICTS.index(most) else _SEVERITY_OF[most]
