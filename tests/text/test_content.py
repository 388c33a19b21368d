"""Content words: what two units share, and how much of a unit a text says."""

from __future__ import annotations

import pytest

from gistmark.text.content import contained, content_words, overlap, stated_share


def test_the_overlap_of_two_sets_of_words_is_their_jaccard_index() -> None:
    assert overlap(frozenset("abc"), frozenset("bcd")) == 2 / 4
    assert overlap(frozenset(), frozenset()) == 0.0


def test_content_words_are_stems_without_stop_words() -> None:
    assert content_words("The painters were closing it.") == {"painter", "close"}


def test_a_unit_of_stop_words_alone_keeps_them() -> None:
    assert content_words("It is so.") == {"it", "is", "so"}


def test_each_character_of_a_script_without_spaces_is_a_word() -> None:
    assert content_words("橋は閉鎖", "ja") >= {"橋", "閉", "鎖"}


@pytest.mark.parametrize(
    ("unit", "summary", "share"),
    [
        ("The bridge was closed.", "They closed a bridge in May.", 1.0),
        ("The bridge was closed.", "A bridge!", 1 / 2),  # of {bridg, close}
        ("The bridge was closed.", "", 0.0),
        ("!", "A bridge!", 0.0),  # a unit without words is not stated
    ],
)
def test_a_unit_is_stated_by_the_share_of_its_content_words(
    unit: str, summary: str, share: float
) -> None:
    assert stated_share(unit, summary) == share


def test_what_has_no_words_is_contained_in_nothing() -> None:
    assert contained(frozenset(), frozenset("a")) == 0.0
