"""Stems are those of NLTK's PorterStemmer, which rouge_score uses."""

from __future__ import annotations

import re
from functools import cache
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.text import stem
from gistmark.text.stems import stems
from on_use import on_use

nltk = on_use("nltk.stem.porter")
ENDINGS = (
    "s es ies sses ss ed eed ing ying ation ational tional enci anci izer bli alli entli eli ousli "
    "ization ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti "
    "ical ful ness al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize "
    "e ll y ies ied"
)


@cache
def nltk_stemmer() -> Any:
    return nltk.PorterStemmer()


def nltk_stems(tokens: list[str]) -> list[str]:
    stemmer = nltk_stemmer()
    return [stemmer.stem(word) if len(word) > 3 else word for word in tokens]


def test_every_word_of_the_sample_has_the_stem_of_nltk(sample_texts: list[str]) -> None:
    tokens = sorted({word for text in sample_texts for word in re.findall("[a-z]+", text.lower())})
    assert len(tokens) > 1_500
    assert stems(tokens) == nltk_stems(tokens)


@given(st.lists(st.text(ascii_lowercase, min_size=4, max_size=15), max_size=30))
def test_any_letters_have_the_stem_of_nltk(tokens: list[str]) -> None:
    assert stems(tokens) == nltk_stems(tokens)


@given(st.lists(st.text("abeiouyst019", min_size=1, max_size=12), max_size=30))
def test_letters_and_digits_have_the_stem_of_nltk(tokens: list[str]) -> None:
    assert stems(tokens) == nltk_stems(tokens)


@given(
    st.lists(
        st.tuples(
            st.text("abcdehilmorstuxyz", min_size=1, max_size=7), st.sampled_from(ENDINGS.split())
        ).map("".join),
        max_size=30,
    )
)
def test_words_with_a_known_ending_have_the_stem_of_nltk(tokens: list[str]) -> None:
    assert stems(tokens) == nltk_stems(tokens)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("running", "run"),
        ("skies", "sky"),  # one of NLTK's irregular forms
        ("dying", "die"),
        ("news", "news"),
        ("relational", "relat"),
        ("the", "the"),
        ("ties", "tie"),
        ("was", "was"),  # up to three letters: its own stem
    ],
)
def test_known_stems(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize("word", ["naïves", "don't", "running,", "Running", "1234", "", "東京駅前"])
def test_what_is_not_a_lower_case_english_word_is_its_own_stem(word: str) -> None:
    assert stem(word) == word


def test_no_words_have_no_stems() -> None:
    assert stems([]) == []


def test_the_words_given_are_not_changed() -> None:
    tokens = ["running", "cats"]
    stems(tokens)
    assert tokens == ["running", "cats"]
