"""The corpus folder as a format, so that a corpus can be copied or its old form renewed."""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.duplicates import OnDuplicate
from gistmark.corpus.folder import load_folder, save
from gistmark.errors import CorpusError, Problem


class Folder:
    """Gistmark's own folder, which holds everything."""

    name = "folder"
    description = "Gistmark's own corpus folder."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        if not source.is_dir():
            raise CorpusError([Problem("There is no such folder.", str(source))])
        return load_folder(source, on_duplicate=on_duplicate)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        save(corpus, target)
        return ()


FORMAT = Folder()
