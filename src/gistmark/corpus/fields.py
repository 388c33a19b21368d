"""The kinds of value that a field may hold, for JSON values and for CSV cells alike.

A kind either returns the value as the record wants it or raises `WrongValueError` with what was
found and what is allowed; it never guesses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

_MAX_TEXT = 40
"""How many characters of a wrong text a message shows."""


class WrongValueError(Exception):
    """A value that its field cannot hold; the message completes "The field x ..."."""


class Kind:
    """One kind of value; `cell` reads the text of a CSV cell, `value` everything else."""

    expected = ""

    def value(self, value: object) -> Any:
        raise NotImplementedError

    def cell(self, cell: str) -> Any:
        return self.value(cell)

    def wrong(self, value: object) -> WrongValueError:
        return WrongValueError(f"must be {self.expected}, but is {describe(value)}")


class Text(Kind):
    """Any text, the empty one included, kept as it is to the last character."""

    expected = "text"

    def value(self, value: object) -> str:
        if not isinstance(value, str):
            raise self.wrong(value)
        if not value.isascii():
            _check_surrogates(value)
        return value


class Wording(Text):
    """Text that says something: not blank."""

    def value(self, value: object) -> str:
        text = super().value(value)
        if not text or text.isspace():
            raise WrongValueError("is empty")
        return text


class Name(Kind):
    """An id or a name: text that is not blank. A whole number is taken as its digits."""

    expected = "a name (text)"

    def value(self, value: object) -> str:
        if isinstance(value, str):
            if not value or value.isspace():
                raise WrongValueError("is empty")
            if not value.isascii():
                _check_surrogates(value)
            return value
        if isinstance(number := _python_number(value), int):
            return str(number)
        raise self.wrong(value)


class Number(Kind):
    """A finite number."""

    expected = "a number"

    def value(self, value: object) -> float:
        number = _python_number(value)
        if number is None:
            raise self.wrong(value)
        try:
            result = float(number)
        except OverflowError:
            result = math.inf
        if not math.isfinite(result):
            raise WrongValueError("must be a finite number, but is NaN or infinite")
        return result

    def cell(self, cell: str) -> float:
        try:
            return self.value(float(_digits(cell)))
        except ValueError:
            raise self.wrong(cell) from None


class Weight(Number):
    """A finite number above 0."""

    def value(self, value: object) -> float:
        number = super().value(value)
        if number <= 0:
            raise WrongValueError(f"must be above 0, but is {number:g}")
        return number


class Probability(Number):
    """A number above 0 and not above 1."""

    def value(self, value: object) -> float:
        number = super().value(value)
        if not 0 < number <= 1:
            raise WrongValueError(f"must be above 0 and at most 1, but is {number:g}")
        return number


class Cost(Number):
    """A finite number, not below 0."""

    def value(self, value: object) -> float:
        number = super().value(value)
        if number < 0:
            raise WrongValueError(f"must be at least 0, but is {number:g}")
        return number


@dataclass(frozen=True)
class Count(Kind):
    """A whole number that is not below `least`."""

    least: int = 0
    expected = "a whole number"

    def value(self, value: object) -> int:
        number = _python_number(value)
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if not isinstance(number, int):
            raise self.wrong(value)
        if number < self.least:
            raise WrongValueError(f"must be at least {self.least}, but is {number}")
        return number

    def cell(self, cell: str) -> int:
        try:
            number = float(_digits(cell))
        except ValueError:
            raise self.wrong(cell) from None
        return self.value(number)


class Flag(Kind):
    """True or false."""

    expected = "true or false"

    def value(self, value: object) -> bool:
        if type(value) is not bool:
            raise self.wrong(value)
        return value

    def cell(self, cell: str) -> bool:
        if cell not in ("true", "false"):
            raise self.wrong(cell)
        return cell == "true"


class Mark(Flag):
    """True or false, also as 1 or 0."""

    expected = "true or false (or 1 or 0)"

    def value(self, value: object) -> bool:
        return bool(value) if _python_number(value) in (0, 1) else super().value(value)

    def cell(self, cell: str) -> bool:
        return cell == "1" if cell in ("0", "1") else super().cell(cell)


@dataclass(frozen=True)
class OneOf(Kind):
    """One of a few fixed words."""

    choices: tuple[str, ...]

    def value(self, value: object) -> str:
        if type(value) is not str or value not in self.choices:
            allowed = " or ".join(map(repr, self.choices))
            raise WrongValueError(f"must be {allowed}, but is {describe(value)}")
        return value


class Texts(Kind):
    """Several texts, at least one."""

    expected = "a list of texts"

    def value(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise self.wrong(value)
        if not value:
            raise WrongValueError("must hold at least one text, but is an empty list")
        return tuple(map(TEXT.value, value))


class NamedTexts(Kind):
    """Texts by name, such as the summaries of a document by system."""

    expected = "an object of names and texts"

    def value(self, value: object) -> dict[str, str]:
        if not isinstance(value, dict):
            raise self.wrong(value)
        return {_name_of(name): _text_of(name, text) for name, text in value.items()}


TEXT = Text()
NAME = Name()
NUMBER = Number()
FLAG = Flag()
TEXTS = Texts()


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record: its name in files and in Python, and what it may hold.

    A required field has a value in every record, and a column in every table; one that is
    `nullable` has the column, but not always a value.
    """

    name: str
    kind: Kind
    required: bool = True
    default: object = None
    nullable: bool = False


def _python_number(value: object) -> float | int | None:
    """A Python or NumPy number as a Python one; None for anything else, booleans included."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else None


def _digits(cell: str) -> str:
    """A cell that may be a number; Python's notation 1_000 is not."""
    if "_" in cell:
        raise ValueError(cell)
    return cell


def describe(value: object) -> str:
    """A value as an error message shows it."""
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Real):
        return f"the number {value}"
    if isinstance(value, str):
        return "empty" if not value else f"the text {_shorten(value)!r}"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    return f"of the type {type(value).__name__}"


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 1] + "…"


def _check_surrogates(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise WrongValueError(
            f"has an unpaired surrogate (\\u{code:04x}) at character {error.start + 1}, "
            f"which no UTF-8 file can hold"
        ) from None


def _name_of(name: str) -> str:
    try:
        return NAME.value(name)
    except WrongValueError as error:
        raise WrongValueError(f"has a name that {error}") from None


def _text_of(name: str, text: object) -> str:
    try:
        return TEXT.value(text)
    except WrongValueError as error:
        raise WrongValueError(f"is wrong for {name!r}: it {error}") from None
