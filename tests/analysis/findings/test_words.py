"""How names, lists and numbers look."""

from __future__ import annotations

import math

import pytest

from gistmark.analysis.findings.words import (
    show_count,
    show_estimate,
    show_interval,
    show_number,
    show_p,
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.12345, "0.123"),
        (-0.5, "-0.500"),
        (-0.0003, "-0.0003"),
        (0.00049, "0.0005"),
        (0.0005, "0.001"),
        (-2e-7, "-0.0000002"),
        (0.0, "0.000"),
        (-1e-17, "0.000"),
        (9.9999, "10.000"),
        (12.345, "12.35"),
        (123.45, "123.5"),
        (12345.6, "12,346"),
        (1e9, "1,000,000,000"),
        (math.nan, "—"),
        (math.inf, "—"),
        (None, "—"),
    ],
)
def test_numbers_have_about_four_digits_and_no_exponent(value: float | None, shown: str):
    assert show_number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "<0.001"), (0.00099, "<0.001"), (0.001, "0.001"), (0.0456, "0.046"), (None, "—")],
)
def test_a_small_p_is_said_to_be_smaller(value: float | None, shown: str):
    assert show_p(value) == shown


def test_an_interval_needs_both_bounds():
    assert show_interval(0.1, 0.25) == "[0.100, 0.250]"
    assert show_interval(None, 0.2) == show_interval(0.1, math.nan) == ""
    assert show_estimate(0.2, 0.1, 0.25) == "0.200 [0.100, 0.250]"
    assert show_estimate(0.2, None, None) == "0.200"


def test_counts_have_commas():
    assert show_count(1234567) == "1,234,567"
    assert show_count(None) == "—"
