"""Text files in and out: the one place where bytes become text, and where files are replaced.

A corpus is UTF-8. A byte order mark is accepted with a note; every other encoding is a problem
that names the line and what to do, because a wrong guess would spoil texts in silence.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from gistmark.corpus.findings import Findings

_UTF8_MARK = codecs.BOM_UTF8
_WIDE_MARKS = (  # UTF-32 first: its little-endian mark starts with that of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_MAGIC = (
    (b"PK\x03\x04", "a ZIP archive or an Excel workbook"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF", "a PDF file"),
    (b"\x89PNG", "an image"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
    (b"SQLite format 3\x00", "a database"),
)
_HEAD = 64


def read_text(path: Path, findings: Findings) -> str | None:
    """The text of a UTF-8 file without its byte order mark; None after a problem."""
    try:
        data = path.read_bytes()
    except OSError as error:
        findings.problem(f"The file cannot be read: {error.strerror}.", (str(path), None))
        return None
    return decode(data, str(path), findings)


def decode(data: bytes, name: str, findings: Findings) -> str | None:
    """Bytes as text, untouched but for a byte order mark; None after a problem."""
    if not _is_readable(data[:_HEAD], name, findings):
        return None
    start = len(_UTF8_MARK) if data.startswith(_UTF8_MARK) else 0
    try:
        return str(memoryview(data)[start:], "utf-8")
    except UnicodeDecodeError:
        report_bad_bytes(data, name, findings)
        return None


def check_head(path: Path, findings: Findings) -> bool:
    """Whether a file's first bytes can be UTF-8 text; for readers that stream the rest."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        findings.problem(f"The file cannot be read: {error.strerror}.", (str(path), None))
        return False
    return _is_readable(head, str(path), findings)


def report_bad_bytes(data: bytes, name: str, findings: Findings) -> None:
    """Say on which line the first byte is that is not UTF-8, and how many lines have such."""
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)
    if kind is not None or b"\x00" in data:
        findings.problem(f"This is {kind or 'a binary file'}, not UTF-8 text.", (name, None))
        return
    bad = [found for found in map(_bad_byte, enumerate(data.split(b"\n"), start=1)) if found]
    line, column, byte = bad[0]
    others = f" (the first such line of {len(bad):,})" if len(bad) > 1 else ""
    findings.problem(
        f"Byte {column} of this line (0x{byte:02X}) is not UTF-8{others}. The file may be Latin-1 "
        f"or Windows-1252: convert it, for example with iconv -f WINDOWS-1252 -t UTF-8.",
        (name, line),
    )


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` when the block ends well, and vanishes if not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as stream:
            yield stream
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 file, whole or not at all; line ends stay as they are.

    A text that starts with U+FEFF gets a byte order mark, or reading would take that for one.
    """
    with replacing(path) as stream:
        if text.startswith("\ufeff"):
            stream.write(_UTF8_MARK)
        stream.write(text.encode("utf-8"))


def _is_readable(head: bytes, name: str, findings: Findings) -> bool:
    place = (name, None)
    if not head:
        findings.problem("The file is empty.", place)
    elif encoding := _wide_encoding(head):
        findings.problem(f"The file is {encoding}; save it as UTF-8.", place)
    else:
        if head.startswith(_UTF8_MARK):
            findings.note("The file starts with a byte order mark, which was left out.", place)
        return True
    return False


def _wide_encoding(head: bytes) -> str | None:
    for mark, encoding in _WIDE_MARKS:
        if head.startswith(mark):
            return encoding
    zeros = tuple(byte == 0 for byte in head[:4])
    if zeros in ((False, True, False, True), (True, False, True, False)):
        return "UTF-16 (without a byte order mark)"
    if zeros in ((False, True, True, True), (True, True, True, False)):
        return "UTF-32 (without a byte order mark)"
    return None


def _bad_byte(numbered: tuple[int, bytes]) -> tuple[int, int, int] | None:
    line, content = numbered
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return line, error.start + 1, content[error.start]
    return None
