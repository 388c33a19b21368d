from __future__ import annotations

import numpy as np
import pytest

from gistmark.corpus.fields import (
    FLAG,
    NAME,
    NUMBER,
    TEXT,
    TEXTS,
    Count,
    Kind,
    OneOf,
    WrongValueError,
)


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (TEXT, 3, "must be text, but is the number 3"),
        (TEXT, ["a"], "must be text, but is a list"),
        (TEXT, "a\ud800b", r"has an unpaired surrogate (\ud800) at character 2"),
        (NAME, "", "is empty"),
        (NAME, " \t\u3000", "is empty"),
        (NAME, 1.5, "must be a name (text), but is the number 1.5"),
        (NAME, True, "must be a name (text), but is true"),
        (NAME, "\udfff", "has an unpaired surrogate"),
        (NUMBER, "3", "must be a number, but is the text '3'"),
        (NUMBER, True, "must be a number, but is true"),
        (NUMBER, {}, "must be a number, but is an object"),
        (NUMBER, float("nan"), "must be a finite number"),
        (NUMBER, 10**400, "must be a finite number"),
        (Count(), 1.5, "must be a whole number, but is the number 1.5"),
        (Count(), False, "must be a whole number, but is false"),
        (Count(), float("inf"), "must be a whole number"),
        (Count(), -1, "must be at least 0, but is -1"),
        (Count(least=1), 0, "must be at least 1, but is 0"),
        (FLAG, 1, "must be true or false, but is the number 1"),
        (FLAG, "true", "must be true or false, but is the text 'true'"),
        (OneOf(("left", "right")), "Left", "must be 'left' or 'right', but is the text 'Left'"),
        (TEXTS, "a", "must be a list of texts, but is the text 'a'"),
        (TEXTS, [], "must hold at least one text"),
        (TEXTS, ["a", 1], "must be text, but is the number 1"),
        (TEXT, b"a", "must be text, but is of the type bytes"),
        (NUMBER, "x" * 100, "but is the text '" + "x" * 39 + "…'"),
    ],
)
def test_a_wrong_value_is_refused_with_what_was_found(
    kind: Kind, value: object, message: str
) -> None:
    with pytest.raises(WrongValueError) as caught:
        kind.value(value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (TEXT, "", ""),
        (NAME, 7, "7"),
        (NAME, " a ", " a "),
        (NUMBER, 3, 3.0),
        (NUMBER, np.float32(0.5), 0.5),
        (NUMBER, np.int64(4), 4.0),
        (Count(), 30.0, 30),
        (TEXTS, ["a", ""], ("a", "")),
    ],
)
def test_a_right_value_is_taken_as_the_record_wants_it(
    kind: Kind, value: object, expected: object
) -> None:
    read = kind.value(value)
    assert read == expected
    assert type(read) is type(expected)


@pytest.mark.parametrize(("cell", "expected"), [("4", 4.0), (" 4.5 ", 4.5), ("-1e-3", -0.001)])
def test_a_number_is_read_from_a_cell(cell: str, expected: float) -> None:
    assert NUMBER.cell(cell) == expected


@pytest.mark.parametrize("cell", ["", "nan", "inf", "-Infinity", "1_000", "3,5", "four", "1e999"])
def test_a_cell_that_is_no_finite_number_is_refused(cell: str) -> None:
    with pytest.raises(WrongValueError):
        NUMBER.cell(cell)


@pytest.mark.parametrize(("cell", "expected"), [("30", 30), ("30.0", 30), (" 0", 0)])
def test_a_count_is_read_from_a_cell(cell: str, expected: int) -> None:
    assert Count().cell(cell) == expected


@pytest.mark.parametrize("cell", ["", "1.5", "-1", "1_0", "x", "nan"])
def test_a_cell_that_is_no_count_is_refused(cell: str) -> None:
    with pytest.raises(WrongValueError):
        Count().cell(cell)
