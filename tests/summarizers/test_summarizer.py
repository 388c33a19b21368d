"""Limits, and the catalogue of systems."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.summarizers import SYSTEMS, Limit


def test_by_default_a_summary_has_at_most_600_characters():
    assert Limit().holds(["x" * 600])
    assert not Limit().holds(["x" * 601])


def test_the_spaces_between_sentences_count():
    assert Limit(chars=5).holds(["ab", "cd"])
    assert not Limit(chars=4).holds(["ab", "cd"])


def test_nothing_is_within_every_limit():
    assert Limit(chars=0, words=0, sentences=0).holds([])


def test_all_limits_hold_together():
    limit = Limit(chars=10, words=2, sentences=1)
    assert limit.holds(["one two"])
    assert not limit.holds(["one two three"])
    assert not limit.holds(["one", "two"])
    assert not limit.holds(["onetwothree"])


def test_an_unknown_system_gets_a_suggestion():
    with pytest.raises(UsageError, match="Did you mean 'LeadFirst'"):
        SYSTEMS.get("LeadFrist")
