"""Subsets of summaries by expression, such as `chars 200-350` or `overall < 2 and words > 9`.

    expression   = all { "or" all }
    all          = one { "and" one }
    one          = "not" one | "(" expression ")" | comparison | range
    comparison   = value ( < | <= | > | >= | == | != ) value { ... }
    range        = name number-number          as in: chars 200-350, both ends included

A value is a number or a name; a name with spaces or signs is quoted. Nothing is ever evaluated as
Python.

Variables are chars, words, compression, every human score, every metric (with its part, as in
rouge1.recall; F if none is named), confidence (the mean of a summary's ratings), document and
system. A comparison with a missing value is
neither true nor false, and only summaries for which the whole expression is true are chosen.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis.data.columns import Unit
from gistmark.analysis.data.measures import MAIN_PART, Measures
from gistmark.analysis.human import HumanScores
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
    position: int


@dataclass(frozen=True)
class Number:
    """A number, and how it was written."""

    value: float
    text: str
    position: int


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
    position: int


def parse(text: str) -> Expression:
    """The tree of an expression; an error names the character that is wrong."""
    parser = _Parser(text, _tokens(text))
    tree = parser.expression()
    if parser.next.kind != "end":
        raise parser.error(
            f"{parser.next.text!r} is unexpected here; join conditions with and or or"
        )
    return tree


def wrong(text: str, index: int, message: str) -> UsageError:
    """An error that points at a character of an expression."""
    return UsageError(f"In the subset {text!r}, at character {index + 1}: {message}.")


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    index, end = 0, len(text.rstrip())
    while index < end:
        match = _TOKENS.match(text, index)
        if match is None:
            index += len(text[index:]) - len(text[index:].lstrip())
            raise wrong(text, index, _stray(text[index:]))
        kind = str(match.lastgroup)
        tokens.append(_Token(kind, match[kind], match.start(kind)))
        index = match.end()
    return [*tokens, _Token("end", "", end)]


def _stray(rest: str) -> str:
    if rest[0] == "=":
        return "write == for equal"
    if rest[0] in "\"'":
        return "a quote is opened but not closed"
    allowed = "names, numbers, < <= > >= == !=, and, or, not, ( )"
    return f"{rest[0]!r} means nothing here; allowed: {allowed}"


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
        return wrong(self._text, self.next.position, message)

    def expression(self) -> Expression:
        tree = self._all()
        while self._word("or"):
            tree = Both("or", tree, self._all())
        return tree

    def _all(self) -> Expression:
        tree = self._one()
        while self._word("and"):
            tree = Both("and", tree, self._one())
        return tree

    def _one(self) -> Expression:
        if self._word("not"):
            return Not(self._one())
        if self.next.text == "(" and self.next.kind == "bracket":
            self._take()
            tree = self.expression()
            if self.next.text != ")":
                raise self.error("a bracket is opened but not closed")
            self._take()
            return tree
        return self._comparison()

    def _comparison(self) -> Expression:
        left = self._value()
        if self.next.kind == "range" and isinstance(left, Name):
            return self._range(left)
        tree: Expression | None = None
        while self.next.kind == "operator":
            operator: Operator = self._take().text  # type: ignore[assignment]
            right = self._value()
            one = Comparison(left, operator, right)
            tree, left = one if tree is None else Both("and", tree, one), right
        if tree is None:
            raise self.error("a comparison is missing; write for example chars < 350")
        return tree

    def _range(self, name: Name) -> Expression:
        token = self._take()
        match = _RANGE.fullmatch(token.text)
        assert match is not None
        low, high = (Number(float(side), side, token.position) for side in match.groups())
        return Both("and", Comparison(low, "<=", name), Comparison(name, "<=", high))

    def _value(self) -> Value:
        token = self.next
        if token.kind == "number":
            self._take()
            return Number(float(token.text), token.text, token.position)
        if token.kind in ("name", "quoted"):
            self._take()
            return Name(
                token.text.strip("\"'") if token.kind == "quoted" else token.text, token.position
            )
        if token.kind == "range":
            raise self.error("a range must follow a name, as in chars 200-350")
        raise self.error("a name or a number is missing")

    def _word(self, word: str) -> bool:
        if self.next.kind != "word" or self.next.text.lower() != word:
            return False
        self._take()
        return True

    def _take(self) -> _Token:
        self._position += 1
        return self._tokens[self._position - 1]


Bool = NDArray[np.bool_]

Float64 = NDArray[np.float64]

_TEXTS = ("document", "system")

_OPERATORS: Mapping[Operator, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@dataclass(frozen=True)
class Subset:
    """The units for which an expression is true, out of `of`."""

    expression: str
    units: frozenset[Unit]
    of: int

    def __len__(self) -> int:
        return len(self.units)


@dataclass(frozen=True)
class _Truth:
    """Where a condition is true and where it is false; where a value is missing it is neither."""

    true: Bool
    false: Bool


def choose(expression: str, measures: Measures, human: HumanScores | None = None) -> Subset:
    """The units of `measures` for which the expression is true."""
    variables = _Variables(expression, measures, human)
    truth = variables.judge(parse(expression))
    units = (unit for unit, true in zip(measures.units, truth.true, strict=True) if true)
    return Subset(expression, frozenset(units), len(measures.units))


class _Variables:
    def __init__(self, text: str, measures: Measures, human: HumanScores | None) -> None:
        self._text = text
        self._units = measures.units
        self._numbers: dict[str, Float64] = {}
        if human is not None:
            self._numbers |= dict(zip(human.names, human.at(measures.units), strict=True))
        for name, values in zip(measures.names, measures.values, strict=True):
            self._numbers[str(name)] = values

    def judge(self, expression: Expression) -> _Truth:
        if isinstance(expression, Not):
            inner = self.judge(expression.inner)
            return _Truth(inner.false, inner.true)
        if isinstance(expression, Both):
            left, right = self.judge(expression.left), self.judge(expression.right)
            if expression.word == "and":
                return _Truth(left.true & right.true, left.false | right.false)
            return _Truth(left.true | right.true, left.false & right.false)
        return self._compare(expression)

    def _compare(self, comparison: Comparison) -> _Truth:
        left, right = comparison.left, comparison.right
        compare = _OPERATORS[comparison.operator]
        for text, value in ((left, right), (right, left)):
            if isinstance(text, Name) and text.text in _TEXTS:
                return self._compare_texts(text, comparison.operator, value)
        if isinstance(left, Number) and isinstance(right, Number):
            raise self._wrong(left, "this compares two numbers; one side must be a name")
        first, second = self._values(left), self._values(right)
        known = ~(np.isnan(first) | np.isnan(second))
        true = compare(first, second)
        return _Truth(known & true, known & ~true)

    def _compare_texts(self, name: Name, sign: Operator, value: Value) -> _Truth:
        if sign not in ("==", "!="):
            raise self._wrong(name, f"{name.text} can be compared by == and != only")
        part = _TEXTS.index(name.text)
        same = np.array([unit[part] == value.text for unit in self._units], dtype=np.bool_)
        true = same if sign == "==" else ~same
        return _Truth(true, ~true)

    def _values(self, value: Value) -> Float64:
        if isinstance(value, Number):
            return np.full(len(self._units), value.value)
        for name in (value.text, f"{value.text}.{MAIN_PART}"):
            if name in self._numbers:
                return self._numbers[name]
        parts = [name for name in self._numbers if name.startswith(f"{value.text}.")]
        if len(parts) == 1:
            return self._numbers[parts[0]]
        if parts:
            raise self._wrong(value, f"{value.text} has several parts: {', '.join(parts)}")
        known = ", ".join((*self._numbers, *_TEXTS))
        raise self._wrong(value, f"there is no {value.text!r}; known: {known}")

    def _wrong(self, value: Value, message: str) -> UsageError:
        return wrong(self._text, value.position, message)
