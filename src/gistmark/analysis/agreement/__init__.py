"""Agreement: do annotators give the same ratings, make the same choices, mark the same words?

Each statistic is a pure function on columns of numbers that returns a `Statistic`; the three
functions here compute all of them for a corpus and return the records of a study.
"""

from __future__ import annotations

from gistmark.analysis.agreement.comparisons import comparisons_agreement
from gistmark.analysis.agreement.highlights import highlights_agreement
from gistmark.analysis.agreement.ratings import ratings_agreement
from gistmark.analysis.agreement.statistic import Statistic

__all__ = [
    "Statistic",
    "comparisons_agreement",
    "highlights_agreement",
    "ratings_agreement",
]
