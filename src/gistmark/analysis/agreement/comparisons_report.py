"""All statistics of agreement on comparisons, dimension by dimension, as records of a study."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gistmark.analysis.agreement.bootstrap import RESAMPLES
from gistmark.analysis.agreement.pairwise import pairwise_agreement, stored_alpha, symmetric_alpha
from gistmark.analysis.agreement.ratings_report import Named, agreement
from gistmark.analysis.agreement.transitivity import annotator_transitivity, majority_transitivity
from gistmark.analysis.agreement.votes import VoteColumns, votes_by_dimension
from gistmark.analysis.records import Agreement
from gistmark.corpus.corpus import Corpus


def comparisons_agreement(
    corpus: Corpus, *, rng: np.random.Generator | None = None, resamples: int = RESAMPLES
) -> list[Agreement]:
    """How far annotators agree in their choices; a unit is a pair of summaries of a document.

    - `pairwise-agreement`: the mean share of the majority, with its chance level.
    - `alpha`: nominal alpha in the stored orientation; `alpha-symmetric`: free of orientation.
      Both with an interval by bootstrap over pairs.
    - `transitivity`: the share of triads of one annotator that are no circle, over all annotators
      and with the annotator as scope; n counts triads.
    - `transitivity-majority`: the same for the majority's choices, over all documents and with
      the document as scope.

    `rng` draws the resamples; without it the seed is 0.
    """
    rng = rng or np.random.default_rng(0)
    return [
        agreement("comparisons", dimension, name, scope, found)
        for dimension, votes in votes_by_dimension(corpus.comparisons).items()
        for name, scope, found in _statistics(votes, rng, resamples)
    ]


def _statistics(votes: VoteColumns, rng: np.random.Generator, resamples: int) -> Iterator[Named]:
    first, second = votes.wins
    yield "pairwise-agreement", "", pairwise_agreement(first, second)
    yield "alpha", "", stored_alpha(votes.pairs, votes.values, rng=rng, resamples=resamples)
    yield "alpha-symmetric", "", symmetric_alpha(first, second, rng=rng, resamples=resamples)
    for name, compute in (
        ("transitivity", annotator_transitivity),
        ("transitivity-majority", majority_transitivity),
    ):
        found = compute(votes)
        yield name, "", found.whole
        for part, share in found.parts.items():
            yield name, part, share
