"""What crowd markets allow: which checks may leave work unpaid, and after how many failures."""

from __future__ import annotations

import pytest

from gistmark.judgements import CHECKS, PROTOCOLS, Checks, Flag, get_check, get_protocol
from gistmark.judgements.checks.markets import (
    failures_needed,
    is_too_fast,
    market_faults,
    rejection_fault,
    within_rules,
)

MISSED = Flag("attention", "The question 'two' says to choose 2.", "reject")


def test_no_preset_leads_to_what_markets_forbid():
    assert [name for name in PROTOCOLS if [*market_faults(get_protocol(name).checks)]] == []


def test_only_an_instruction_may_lead_to_rejection():
    assert [name for name in CHECKS if get_check(name).at_most == "rejected"] == ["attention"]
    strict = Checks(**dict.fromkeys(CHECKS, "reject"))
    refused = {fault.field for fault in market_faults(strict)}
    assert refused == {f"checks.{name}" for name in CHECKS} - {"checks.attention"}
    assert [*market_faults(Checks(**dict.fromkeys(CHECKS, "paid")))] == []


def test_a_setting_that_is_forbidden_comes_with_the_rule():
    (fault,) = market_faults(Checks(planted="reject", too_fast="flag"))
    assert fault.message == (
        "The field 'checks.planted' must be off, flag or paid: markets such as Prolific do not "
        "allow rejecting work for it, since of the checks only an instruction such as “choose 2 "
        "here” may leave somebody unpaid."
    )


@pytest.mark.parametrize(
    ("missed", "needed", "severities"),
    [
        (1, 1, ["reject"]),
        (1, 2, ["paid"]),
        (2, 2, ["reject", "reject"]),
    ],
)
def test_fewer_missed_instructions_than_needed_are_paid(missed, needed, severities):
    result = within_rules([MISSED] * missed, needed)
    assert [flag.severity for flag in result] == severities


def test_what_other_checks_lead_to_is_left_alone():
    flags = (Flag("planted", "Out of order.", "reject"), Flag("attention", "Missed.", "flag"))
    assert within_rules(flags, 2) == flags


def test_one_failure_is_enough_in_a_study_under_five_minutes():
    assert [failures_needed(minutes) for minutes in (4.9, 5, 60, None)] == [1, 2, 2, 2]


# The mean is 100 and the standard deviation 10: three below is 70.
TIMES = (90.0, 100.0, 110.0)


@pytest.mark.parametrize(
    ("failures", "minutes", "seconds", "allowed"),
    [
        (0, 4, 100.0, False),
        (1, 4, 100.0, True),
        (1, 5, 100.0, False),
        (2, 5, None, True),
        (2, None, None, True),
        (1, None, None, False),
        (0, 30, 69.9, True),
        (0, 30, 70.0, False),
    ],
)
def test_work_may_be_rejected_for_failed_instructions_or_haste_alone(
    failures, minutes, seconds, allowed
):
    fault = rejection_fault(failures=failures, minutes=minutes, seconds=seconds, times=TIMES)
    assert (fault is None) == allowed


def test_why_work_may_not_be_rejected_is_said_with_the_rule():
    assert rejection_fault(failures=1, minutes=12, seconds=None, times=()) == (
        "The market allows rejecting work in a study of 5 minutes or more if 2 attention checks "
        "failed or if it took 3 standard deviations less than the mean time; here 1 failed. "
        "Decide that it does not count but is paid, or request a return."
    )


def test_few_times_tell_nothing_about_haste():
    assert not is_too_fast(0.0, (100.0, 100.0))
