"""The fast tokenizer gives the words of the readable one, with line numbers."""

from __future__ import annotations

from itertools import product
from typing import get_args

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmark.text import Normalization, Profile, Tokenizer, words
from gistmark.text.tokens import TokenTable, tokenize, vocabulary

TOKENIZERS = get_args(Tokenizer)
PROFILES = [
    Profile(tok=tok, norm=norm, stop=stop, stem=stem)
    for tok, norm, stop, stem in product(
        TOKENIZERS, get_args(Normalization), (False, True), (False, True)
    )
]

AWKWARD = [
    "",
    " ",
    "\n",
    "a",
    "A\nb\n\nC",
    "20\u212a \u212aelvin",  # the Kelvin sign becomes k
    "\u0130stanbul A\u0130B \u0130\u0130",  # the dotted capital I becomes two characters
    "ΟΔΟΣ ΟΔΟΣ.Α Σ ΣΑΣ'Σ ς",  # the final sigma
    "x\x00y \x00 \x00\x00",
    "a\x1cb\x1dc\x1ed\x1fe\x0bf\x0cg\rh\ti",
    "a\u2028b\u2029c\x85d\xa0e\u3000f\ufeffg",
    "東京タワー、Tokyo 2020年",
    "हिन्दी में लिखा गया वाक्य।",
    "👨\u200d👩\u200d👧 ❤\ufe0f word",
    "don\u2019t \u2018quote\u2019 'tis o'clock ''x'' ``y''",
    "abcdefgh abcdefghi abcdefghj abcdefgh abcdefghij abcdefgi",  # alike in the first 8 bytes
    "a" * 300 + " " + "a" * 299 + "b " + "a" * 300,
    "ﬁne ﬁne½ ①",
    "-LRB- (x) -RRB- `` quoted ''",
    "\ud800 half\udfff pair",
]

WIDE = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("aAbB sS\n\t.'\u2019\u212a\u0130Σσ\x00\x1c\x85\u2028東ー・ि\u200d\ufe0f"),
    ),
    max_size=40,
)


def spelled(table: TokenTable, names: list[str], text: int) -> list[str]:
    return [names[number] for number in table.ids[table.offsets[text] : table.offsets[text + 1]]]


@pytest.mark.parametrize("tok", TOKENIZERS)
@given(texts=st.lists(WIDE, max_size=4))
@example(texts=AWKWARD)
@example(texts=[])
def test_the_fast_path_spells_the_words_of_the_readable_one(
    tok: Tokenizer, texts: list[str]
) -> None:
    result = vocabulary(texts, tok)
    for number, text in enumerate(texts):
        assert spelled(result.table, result.words, number) == words(text, Profile(tok=tok))


@pytest.mark.parametrize("profile", PROFILES, ids=str)
def test_folded_tables_agree_with_the_readable_path_on_awkward_texts(profile: Profile) -> None:
    check_numbers(AWKWARD, profile)


@given(texts=st.lists(WIDE, max_size=4), profile=st.sampled_from(PROFILES))
def test_folded_tables_agree_with_the_readable_path(texts: list[str], profile: Profile) -> None:
    check_numbers(texts, profile)


def check_numbers(texts: list[str], profile: Profile) -> None:
    """Equal words have equal numbers, different words different ones, and nothing is lost."""
    table = tokenize(texts, profile)
    expected = [words(text, profile) for text in texts]
    assert table.lengths.tolist() == [len(result) for result in expected]
    pairs = set(
        zip(table.ids.tolist(), (word for result in expected for word in result), strict=True)
    )
    assert len(pairs) == len({number for number, _ in pairs}) == len({word for _, word in pairs})
    assert all(0 <= number < table.size for number, _ in pairs)


@pytest.mark.parametrize("tok", TOKENIZERS)
def test_a_character_alone_and_inside_a_word_is_read_alike(tok: Tokenizer) -> None:
    codes = [*range(0x3100), *range(0x3100, 0x11_0000, 97)]
    texts = [f"{character} a{character}B" for character in map(chr, codes)]
    result = vocabulary(texts, tok)
    for number, text in enumerate(texts):
        assert spelled(result.table, result.words, number) == words(text, Profile(tok=tok)), text


