"""The words that people mark: white space, or Unicode's boundaries where a script has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.text.markable import markable_words
from gistmark.text.words import covered_words, word_spans

SCRIPTS = "ab ,.\n`-—é\u0301\u200d👩🚒好中あアー\u3099ไทยน้ำกขคသမမခ្មែរمَرْ1２"


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in markable_words(text).spans]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A well-known U.S. firm.", ["A", "well-known", "U.S.", "firm."]),
        ("今天下雨。我们在家。", list("今天下雨我们在家")),
        ("中国的GDP增长了5.2%。", [*"中国的", "GDP", *"增长了", "5.2"]),
        ("コンピューターを使う", ["コンピューター", "を", "使", "う"]),
        ("か\u3099き", ["か\u3099", "き"]),
        ("น้ำเย็น", ["น้ำ", "เ", "ย็", "น"]),
        ("مَرْحَبًا بِالعَالَمِ", ["مَرْحَبًا", "بِالعَالَمِ"]),
        ("한국어 문장입니다.", ["한국어", "문장입니다."]),
        ("fire 👩‍🚒 truck", ["fire", "👩‍🚒", "truck"]),
        ("葛\U000e0100城", ["葛\U000e0100", "城"]),
        ("\u3099", ["\u3099"]),
        ("。、", ["。、"]),
        ("  ", []),
    ],
)
def test_words_of_many_scripts(text: str, words: list[str]):
    assert pieces(text) == words


def test_punctuation_between_spaces_does_not_count_and_emoji_do():
    text = "`` He 's -lrb- here -RRB- , '' -- said … 👩‍🚒 . = 3"
    words = markable_words(text)
    counted = [text[slice(*words.spans[index])] for index in sorted(words.counting)]
    assert counted == ["He", "'s", "here", "said", "👩‍🚒", "3"]


@given(st.text(SCRIPTS, max_size=40))
def test_words_lie_in_order_within_what_white_space_separates(text: str):
    words = markable_words(text)
    tokens = word_spans(text, "space")
    assert all(a < b for a, b in words.spans)
    assert all(b <= c for (_, b), (c, _) in zip(words.spans, words.spans[1:], strict=False))
    assert len(covered_words(tokens, words.spans)) == len(tokens), "every token has a word"
    assert all(any(s <= a and b <= e for s, e in tokens) for a, b in words.spans)


@given(st.text("ab1é ,.\n`-—'👩🚒مَرْ", max_size=40), st.data())
def test_where_words_have_spaces_the_words_are_as_ever_and_counts_only_fall(
    text: str, data: st.DataObject
):
    tokens = word_spans(text, "space")
    words = markable_words(text)
    assert list(words.spans) == tokens
    ends = st.integers(0, len(text))
    marks = data.draw(st.lists(st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))))
    assert len(covered_words(words.spans, marks) & words.counting) <= len(
        covered_words(tokens, marks)
    )
