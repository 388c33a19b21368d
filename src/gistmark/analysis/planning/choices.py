"""The power of pairwise choices to tell two systems apart, in the Bradley-Terry model.

Every annotator chooses between every two of S systems about every document. Of the variance of one
choice between two systems, one of which wins with probability p,

    total     p (1 - p), less a quarter of the share of ties
    document  what annotators see alike in these two summaries, less with more documents
    annotator how far one annotator favours one system, less with more annotators
    the rest  less with either

`document` and `annotator` are shares of the total: the correlation of two choices about the same
two summaries, and of two choices of one annotator between the same two systems. With D documents
and A annotators the share of wins has the variance

    document / D + annotator / A + rest g / (D A)

g is what the other systems add through the model, by its Fisher information: 2 / S for systems
that are close, 1 for two. They add nothing to the other parts, which two summaries or one annotator
carry into every comparison. A strength is the log odds of that share (by the delta method), tested
by Student's t: over documents with D - 1 degrees of freedom, the annotators staying the same; over
both with Satterthwaite's.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import special, stats

from gistmark.analysis.planning.power import Power, beyond
from gistmark.analysis.studies.options import PairsOver
from gistmark.errors import UsageError


@dataclass(frozen=True, slots=True)
class ChoiceSpread:
    """How far choices hang together, as shares of their variance, and the share of ties."""

    document: float = 0.0
    annotator: float = 0.0
    ties: float = 0.0

    def __post_init__(self) -> None:
        for name in ("document", "annotator", "ties"):
            if not 0 <= getattr(self, name) < 1:
                raise UsageError(f"The share {name!r} must be a number from 0 on and below 1.")
        if self.document + self.annotator >= 1:
            raise UsageError(
                "The correlations of documents and annotators must leave something to chance: "
                "together they must be below 1."
            )


def choice_power(
    spread: ChoiceSpread,
    share: float,
    documents: int,
    annotators: int,
    systems: int,
    level: float = 0.05,
    *,
    over: PairsOver = "documents",
) -> Power:
    """How often a system that wins this share against another is found better; width of the share.

    A share of one half is never found; one below it is the other's.
    """
    share = min(max(share, 1 - share), 1 - 1e-9)
    odds = share * (1 - share)
    total = max(odds - spread.ties / 4, 0.02 * odds)
    rest = total * (1 - spread.document - spread.annotator)
    parts = [
        (total * spread.document / documents, documents - 1),
        (rest * information_gain(share, systems) / (documents * annotators),
         documents * annotators - 1),
    ]  # fmt: skip
    if over == "both" and spread.annotator > 0:
        parts.append((total * spread.annotator / annotators, annotators - 1))
    variance = sum(part for part, _ in parts)
    freedom = float(documents - 1)
    if over == "both":
        freedom = max(variance**2 / sum(part**2 / own for part, own in parts), 1.0)
    error = float(np.sqrt(variance))
    critical = float(stats.t.ppf(1 - level / 2, freedom))
    shift = float(special.logit(share)) * odds / error
    return Power(beyond(critical, freedom, shift), 2 * critical * error)


@cache
def information_gain(share: float, systems: int) -> float:
    """The variance of two systems' difference among all, over that of the two alone.

    The two are as far apart as the share says, the others half-way between them; every two meet as
    often.
    """
    if systems <= 2:
        return 1.0
    half = float(special.logit(share)) / 2
    strengths = np.zeros(systems)
    strengths[:2] = half, -half
    chances = special.expit(strengths[:, None] - strengths[None, :])
    bends = chances * (1 - chances)
    np.fill_diagonal(bends, 0.0)
    information = np.diag(bends.sum(axis=1)) - bends
    inverse = np.linalg.pinv(information)
    variance = inverse[0, 0] + inverse[1, 1] - 2 * inverse[0, 1]
    return float(variance * share * (1 - share))
