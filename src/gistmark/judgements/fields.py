"""Reading a mapping that came as JSON, field by field, and reporting every fault at once.

The kinds of value are those of corpus files, so they are just as strict: true is not a number, and
neither is NaN.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gistmark.corpus.fields import Cost, Kind, WrongValueError, describe
from gistmark.errors import UsageError


def translatable(sentence: str) -> str:
    """The sentence as it is; the platform's catalogues have it in other languages too."""
    return sentence


REQUIRED = object()
"""The default of a field that must be there."""


MOST_FAULTS = 200
"""How many faults are listed; nobody makes more by hand."""
_NAMED = 20
"""How many unknown fields of an object are named."""
_LONGEST_NAME = 100


FaultKind = Literal["missing", "wrong", "budget"]
"""The kind of fault, so that a page can say it in the words and the language of its reader."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: the field, such as `checks.planted`, and a sentence about it."""

    field: str
    message: str
    kind: FaultKind = "wrong"

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


class Seconds(Cost):
    """A time in seconds, not below 0."""

    expected = "a number of seconds"


SECONDS = Seconds()


class Fields:
    """The fields of one object; what cannot be read becomes a fault and its default."""

    def __init__(self, source: object, faults: list[Fault], path: str = "") -> None:
        self.faults = faults
        self.path = path
        self._taken: set[str] = set()
        self._source: Mapping[Any, object] = {}
        if isinstance(source, Mapping):
            self._source = source
        else:
            self.fault("", f"must be an object, but is {describe(source)}")

    def fault(self, name: str, message: str, kind: FaultKind = "wrong") -> None:
        """Note that a field (or, with an empty name, the object itself) is wrong."""
        path = self._path(name)
        subject = f"The field {path!r}" if path else "What was sent"
        self.note(Fault(path, f"{subject} {message}.", kind))

    def note(self, fault: Fault) -> None:
        """Note a fault; beyond a limit, note only that there are more."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
        elif len(self.faults) == MOST_FAULTS:
            self.faults.append(Fault("", "There are more faults; correct these first."))

    def missing(self, name: str, more: str = "") -> None:
        """Note that a field that has to be there is not."""
        self.fault(name, f"is missing{more}", "missing")

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._source.get(name) is not None

    def peek(self, name: str) -> object:
        """The value of a field, of whatever kind; None if it has none."""
        self._taken.add(name)
        return self._source.get(name)

    def names(self) -> tuple[str, ...]:
        """The names of all fields that are there."""
        return tuple(map(str, self._source))

    def take(self, name: str, kind: Kind, default: object = REQUIRED) -> Any:
        """The value of a field; its default where it is missing, None where it is wrong."""
        self._taken.add(name)
        value = self._source.get(name)
        if value is None:
            if default is REQUIRED:
                self.missing(name)
                return None
            return default
        try:
            return kind.value(value)
        except WrongValueError as error:
            self.fault(name, str(error))
            return None

    def inner(self, name: str) -> Fields:
        """The fields of the object that stands in a field; a missing one has none."""
        self._taken.add(name)
        value = self._source.get(name)
        return Fields({} if value is None else value, self.faults, self._path(name))

    def optional(self, name: str) -> Fields | None:
        """The fields of the object that stands in a field; None where there is none."""
        inner = self.inner(name)
        return inner if self.has(name) else None

    def items(self, name: str, most: int | None = None) -> Iterator[tuple[int, object]]:
        """The members of a list, numbered from 0; none where it is missing or has too many."""
        self._taken.add(name)
        value = self._source.get(name)
        if isinstance(value, list | tuple):
            if most is None or len(value) <= most:
                yield from enumerate(value)
            else:
                self.fault(name, f"must have at most {most:,} entries, but has {len(value):,}")
        elif value is not None:
            self.fault(name, f"must be a list, but is {describe(value)}")

    def objects(self, name: str, most: int | None = None) -> Iterator[Fields]:
        """The members of a list of objects."""
        for number, value in self.items(name, most):
            yield Fields(value, self.faults, f"{self._path(name)}[{number}]")

    def members(self, name: str, kind: Kind) -> tuple[Any, ...]:
        """The members of a list of values of one kind."""
        members = []
        for number, value in self.items(name):
            try:
                members.append(kind.value(value))
            except WrongValueError as error:
                self.fault(f"{name}[{number}]", str(error))
        return tuple(members)

    def refuse_others(self, known: tuple[str, ...] | None = None) -> None:
        """Note every field that nobody asked for; null is as good as nothing."""
        allowed = tuple(sorted(self._taken)) if known is None else known
        others = [name for name, value in self._source.items() if value is not None]
        unknown = [str(name) for name in others if name not in allowed]
        known_names = ", ".join(allowed) or "none"
        for name in unknown[:_NAMED]:
            shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
            self.fault(shown, f"is unknown; known: {known_names}")
        if len(unknown) > _NAMED:
            self.fault("", f"has {len(unknown) - _NAMED} more unknown fields")

    def _path(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path and name else self.path or name
