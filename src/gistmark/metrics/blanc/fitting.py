"""Making help and sentence fit into what a model reads, by the rule of the authors' package.

Where the two together are too long, the sentence is cut at its end, but not below `cut` tokens,
and only then is the summary cut.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from gistmark.models.causal import Tokens


@dataclass(frozen=True)
class Help:
    """The tokens of a summary, and where each of its sentences ends among them."""

    tokens: Tokens
    ends: tuple[int, ...]

    @classmethod
    def of(cls, sentences: Iterable[Tokens]) -> Help:
        parts = list(sentences)
        tokens = tuple(token for part in parts for token in part)
        return cls(tokens, tuple(accumulate(map(len, parts))))

    def within(self, room: int) -> Tokens:
        """As many of the first sentences as fit as a whole; if none does, the end of the first."""
        if len(self.tokens) <= room:
            return self.tokens
        fitting = bisect_right(self.ends, room)
        if fitting:
            return self.tokens[: self.ends[fitting - 1]]
        return self.tokens[self.ends[0] - room : self.ends[0]]


def kept_of_sentence(sentence: int, summary: int, *, room: int, cut: int) -> int:
    """How many tokens of a sentence stay beside a summary, given how many both have."""
    return max(0, min(sentence, max(cut, room - summary), room))
