"""Line-aligned text: one summary per line, and its references on the same line of other files.

The files are streamed in chunks, so a file of any length takes the memory of one chunk. A line
ends at a line feed and nowhere else; one carriage return before it belongs to the line end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TextIO

from gistmark.corpus.corpus import Corpus, reference_name, reference_number
from gistmark.corpus.files.text import check_head, report_bad_bytes
from gistmark.errors import CorpusError, Diagnostics, Problem, UsageError
from gistmark.records import Summary

_CHUNK = 10_000
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class LineChunk:
    """Some consecutive lines: `start` is the number of the first, counted from 1."""

    start: int
    summaries: list[str]
    references: list[tuple[str, ...]]


@dataclass(frozen=True)
class LinePairs:
    """A file of summaries by one system and its line-aligned files of references.

    The documents have no text; their ids are the line numbers "1", "2", and so on.
    """

    summaries: Path
    references: tuple[Path, ...]
    system: str

    def chunks(self, size: int = _CHUNK) -> Iterator[LineChunk]:
        """The lines, `size` at a time; files of different length are an error at the end."""
        if size < 1:
            raise UsageError(f"The size of a chunk must be at least 1, not {size}.")
        paths = (self.summaries, *self.references)
        readers = [_read_chunks(path, size) for path in paths]
        start = 1
        while True:
            summaries, *references = (next(reader, []) for reader in readers)
            if any(len(lines) != len(summaries) for lines in references):
                raise _unequal_lengths(paths)
            if not summaries:
                return
            yield LineChunk(start, summaries, list(zip(*references, strict=True)))
            start += len(summaries)

    @cached_property
    def size(self) -> int:
        """The number of summaries; counting reads the whole file, but does not decode it."""
        return _count_lines(self.summaries)

    def load(self) -> Corpus:
        """All lines as a corpus of summaries and references, without documents."""
        names = [reference_name(number) for number in range(1, len(self.references) + 1)]
        summaries: list[Summary] = []
        for chunk in self.chunks():
            pairs = zip(chunk.summaries, chunk.references, strict=True)
            for number, (summary, references) in enumerate(pairs, start=chunk.start):
                document = str(number)
                summaries.append(Summary(document, self.system, summary))
                summaries.extend(
                    Summary(document, name, text, reference=True)
                    for name, text in zip(names, references, strict=True)
                )
        return Corpus(summaries=tuple(summaries), notes=tuple(_check_files(self).notes))


def open_lines(
    summaries: str | Path,
    references: str | Path | Sequence[str | Path],
    *,
    system: str | None = None,
) -> LinePairs:
    """Open line-aligned files and check their first bytes.

    `references` is one file or several. The system is called after the file of summaries unless
    `system` names it.
    """
    paths = [references] if isinstance(references, str | Path) else list(references)
    if not paths:
        raise UsageError("Line-aligned summaries need at least one file of references.")
    summaries = Path(summaries)
    system = summaries.stem if system is None else system
    if not system.strip() or reference_number(system) is not None:
        raise UsageError(f"A system cannot be called {system!r}; give another name with system=.")
    pairs = LinePairs(summaries, tuple(map(Path, paths)), system)
    _check_files(pairs)
    return pairs


def read_lines(path: Path) -> list[str]:
    """All lines of a file."""
    return [line for lines in _read_chunks(path, _CHUNK) for line in lines]


def _check_files(pairs: LinePairs) -> Diagnostics:
    diagnostics = Diagnostics()
    for path in (pairs.summaries, *pairs.references):
        check_head(path, diagnostics)
    diagnostics.stop_if_bad()
    return diagnostics


def _read_chunks(path: Path, size: int) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="\n") as stream:
        _skip_byte_order_mark(stream)
        while True:
            try:
                block = "".join(islice(stream, size))
            except UnicodeDecodeError:
                raise _bad_encoding(path) from None
            if not block:
                return
            yield _split_lines(block)


def _skip_byte_order_mark(stream: TextIO) -> None:
    try:
        if stream.read(1) != "\ufeff":
            stream.seek(0)
    except UnicodeDecodeError:
        stream.seek(0)


def _split_lines(block: str) -> list[str]:
    if "\r" in block:
        block = block.replace("\r\n", "\n").removesuffix("\r")
    return block.removesuffix("\n").split("\n")


def _bad_encoding(path: Path) -> CorpusError:
    diagnostics = Diagnostics()
    report_bad_bytes(path.read_bytes(), str(path), diagnostics)
    return CorpusError(diagnostics.problems)


def _unequal_lengths(paths: Sequence[Path]) -> CorpusError:
    counts = ", ".join(f"{path} has {_count_lines(path):,}" for path in paths)
    return CorpusError([Problem(f"Line-aligned files must have equally many lines: {counts}.")])


def _count_lines(path: Path) -> int:
    count, last = 0, b"\n"
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            count += block.count(b"\n")
            last = block[-1:]
    return count + (last != b"\n")
