"""The statistics behind a study: agreement, correlation, ranking, resampling and findings.

`gistmark.study(corpus, scores)` runs one. What is public is listed here; the other modules are
the parts that it is made of.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gistmark.analysis.studies.options import StudyOptions
    from gistmark.analysis.studies.pipeline import people_study, study
    from gistmark.analysis.studies.results import Study

_HOME = {
    "Study": "gistmark.analysis.studies.results",
    "StudyOptions": "gistmark.analysis.studies.options",
    "people_study": "gistmark.analysis.studies.pipeline",
    "study": "gistmark.analysis.studies.pipeline",
}

__all__ = ["Study", "StudyOptions", "people_study", "study"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'gistmark.analysis' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
