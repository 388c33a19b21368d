"""Keeps a model that writes from going round in circles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NoRepeatedWords:
    """Forbids every token that would complete a run of `size` tokens that was written before.

    It looks at what was written from `start` on. The rule of transformers looks at the prompt as
    well, so that a causal model could never take over a phrase of the text that it summarises.
    """

    size: int
    start: int

    def __call__(self, ids: Any, scores: Any) -> Any:
        """The scores of the next token for each row, minus infinity where it is forbidden."""
        allowed = scores.clone()
        for row, tokens in enumerate(ids[:, self.start :].tolist()):
            forbidden = self.forbidden(tokens)
            if forbidden:
                allowed[row, forbidden] = -float("inf")
        return allowed

    def forbidden(self, tokens: list[int]) -> list[int]:
        """The tokens that may not come next."""
        before = self.size - 1
        if len(tokens) < self.size:
            return []
        last = tokens[len(tokens) - before :]
        return [
            tokens[place + before]
            for place in range(len(tokens) - before)
            if tokens[place : place + before] == last
        ]
