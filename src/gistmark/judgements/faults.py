"""What is wrong with settings or answers that somebody sent: every fault at once, by field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gistmark.errors import UsageError


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: the field, such as `checks.planted`, and a sentence about it."""

    field: str
    message: str

    def __str__(self) -> str:
        return self.message


class FaultyInputError(UsageError):
    """What was sent cannot be used; `faults` lists everything that was found."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class ProtocolError(FaultyInputError):
    """The settings do not make a protocol."""


class AnswerError(FaultyInputError):
    """The answer does not fit its task."""
