"""Agglomerative clustering of weighted points by Ward's criterion.

Ward, "Hierarchical Grouping to Optimize an Objective Function" (1963): merge the two clusters whose
union adds the least to the weighted sum of squared distances to the clusters' centroids.
"""

from __future__ import annotations

import numpy as np

from gistmark.summarizers.ranking import Float64


def merges(points: Float64, weights: Float64) -> list[tuple[int, int]]:
    """The pairs of clusters in the order in which they are merged, down to one cluster.

    A cluster is called by its lowest point, which stands first. A union of clusters with weights
    v and w, whose weighted centroids are a distance d apart, costs v w / (v + w) d². Of equal
    costs the pair with the lowest numbers is merged. Weights are above 0. Takes time of the third
    and memory of the second power of the number of points.
    """
    weights = weights.astype(np.float64).copy()
    centroids = points.astype(np.float64).copy()
    costs = np.stack([_costs(place, centroids, weights) for place in range(len(points))])
    costs[np.tril_indices(len(points))] = np.inf
    found: list[tuple[int, int]] = []
    for _ in range(len(points) - 1):
        first, second = np.unravel_index(int(costs.argmin()), costs.shape)
        found.append((int(first), int(second)))
        total = weights[first] + weights[second]
        share = weights[second] / total
        centroids[first] += share * (centroids[second] - centroids[first])
        weights[first] = total
        costs[second, :] = costs[:, second] = np.inf
        _renew(costs, int(first), _costs(int(first), centroids, weights))
    return found


def _costs(place: int, centroids: Float64, weights: Float64) -> Float64:
    """What a union with each of the clusters would cost, to 12 digits."""
    distances = ((centroids - centroids[place]) ** 2).sum(axis=1)
    costs: Float64 = weights * weights[place] / (weights + weights[place]) * distances
    return np.round(costs, 12)


def _renew(costs: Float64, place: int, renewed: Float64) -> None:
    """Put new costs of one cluster where its pairs are still open."""
    row, column = costs[place, place + 1 :], costs[:place, place]
    row[np.isfinite(row)] = renewed[place + 1 :][np.isfinite(row)]
    column[np.isfinite(column)] = renewed[:place][np.isfinite(column)]
