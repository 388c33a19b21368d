"""The interface of every check, and the result of all checks of a task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gistmark.judgements.fields import translatable
from gistmark.judgements.verdicts import Severity, Verdict, counts, verdict_for, worst

if TYPE_CHECKING:
    from gistmark.judgements.answers import Answer
    from gistmark.judgements.protocols.protocol import Protocol
    from gistmark.judgements.tasks.task import Task

_THANKS = translatable("Thank you, your work has been received.")


class Check(ABC):
    """One sign that a task was not done with care."""

    about: ClassVar[str]
    """What it requires, as a part of a sentence: "something must be highlighted"."""

    at_most: ClassVar[Verdict] = "paid"
    """The worst verdict that crowd markets let it lead to (`checks.markets`)."""

    of_people: ClassVar[bool] = False
    """Whether it is about a person's hands and time, so that it does not apply to machines."""

    def misfit(self, protocol: Protocol) -> str | None:
        """Why a protocol cannot use it, as the end of a sentence; None where it can."""
        return None

    def demand(self, protocol: Protocol) -> str | None:
        """Why a protocol must have it, as the end of a sentence; None if it need not."""
        return None

    def applies(self, protocol: Protocol) -> bool:
        """Whether a form that changes the usual settings of a protocol has to offer it."""
        return self.misfit(protocol) is None

    @abstractmethod
    def reasons(self, protocol: Protocol, task: Task, answer: Answer) -> Iterator[str]:
        """A sentence for the manager about each fault that it finds.

        `answer.seconds` is the time that counts; None where nobody measured it.
        """


@dataclass(frozen=True, slots=True)
class Flag:
    """A check that failed: its name, a sentence for the manager, and the consequence."""

    kind: str
    reason: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What the checks say about a task: the flags, and the verdict that the worst leads to."""

    flags: tuple[Flag, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return worst(verdict_for(flag.severity) for flag in self.flags)

    @property
    def accepted(self) -> bool:
        """Whether the work counts, unless a manager who looks at its flags decides otherwise."""
        return counts(self.verdict)

    @property
    def for_annotator(self) -> str:
        """What the annotator may know: the same whatever the checks said.

        Whoever were told could learn the answers by trying. In English; the platform translates it.
        """
        return _THANKS
