"""Subsets of summaries by expression, such as `chars 200-350` or `overall < 2 and words > 9`.

Variables are chars, words, compression, every human score, every metric (with its part, as in
rouge1.recall; F if none is named), document and system. A comparison with a missing value is
neither true nor false, and only summaries for which the whole expression is true are chosen.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.analysis import expressions
from gistmark.analysis.expressions import Both, Expression, Name, Not, Number, Value
from gistmark.analysis.human import HumanScores
from gistmark.analysis.measures import MAIN_PART, Measures
from gistmark.analysis.ratings import Unit
from gistmark.errors import UsageError

Bool = NDArray[np.bool_]
Float64 = NDArray[np.float64]

_TEXTS = ("document", "system")
_OPERATORS: Mapping[expressions.Operator, Callable[[Any, Any], Any]] = {
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
    truth = variables.judge(expressions.parse(expression))
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

    def _compare(self, comparison: expressions.Comparison) -> _Truth:
        left, right = comparison.left, comparison.right
        compare = _OPERATORS[comparison.operator]
        for text, value in ((left, right), (right, left)):
            if isinstance(text, Name) and text.text in _TEXTS:
                return self._compare_texts(text, comparison.operator, value)
        if isinstance(left, Number) and isinstance(right, Number):
            raise self._wrong(left, "two numbers are compared; one side must be a name")
        first, second = self._values(left), self._values(right)
        known = ~(np.isnan(first) | np.isnan(second))
        true = compare(first, second)
        return _Truth(known & true, known & ~true)

    def _compare_texts(self, name: Name, sign: expressions.Operator, value: Value) -> _Truth:
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
        raise self._wrong(value, f"there is no {value.text!r}; known are {known}")

    def _wrong(self, value: Value, message: str) -> UsageError:
        return expressions.wrong(self._text, value.place, message)
