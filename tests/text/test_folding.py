"""What happens to single words, in this order: quotes and brackets, NFKC, stop words, stems."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.text import STOP_WORDS, Profile, stem, words
from gistmark.text.folding import fold_words

SPACE = Profile(tok="space")
WORDS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8))


def test_a_plain_profile_leaves_the_words_as_they_are() -> None:
    assert fold_words(["The", "``", "running"], SPACE) == ["The", "``", "running"]


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("``", '"'),
        ("''", '"'),
        ("“hello”", '"hello"'),
        ("„so“", '"so"'),
        ("«là»", '"là"'),
        ("don\u2019t", "don't"),
        ("\u2018n\u2019", "'n'"),
        ("\u201ax\u2018", "'x'"),
        ("-lrb-", "("),
        ("-RRB-", ")"),
        ("-lsb-", "["),
        ("-rsb-", "]"),
        ("-LCB-", "{"),
        ("-rcb-", "}"),
        ("x-lrb-", "x-lrb-"),  # a bracket only where it is the whole word
        ("'", "'"),
        ("plain", "plain"),
    ],
)
def test_quotes_and_brackets_are_written_in_the_plain_way(word: str, plain: str) -> None:
    assert fold_words([word], replace(SPACE, norm="quotes")) == [plain]


@given(WORDS)
def test_nfkc_is_that_of_unicode(tokens: list[str]) -> None:
    expected = [unicodedata.normalize("NFKC", word) for word in tokens]
    assert fold_words(tokens, replace(SPACE, norm="nfkc")) == expected


def test_nfkc_unites_full_width_and_ligatures() -> None:
    profile = Profile(tok="words", norm="nfkc")
    assert words("ＡＢＣ ﬁne", profile) == words("abc fine", profile) == ["abc", "fine"]


def test_stop_words_are_left_out_whatever_their_case() -> None:
    profile = Profile(tok="space-cased", stop=True)
    assert words("The cat AND the Dog", profile) == ["cat", "Dog"]


def test_a_contraction_is_a_stop_word_with_either_apostrophe() -> None:
    profile = Profile(tok="words", stop=True)
    assert words("don't don\u2019t can\u2019t it\u2019s cat", profile) == ["can\u2019t", "cat"]


def test_stop_words_are_recognised_before_stemming() -> None:
    # "being" is a stop word, its stem "be" too; "doings" is none, though its stem is "do".
    profile = Profile(stop=True, stem=True)
    assert words("being doings", profile) == [stem("doings")]


def test_stop_words_are_recognised_after_normalising() -> None:
    profile = Profile(tok="words", norm="nfkc", stop=True)
    assert words("ｔｈｅ cat", profile) == ["cat"]


def test_stems_come_after_normalising() -> None:
    profile = Profile(tok="words", norm="nfkc", stem=True)
    assert words("ｒｕｎｎｉｎｇ", profile) == ["run"]


@given(WORDS)
def test_folding_keeps_count_of_the_words(tokens: list[str]) -> None:
    profile = Profile(tok="space", norm="quotes", stop=True, stem=True)
    folded = fold_words(tokens, profile)
    assert len(folded) == len(tokens)
    for word, result in zip(tokens, folded, strict=True):
        if word.lower() in STOP_WORDS:
            assert result is None


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
