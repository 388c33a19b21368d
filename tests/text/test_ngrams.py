"""n-grams."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.text import ngrams


def test_ngrams_come_in_order_and_repeat() -> None:
    assert ngrams(["a", "b", "a", "b"], 2) == [("a", "b"), ("b", "a"), ("a", "b")]
    assert ngrams(["a", "b"], 1) == [("a",), ("b",)]


@pytest.mark.parametrize("n", [1, 2, 5])
def test_too_few_words_have_no_ngrams(n: int) -> None:
    assert ngrams(["a"] * (n - 1), n) == []


@pytest.mark.parametrize("n", [0, -1])
def test_an_ngram_has_at_least_one_word(n: int) -> None:
    with pytest.raises(ValueError, match=f"at least one word, not {n}"):
        ngrams(["a"], n)


@given(st.lists(st.sampled_from("abc")), st.integers(1, 6))
def test_there_are_as_many_ngrams_as_places_for_them(found: list[str], n: int) -> None:
    grams = ngrams(found, n)
    assert len(grams) == max(len(found) - n + 1, 0)
    assert all(list(gram) == found[i : i + n] for i, gram in enumerate(grams))
