"""Runs in several languages, and what they tell once."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

import gistmark
from gistmark import TextPairs, score
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import Document, Summary
from gistmark.scoring import Scores
from gistmark.scoring.files import read_scores
from gistmark.scoring.languages import LETTERS_LOST

ENGLISH = ("The cats sat on the mats.", "A cat sat on a mat.")
GERMAN = ("Die Häuser der Stadt sind schön.", "Das Haus in der Stadt ist schön.")
CHINESE = ("政府宣布了新的经济政策。", "新的经济政策由政府宣布。")


def corpus_of(**texts: tuple[str | None, tuple[str, str]]) -> Corpus:
    """Documents by id: the language, and a summary with its reference, which is the text, too."""
    documents, summaries = [], []
    for id, (lang, (summary, reference)) in texts.items():
        documents.append(Document(id, (reference,), lang=lang))
        summaries.append(Summary(id, "sys", summary))
        summaries.append(Summary(id, "gold", reference, reference=True))
    return Corpus(documents=tuple(documents), summaries=tuple(summaries))


def told(*arguments: object, **options: object) -> tuple[Scores, list[str]]:
    """The scores of a run, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = score(*arguments, cache=False, **options)  # type: ignore[arg-type]
    return scores, [str(each.message) for each in caught if each.category is UserWarning]


MIXED = corpus_of(
    zh1=("zh-Hans", CHINESE), en=(None, ENGLISH), de=("de", GERMAN), zh2=("zh", CHINESE)
)


def test_each_document_is_scored_in_its_own_language():
    scores, _ = told(MIXED, ["rouge1", "js"])
    result = {
        (record.document, record.metric, record.part): record.value for record in scores
    }  # fmt: skip
    assert len(result) == 4 * 4
    alone = {"zh1": ("zh", CHINESE), "zh2": ("zh", CHINESE), "de": ("de", GERMAN)}
    for document, (lang, pair) in {**alone, "en": (None, ENGLISH)}.items():
        own, _ = told(corpus_of(only=(None, pair)), ["rouge1", "js"], lang=lang)
        for record in own:
            assert result[document, record.metric, record.part] == record.value


def test_the_signature_of_several_languages_tells_all_in_one_order():
    scores, _ = told(MIXED, ["rouge1", "chars"])
    parts = scores.signatures["rouge1"].split("|")
    assert "lang:de+en+zh" in parts
    assert "tok:words+rouge_score+chars" in parts
    assert "stem:no" in parts
    assert "lang" not in scores.signatures["chars"]


def test_the_language_of_a_run_stands_above_that_of_documents():
    scores, _ = told(MIXED, ["rouge1"], lang="fr")
    assert "lang:fr" in scores.signatures["rouge1"].split("|")


def test_corpora_without_languages_are_scored_as_ever():
    corpus = gistmark.load(gistmark.sample_folder())
    plain, silent = told(corpus, ["rouge1", "js", "sentences"])
    english, _ = told(corpus, ["rouge1", "js", "sentences"], lang="en")
    assert plain.signatures == english.signatures
    assert list(plain) == list(english)
    assert silent == []


def test_several_languages_go_through_the_cache(tmp_path: Path):
    first = score(MIXED, ["rouge1", "js"], cache=tmp_path)
    again = score(MIXED, ["rouge1", "js"], cache=tmp_path)
    assert list(first) == list(again)
    french = score(MIXED, ["rouge1"], cache=tmp_path, lang="fr")
    assert list(french) != [record for record in first if record.metric == "rouge1"]


def test_lines_and_pairs_have_a_language(tmp_path: Path):
    pair, _ = told(TextPairs([GERMAN[0]], [GERMAN[1]], lang="de"), ["rouge1:stem=yes"])
    assert pair.columns["rouge1:stem=yes"].part("precision")[0] == pytest.approx(4 / 6)
    for name, text in zip(("s.txt", "r.txt"), GERMAN, strict=True):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    lines = gistmark.open_lines(tmp_path / "s.txt", [tmp_path / "r.txt"])
    result, _ = told(lines, ["rouge1:stem=yes"], lang="German")
    assert result.columns["rouge1:stem=yes"].part("recall")[0] == pytest.approx(4 / 7)


