"""What a study pays and costs, and whom the market invites."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.web.crowd.prolific.calls import Choice
from gistmark.web.crowd.prolific.offers import (
    Filters,
    filters_from,
    market_filters,
    offer_of,
    suggested_minutes,
)

KNOWN = {
    "fluent-languages": Choice("fluent-languages", {"English": "19", "German": "20"}),
    "current-country-of-residence": Choice("current-country-of-residence", {"Germany": "2"}),
    "approval_rate": Choice("approval_rate", {}),
    "previous_studies_blocklist": Choice("previous_studies_blocklist", {}),
}


def test_the_rate_for_an_hour_and_the_least_reward_follow_from_the_time():
    offer = offer_of(reward=150, minutes=10, places=30, currency="GBP")
    # 150 pence for 10 minutes are 900 for 60; at 600 for an hour, 10 minutes are 100.
    assert (offer.per_hour, offer.least_reward, offer.rewards) == (900, 100, 4500)
    # 4500 × 1.333 = 5998.5
    assert offer.estimate() == 5999


def test_a_reward_below_the_markets_minimum_is_refused_with_the_rule():
    offer_of(reward=100, minutes=10, places=1, currency="GBP").demand_enough()
    with pytest.raises(UsageError) as refused:
        offer_of(reward=99, minutes=10, places=1, currency="GBP").demand_enough()
    assert str(refused.value) == (
        "Prolific requires at least £6.00 for an hour: £0.99 for 10 minutes is £5.94. "
        "Pay at least £1.00."
    )
    with pytest.raises(UsageError, match=r"at least \$8.00 for an hour"):
        offer_of(reward=5, minutes=7, places=1, currency="USD").demand_enough()


def test_the_markets_own_minimum_goes_before_ours():
    offer = offer_of(reward=100, minutes=10, places=1, currency="GBP", least=900)
    with pytest.raises(UsageError, match=r"at least £9.00 for an hour.*Pay at least £1.50"):
        offer.demand_enough()


def test_a_minimum_between_two_pennies_is_rounded_up():
    # 600 pence for an hour are 70 for 7 minutes, and 71.43 for 7 at 612.26.
    assert offer_of(reward=1, minutes=7, places=1, currency="GBP").least_reward == 70
    assert offer_of(reward=1, minutes=7, places=1, currency="GBP", least=613).least_reward == 72


def test_other_currencies_are_refused():
    with pytest.raises(UsageError, match="pays in GBP or USD, not in 'EUR'"):
        offer_of(reward=1, minutes=1, places=1, currency="EUR")


@pytest.mark.parametrize(
    ("median", "tasks", "minutes"), [(None, 3, None), (50.0, 3, 3), (60.0, 2, 2), (0.5, 1, 1)]
)
def test_the_time_is_the_median_of_a_task_times_the_tasks(median, tasks, minutes):
    assert suggested_minutes(median, tasks) == minutes


def test_names_become_the_ids_of_the_market():
    wanted = Filters(("german", "English"), ("Germany",), 95)
    assert market_filters(wanted, KNOWN, earlier_studies=["s1", "s2"]) == [
        {"filter_id": "fluent-languages", "selected_values": ["20", "19"]},
        {"filter_id": "current-country-of-residence", "selected_values": ["2"]},
        {"filter_id": "approval_rate", "selected_range": {"lower": 95, "upper": 100}},
        {"filter_id": "previous_studies_blocklist", "selected_values": ["s1", "s2"]},
    ]


def test_nothing_restricts_nobody():
    assert market_filters(Filters(), {}) == []
    assert Filters().sentences() == []
    assert filters_from({}) == Filters()


def test_filters_come_back_as_they_were_stored():
    wanted = Filters(("German",), ("Germany", "Austria"), 90)
    assert filters_from(wanted.to_mapping()) == wanted


def test_an_unknown_name_gets_similar_ones():
    with pytest.raises(UsageError, match="has no choice 'Germann'; similar are German"):
        market_filters(Filters(languages=("Germann",)), KNOWN)


def test_a_filter_that_the_workspace_does_not_have_is_named():
    with pytest.raises(UsageError, match="does not offer the filter 'custom_blocklist'"):
        market_filters(Filters(), KNOWN, earlier_people=["p1"])


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ({"age": 3}, "has no filter 'age'"),
        ({"approval_rate": 101}, "0 to 100 percent"),
        ({"approval_rate": "95"}, "0 to 100 percent"),
        ({"languages": "English"}, "is a list of names"),
        ({"countries": ["x" * 81]}, "Name at most 50 countries"),
    ],
)
def test_a_wrong_filter_gets_one_sentence(stored, sentence):
    with pytest.raises(UsageError, match=sentence):
        filters_from(stored)
