"""Stop words: for English the closed word classes and what is left of contractions.

Those of other languages are the lists of the package stop-words.
"""

from __future__ import annotations

from functools import lru_cache

from gistmark.text.languages import ENGLISH, language

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


def _negations() -> list[str]:
    return [f"{verb}n't".replace("nn't", "n't") for verb in _NEGATED.split()]


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
) | frozenset(_negations())


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
