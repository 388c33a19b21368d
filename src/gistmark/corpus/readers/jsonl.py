"""The single JSONL file as a format; see `gistmark.corpus.single_file`."""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.single_file import load_single_file, write_single_file


class SingleFile:
    """One JSON line per document, with its references and summaries inside."""

    name = "jsonl"
    description = "One JSON line per document, with its references and summaries."

    def read(self, source: Path) -> Corpus:
        return load_single_file(source)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        return write_single_file(corpus, target)


FORMAT = SingleFile()
