"""Packing: every continuation once, in a row with room for it, and unseen by its neighbours."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gistmark.models.language_models.continuations import packed, shared_out


@given(lengths=st.lists(st.integers(1, 90), max_size=50), size=st.integers(0, 100))
def test_each_goes_into_one_row_that_has_room_for_it(lengths: list[int], size: int):
    rows = shared_out(lengths, size)
    assert sorted(position for row in rows for position in row) == list(range(len(lengths)))
    for row in rows:
        assert len(row) == 1 or sum(lengths[position] for position in row) <= size


def test_the_longest_go_first_into_the_first_row_that_has_room():
    # 7 opens a row, 5 another one, 3 fills up the first, 4 the second, 2 opens the third.
    assert shared_out([3, 7, 5, 2, 4], 10) == [[1, 0], [2, 4], [3]]
    assert shared_out([3, 7], 0) == [[1], [0]], "without room each has its own"
    assert shared_out([], 10) == []


def test_rows_hold_tokens_positions_and_owners():
    pack = packed([[(5, 6), (7,)], [(8,)]], first=4, filling=0)
    assert pack.tokens.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert pack.positions.tolist() == [[4, 5, 4], [4, 4, 4]]
    assert pack.starts == ((0, 2), (0,))
    assert not pack.is_plain
    assert packed([[(5, 6)], [(8,)]], first=0, filling=0).is_plain


def test_a_token_sees_the_context_and_its_own_past():
    pack = packed([[(5, 6), (7,)], [(8,)]], first=2, filling=0)
    seen = pack.visible(2)
    # The context's two places, then the row's three; the filling sees only itself and fillings.
    assert seen.astype(int).tolist() == [
        [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 0, 0, 1]],
        [[1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [1, 1, 0, 1, 1]],
    ]
    np.testing.assert_array_equal(pack.visible(0), seen[:, :, 2:])
