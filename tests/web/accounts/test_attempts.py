"""Guessing passwords is slowed down, and nobody is locked out for good."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils import timezone

from gistmark.web.accounts.models import Attempt
from gistmark.web.accounts.sign_in.attempts import (
    ADDRESS_LIMIT,
    NAME_LIMIT,
    PAIR_LIMIT,
    TAKEN_LIMIT,
    WINDOW,
    TooManyAttemptsError,
    count_attempt,
    count_taken_name,
    forget_failures,
    network_of,
    note_failure,
    visitor_address,
)

pytestmark = pytest.mark.django_db
HERE, THERE = "192.0.2.1", "192.0.2.2"


def fail(times: int, name: str = "ada", address: str | None = HERE) -> None:
    for _ in range(times):
        note_failure(name, address)


def age(**ago: float) -> None:
    Attempt.objects.update(at=timezone.now() - timedelta(**ago))


def test_a_few_failures_are_allowed():
    fail(PAIR_LIMIT - 1)
    count_attempt("ada", HERE)


def test_the_limit_is_reached_and_the_wait_is_told():
    fail(PAIR_LIMIT)
    with pytest.raises(TooManyAttemptsError, match="try again in 15 minutes") as caught:
        count_attempt("ada", HERE)
    assert WINDOW.total_seconds() - 5 < caught.value.seconds <= WINDOW.total_seconds()


def test_the_wait_ends_a_window_after_the_failure_that_made_it_full():
    """Failures 14, 13, 12, 11 and 10 minutes ago: the first stops to count in a minute."""
    fail(PAIR_LIMIT)
    for minutes, attempt in zip(range(14, 9, -1), Attempt.objects.order_by("pk"), strict=True):
        Attempt.objects.filter(pk=attempt.pk).update(at=timezone.now() - timedelta(minutes=minutes))
    with pytest.raises(TooManyAttemptsError, match="try again in a minute"):
        count_attempt("ada", HERE)


def test_after_the_window_all_is_forgotten():
    fail(PAIR_LIMIT)
    age(minutes=15, seconds=1)
    count_attempt("ada", HERE)
    assert Attempt.objects.count() == 1


def test_a_name_is_the_same_in_capital_letters():
    fail(PAIR_LIMIT, " Ada ")
    with pytest.raises(TooManyAttemptsError):
        count_attempt("aDA", HERE)


def test_somebody_elsewhere_is_not_locked_out_by_a_handful_of_failures():
    fail(PAIR_LIMIT)
    count_attempt("ada", THERE)
    count_attempt("bob", HERE)


def test_a_name_guessed_from_many_addresses_is_slowed_down():
    for number in range(NAME_LIMIT):
        note_failure("ada", f"198.51.100.{number}")
    with pytest.raises(TooManyAttemptsError):
        count_attempt("ada", THERE)


def test_an_address_that_guesses_many_names_is_slowed_down():
    for number in range(ADDRESS_LIMIT):
        note_failure(f"name-{number}", HERE)
    with pytest.raises(TooManyAttemptsError):
        count_attempt("somebody", HERE)
    count_attempt("somebody", THERE)


def test_visitors_without_an_address_share_a_limit():
    fail(PAIR_LIMIT, address=None)
    with pytest.raises(TooManyAttemptsError):
        count_attempt("ada", None)


def test_a_success_clears_the_failures_of_that_name_there():
    fail(PAIR_LIMIT)
    fail(1, address=THERE)
    forget_failures("Ada", HERE)
    assert [attempt.address for attempt in Attempt.objects.all()] == [THERE]
    forget_failures("Ada")
    assert not Attempt.objects.exists()


def test_a_name_of_any_length_is_counted():
    fail(PAIR_LIMIT, "x" * 10_000)
    with pytest.raises(TooManyAttemptsError):
        count_attempt("x" * 10_000, HERE)


@pytest.mark.parametrize(
    ("behind_proxy", "forwarded", "address"),
    [
        (False, "203.0.113.9", "127.0.0.1"),
        (True, "203.0.113.9", "203.0.113.9"),
        (True, "203.0.113.9, 203.0.113.10", "203.0.113.10"),
        (True, "nonsense", "127.0.0.1"),
        (True, "", "127.0.0.1"),
    ],
)
def test_the_address_is_the_proxys_word_only_behind_a_proxy(
    settings, behind_proxy: bool, forwarded: str, address: str
):
    settings.BEHIND_PROXY = behind_proxy
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded})
    assert visitor_address(request) == address


def test_a_socket_without_an_address_has_none():
    assert visitor_address(RequestFactory().get("/", REMOTE_ADDR="")) is None


def test_an_attempt_counts_before_the_password_is_looked_at():
    """Ten that have all begun, and none of which has failed yet, are five guesses."""
    begun = 0
    for _ in range(2 * PAIR_LIMIT):
        try:
            count_attempt("ada", HERE)
            begun += 1
        except TooManyAttemptsError:
            pass
    assert begun == PAIR_LIMIT == Attempt.objects.count()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        (None, None),
    ],
)
def test_visitors_are_counted_by_the_network_that_one_of_them_has(address, network):
    assert network_of(address) == network


def test_another_address_of_the_same_network_gives_no_more_guesses():
    for number in range(PAIR_LIMIT):
        count_attempt("ada", f"2001:db8::{number}")
    with pytest.raises(TooManyAttemptsError):
        count_attempt("ada", "2001:db8::ffff:1")
    count_attempt("ada", "2001:db8:0:1::1")


def test_a_device_of_the_owner_has_a_limit_of_its_own():
    for number in range(NAME_LIMIT):
        note_failure("ada", f"198.51.100.{number}")
    for _ in range(PAIR_LIMIT):
        count_attempt("ada", THERE, device="d1")
    with pytest.raises(TooManyAttemptsError):
        count_attempt("ada", THERE, device="d1")
    forget_failures("ada", THERE, device="d1")
    count_attempt("ada", THERE, device="d1")


def test_names_that_are_taken_can_be_tried_a_few_times_only():
    for _ in range(TAKEN_LIMIT):
        count_taken_name(HERE)
    with pytest.raises(TooManyAttemptsError):
        count_taken_name(HERE)
    count_taken_name(THERE)
    count_attempt("ada", HERE)
