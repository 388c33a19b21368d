"""Whole addresses for those who work on the command line."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.web.config.start import whole_address


@pytest.mark.parametrize(
    ("hosts", "https", "start"),
    [
        (["localhost"], False, "http://localhost:8000/"),
        (["rate.example.org"], True, "https://rate.example.org/"),
        (["*"], False, "http://localhost:8000/"),
        ([".example.org"], True, "https://example.org/"),
    ],
)
def test_the_usual_address_follows_from_the_settings(settings, hosts, https, start):
    settings.ALLOWED_HOSTS, settings.BEHIND_PROXY = hosts, https
    assert whole_address("join", "abc") == f"{start}join/abc/"


def test_a_given_address_counts():
    address = whole_address("join", "abc", base="https://rate.example.org/")
    assert address == "https://rate.example.org/join/abc/"


@pytest.mark.parametrize("base", ["rate.example.org", "ftp://x", "https://", "javascript:x"])
def test_an_address_that_is_none_is_refused(base: str):
    with pytest.raises(UsageError, match="is not an address"):
        whole_address("join", "abc", base=base)
