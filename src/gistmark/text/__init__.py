"""Words, sentences, n-grams, stems and stop words."""

from gistmark.text.ngrams import ngrams
from gistmark.text.profiles import Normalization, Profile, Tokenizer
from gistmark.text.sentences import sentence_spans, sentences
from gistmark.text.stems import stem
from gistmark.text.stopwords import STOP_WORDS
from gistmark.text.surrogates import readable
from gistmark.text.words import word_spans, words

__all__ = [
    "STOP_WORDS",
    "Normalization",
    "Profile",
    "Tokenizer",
    "ngrams",
    "readable",
    "sentence_spans",
    "sentences",
    "stem",
    "word_spans",
    "words",
]