def test_numbers_run_in_the_order_of_first_appearance() -> None:
    table = tokenize(["b a b", "c a", ""], Profile())
    assert table.ids.tolist() == [0, 1, 0, 2, 1]
    assert table.offsets.tolist() == [0, 3, 5, 5]
    assert table.size == 3


@pytest.mark.parametrize("shape", ["one text", "one text each", "blocks"])
def test_the_tables_grow_with_the_vocabulary(shape: str) -> None:
    # 40,000 distinct words against tables that start with room for 4,096.
    distinct = [f"prefix{number:x}suffix{number % 7}" for number in range(40_000)]
    sizes = {"one text": 40_000, "one text each": 1, "blocks": 999}
    step = sizes[shape]
    texts = [" ".join(distinct[at : at + step]) for at in range(0, len(distinct), step)]
    result = vocabulary([*texts, *texts], "rouge_score")
    assert result.words == distinct
    assert result.table.ids.tolist() == [*range(40_000), *range(40_000)]


def test_words_that_differ_only_behind_the_first_eight_bytes_differ() -> None:
    texts = ["internationalisation internationalisations internationalisatiom", "internat interna"]
    assert tokenize(texts, Profile()).size == 5


def test_words_that_are_the_beginnings_of_others_differ() -> None:
    # The longer ones come first, so that a shorter one meets them where their hashes collide.
    texts = ["a" * length for length in range(2_000, 0, -1)]
    assert tokenize(texts, Profile()).ids.tolist() == list(range(2_000))


def test_a_word_with_a_leading_nul_is_not_the_word_without() -> None:
    assert tokenize(["\x00a a \x00\x00a"], Profile(tok="space")).size == 3


class TestLines:
    """The line of each word, which ROUGE-Lsum and ROUGE-W need."""

    @pytest.mark.parametrize("tok", TOKENIZERS)
    def test_only_a_newline_starts_a_line(self, tok: Tokenizer) -> None:
        table = tokenize(["a b\nc\n\nd", "e\rf\u2028g\x0bh"], Profile(tok=tok))
        assert table.lines.tolist() == [0, 0, 1, 3, 0, 0, 0, 0]

    @pytest.mark.parametrize("tok", TOKENIZERS)
    @given(text=WIDE)
    def test_the_words_of_a_line_are_those_of_the_line_alone(
        self, tok: Tokenizer, text: str
    ) -> None:
        table = tokenize([text], Profile(tok=tok))
        expected = [
            line
            for line, content in enumerate(text.split("\n"))
            for _ in words(content, Profile(tok=tok))
        ]
        assert table.lines.tolist() == expected

    def test_words_that_are_left_out_take_their_lines_along(self) -> None:
        table = tokenize(["the cat\nthe\nsat on mats", "the"], Profile(stop=True))
        assert table.lines.tolist() == [0, 2, 2]
        assert table.offsets.tolist() == [0, 3, 3]


def test_a_plain_profile_is_not_folded_at_all() -> None:
    result = vocabulary(["a b"], "space")
    assert result.folded(Profile(tok="space")) is result.table


def test_stems_and_stop_words_share_the_unfolded_table() -> None:
    result = vocabulary(["the runners running", "run"], "rouge_score")
    stemmed = result.folded(Profile(stem=True))
    assert stemmed.ids.tolist() == [0, 1, 2, 2]
    assert result.folded(Profile(stop=True)).ids.tolist() == [0, 1, 2]
    assert result.table.ids.tolist() == [0, 1, 2, 3], "the unfolded table has not changed"


def test_lengths_count_the_words_of_each_text() -> None:
    np.testing.assert_array_equal(tokenize(["a b", "", "c"], Profile()).lengths, [2, 0, 1])
