"""What each verdict means, and which one follows from several failed checks."""

from __future__ import annotations

import pytest

from gistmark.judgements import VERDICTS, CheckResult, Flag
from gistmark.judgements.verdicts import at_most, counts, is_paid, verdict_for, worst


def test_only_work_that_counts_is_exported_and_only_rejected_work_goes_unpaid():
    assert [(counts(each), is_paid(each)) for each in VERDICTS] == [
        (True, True), (False, True), (False, False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("severities", "verdict"),
    [
        ((), "counts"),
        (("flag",), "counts"),
        (("flag", "paid"), "paid"),
        (("reject", "paid", "flag"), "rejected"),
    ],
)
def test_the_worst_of_several_failed_checks_decides(severities, verdict):
    flags = tuple(Flag("odd", "It is odd.", severity) for severity in severities)
    assert CheckResult(flags).verdict == verdict == worst(map(verdict_for, severities))


def test_a_severity_is_lowered_to_what_is_allowed_and_never_raised():
    assert [at_most(each, "paid") for each in ("flag", "paid", "reject")] == [
        "flag", "paid", "paid",
    ]  # fmt: skip
    assert [at_most(each, "counts") for each in ("flag", "paid", "reject")] == ["flag"] * 3
    assert at_most("reject", "rejected") == "reject"
