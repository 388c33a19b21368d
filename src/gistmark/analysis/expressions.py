"""The little language that chooses summaries: `200 <= chars <= 350 and not system == "lead"`.

    expression   = all { "or" all }
    all          = one { "and" one }
    one          = "not" one | "(" expression ")" | comparison | range
    comparison   = value ( < | <= | > | >= | == | != ) value { ... }
    range        = name number-number          as in: chars 200-350, both ends included

A value is a number or a name; a name with spaces or signs stands in quotes. Nothing is ever
handed to Python's own evaluation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from gistmark.errors import UsageError

Operator = Literal["<", "<=", ">", ">=", "==", "!="]

_NUMBER = r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_TOKENS = re.compile(
    rf"""\s*(?:
    (?P<range>-?{_NUMBER}\s*(?:-|–|\.\.)\s*-?{_NUMBER}(?![\w.]))
  | (?P<number>-?(?:{_NUMBER}|\.\d+)(?![\w.]))
  | (?P<word>(?:and|or|not)\b)
  | (?P<name>[^\W\d][\w.:*+/-]*)
  | (?P<quoted>"[^"]*"|'[^']*')
  | (?P<operator><=|>=|==|!=|<|>)
  | (?P<bracket>[()])
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_RANGE = re.compile(rf"(-?{_NUMBER})\s*(?:-|–|\.\.)\s*(-?{_NUMBER})")


@dataclass(frozen=True)
class Name:
    """A variable, or a text where a document or a system is compared."""

    text: str
    place: int


@dataclass(frozen=True)
class Number:
    """A number, and how it was written."""

    value: float
    text: str
    place: int


Value = Name | Number


@dataclass(frozen=True)
class Comparison:
    """One comparison of two values."""

    left: Value
    operator: Operator
    right: Value


@dataclass(frozen=True)
class Not:
    """What does not hold."""

    inner: Expression


@dataclass(frozen=True)
class Both:
    """Two conditions joined by and, or by or."""

    word: Literal["and", "or"]
    left: Expression
    right: Expression


Expression = Comparison | Not | Both


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    place: int


def parse(text: str) -> Expression:
    """The tree of an expression; what is wrong with it is said with its place."""
    parser = _Parser(text, _tokens(text))
    found = parser.expression()
    if parser.next.kind != "end":
        raise parser.error(f"{parser.next.text!r} is too much here; join conditions by and or or")
    return found


def wrong(text: str, place: int, message: str) -> UsageError:
    """An error that points at a place of an expression."""
    return UsageError(f"In the subset {text!r}, at character {place + 1}: {message}.")


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        match = _TOKENS.match(text, place)
        if match is None:
            place += len(text[place:]) - len(text[place:].lstrip())
            raise wrong(text, place, _stray(text[place:]))
        kind = str(match.lastgroup)
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        place = match.end()
    return [*tokens, _Token("end", "", end)]


def _stray(rest: str) -> str:
    if rest[0] == "=":
        return "write == for equal"
    if rest[0] in "\"'":
        return "a quote is opened but not closed"
    allowed = "names, numbers, < <= > >= == !=, and, or, not, ( )"
    return f"{rest[0]!r} means nothing here; allowed are {allowed}"


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._position = 0

    @property
    def next(self) -> _Token:
        return self._tokens[self._position]

    def error(self, message: str) -> UsageError:
        return wrong(self._text, self.next.place, message)

    def expression(self) -> Expression:
        found = self._all()
        while self._word("or"):
            found = Both("or", found, self._all())
        return found

    def _all(self) -> Expression:
        found = self._one()
        while self._word("and"):
            found = Both("and", found, self._one())
        return found

    def _one(self) -> Expression:
        if self._word("not"):
            return Not(self._one())
        if self.next.text == "(" and self.next.kind == "bracket":
            self._take()
            found = self.expression()
            if self.next.text != ")":
                raise self.error("a bracket is opened but not closed")
            self._take()
            return found
        return self._comparison()

    def _comparison(self) -> Expression:
        left = self._value()
        if self.next.kind == "range" and isinstance(left, Name):
            return self._range(left)
        found: Expression | None = None
        while self.next.kind == "operator":
            operator: Operator = self._take().text  # type: ignore[assignment]
            right = self._value()
            one = Comparison(left, operator, right)
            found, left = one if found is None else Both("and", found, one), right
        if found is None:
            raise self.error("a comparison is missing; write for example chars < 350")
        return found

    def _range(self, name: Name) -> Expression:
        token = self._take()
        match = _RANGE.fullmatch(token.text)
        assert match is not None
        low, high = (Number(float(side), side, token.place) for side in match.groups())
        return Both("and", Comparison(low, "<=", name), Comparison(name, "<=", high))

    def _value(self) -> Value:
        token = self.next
        if token.kind == "number":
            self._take()
            return Number(float(token.text), token.text, token.place)
        if token.kind in ("name", "quoted"):
            self._take()
            return Name(
                token.text.strip("\"'") if token.kind == "quoted" else token.text, token.place
            )
        if token.kind == "range":
            raise self.error("a range stands right behind a name, as in chars 200-350")
        raise self.error("a name or a number is missing")

    def _word(self, word: str) -> bool:
        if self.next.kind != "word" or self.next.text.lower() != word:
            return False
        self._take()
        return True

    def _take(self) -> _Token:
        self._position += 1
        return self._tokens[self._position - 1]
