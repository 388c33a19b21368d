"""The statistics behind a study: agreement, correlation, ranking, resampling and findings.

`gistmark.study(corpus, scores)` runs one.
"""

from gistmark.analysis.results import Study
from gistmark.analysis.study import StudyOptions, study

__all__ = ["Study", "StudyOptions", "study"]