def test_a_language_that_is_none_is_refused_where_it_is_asked_for():
    with pytest.raises(UsageError, match="'Deutsch' is not the code of a language"):
        score(MIXED, ["rouge1"], lang="Deutsch")


def test_a_documents_language_that_is_none_is_told_and_passed_over():
    corpus = corpus_of(a=("Klingonese", ENGLISH), b=("Klingonese", ENGLISH), c=("und", ENGLISH))
    scores, sentences = told(corpus, ["rouge1"])
    assert "lang" not in scores.signatures["rouge1"]
    assert sentences == [
        "'Klingonese', the lang of documents a, b, is ignored: it is not a language code."
    ]


def test_letters_that_rouge_passes_over_are_told_once():
    _, sentences = told(TextPairs([CHINESE[0]] * 3, [CHINESE[1]] * 3), ["rouge1", "rouge2", "js"])
    assert sentences == [
        "rouge1, rouge2: 100 % of the letters of the summaries are outside a-z and are ignored by "
        "tok=rouge_score; --lang CODE or tok=words counts them."
    ]


def test_what_helps_silences_it():
    pairs = TextPairs([CHINESE[0]], [CHINESE[1]])
    assert told(pairs, ["rouge1"], lang="zh")[1] == []
    assert told(pairs, ["rouge1:tok=words"])[1] == []
    _, sentences = told(pairs, ["rouge1:tok=rouge155"], lang="zh")
    assert sentences == [
        "rouge1:tok=rouge155: 100 % of the letters of the summaries in Chinese (zh) are outside "
        "a-z and are ignored by tok=rouge155; tok=words counts them."
    ]


def test_a_few_accents_are_no_reason_for_a_warning():
    text = "The singer Beyoncé spoke at length about her new album with reporters in London. "
    accents = 1 / sum(letter.isalpha() for letter in text)
    assert accents > LETTERS_LOST
    assert told(TextPairs([text], [text]), ["rouge1"])[1]
    assert told(TextPairs([text, ENGLISH[0] * 3], [text] * 2), ["rouge1"])[1] == []


def test_models_of_english_are_told_where_the_texts_are_in_another_language():
    _, sentences = told(TextPairs([GERMAN[0]], [GERMAN[1]]), ["wmd", "wordvec-cosine"], lang="de")
    assert sentences == [
        "wmd, wordvec-cosine: glove-6b-50d was trained on English, but there are texts in German "
        "(de); do not rely on its values there."
    ]


def test_without_a_language_the_script_tells():
    _, sentences = told(TextPairs([CHINESE[0]], [CHINESE[1]]), ["wmd"])
    assert sentences == [
        "wmd: glove-6b-50d was trained on English, but 100 % of the letters are not Latin; do not "
        "rely on its values there."
    ]
    assert told(TextPairs([GERMAN[0]], [GERMAN[1]]), ["wmd"])[1] == []
    assert told(TextPairs([ENGLISH[0]], [ENGLISH[1]]), ["wmd"])[1] == []


def test_of_vectors_that_are_not_known_nothing_is_claimed(tmp_path: Path):
    file = tmp_path / "vectors.txt"
    file.write_text("haus 1 0\nstadt 0 1\nschön 1 1\n", encoding="utf-8")
    assert told(TextPairs(["haus stadt"], ["stadt"]), [f"wmd:vectors={file}"], lang="de")[1] == []


def test_the_share_of_known_words_survives_a_scores_file(tmp_path: Path):
    scores, _ = told(TextPairs([ENGLISH[0], CHINESE[0]], [ENGLISH[1], CHINESE[1]]), ["wmd"])
    for wide in (False, True):
        scores.write(tmp_path / "scores.csv", wide=wide)
        column = read_scores(tmp_path / "scores.csv").columns["wmd"]
        assert column.parts == ("value", "known")
        assert column.judging == ("value",)
        assert column.part("known").tolist() == [1.0, 0.0]


def test_many_reasons_are_told_by_the_commonest():
    scores, _ = told(TextPairs([ENGLISH[0]], [ENGLISH[1]]), ["rouge1"])
    column = scores.columns["rouge1"]
    few = replace(column, reasons={0: "b", 1: "a", 2: "b"})
    assert few.why == "a; b"
    many = replace(column, reasons={n: f"reason {max(n - 2, 0)}" for n in range(9)})
    assert many.why == "reason 0; reason 1; reason 2; reason 3; and 3 more reasons"
