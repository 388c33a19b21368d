"""The work that was submitted, for managers to look at and decide on."""

from gistmark.web.results.review.listing import (
    SHOWS,
    WorkFilter,
    counts_of,
    listed,
    neighbours,
    submission_of,
    submissions_of,
)
from gistmark.web.results.review.submission import ReviewedSubmission, reviewed

__all__ = [
    "SHOWS",
    "ReviewedSubmission",
    "WorkFilter",
    "counts_of",
    "listed",
    "neighbours",
    "reviewed",
    "submission_of",
    "submissions_of",
]
