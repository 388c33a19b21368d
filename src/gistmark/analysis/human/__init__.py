"""What people say about each summary, as one number per human score.

`scores` has means of ratings, z-scores and shares of votes; `composites` HS1 to HS3; `marks` the
weighted errors in a summary, and the share of content units that it states.
"""

from gistmark.analysis.human.scores import (
    VOTES,
    HumanScores,
    Z,
    dimension_means,
    grade_weighted_means,
    joined,
    votes_won,
    z_scores,
)

__all__ = [
    "VOTES",
    "HumanScores",
    "Z",
    "dimension_means",
    "grade_weighted_means",
    "joined",
    "votes_won",
    "z_scores",
]
