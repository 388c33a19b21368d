"""What BLANC-tune lets a model learn, worked by hand on tokens that are just numbers."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.metrics.language_model.eligible import Least, Pieces
from gistmark.metrics.language_model.tuned_models import (
    Example,
    Hiding,
    causal_examples,
    chunks,
    masked_examples,
    shuffled,
)

MASK = 99
NEVER = Hiding(replaced=0.0, kept=0.0, mask=MASK, vocabulary=50)


def words(*lengths: int) -> Pieces:
    """Tokens 10, 11, ... that are whole words of these lengths."""
    tokens = tuple(range(10, 10 + len(lengths)))
    return Pieces(tokens, lengths, tuple(range(len(lengths))), lengths)


@pytest.mark.parametrize(
    ("count", "size", "stride", "expected"),
    [
        (0, 4, 2, []),
        (3, 4, 4, [(0, 3)]),
        (6, 4, 4, [(0, 4), (4, 6)]),
        # 2 is within the first chunk, so its top (0, 2) comes once more; 4 is not.
        (6, 4, 2, [(0, 4), (2, 6), (0, 2), (4, 6)]),
    ],
)
def test_chunks_overlap_and_the_top_is_added(count, size, stride, expected):
    assert [(cut.start, cut.stop) for cut in chunks(count, size, stride)] == expected


def test_a_causal_example_asks_for_a_word_at_the_token_before_it():
    # After the start 0: reading 0 predicts 10, reading 10 predicts 11, reading 11 predicts 12.
    assert causal_examples((10, 11, 12), (0, 2), 0, [slice(0, 3)]) == [
        Example((0, 10, 11, 12), (0, 2), (10, 12))
    ]


def test_a_causal_chunk_counts_its_places_from_its_own_start():
    assert causal_examples((10, 11, 12), (2,), 0, [slice(0, 2), slice(1, 3)]) == [
        Example((0, 11, 12), (1,), (12,))
    ], "the first chunk has no long word and makes no example"


def test_masked_words_stand_between_what_opens_and_closes_a_text():
    rng = np.random.default_rng(0)
    assert masked_examples((10, 11, 12), [(0,), (1, 2)], NEVER, ((1,), (2,)), rng) == [
        Example((1, MASK, 11, 12, 2), (1,), (10,)),
        Example((1, 10, MASK, MASK, 2), (2, 3), (11, 12)),
    ]


def test_the_shares_of_kept_and_replaced_words_are_as_asked():
    hiding = Hiding(replaced=0.2, kept=0.3, mask=MASK, vocabulary=50)
    tokens = tuple(range(60, 90))
    groups = [tuple(range(30))] * 400
    rng = np.random.default_rng(1)
    shown = np.array(
        [example.read for example in masked_examples(tokens, groups, hiding, ((), ()), rng)]
    )
    assert (shown == np.array(tokens)).mean() == pytest.approx(0.3, abs=0.02)
    assert (shown == MASK).mean() == pytest.approx(0.5, abs=0.02)
    assert (shown < 50).mean() == pytest.approx(0.2, abs=0.02)


def test_every_long_word_is_hidden_once_and_so_many_at_a_time():
    pieces = words(5, 2, 6, 7, 3, 8, 9, 4, 1, 1)
    result = list(shuffled(pieces, 0.25, "package", Least(), np.random.default_rng(3)))
    assert sorted(position for group in result for position in group) == [0, 2, 3, 5, 6, 7]
    assert [len(group) for group in result] == [2, 2, 2], "a quarter of ten tokens, rounded down"


def split_words() -> Pieces:
    """Words of 5, 4, 5, 9 and 1 letters, of which the fourth has three pieces."""
    letters = (5, 4, 5, 9, 9, 9, 1)
    return Pieces(tuple(range(10, 17)), (5, 4, 5, 3, 3, 3, 1), (0, 1, 2, 3, 3, 3, 4), letters)


def test_the_paper_hides_whole_words_that_are_longer_than_least():
    """The word of 4 letters, which a document's sentence would be asked for, is not hidden.

    The share is one of words: int(5 * 0.4) = 2 of five at a time, where int(7 * 0.4) = 2 of seven
    tokens would take one more turn for the fourth word's three pieces.
    """
    result = list(shuffled(split_words(), 0.4, "paper", Least(), np.random.default_rng(0)))
    assert [len({split_words().words[place] for place in group}) for group in result] == [2, 1]
    assert sorted(place for group in result for place in group) == [0, 2, 3, 4, 5]
    assert all({3, 4, 5} <= set(group) or not {3, 4, 5} & set(group) for group in result)


def test_a_summary_too_short_for_the_share_hides_a_word_at_a_time():
    result = list(shuffled(split_words(), 0.15, "paper", Least(), np.random.default_rng(0)))
    assert sorted(result) == [(0,), (2,), (3, 4, 5)], "int(5 * 0.15) = 0"


def test_the_order_of_hiding_comes_from_the_generator():
    pieces = words(*[5] * 12)

    def sampled(seed: int) -> list[tuple[int, ...]]:
        return list(shuffled(pieces, 0.2, "package", Least(), np.random.default_rng(seed)))

    assert sampled(1) == sampled(1)
    assert sampled(1) != sampled(2)


def test_a_text_without_long_words_teaches_nothing():
    assert list(shuffled(words(1, 2), 0.5, "package", Least(), np.random.default_rng(0))) == []
