"""H4: relevance by a convolutional network, a tree by word vectors, a summary by TextRank.

The paper uses GloVe of 300 dimensions, here it is any file of word vectors. H5 shares the tree,
whose nodes hold several sentences, and the summary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gistmark.options import option
from gistmark.summarizers.extractive.graph_ranking import textrank_scores
from gistmark.summarizers.extractive.selection import Choice, best_first, fill, in_document_order
from gistmark.summarizers.extractive.similarity import Float64
from gistmark.summarizers.hierarchical.features import Centrality, Relevance, averages, unit
from gistmark.summarizers.hierarchical.learning import (
    Learned,
    LearnedOptions,
    TrainingExample,
    select,
)
from gistmark.summarizers.hierarchical.networks import train_convolution
from gistmark.summarizers.hierarchical.trees import Branch, sentence_node
from gistmark.summarizers.summarizer import Limit, Sentence, Source
from gistmark.text import word_spans


@dataclass(frozen=True)
class WordTreeOptions(LearnedOptions):
    """Options of H4 and H5."""

    short: int = option(25, "how many words a short sentence has at most")


class H4(Learned[Relevance]):
    """Relevant sentences, put into a tree by their words, ranked by TextRank."""

    name = "H4"
    about = "Relevance by a CNN, a tree by word vectors, short sentences ranked by TextRank."
    Options = WordTreeOptions

    def untrained_model(self) -> Relevance:
        return Centrality(self.options.lead)

    def trained_model(self, examples: Sequence[TrainingExample]) -> Relevance:
        return train_convolution(examples, self.options.vectors, self.options.seed)

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        relevance = self.relevance_model(candidates)
        nuggets = select(relevance, candidates, limit, self.options.share)
        points = averages([sentence.text for sentence in candidates], self.options.vectors)
        tree = grow_tree(nuggets, unit(points))
        order = summarised(tree, candidates, limit, self.options.short)
        return Choice(order, sentence_node(tree, candidates, relevance))


MEMBERS = 3
"""How many sentences a node holds at most."""

CHILDREN = 4
"""How many nodes stand at most below a node."""

LEAST_RANKED = 12
"""How many short sentences TextRank gets at least, where there are as many."""


def grow_tree(ranked: Sequence[int], points: Float64) -> Branch:
    """The tree of one sentence or more, added one by one, the most relevant first.

    A sentence goes down from the top to the node whose words are the most similar, by the cosine
    of averaged word vectors (`points`, of length 1). A node that is full opens another below it
    until it has `CHILDREN`; then the sentence goes on to the most similar of these.
    """
    top = Branch([ranked[0]])
    for number in ranked[1:]:
        _add(top, number, points)
    _sort_members(top, points)
    return top


def summarised(
    tree: Branch, candidates: Sequence[Sentence], limit: Limit, short: int
) -> tuple[int, ...]:
    """Short sentences, breadth-first, as TextRank ranks them; in the order of the document.

    TextRank gets `LEAST_RANKED` of them, or twice as many as fit. The rest follows: first other
    short sentences, then long ones. Short are those of at most `short` words; where there are none,
    all are.
    """
    level_by_level = list(tree.breadth_first())
    brief = [number for number in level_by_level if _length(candidates[number]) <= short]
    pool = brief or level_by_level
    ranking_pool = pool[: max(LEAST_RANKED, 2 * len(fill(pool, candidates, limit)))]
    scores = textrank_scores([candidates[number].text for number in ranking_pool])
    ranked = [ranking_pool[int(position)] for position in best_first(scores)]
    order = dict.fromkeys([*ranked, *brief, *level_by_level])
    return in_document_order(fill(order, candidates, limit), candidates)


def _add(top: Branch, number: int, points: Float64) -> None:
    branch = top
    while True:
        nearest = max(
            [branch, *branch.children], key=lambda candidate: _similarity(candidate, number, points)
        )
        if nearest is branch and len(branch.members) < MEMBERS:
            branch.members.append(number)
            return
        if nearest is branch and len(branch.children) < CHILDREN:
            branch.children.append(Branch([number]))
            return
        branch = (
            max(branch.children, key=lambda candidate: _similarity(candidate, number, points))
            if nearest is branch
            else nearest
        )


def _similarity(branch: Branch, number: int, points: Float64) -> float:
    """The cosine of a sentence to the mean of a node's sentences."""
    mean = points[branch.members].sum(axis=0)
    return round(float(mean @ points[number] / (np.linalg.norm(mean) or 1.0)), 12)


def _sort_members(branch: Branch, points: Float64) -> None:
    """Put the sentence first that is the most like all of its node."""
    like = np.array([_similarity(branch, member, points) for member in branch.members])
    branch.members = [branch.members[int(position)] for position in best_first(like)]
    for child in branch.children:
        _sort_members(child, points)


def _length(sentence: Sentence) -> int:
    return len(word_spans(sentence.text, "words"))
