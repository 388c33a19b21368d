"""Gistmark measures how good summaries are.

>>> import gistmark
>>> corpus = gistmark.load(gistmark.sample_folder())
>>> scores = gistmark.score(corpus, metrics=["rouge1", "hrouge2"])

Everything here is imported on first use, so `import gistmark` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gistmark._version import __version__

if TYPE_CHECKING:
    from gistmark.analysis import Study, StudyOptions, study
    from gistmark.analysis.planning import ChoiceSpread, Deviations, plan
    from gistmark.corpus import (
        Corpus,
        from_datasets,
        from_frame,
        load,
        open_lines,
        sample_folder,
        save,
    )
    from gistmark.errors import GistmarkError
    from gistmark.report import write_report
    from gistmark.scoring import Scores, TextPairs, score
    from gistmark.summarizers import Limit, Summaries, summarize

_HOME = {
    "Corpus": "gistmark.corpus",
    "ChoiceSpread": "gistmark.analysis.planning",
    "Deviations": "gistmark.analysis.planning",
    "GistmarkError": "gistmark.errors",
    "Limit": "gistmark.summarizers",
    "Scores": "gistmark.scoring",
    "Study": "gistmark.analysis",
    "StudyOptions": "gistmark.analysis",
    "Summaries": "gistmark.summarizers",
    "TextPairs": "gistmark.scoring",
    "from_datasets": "gistmark.corpus",
    "from_frame": "gistmark.corpus",
    "load": "gistmark.corpus",
    "open_lines": "gistmark.corpus",
    "plan": "gistmark.analysis.planning",
    "sample_folder": "gistmark.corpus",
    "save": "gistmark.corpus",
    "score": "gistmark.scoring",
    "study": "gistmark.analysis",
    "summarize": "gistmark.summarizers",
    "write_report": "gistmark.report",
}

__all__ = [
    "ChoiceSpread",
    "Corpus",
    "Deviations",
    "GistmarkError",
    "Limit",
    "Scores",
    "Study",
    "StudyOptions",
    "Summaries",
    "TextPairs",
    "__version__",
    "from_datasets",
    "from_frame",
    "load",
    "open_lines",
    "plan",
    "sample_folder",
    "save",
    "score",
    "study",
    "summarize",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'gistmark' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
