"""H2: pairwise relevance, clustered sentence embeddings, ranked sub-trees.

The paper embeds with the Universal Sentence Encoder, here it is any sentence encoder. There is no
query here, so the nuggets nearest to the centroid of their sub-tree replace those nearest to the
query.

Nuggets are clustered by Ward's criterion (Ward, "Hierarchical Grouping to Optimize an Objective
Function", 1963): merge the two clusters whose union adds the least to the weighted sum of squared
distances to the clusters' centroids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from math import ceil, sqrt

import numpy as np

from gistmark.models.sentence_encoders import sentence_encoder
from gistmark.options import option
from gistmark.signature import without_hash
from gistmark.summarizers.extractive.selection import Choice, best_first, fill
from gistmark.summarizers.extractive.similarity import Float64
from gistmark.summarizers.hierarchical.features import Centrality, Relevance, mean_weights, unit
from gistmark.summarizers.hierarchical.learning import (
    SENTENCE_ENCODER,
    Learned,
    LearnedOptions,
    TrainingExample,
    select,
)
from gistmark.summarizers.hierarchical.networks import train_recurrent
from gistmark.summarizers.hierarchical.trees import Branch, sentence_node
from gistmark.summarizers.summarizer import Limit, Sentence, Source


@dataclass(frozen=True)
class H2Options(LearnedOptions):
    """Options of H2."""

    model: str = option(SENTENCE_ENCODER, "a known sentence encoder, a folder, or a hub's name")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "model", without_hash(self.model))


@dataclass(frozen=True)
class Space:
    """The nuggets' embeddings at length 1, their weights, and their relevance."""

    points: Float64
    weights: Float64
    relevance: Float64

    def nearness(self, members: Sequence[int]) -> Float64:
        """The cosine of each member to their weighted centroid."""
        points = self.points[list(members)]
        centroid = self.weights[list(members)] @ points
        return points @ centroid / (np.linalg.norm(centroid) or 1.0)


class H2(Learned[Relevance]):
    """Nuggets from the largest and most relevant clusters, the most central first.

    Nuggets are clustered by Ward's criterion on their embeddings, weighted by their mean TF-IDF.
    As many sub-trees as the square root of the number of nuggets are ranked by size times mean
    relevance; in turn each gives its nugget with the highest relevance times nearness to the
    sub-tree's centroid. The summary is ordered by nearness to the centroid of all nuggets.
    """

    name = "H2"
    about = "Pairwise relevance by a GRU, clustered sentence embeddings, ranked sub-trees."
    Options = H2Options

    def untrained_model(self) -> Relevance:
        return Centrality(self.options.lead)

    def trained_model(self, examples: Sequence[TrainingExample]) -> Relevance:
        return train_recurrent(examples, self.options.vectors, self.options.seed)

    def choose(self, candidates: Sequence[Sentence], source: Source, limit: Limit) -> Choice:
        relevance = self.relevance_model(candidates)
        numbers = select(relevance, candidates, limit, self.options.share)
        nuggets = [candidates[number] for number in sorted(numbers)]
        texts = [nugget.text for nugget in nuggets]
        embedded = sentence_encoder(self.options.model).embed(texts)
        space = Space(unit(embedded), mean_weights(texts), relevance[sorted(numbers)])
        pairs = merges(space.points, space.weights)
        selected = fill(_nuggets_in_turn(pairs, space), nuggets, limit)
        central = space.nearness(range(len(nuggets)))
        order = sorted(selected, key=lambda nugget: (-round(float(central[nugget]), 12), nugget))
        tree = sentence_node(connected(pairs, space), nuggets, space.relevance)
        return Choice(tuple(sorted(numbers)[nugget] for nugget in order), tree)


def connected(pairs: Sequence[tuple[int, int]], space: Space) -> Branch:
    """The tree that connects, merge by merge, the two clusters' most central sentences.

    That which is nearer to the centroid of the union stands above the other.
    """
    members = {position: [position] for position in range(len(space.points))}
    tops = {position: Branch([position]) for position in members}
    for first, second in pairs:
        members[first] += members.pop(second)
        near = dict(zip(members[first], space.nearness(members[first]), strict=True))
        above, below = tops[first], tops.pop(second)
        if near[below.members[0]] > near[above.members[0]]:
            above, below = below, above
        above.children.append(below)
        tops[first] = above
    return tops[0]


def subtrees(pairs: Sequence[tuple[int, int]], count: int) -> list[list[int]]:
    """The members of the `count` clusters that are left after the first merges."""
    members = {position: [position] for position in range(len(pairs) + 1)}
    for first, second in pairs[: len(pairs) + 1 - count]:
        members[first] += members.pop(second)
    return [sorted(cluster) for cluster in members.values()]


def _nuggets_in_turn(pairs: Sequence[tuple[int, int]], space: Space) -> list[int]:
    """All nuggets: the best of each sub-tree, then the second of each, and so on."""
    groups = subtrees(pairs, ceil(sqrt(len(space.points))))
    # Size times mean relevance is the sum of the relevance.
    groups.sort(key=lambda group: -round(float(space.relevance[group].sum()), 12))
    rows = [
        [group[position] for position in best_first(space.relevance[group] * space.nearness(group))]
        for group in groups
    ]
    rounds = chain.from_iterable(zip_longest(*rows))
    return [nugget for nugget in rounds if nugget is not None]


def merges(points: Float64, weights: Float64) -> list[tuple[int, int]]:
    """The pairs of clusters in the order in which they are merged, down to one cluster.

    A cluster is named by its lowest point, which comes first. A union of clusters with weights v
    and w, whose weighted centroids are a distance d apart, costs v w / (v + w) d². Of equal costs
    the pair with the lowest numbers is merged. Weights are above 0. Takes time of the third and
    memory of the second power of the number of points.
    """
    weights = weights.astype(np.float64).copy()
    centroids = points.astype(np.float64).copy()
    costs = np.stack([_costs(position, centroids, weights) for position in range(len(points))])
    costs[np.tril_indices(len(points))] = np.inf
    pairs: list[tuple[int, int]] = []
    for _ in range(len(points) - 1):
        left, right = np.unravel_index(int(costs.argmin()), costs.shape)
        pairs.append((int(left), int(right)))
        total = weights[left] + weights[right]
        share = weights[right] / total
        centroids[left] += share * (centroids[right] - centroids[left])
        weights[left] = total
        costs[right, :] = costs[:, right] = np.inf
        _update_costs(costs, int(left), _costs(int(left), centroids, weights))
    return pairs


def _costs(position: int, centroids: Float64, weights: Float64) -> Float64:
    """What a union with each of the clusters would cost, to 12 digits."""
    distances = ((centroids - centroids[position]) ** 2).sum(axis=1)
    costs: Float64 = weights * weights[position] / (weights + weights[position]) * distances
    return np.round(costs, 12)


def _update_costs(costs: Float64, position: int, new_costs: Float64) -> None:
    """Write the new costs of one cluster into its pairs that can still be merged."""
    row, column = costs[position, position + 1 :], costs[:position, position]
    row[np.isfinite(row)] = new_costs[position + 1 :][np.isfinite(row)]
    column[np.isfinite(column)] = new_costs[:position][np.isfinite(column)]
