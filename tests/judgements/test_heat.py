"""Heat maps: counts over annotators, scaled from the least to the most."""

from __future__ import annotations

import pytest

from gistmark.judgements import heat_map
from gistmark.records import Highlight

TEXT = "one two three four"
#       0   4   8     14


def marks(*spans: tuple[str, int, int]) -> list[Highlight]:
    return [Highlight("d", annotator, start, end) for annotator, start, end in spans]


def test_the_heat_is_the_count_scaled_to_0_and_1():
    found = heat_map(TEXT, marks(("a", 0, 7), ("b", 4, 13), ("c", 4, 6), ("c", 5, 7), ("d", 8, 18)))
    # one: a; two: a, b, c (c's two marks count once); three: b, d; four: d.
    assert [word.count for word in found.words] == [1, 3, 2, 1]
    # (c - 1) / (3 - 1)
    assert [word.heat for word in found.words] == [0.0, 1.0, 0.5, 0.0]
    assert found.steps == (0.5, 1.0)


def test_the_threshold_hides_the_lighter_colours_step_by_step():
    found = heat_map(TEXT, marks(("a", 4, 13), ("b", 4, 7)))
    assert [(w.count, w.heat) for w in found.words] == [(0, 0.0), (2, 1.0), (1, 0.5), (0, 0.0)]

    def at(position: int) -> list[str]:
        return [TEXT[word.start : word.end] for word in found.coloured(position)]

    assert at(0) == ["two", "three"]
    assert at(1) == ["two"]


@pytest.mark.parametrize(
    ("spans", "heat", "steps"),
    [([], 0.0, ()), ([("a", 0, 18)], 1.0, (1.0,))],
    ids=["nothing is marked", "everything is marked"],
)
def test_equal_counts_have_a_defined_heat(
    spans: list[tuple[str, int, int]], heat: float, steps: tuple[float, ...]
):
    found = heat_map(TEXT, marks(*spans))
    assert {word.heat for word in found.words} == {heat}
    assert found.steps == steps
    assert len(found.coloured()) == (4 if steps else 0)


def test_a_text_without_words_has_an_empty_map():
    assert heat_map("  ", []).words == ()
