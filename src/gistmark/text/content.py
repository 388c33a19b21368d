"""Content words: what two statements share, and how much of one a text says.

These are the rules by which content units are compared: when annotators' units are merged, when
practice is marked, and when the metric `pyramid` looks for a unit by its words.
"""

from __future__ import annotations

from gistmark.text.languages import profile_for
from gistmark.text.words import words

ALIKE = 0.5
"""From this overlap on, two units are taken for the same fact."""


def content_words(text: str, lang: str | None = None) -> frozenset[str]:
    """The words of a unit that carry content: stems without stop words, or all where none is left.

    >>> from gistmark.text.content import content_words
    >>> sorted(content_words("The bridge was closed on Tuesday."))
    ['bridg', 'close', 'tuesday']
    """
    stems = words(text, profile_for(lang, stop=True, stem=True))
    return frozenset(stems or words(text, profile_for(lang)))


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """The share of words that two units have in common, of all that either has: 0 to 1."""
    union = left | right
    return len(left & right) / len(union) if union else 0.0


def stated_share(unit: str, summary: str, lang: str | None = None) -> float:
    """The share of a unit's content words that a summary has: 0 to 1."""
    return contained(content_words(unit, lang), content_words(summary, lang))


def contained(part: frozenset[str], whole: frozenset[str]) -> float:
    """The share of the words of `part` that `whole` has: 0 to 1, and 0 where `part` has none."""
    return len(part & whole) / len(part) if part else 0.0
