"""Checks: whether a finished task can be trusted. They run on the server.

A check is one class (`base.Check`) that says when it fits a protocol and what it finds. To add one,
write the class and name it below; settings, forms and the command line take it from here. A package
can add one through an entry point of `gistmark.checks`. `attention` has the checks; `statements`
and `planted` generate what two of them need, and `markets` says what they may lead to.
"""

from __future__ import annotations

from functools import cache

from gistmark.judgements.checks.base import Check, CheckResult, Flag
from gistmark.registry import Registry

__all__ = ["CHECKS", "Check", "CheckResult", "Flag", "get_check"]

_HERE = "gistmark.judgements.checks.attention"

CHECKS: Registry[type[Check]] = Registry(
    "check",
    "gistmark.checks",
    {
        "question": f"{_HERE}:StatementCheck",
        "planted": f"{_HERE}:PlantedCheck",
        "attention": f"{_HERE}:InstructionCheck",
        "untouched": f"{_HERE}:UntouchedCheck",
        "no_highlights": f"{_HERE}:BlankCheck",
        "straight_line": f"{_HERE}:StraightLineCheck",
        "too_fast": f"{_HERE}:HasteCheck",
    },
    base=Check,
)


@cache
def get_check(name: str) -> Check:
    """The check of this name; an unknown name is an error that lists the known ones."""
    return CHECKS.get(name)()
