"""What H4 and H5 share: a tree of nodes with several sentences, and a summary by TextRank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gistmark.summarizers.candidates import Sentence
from gistmark.summarizers.extractive import fill, in_document_order
from gistmark.summarizers.hierarchical.trees import Branch
from gistmark.summarizers.limits import Limit
from gistmark.summarizers.ranking import Float64, best_first
from gistmark.summarizers.textrank import textrank_scores
from gistmark.text import word_spans

MEMBERS = 3
"""How many sentences a node holds at most."""

CHILDREN = 4
"""How many nodes stand at most below a node."""

FED = 12
"""How many short sentences TextRank gets at least, where there are as many."""


def grown(ranked: Sequence[int], points: Float64) -> Branch:
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

    TextRank gets `FED` of them, or twice as many as fit. What it did not get follows: first
    other short sentences, then long ones. Short are those of at most `short` words; where there
    are none, all are.
    """
    level_by_level = list(tree.breadth_first())
    brief = [each for each in level_by_level if _length(candidates[each]) <= short]
    pool = brief or level_by_level
    fed = pool[: max(FED, 2 * len(fill(pool, candidates, limit)))]
    scores = textrank_scores([candidates[each].text for each in fed])
    ranked = [fed[int(place)] for place in best_first(scores)]
    order = dict.fromkeys([*ranked, *brief, *level_by_level])
    return in_document_order(fill(order, candidates, limit), candidates)


def _add(top: Branch, number: int, points: Float64) -> None:
    branch = top
    while True:
        nearest = max([branch, *branch.children], key=lambda each: _likeness(each, number, points))
        if nearest is branch and len(branch.members) < MEMBERS:
            branch.members.append(number)
            return
        if nearest is branch and len(branch.children) < CHILDREN:
            branch.children.append(Branch([number]))
            return
        branch = (
            max(branch.children, key=lambda each: _likeness(each, number, points))
            if nearest is branch
            else nearest
        )


def _likeness(branch: Branch, number: int, points: Float64) -> float:
    """The cosine of a sentence to the mean of a node's sentences."""
    mean = points[branch.members].sum(axis=0)
    return round(float(mean @ points[number] / (np.linalg.norm(mean) or 1.0)), 12)


def _sort_members(branch: Branch, points: Float64) -> None:
    """Put the sentence first that is the most like all of its node."""
    like = np.array([_likeness(branch, member, points) for member in branch.members])
    branch.members = [branch.members[int(place)] for place in best_first(like)]
    for child in branch.children:
        _sort_members(child, points)


def _length(sentence: Sentence) -> int:
    return len(word_spans(sentence.text, "words"))
