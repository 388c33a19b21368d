"""Letters by script, and the languages that known models were trained on."""

from __future__ import annotations

import pytest

from gistmark.models.catalogue import KNOWN, Letters, foreign_texts


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", (0, 0, 0)),
        ("Ab 1, c!", (3, 0, 0)),
        ("Größe", (5, 2, 0)),
        ("ﬁ Ａ", (2, 2, 0)),  # a ligature and a wide letter are Latin
        ("東京 Tokyo", (7, 2, 2)),
        ("हिन्दी", (3, 3, 3)),  # three letters; the other three are marks
        ("Москва", (6, 6, 6)),
        ("👍 … 12", (0, 0, 0)),
    ],
)
def test_letters_are_counted_by_script(text: str, counts: tuple[int, int, int]):
    letters = Letters()
    letters.count(text)
    assert (letters.all, letters.beyond_ascii, letters.beyond_latin) == counts


def test_a_model_is_told_with_what_it_was_trained_on():
    texts = {"de": Letters(1), "hi": Letters(1), "zh": Letters(1)}
    assert foreign_texts("t5-small", texts) == (
        "t5-small was trained on English, French, German, Romanian, but there are texts in "
        "Hindi (hi), Chinese (zh)"
    )
    assert foreign_texts("t5-small", {"de": Letters(1), "en": Letters(1)}) is None


def test_of_texts_without_a_language_the_script_tells():
    assert foreign_texts("bert-base-uncased", {"en": Letters(100, 9, 9)}) is None
    assert foreign_texts("bert-base-uncased", {"en": Letters(100, 10, 10)}) == (
        "bert-base-uncased was trained on English, but 10 % of the letters are not Latin"
    )
    assert foreign_texts("bert-base-uncased", {"en": Letters()}) is None


def test_of_models_for_many_languages_and_unknown_ones_nothing_is_said():
    multilingual = "sentence-transformers/distiluse-base-multilingual-cased-v1"
    assert KNOWN[multilingual].languages is None
    for model in (multilingual, "glove-twitter-25", "somebody/some-model"):
        assert foreign_texts(model, {"zh": Letters(1, 1, 1)}) is None
