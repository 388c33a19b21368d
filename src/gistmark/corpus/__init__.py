"""The corpus: what is evaluated, in memory (`Corpus`) and on disk (`load`, `save`).

What stands in `__all__` here and in `gistmark.corpus.formats` is public; other modules are private.
"""

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.folder import save
from gistmark.corpus.lines import LinePairs, open_lines
from gistmark.corpus.loading import from_datasets, from_frame, load, sample_folder

__all__ = [
    "Corpus",
    "LinePairs",
    "from_datasets",
    "from_frame",
    "load",
    "open_lines",
    "sample_folder",
    "save",
]
