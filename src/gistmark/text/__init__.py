"""Words, sentences, n-grams, stems and stop words, by language."""

from gistmark.text.folding import STOP_WORDS, stop_words
from gistmark.text.languages import (
    ENGLISH,
    LANGUAGES,
    Language,
    Normalization,
    Profile,
    Tokenizer,
    find_language,
    language,
    profile_for,
)
from gistmark.text.sentences import readable, sentence_spans, sentences
from gistmark.text.stems import stem
from gistmark.text.words import ngrams, word_spans, words

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "STOP_WORDS",
    "Language",
    "Normalization",
    "Profile",
    "Tokenizer",
    "find_language",
    "language",
    "ngrams",
    "profile_for",
    "readable",
    "sentence_spans",
    "sentences",
    "stem",
    "stop_words",
    "word_spans",
    "words",
]
