"""The single JSONL file as a format; see `gistmark.corpus.single_file`."""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus.columns import Given
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.single_file import load_single_file, write_single_file


class SingleFile:
    """JSON lines, one per document or one per summary; the former is written."""

    name = "jsonl"
    description = "JSON lines: one per document with its summaries, or one per summary."

    def read(
        self, source: Path, *, columns: Given | None = None, system_name: str | None = None
    ) -> Corpus:
        return load_single_file(source, columns=columns, system_name=system_name)

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        return write_single_file(corpus, target)


FORMAT = SingleFile()
