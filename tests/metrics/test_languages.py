"""Metrics in German, Chinese, Arabic and Hindi, worked by hand on short texts."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import GROUPS, METRICS, metric_from

GERMAN = Item("Die Häuser der Stadt sind schön.", ("Das Haus in der Stadt ist schön.",))
HINDI = Item("लड़कियों ने किताबें पढ़ीं।", ("लड़की ने किताब पढ़ी।",))
ARABIC = Item("ذهبت البنت إلى المدرسة.", ("ذهبت البنت إلى مدرسة.",))
CHINESE = Item("政府宣布了新的经济政策。", ("新的经济政策由政府宣布。",))


def row(spec: str, lang: str, item: Item) -> list[float]:
    result = metric_from(spec, lang).score(Batch.of([item]))
    assert result.reasons == {}
    return [float(value) for value in result.values[0]]


@pytest.mark.parametrize(
    ("lang", "item", "spec", "precision", "recall"),
    [
        # der, Stadt and schön are shared, of 6 and 7 words; with stems, Häuser is like Haus.
        ("de", GERMAN, "rouge1", 3 / 6, 3 / 7),
        ("de", GERMAN, "rouge1:stem=yes", 4 / 6, 4 / 7),
        # Only ने is shared as it is; without their endings all four words are. Were the marks not
        # a part of their words, there would be more than four on each side.
        ("hi", HINDI, "rouge1", 1 / 4, 1 / 4),
        ("hi", HINDI, "rouge1:stem=yes", 4 / 4, 4 / 4),
        # "the school" and "school" differ by the article, which the stem lacks.
        ("ar", ARABIC, "rouge1", 3 / 4, 3 / 4),
        ("ar", ARABIC, "rouge1:stem=yes", 4 / 4, 4 / 4),
        # Ten of eleven characters on each side: all but 了 and 由.
        ("zh", CHINESE, "rouge1", 10 / 11, 10 / 11),
        # Of ten pairs of characters: 政府, 府宣, 宣布, 新的, 的经, 经济, 济政, 政策.
        ("zh", CHINESE, "rouge2", 8 / 10, 8 / 10),
    ],
)
def test_rouge_by_hand(lang: str, item: Item, spec: str, precision: float, recall: float):
    assert row(spec, lang, item)[:2] == pytest.approx([precision, recall])


def test_arabic_vowel_signs_stay_with_their_words():
    # Three words each; the second is written with other vowel signs, so two are shared.
    item = Item("كُتُبٌ جَدِيدَةٌ هُنَا", ("كُتُبٌ جديدة هُنَا",))
    assert row("rouge1", "ar", item) == pytest.approx([2 / 3] * 3)


@pytest.mark.parametrize(
    ("lang", "summary", "document", "bits"),
    [
        # Without stop words and endings both are {hund, katz}.
        ("de", "Die Hunde und die Katzen", "Der Hund und die Katze", 0.0),
        ("hi", "यह किताबें", "वह किताब", 0.0),
        ("zh", "天空", "大地", 1.0),
        # Half of each text is shared: the midpoint has 1/2, 1/4, 1/4, and each side diverges from
        # it by 1/2 * log2(2) = 1/2 bit.
        ("zh", "天空", "天地", 0.5),
        ("ar", "المدرسة", "مدرسة", 0.0),
    ],
)
def test_jensen_shannon_by_hand(lang: str, summary: str, document: str, bits: float):
    assert row("js", lang, Item(summary, (), document)) == pytest.approx([bits], abs=1e-12)


@pytest.mark.parametrize(
    ("lang", "text", "count"),
    [
        ("de", "Er kam z. B. gestern. Sie nicht.", 2),
        ("zh", "今天天气很好。我们去公园吧！你来吗？", 3),
        ("ar", "ذهب الولد إلى المدرسة. هل عاد؟ نعم.", 3),
        ("hi", "यह एक वाक्य है। दूसरा वाक्य यहाँ है।", 2),
    ],
)
def test_sentences_are_found_by_the_rules_of_the_language(lang: str, text: str, count: int):
    assert row("sentences", lang, Item(text)) == [count]


@pytest.mark.parametrize("item", [CHINESE, HINDI, ARABIC])
@pytest.mark.parametrize("name", ["wmd", "wordvec-cosine"])
def test_english_word_vectors_give_other_scripts_no_value(name: str, item: Item):
    result = metric_from(name).score(Batch.of([item]))
    assert np.isnan(result.values[0, 0])
    assert "known to glove-6b-50d (known=0.5 requires 50 %)" in result.reasons[0]


@pytest.mark.parametrize("name", [*GROUPS["lexical"], *GROUPS["word-vectors"]])
def test_english_changes_nothing(name: str):
    assert metric_from(name, "en").signature == metric_from(name).signature
    assert "lang" not in metric_from(name).signature


@pytest.mark.parametrize(
    ("spec", "lang", "parts"),
    [
        ("rouge1", "de", {"lang:de", "stem:no", "stop:no", "tok:words"}),
        ("rouge1", "th", {"lang:th", "stem:no", "stop:no", "tok:chars"}),
        ("js", "de", {"lang:de", "stem:yes", "stop:yes", "tok:words"}),
        ("js", "zh", {"lang:zh", "stem:no", "stop:no", "tok:chars"}),
        ("js", "sw", {"lang:sw", "stem:no", "stop:no", "tok:words"}),
        ("hrouge2", "hi", {"lang:hi", "stem:no", "tok:words"}),
        ("wmd", "fr", {"lang:fr", "stop:yes", "tok:words"}),
        # What is set stays, the language among it.
        ("rouge1:tok=space,stem=yes", "de", {"lang:de", "stem:yes", "tok:space"}),
        ("rouge1:lang=de", "zh", {"lang:de", "tok:words"}),
        ("js:lang=en", "zh", {"stem:yes", "stop:yes", "tok:words"}),
        ("rouge1:lang=German", "en", {"lang:de", "tok:words"}),
    ],
)
def test_the_signature_tells_what_the_language_chose(spec: str, lang: str, parts: set[str]):
    assert parts <= set(metric_from(spec, lang).signature.split("|"))


def test_metrics_that_a_language_makes_no_difference_to_do_not_name_it():
    for name in ("chars", "compression", "bertscore", "sentence-cosine"):
        assert metric_from(name, "de").signature == metric_from(name).signature


@pytest.mark.parametrize("name", METRICS.builtin)
def test_every_metric_can_be_had_in_every_kind_of_language(name: str):
    for lang in ("de", "zh", "th", "sw"):
        metric_from(name, lang)


def test_a_pipeline_finds_its_own_words_in_any_language():
    signature = metric_from("wordvec-cosine:vectors=en_core_web_sm", "zh").signature
    assert "lang:zh" in signature.split("|")


def test_what_a_language_lacks_cannot_be_asked_for():
    with pytest.raises(
        UsageError,
        match=r"^rouge1: stem=yes, but there is no stemmer for Chinese \(zh\); leave it out\.$",
    ):
        metric_from("rouge1:stem=yes", "zh")
    with pytest.raises(UsageError, match=r"^js: stop=yes, but there are no stop words for sw; "):
        metric_from("js:stop=yes,lang=sw")
    with pytest.raises(UsageError, match=r"^rouge1: lang: 'Deutsch' is not the code of "):
        metric_from("rouge1:lang=Deutsch")
