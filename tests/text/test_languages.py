"""What each language has, and how languages are named."""

from __future__ import annotations

from pathlib import Path

import pytest
import Stemmer
from stop_words import AVAILABLE_LANGUAGES

from gistmark.errors import UsageError
from gistmark.text import LANGUAGES, Profile, find_language, language, stem, stop_words, words
from gistmark.text.tokens import tokenize


@pytest.mark.parametrize("text", ["de", "DE", " de ", "de-AT", "de_CH", "deu", "ger", "German"])
def test_a_language_has_many_names_and_one_code(text: str) -> None:
    assert language(text).code == "de"


def test_scripts_and_varieties_are_of_their_language() -> None:
    assert language("zh-Hans").code == language("zh_TW").code == language("cmn").code == "zh"
    assert language("nb").code == "no"
    assert str(language("zh-Hans")) == "Chinese (zh)"


def test_of_a_language_that_is_not_listed_only_the_code_is_known() -> None:
    swahili = language("sw-KE")
    assert (swahili.code, swahili.tok, swahili.stemmer, swahili.stop_words) == (
        "sw", "words", None, None,
    )  # fmt: skip
    assert str(swahili) == "sw"


@pytest.mark.parametrize("text", ["", "Deutsch", "d", "de,en", "und", "mul", "日本語"])
def test_what_is_no_language_is_told_with_what_would_be(text: str) -> None:
    assert find_language(text) is None
    with pytest.raises(UsageError, match="is not the code of a language; write one such as de, zh"):
        language(text)


def test_every_stemmer_of_snowball_serves_its_language() -> None:
    used = {each.stemmer for each in LANGUAGES.values() if each.stemmer is not None}
    assert used == set(Stemmer.algorithms()) - {"english", "dutch_porter"}


def test_every_list_of_stop_words_serves_its_language() -> None:
    used = {each.stop_words for each in LANGUAGES.values() if each.stop_words is not None}
    assert used == set(AVAILABLE_LANGUAGES) - {"chinese", "japanese"}
    for each in LANGUAGES.values():
        assert bool(stop_words(each.code)) == (each.stop_words is not None)


@pytest.mark.parametrize(
    ("lang", "forms", "expected"),
    [
        # Snowball's rules for German: umlauts fall, -ern and -er go, and so does -en.
        ("de", ["häuser", "häusern", "haus"], "haus"),
        ("hi", ["किताब", "किताबें", "किताबों"], "किताब"),
        ("ar", ["مدرسة", "المدرسة"], "مدرس"),
        ("fr", ["l'homme", "l\u2019homme", "hommes"], "homm"),
        ("ru", ["книга", "книги", "книгами"], "книг"),
    ],
)
def test_forms_of_a_word_have_one_stem(lang: str, forms: list[str], expected: str) -> None:
    assert {stem(form, lang) for form in forms} == {expected}


def test_english_stems_are_porters_still() -> None:
    assert stem("generously") == "gener"
    assert stem("häuser") == "häuser"


def test_half_a_surrogate_pair_has_a_stem() -> None:
    assert stem("\ud800", "de") == "\ufffd"


def test_stop_words_are_those_of_the_language() -> None:
    text = "Die Ministerin und der Minister sind nicht im Haus"
    kept = words(text, Profile(tok="words", stop=True, stem=True, lang="de"))
    assert kept == ["minist", "minist", "haus"]
    assert "die" in words(text, Profile(tok="words", stop=True)), "which is an English word, too"
    hindi = words("यह किताब और वह नदी", Profile(tok="words", stop=True, lang="hi"))
    assert hindi == ["किताब", "नदी"]


@pytest.mark.parametrize("lang", ["de", "ar", "hi", "fr"])
def test_the_fast_tokenizer_gives_the_same_words_in_every_language(lang: str) -> None:
    texts = ["Die Häuser und l\u2019homme", "وهذه المدرسة كبيرة", "यह किताबें और घर", ""]
    profile = Profile(tok="words", stop=True, stem=True, lang=lang)
    table = tokenize(texts, profile)
    spelled = [words(text, profile) for text in texts]
    assert table.lengths.tolist() == [len(each) for each in spelled]
    assert table.size == len({word for each in spelled for word in each})


def test_the_documentation_tells_what_every_language_has() -> None:
    page = Path(__file__).parents[2] / "docs" / "text.md"
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:3] == "| `"]
    cells = {row.split("`")[1]: [cell.strip() for cell in row.split("|")[2:6]] for row in rows}
    for code, each in LANGUAGES.items():
        name, tok, stems, left_out = cells[code]
        assert name == each.name
        assert f"`{each.tok}`" in tok
        assert (stems == "none") == (each.stemmer is None)
        assert (left_out == "none") == (each.stop_words is None)
