"""The readable tokenizers and n-grams: by hand, against rouge_score, and against ROUGE-1.5.5."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmark.text import Profile, Tokenizer, ngrams, word_spans, words
from gistmark.text.words import joined_words
from on_use import on_use

nltk = on_use("nltk.stem.porter")
rouge_score_tokenize = on_use("rouge_score.tokenize")

TOKENIZERS = get_args(Tokenizer)

ASCII = st.text(st.characters(max_codepoint=127), max_size=60)
UNICODE = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@cache
def stemmer() -> Any:
    return nltk.PorterStemmer()


def rouge155_words(text: str) -> list[str]:
    """What readText and createNGram of ROUGE-1.5.5 do to a text, step by step, on its bytes."""
    data = text.encode("utf-8", "surrogatepass")
    data = data.translate(bytes.maketrans(bytes(range(65, 91)), bytes(range(97, 123))))
    data = data.replace(b"-", b" - ")
    data = re.sub(rb"[^A-Za-z0-9\-]", b" ", data)
    tokens = [token.decode("ascii") for token in data.split()]
    return [token for token in tokens if re.match(r"[a-z0-9$]", token)]


@pytest.mark.parametrize(
    ("tok", "text", "expected"),
    [
        ("rouge_score", "The U.S. won 3-1; Zoë's café!", "the u s won 3 1 zo s caf"),
        ("rouge_score", "snake_case x\x00y", "snake case x y"),
        ("rouge155", "The U.S. won 3-1; Zoë's café!", "the u s won 3 1 zo s caf"),
        ("rouge155", "20\u212a", "20"),
        ("rouge_score", "20\u212a", "20k"),
        ("rouge_score", "A\u0130B", "ai b"),
        ("rouge155", "A\u0130B", "a b"),
        ("space", "The U.S. \t won\n3-1; Zoë!", "the u.s. won 3-1; zoë!"),
        ("space-cased", "The U.S. won\n3-1; Zoë!", "The U.S. won 3-1; Zoë!"),
        ("words", "The U.S. won 3-1; Zoë's café!", "the u s won 3 1 zoë's café"),
        ("words", "snake_case", "snake case"),
        ("words", "rock 'n' roll, the Smiths' dog's", "rock n roll the smiths dog's"),
        ("words", "don\u2019t", "don\u2019t"),
    ],
)
def test_a_tokenizer_finds_the_words_it_says(tok: Tokenizer, text: str, expected: str) -> None:
    assert words(text, Profile(tok=tok)) == expected.split(" ")


@pytest.mark.parametrize("tok", TOKENIZERS)
@pytest.mark.parametrize("text", ["", " ", "\n\n", " \t\r\n\x0b\x0c\x1c\x1d\x1e\x1f"])
def test_white_space_has_no_words(tok: Tokenizer, text: str) -> None:
    assert words(text, Profile(tok=tok)) == []


@pytest.mark.parametrize("tok", ["space", "space-cased"])
@pytest.mark.parametrize("space", ["\x1c", "\x85", "\xa0", "\u2028", "\u2029", "\u3000"])
def test_any_white_space_of_unicode_parts_words(tok: Tokenizer, space: str) -> None:
    assert words(f"a{space}b", Profile(tok=tok)) == ["a", "b"]


class TestOtherScripts:
    """The tokenizer `words` is for any language."""

    PROFILE = Profile(tok="words")

    def test_every_han_and_kana_character_is_a_word(self) -> None:
        assert words("東京タワーへ", self.PROFILE) == list("東京タワーへ")

    def test_han_and_latin_part_without_a_space(self) -> None:
        assert words("东京ABC123塔", self.PROFILE) == ["东", "京", "abc123", "塔"]

    def test_the_katakana_middle_dot_is_no_word(self) -> None:
        assert words("ル・ポ", self.PROFILE) == ["ル", "ポ"]

    def test_devanagari_vowel_signs_and_viramas_stay_in_their_word(self) -> None:
        assert words("हिन्दी में लिखा।", self.PROFILE) == ["हिन्दी", "में", "लिखा"]

    def test_a_joiner_stays_in_its_word(self) -> None:
        assert words("क्\u200dष می\u200cخواهم", self.PROFILE) == ["क्\u200dष", "می\u200cخواهم"]

    def test_a_decomposed_accent_stays_in_its_word(self) -> None:
        assert words("cafe\u0301s", self.PROFILE) == ["cafe\u0301s"]

    @pytest.mark.parametrize("emoji", ["😀", "❤\ufe0f", "👨\u200d👩\u200d👧", "👍🏽", "🇩🇪"])
    def test_an_emoji_has_no_words(self, emoji: str) -> None:
        assert words(emoji, self.PROFILE) == []

    def test_an_emoji_parts_the_words_beside_it(self) -> None:
        assert words("so❤\ufe0fgood", self.PROFILE) == ["so", "good"]

    def test_the_final_sigma_is_decided_word_by_word(self) -> None:
        # In "ΟΔΟΣ.Α" as a whole, Σ is not final for Unicode; in the word ΟΔΟΣ it is.
        assert words("ΟΔΟΣ ΟΔΟΣ.Α", self.PROFILE) == ["οδος", "οδος", "α"]

    def test_korean_arabic_and_cyrillic_words_stand_between_spaces(self) -> None:
        assert words("한국어 문장, مرحبا Привет!", self.PROFILE) == [
            "한국어",
            "문장",
            "مرحبا",
            "привет",
        ]


@given(st.one_of(ASCII, UNICODE))
@example("20\u212a İstanbul \u0130\u0130")
def test_rouge_score_words_are_those_of_the_package(text: str) -> None:
    assert words(text) == rouge_score_tokenize.tokenize(text, None)


@given(st.one_of(ASCII, UNICODE))
@example("running runners ran 20\u212a generously skies dying news")
def test_stemmed_rouge_score_words_are_those_of_the_package(text: str) -> None:
    assert words(text, Profile(stem=True)) == rouge_score_tokenize.tokenize(text, stemmer())


def test_rouge_score_words_of_the_sample_are_those_of_the_package(sample_texts: list[str]) -> None:
    for text in sample_texts:
        assert words(text) == rouge_score_tokenize.tokenize(text, None)
        assert words(text, Profile(stem=True)) == rouge_score_tokenize.tokenize(text, stemmer())


@given(st.one_of(ASCII, UNICODE))
@example("20\u212a --x- a-b $5 _y_")
def test_rouge155_words_follow_the_rules_of_the_script(text: str) -> None:
    assert words(text, Profile(tok="rouge155")) == rouge155_words(text)


@pytest.mark.parametrize("tok", TOKENIZERS)
@given(text=UNICODE)
def test_spans_are_in_order_and_hold_the_words(tok: Tokenizer, text: str) -> None:
    spans = word_spans(text, tok)
    assert len(spans) == len(words(text, Profile(tok=tok)))
    ends = [0, *(end for _, end in spans)]
    for (start, end), before in zip(spans, ends, strict=False):
        assert before <= start < end <= len(text)


@pytest.mark.parametrize("tok", ["space", "space-cased"])
@given(text=UNICODE)
def test_space_words_are_what_split_gives(tok: Tokenizer, text: str) -> None:
    expected = text.split() if tok == "space-cased" else [word.lower() for word in text.split()]
    assert words(text, Profile(tok=tok)) == expected


def test_chars_are_the_letters_of_scripts_without_spaces_with_their_marks() -> None:
    profile = Profile(tok="chars")
    # Thai: nine letters and signs; the tone mark stays with its consonant.
    assert words("น้ำ iPhone 15", profile) == ["น้", "ำ", "iphone", "15"]
    assert words("ประเทศ", profile) == ["ป", "ร", "ะ", "เ", "ท", "ศ"]
    assert words("ປະເທດ", profile) == ["ປ", "ະ", "ເ", "ທ", "ດ"]
    assert words("ភាសា", profile) == ["ភា", "សា"]
    assert words("မြန်မာ", profile) == ["မြ", "န်", "မာ"]
    assert words("東京タワー Tokyo", profile) == ["東", "京", "タ", "ワ", "ー", "tokyo"]
    assert words("Ein Wort, हिन्दी", profile) == ["ein", "wort", "हिन्दी"]


@pytest.mark.parametrize("tok", ["words", "chars"])
def test_marks_stay_with_the_letters_of_their_word(tok: Tokenizer) -> None:
    profile = Profile(tok=tok)
    assert words("हिन्दी में, लिखा।", profile) == ["हिन्दी", "में", "लिखा"]
    assert words("كُتُبٌ جَدِيدَةٌ، نَعَمْ؟", profile) == ["كُتُبٌ", "جَدِيدَةٌ", "نَعَمْ"]
    assert words("Cafe\u0301s", profile) == ["cafe\u0301s"]
    assert words("می\u200cخواهم", profile) == ["می\u200cخواهم"]


def test_the_default_profile_is_that_of_rouge_score() -> None:
    assert Profile() == Profile(tok="rouge_score", norm="none", stop=False, stem=False)


@pytest.mark.parametrize("tok", ["words", "chars"])
@given(text=st.one_of(ASCII, st.text("aZ9'_-. \t\n\x1c", max_size=40), UNICODE))
@example("rock 'n' roll''s o'c'l' 'tis a'_'b it'\n's")
@example("ภาษาไทย\nน้ำ")
def test_joined_words_are_those_of_each_line(tok: Literal["words", "chars"], text: str) -> None:
    expected = [words(line, Profile(tok=tok)) for line in text.split("\n")]
    joined = _single(joined_words(text, tok))
    assert [line.split(" ") if line else [] for line in joined] == expected


def _single(joined: str) -> list[str]:
    """The lines, with one space between words and none around them."""
    return [re.sub(" +", " ", line).strip(" ") for line in joined.split("\n")]


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
def test_there_are_as_many_ngrams_as_fit(words_: list[str], n: int) -> None:
    grams = ngrams(words_, n)
    assert len(grams) == max(len(words_) - n + 1, 0)
    assert all(list(gram) == words_[i : i + n] for i, gram in enumerate(grams))
