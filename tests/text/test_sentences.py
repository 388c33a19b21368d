"""Sentences by rule: where they end, and that their spans point into the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.text import readable, sentence_spans, sentences

TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from(" .!?\n\r\t\"'“”’()[]。！？…\u2028\x85\x1cAaBbSs1"),
    ),
    max_size=80,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("No end", ["No end"]),
        (
            "Dr. Smith met Mr. Jones at 5 p.m. on Monday. They talked.",
            ["Dr. Smith met Mr. Jones at 5 p.m. on Monday.", "They talked."],
        ),
        (
            "The U.S. economy grew 3.5% in 2019. Good.",
            ["The U.S. economy grew 3.5% in 2019.", "Good."],
        ),
        ("Use i.e. this, e.g. that. End.", ["Use i.e. this, e.g. that.", "End."]),
        ("“Stop!” he said. She left.", ["“Stop!” he said.", "She left."]),
        ('He said "Go." Then he went.', ['He said "Go."', "Then he went."]),
        ("Wait... what? Yes!", ["Wait... what?", "Yes!"]),
        ("A headline\n\nThe first line. More.", ["A headline", "The first line.", "More."]),
        ("  spaced out.   Twice.  ", ["spaced out.", "Twice."]),
    ],
)
def test_english_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("ja", "これは文です。次の文です。", ["これは文です。", "次の文です。"]),
        ("hi", "यह एक वाक्य है। दूसरा वाक्य।", ["यह एक वाक्य है।", "दूसरा वाक्य।"]),
        ("zh", "他来了！你呢？", ["他来了！", "你呢？"]),
        ("de", "Er kam z. B. gestern. Sie nicht.", ["Er kam z. B. gestern.", "Sie nicht."]),
        ("ru", "Привет. Как дела?", ["Привет.", "Как дела?"]),
    ],
)
def test_sentences_of_other_languages(lang: str, text: str, expected: list[str]) -> None:
    assert sentences(text, lang) == expected


def test_a_language_that_is_not_known_is_read_like_english() -> None:
    text = "Dr. Smith came. He left."
    assert sentences(text, "xx") == sentences(text, "en") == sentences(text)


@pytest.mark.parametrize("text", ["", " ", "\n\n\n", "\u3000\u2028"])
def test_nothing_has_no_sentences(text: str) -> None:
    assert sentences(text) == []
    assert sentence_spans(text) == []


def test_an_emoji_is_a_sentence() -> None:
    assert sentences("👍") == ["👍"]


def test_half_a_surrogate_pair_does_no_harm() -> None:
    assert sentences("One \ud800 here. Two.") == ["One \ud800 here.", "Two."]


@given(text=TEXTS, lang=st.sampled_from([None, "en", "de", "hi", "ja", "ar"]))
def test_spans_follow_one_another_and_lose_nothing_but_white_space(
    text: str, lang: str | None
) -> None:
    behind = 0
    for start, end in sentence_spans(text, lang):
        assert behind <= start < end <= len(text)
        assert text[behind:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        behind = end
    assert text[behind:].strip() == ""


def test_spans_point_at_the_right_one_of_equal_sentences() -> None:
    text = "Yes. No. Yes."
    assert sentence_spans(text) == [(0, 4), (5, 8), (9, 13)]


def test_spans_count_characters_not_bytes() -> None:
    text = "Zoë 😀 ging. Dann kam er."
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "Zoë 😀 ging.",
        "Dann kam er.",
    ]


def test_the_sample_is_cut_into_sentences_of_sensible_length(sample_texts: list[str]) -> None:
    longest = max((s for text in sample_texts for s in sentences(text)), key=len)
    assert len(longest) < 600


def test_ten_thousand_sentences_are_found_at_once() -> None:
    assert len(sentences("The cat sat. " * 10_000)) == 10_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("\u6a4b \U0001f44d", "\u6a4b \U0001f44d"),
        ("a\ud800b\udfff", "a\ufffdb\ufffd"),
        ("", ""),
    ],
)
def test_only_halves_are_replaced(text: str, expected: str):
    assert readable(text) == expected
