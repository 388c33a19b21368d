"""How long a summary may be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from gistmark.text import word_spans

_BREAK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a summary may be; what is None does not limit."""

    chars: int | None = 600
    words: int | None = None
    sentences: int | None = None

    @property
    def fields(self) -> dict[str, str]:
        """The limit as fields of a signature, such as `max-chars:600`."""
        limits = {"chars": self.chars, "words": self.words, "sentences": self.sentences}
        chosen = {f"max-{name}": str(most) for name, most in limits.items() if most is not None}
        return chosen or {"max": "none"}

    def holds(self, sentences: Iterable[str]) -> bool:
        """Whether sentences, joined by spaces, are within the limit."""
        budget = Budget(self)
        return all(budget.take(sentence) for sentence in sentences)

    def cut(self, text: str) -> str:
        """The longest beginning of a text that fits and ends between two words.

        A first word that alone is too long is cut in its middle. Where no sentence or no word is
        allowed, nothing is left.
        """
        if self.sentences == 0:
            return ""
        spans = word_spans(text, "words")
        if self.words is not None and len(spans) > self.words:
            text = text[: spans[self.words][0]].rstrip()
        if self.chars is None or len(text) <= self.chars:
            return text
        within = text[: self.chars]
        if _BREAK.match(text[self.chars]):
            return within.rstrip()
        breaks = [match.start() for match in _BREAK.finditer(within)]
        return (within[: breaks[-1]].rstrip() if breaks else "") or within


@dataclass(slots=True)
class Budget:
    """What is left of a limit while a summary is filled, sentence by sentence."""

    limit: Limit
    chars: int = 0
    words: int = 0
    taken: list[str] = field(default_factory=list)

    def fits(self, sentence: str) -> bool:
        """Whether the sentence can be added after a space."""
        limit = self.limit
        chars = self.chars + len(sentence) + bool(self.taken)
        return (
            (limit.chars is None or chars <= limit.chars)
            and (limit.sentences is None or len(self.taken) < limit.sentences)
            and (limit.words is None or self.words + _count(sentence) <= limit.words)
        )

    def take(self, sentence: str) -> bool:
        """Add the sentence if it fits, and return whether it did."""
        if not self.fits(sentence):
            return False
        self.chars += len(sentence) + bool(self.taken)
        self.words += _count(sentence) if self.limit.words is not None else 0
        self.taken.append(sentence)
        return True


def _count(sentence: str) -> int:
    return len(word_spans(sentence, "words"))
