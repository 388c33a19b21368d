"""Agreement: do annotators give the same ratings, make the same choices, mark the same?

Each statistic is a pure function on columns of numbers that returns a `Statistic`; the
functions here compute all of them for a corpus and return the records of a study.
"""

from __future__ import annotations

from gistmark.analysis.agreement.coefficients.statistic import Statistic
from gistmark.analysis.agreement.comparisons import comparisons_agreement
from gistmark.analysis.agreement.highlights import highlights_agreement
from gistmark.analysis.agreement.marks import presence_agreement, spans_agreement
from gistmark.analysis.agreement.options import options_agreement
from gistmark.analysis.agreement.ratings import ratings_agreement
from gistmark.analysis.agreement.sets import sets_agreement

__all__ = [
    "Statistic",
    "comparisons_agreement",
    "highlights_agreement",
    "options_agreement",
    "presence_agreement",
    "ratings_agreement",
    "sets_agreement",
    "spans_agreement",
]
