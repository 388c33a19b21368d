"""H1: an ensemble of small networks on averaged word vectors, and cue phrases.

The paper uses word2vec of 300 dimensions, here it is any file of word vectors. It does not say how
H1 builds its hierarchy: here each nugget that is near a better one stands below it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.options import option
from gistmark.summarizers.extractive.selection import Choice, best_first, in_document_order
from gistmark.summarizers.extractive.similarity import Float64
from gistmark.summarizers.hierarchical.features import Centrality, Relevance, averages, unit
from gistmark.summarizers.hierarchical.learning import (
    MOST,
    Learned,
    LearnedOptions,
    TrainingExample,
    select,
)
from gistmark.summarizers.hierarchical.networks import train_ensemble
from gistmark.summarizers.hierarchical.trees import Branch, sentence_node
from gistmark.summarizers.summarizer import Budget, Limit, Sentence, Source

SUMMARISING = (
    "in conclusion", "to conclude", "in summary", "to summarise", "to summarize", "to sum up",
    "in short", "in brief", "overall", "as a result", "therefore", "thus", "all in all",
)  # fmt: skip
CONTRASTING = (
    "on the other hand", "on the contrary", "in contrast", "by contrast", "however", "although",
    "nevertheless", "nonetheless", "despite", "whereas", "instead", "yet",
)  # fmt: skip

_CUE = re.compile(rf"\b(?:{'|'.join(SUMMARISING + CONTRASTING)})\b", re.IGNORECASE)


@dataclass(frozen=True)
class H1Options(LearnedOptions):
    """Options of H1."""

    cue: float = option(0.1, "what a sentence with an English cue phrase gains, as a share")
    distance: float = option(0.2, "sentences no farther than this from a chosen one are left out")


class H1(Learned[Relevance]):
    """The most relevant sentences, cue phrases preferred, none near another that is chosen.

    Nearness is the cosine distance of averaged word vectors without stop words. A sentence
    without any known word is near none. The order is that of the document. Where few sentences
    are far enough from each other, the summary is shorter than the limit.
    """

    name = "H1"
    about = "Relevance by an ensemble of networks, cue phrases, and distance to what is chosen."
    Options = H1Options

    def untrained_model(self) -> Relevance:
        return Centrality(self.options.lead)

    def trained_model(self, examples: Sequence[TrainingExample]) -> Relevance:
        return train_ensemble(examples, self.options.vectors, self.options.seed)

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        cues = np.array([has_cue(sentence.text) for sentence in candidates])
        gains = (1 + self.options.cue * cues) / (1 + self.options.cue)
        relevance = self.relevance_model(candidates) * gains
        points = unit(averages([sentence.text for sentence in candidates], self.options.vectors))
        ranked = best_first(relevance)[:MOST].tolist()
        selected = _select_spread(ranked, points, candidates, limit, self.options.distance)
        nuggets = select(relevance, candidates, limit, self.options.share)
        tree = _tree(list(dict.fromkeys([*nuggets, *selected])), points, self.options.distance)
        return Choice(
            in_document_order(selected, candidates), sentence_node(tree, candidates, relevance)
        )


def has_cue(text: str) -> bool:
    """Whether a sentence has a phrase that sums up or contrasts."""
    return _CUE.search(text) is not None


def _select_spread(
    ranked: Sequence[int],
    points: Float64,
    candidates: Sequence[Sentence],
    limit: Limit,
    distance: float,
) -> tuple[int, ...]:
    """Those that fit and are far enough from all that are taken before."""
    budget = Budget(limit)
    selected: list[int] = []
    for number in ranked:
        far = _nearest(number, selected, points)[1] > distance
        if far and budget.take(candidates[number].text):
            selected.append(number)
    return tuple(selected)


def _tree(ranked: Sequence[int], points: Float64, distance: float) -> Branch:
    """A branch for each nugget that is far from all better ones; the others below the nearest."""
    heads: dict[int, Branch] = {}
    for number in ranked:
        nearest, distance_to_head = _nearest(number, list(heads), points)
        if distance_to_head > distance:
            heads[number] = Branch([number])
        else:
            heads[nearest].children.append(Branch([number]))
    return Branch([], list(heads.values()))


def _nearest(number: int, others: Sequence[int], points: Float64) -> tuple[int, float]:
    """Which of the others is the nearest, and how far it is; without others none, infinitely."""
    if not others:
        return -1, float("inf")
    distances = 1 - points[list(others)] @ points[number]
    position = int(distances.argmin())
    return others[position], float(distances[position])
