"""Summaries in other languages than English."""

from __future__ import annotations

import warnings

import pytest

from gistmark import Limit, summarize
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import Document
from gistmark.summarizers.textrank import textrank_scores
from gistmark.text import profile_for

HINDI = "यह एक वाक्य है। दूसरा वाक्य यहाँ है। तीसरा वाक्य छोटा है।"


def corpus_of(*documents: tuple[str, str | None]) -> Corpus:
    return Corpus(
        documents=tuple(
            Document(str(place), (text,), lang=lang) for place, (text, lang) in enumerate(documents)
        )
    )


def test_sentences_are_those_of_the_language():
    (record,) = summarize(
        corpus_of((HINDI, None)), ["LeadFirst"], Limit(None, sentences=1), lang="hi"
    )
    assert record.outcome.text == "यह एक वाक्य है।"


@pytest.mark.parametrize(
    ("languages", "told"),
    [((None, "en"), ""), (("de", "de"), "|lang:de"), (("hi", None), "|lang:en+hi")],
)
def test_the_signature_tells_languages_other_than_english(
    languages: tuple[str | None, ...], told: str
):
    corpus = corpus_of(*((HINDI, lang) for lang in languages))
    found = summarize(corpus, ["LeadFirst"], Limit())
    assert found.signatures["LeadFirst"].endswith(f"|max-chars:600{told}")


def test_textrank_compares_stems_of_the_language():
    texts = ["Häuser brennen", "Haus", "Wald"]
    english = textrank_scores(texts)
    assert english == pytest.approx([1 / 3] * 3), "no word is shared as it is"
    german = textrank_scores(texts, profile=profile_for("de", stop=True, stem=True))
    assert german[0] == pytest.approx(german[1])
    assert german[0] > german[2]


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError, match="'Deutsch' is not the code of a language"):
        summarize(corpus_of((HINDI, None)), ["LeadFirst"], lang="Deutsch")


def test_systems_without_a_model_warn_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summarize(corpus_of((HINDI, "hi")), ["LeadFirst", "TextRank", "Submodular"])
