"""The stop words: closed word classes and the remains of contractions."""

from __future__ import annotations

import pytest

from gistmark.text import STOP_WORDS, Profile, words


def test_every_stop_word_is_lower_case_ascii_without_space() -> None:
    assert all(word and word.isascii() and word == word.lower().strip() for word in STOP_WORDS)
    assert not any(" " in word for word in STOP_WORDS)


@pytest.mark.parametrize("word", ["the", "of", "and", "i", "themselves", "not", "very", "same"])
def test_function_words_are_stop_words(word: str) -> None:
    assert word in STOP_WORDS


@pytest.mark.parametrize("word", ["bridge", "never", "may", "one", "said", "new", "us"])
def test_content_words_are_none(word: str) -> None:
    assert word not in STOP_WORDS


@pytest.mark.parametrize(
    "contraction",
    ["don't", "won't", "isn't", "ain't", "shan't", "mightn't", "couldn't", "it's", "should've"],
)
def test_a_contraction_is_a_stop_word_whole_and_in_pieces(contraction: str) -> None:
    assert contraction in STOP_WORDS
    assert "nn't" not in contraction
    assert words(contraction, Profile(tok="words", stop=True)) == []
    assert words(contraction, Profile(tok="rouge_score", stop=True)) == []
