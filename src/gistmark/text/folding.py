"""What a profile does to single words: normalise, leave out stop words, stem.

The stop words of English are the closed word classes and what is left of contractions, those of
other languages the lists of the package stop-words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from gistmark.text.languages import ENGLISH, Normalization, Profile, language
from gistmark.text.stems import stems

_PLAIN = {
    "``": '"',
    "''": '"',
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u00ab": '"',
    "\u00bb": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\u201a": "'",
}
_BRACKETS = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
}

_PRONOUNS = """
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves
what which who whom this that these those
"""
_VERBS = """
am is are was were be been being have has had having do does did doing can will just should now
"""
_ARTICLES_AND_CONJUNCTIONS = "a an the and but if or because as until while"
_PREPOSITIONS = """
of at by for with about against between into through during before after above below to from
up down in out on off over under
"""
_ADVERBS = "again further then once here there when where why how no nor not only so than too very"
_QUANTIFIERS = "all any both each few more most other some such own same"

_NEGATED = """
ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won
wouldn
"""
_REMAINS = "s t d ll m o re ve y ma"
_CONTRACTED = "you're you've you'll you'd she's it's that'll should've"


def fold_words(words: Sequence[str], profile: Profile) -> list[str | None]:
    """The words as the profile compares them; `None` stands for a word that it leaves out."""
    if profile.plain:
        return list(words)
    normalize = _NORMALIZE[profile.norm]
    normal = [normalize(word) for word in words]
    stemmed = normal
    if profile.stem:
        stemmed = stems(normal, profile.lang, exceptions=profile.exceptions)
    if not profile.stop:
        return list(stemmed)
    left_out = stop_words(profile.lang)
    return [
        None if plain_word(word) in left_out else stem
        for word, stem in zip(normal, stemmed, strict=True)
    ]


def _plain_quotes(word: str) -> str:
    bracket = _BRACKETS.get(word.lower())
    if bracket is not None:
        return bracket
    for quote, plain in _PLAIN.items():
        word = word.replace(quote, plain)
    return word


_NORMALIZE: dict[Normalization, Callable[[str], str]] = {
    "none": lambda word: word,
    "quotes": _plain_quotes,
    "nfkc": lambda word: unicodedata.normalize("NFKC", word),
}


STOP_WORDS: frozenset[str] = frozenset(
    word
    for group in (
        _PRONOUNS,
        _VERBS,
        _ARTICLES_AND_CONJUNCTIONS,
        _PREPOSITIONS,
        _ADVERBS,
        _QUANTIFIERS,
        _NEGATED,
        _REMAINS,
        _CONTRACTED,
    )
    for word in group.split()
) | frozenset(f"{verb}n't".replace("nn't", "n't") for verb in _NEGATED.split())


@lru_cache
def stop_words(lang: str = ENGLISH) -> frozenset[str]:
    """The stop words of a language in lower case, with plain apostrophes; none if it has no list.

    Characters are no stop words, so languages that are compared character by character have none.
    """
    if lang == ENGLISH:
        return STOP_WORDS
    name = language(lang).stop_words
    if name is None:
        return frozenset()
    from stop_words import get_stop_words

    return frozenset(plain_word(word) for word in get_stop_words(name))


def plain_word(word: str) -> str:
    """A word as it is looked up among stop words."""
    return word.lower().replace("\u2019", "'")
