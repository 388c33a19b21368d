from __future__ import annotations

import pytest

from gistmark.metrics.language_model.blanc import Help, kept_of_sentence

HELP = Help.of([(1, 2, 3), (4, 5), (6, 7, 8, 9)])


@pytest.mark.parametrize(
    ("budget", "kept"),
    [
        (20, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        (9, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        (8, (1, 2, 3, 4, 5)),
        (5, (1, 2, 3, 4, 5)),
        (4, (1, 2, 3)),
        (2, (2, 3)),
        (0, ()),
    ],
)
def test_the_first_sentences_stay_and_else_the_end_of_the_first(
    budget: int, kept: tuple[int, ...]
) -> None:
    assert HELP.within(budget) == kept


def test_no_summary_always_fits() -> None:
    assert Help.of([]).within(0) == ()


@pytest.mark.parametrize(
    ("sentence", "summary", "kept"),
    [
        (30, 60, 30),  # both fit into 100
        (60, 60, 40),  # the sentence gives way
        (60, 80, 25),  # but not below 25, and then the summary is cut
        (20, 200, 20),  # a sentence below 25 stays
        (300, 0, 100),  # more than the budget never stays
    ],
)
def test_a_sentence_is_cut_before_the_summary_but_not_too_much(
    sentence: int, summary: int, kept: int
) -> None:
    assert kept_of_sentence(sentence, summary, budget=100, cut=25) == kept


def test_a_sentence_is_cut_to_the_room_however_much_it_is_to_keep() -> None:
    assert kept_of_sentence(300, 50, budget=100, cut=1000) == 100
    assert kept_of_sentence(300, 50, budget=0, cut=25) == 0
