"""Whom the market invites."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.web.crowd.prolific.calls import Choice
from gistmark.web.crowd.prolific.filters import Filters, filters_from, market_filters

KNOWN = {
    "fluent-languages": Choice("fluent-languages", {"English": "19", "German": "20"}),
    "current-country-of-residence": Choice("current-country-of-residence", {"Germany": "2"}),
    "approval_rate": Choice("approval_rate", {}),
    "previous_studies_blocklist": Choice("previous_studies_blocklist", {}),
}


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
        ({"countries": ["x" * 81]}, "At most 50 countries"),
    ],
)
def test_a_wrong_filter_gets_one_sentence(stored, sentence):
    with pytest.raises(UsageError, match=sentence):
        filters_from(stored)
