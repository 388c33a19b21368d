"""What a language model makes of given tokens: how likely they are, and whether it chooses them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gistmark.models.heads import Head

CLOSE = 1e-3
LOGITS = 1 << 23


@dataclass(frozen=True)
class Choices:
    """For each token its log-likelihood and whether the model would have chosen it.

    `close` marks those that are so nearly as likely as the best other token that rounding, which
    differs with what else is in a pass, may decide.
    """

    likelihoods: NDArray[np.float64]
    right: NDArray[np.bool_]
    close: NDArray[np.bool_]

    def split(self, counts: list[int]) -> list[Choices]:
        """Runs of so many tokens each."""
        ends = np.cumsum(counts)[:-1]
        columns = (np.split(column, ends) for column in (self.likelihoods, self.right, self.close))
        return [Choices(*run) for run in zip(*columns, strict=True)]


def choices(head: Head, states: Any, targets: NDArray[np.int64]) -> Choices:
    """What the head says of each target after each state, a few rows of logits at a time.

    Of tokens that are equally likely the model chooses the first of the vocabulary.
    """
    import torch

    pieces = []
    size = max(1, LOGITS // head.width)
    for start in range(0, len(targets), size):
        logits = head(states[start : start + size]).float()
        wanted = torch.as_tensor(targets[start : start + size], device=logits.device)
        pieces.append(_reduced(logits, wanted))
    if not pieces:
        return Choices(np.empty(0), np.empty(0, dtype=bool), np.empty(0, dtype=bool))
    return Choices(*(torch.cat(column).cpu().numpy() for column in zip(*pieces, strict=True)))


def _reduced(logits: Any, wanted: Any) -> tuple[Any, Any, Any]:
    """The columns of `Choices`; the logits are used up, which saves copies of them."""
    import torch

    own = logits.gather(1, wanted[:, None])[:, 0]
    logits.scatter_(1, wanted[:, None], -torch.inf)
    other, best = logits.max(dim=1)
    top = torch.maximum(own, other)
    rest = logits.sub_(top[:, None]).exp_().sum(dim=1)
    likelihoods = (own - top).double() - (rest + (own - top).exp()).double().log()
    right = (own > other) | ((own == other) & (wanted < best))
    return likelihoods, right, (own - other).abs() < CLOSE
