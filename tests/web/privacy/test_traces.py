"""Words that identify a person are taken out wherever they stand by themselves."""

from __future__ import annotations

import pytest

from gistmark.web.privacy.traces import Words

WORDS = Words(("ada", "ada@uni.example", "Ada Lovelace"), "X")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("ada", "X"),
        ("ADA was quick", "X was quick"),
        ("(ada), ada. Ada!", "(X), X. X!"),
        ("Ask ada@uni.example.", "Ask X."),
        ("Ada Lovelace wrote it", "X wrote it"),
        ("adagio, Canada, ada.lovelace, ada-2, 2ada", "adagio, Canada, ada.lovelace, ada-2, 2ada"),
        ("", ""),
    ],
)
def test_a_word_goes_where_it_stands_by_itself(text, after):
    assert WORDS.out_of(text) == after
    assert WORDS.are_in(text) == (text != after)


def test_json_loses_words_in_keys_and_values_but_not_what_is_fixed():
    value = {"ada": 3, "user": "ada", "role": "ada", "slots": ["ada.1"], "of": [{"x": "Ada"}]}
    assert WORDS.out_of_json(value, fixed={"role"}) == {
        "X": 3, "user": "X", "role": "ada", "slots": ["ada.1"], "of": [{"x": "X"}],
    }  # fmt: skip


def test_a_masked_answer_is_as_long_as_before_and_has_the_same_keys():
    assert WORDS.masked({"ada": "by ada", "n": 3}) == {"ada": "by …" + "……", "n": 3}


def test_no_words_change_nothing():
    assert Words((), "X").out_of("ada") == "ada"
    assert Words(("",), "X").out_of("ada") == "ada"
