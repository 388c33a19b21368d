"""Gistmark measures how good summaries are.

>>> import gistmark
>>> corpus = gistmark.load(gistmark.sample_folder())
>>> scores = gistmark.score(corpus, metrics=["rouge1", "hrouge2"])

Everything here is imported on first use, so `import gistmark` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmark._version import __version__ as __version__
from gistmark.runtime.lazy import lazy_imports

if TYPE_CHECKING:
    from gistmark.analysis import Study as Study
    from gistmark.analysis import StudyOptions as StudyOptions
    from gistmark.analysis import study as study
    from gistmark.analysis.planning import ChoiceSpread as ChoiceSpread
    from gistmark.analysis.planning import Deviations as Deviations
    from gistmark.analysis.planning import plan as plan
    from gistmark.corpus import Corpus as Corpus
    from gistmark.corpus import from_datasets as from_datasets
    from gistmark.corpus import from_frame as from_frame
    from gistmark.corpus import load as load
    from gistmark.corpus import open_lines as open_lines
    from gistmark.corpus import sample_folder as sample_folder
    from gistmark.corpus import save as save
    from gistmark.errors import GistmarkError as GistmarkError
    from gistmark.report import write_report as write_report
    from gistmark.scoring import Scores as Scores
    from gistmark.scoring import TextPairs as TextPairs
    from gistmark.scoring import score as score
    from gistmark.summarizers import Limit as Limit
    from gistmark.summarizers import Summaries as Summaries
    from gistmark.summarizers import summarize as summarize

__getattr__, __dir__, __all__ = lazy_imports(__name__)
