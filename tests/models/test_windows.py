from __future__ import annotations

from itertools import pairwise

import pytest

from gistmark.models.encoders import Window, windows


@pytest.mark.parametrize("length", [0, 1, 7, 8])
def test_a_text_that_fits_is_one_window(length: int) -> None:
    assert windows(length, 8) == [Window(0, length, 0, length)]


def test_windows_overlap_and_each_token_is_where_it_is_most_central() -> None:
    """12 tokens by 8: windows 0-8 and 4-12 share 4-8, whose middle is 6."""
    assert windows(12, 8) == [Window(0, 8, 0, 6), Window(4, 12, 6, 12)]


@pytest.mark.parametrize("length", [9, 13, 14, 15, 100, 1001])
@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_every_token_belongs_to_the_window_with_the_nearest_middle(length: int, size: int) -> None:
    result = windows(length, size)
    owners = [
        position for position, window in enumerate(result) for _ in range(window.first, window.last)
    ]
    assert len(owners) == length
    for token, owner in enumerate(owners):
        reading = [position for position, w in enumerate(result) if w.start <= token < w.end]
        middles = {
            position: abs(result[position].start + result[position].end - 2 * token)
            for position in reading
        }
        assert owner in reading
        # Between two middles equally near, or a token's breadth apart, either will do.
        assert middles[owner] <= min(middles.values()) + 2


@pytest.mark.parametrize("length", [9, 100, 1001])
def test_neighbours_share_a_quarter_at_least(length: int) -> None:
    result = windows(length, 8)
    assert all(window.end - window.start == 8 for window in result)
    for left, right in pairwise(result):
        assert left.end - right.start >= 2
