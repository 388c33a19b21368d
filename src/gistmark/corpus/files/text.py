"""Text files in and out: how bytes become text, and how names become file names.

A corpus is UTF-8. A byte order mark is accepted with a note; every other encoding is a problem that
names the line and what to do, because a wrong guess would spoil texts silently.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from gistmark.errors import Diagnostics

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
_RESERVED = re.compile(r'[%/\\:*?"<>|\x00-\x1f\x7f]|^\.|^~|[. ]$')
_ESCAPED = re.compile(r"%([0-9A-F]{2})")


def read_text(path: Path, diagnostics: Diagnostics) -> str | None:
    """The text of a UTF-8 file without its byte order mark; None after a problem."""
    try:
        data = path.read_bytes()
    except OSError as error:
        diagnostics.problem(f"The file cannot be read: {error.strerror}.", (str(path), None))
        return None
    return decode(data, str(path), diagnostics)


def decode(data: bytes, name: str, diagnostics: Diagnostics) -> str | None:
    """Bytes as text, untouched but for a byte order mark; None after a problem."""
    if not _is_readable(data[:_HEAD], name, diagnostics):
        return None
    start = len(_UTF8_MARK) if data.startswith(_UTF8_MARK) else 0
    try:
        return str(memoryview(data)[start:], "utf-8")
    except UnicodeDecodeError:
        report_bad_bytes(data, name, diagnostics)
        return None


def check_head(path: Path, diagnostics: Diagnostics) -> bool:
    """Whether a file's first bytes can be UTF-8 text; for readers that stream the rest."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        diagnostics.problem(f"The file cannot be read: {error.strerror}.", (str(path), None))
        return False
    return _is_readable(head, str(path), diagnostics)


def report_bad_bytes(data: bytes, name: str, diagnostics: Diagnostics) -> None:
    """Report the line of the first byte that is not UTF-8, and how many lines have such bytes."""
    kind = next((kind for magic, kind in _MAGIC if data.startswith(magic)), None)
    if kind is not None or b"\x00" in data:
        diagnostics.problem(f"This is {kind or 'a binary file'}, not UTF-8 text.", (name, None))
        return
    bad = list(filter(None, map(_bad_byte, enumerate(data.split(b"\n"), start=1))))
    line, column, byte = bad[0]
    count_note = f" (the first such line of {len(bad):,})" if len(bad) > 1 else ""
    diagnostics.problem(
        f"Byte {column} of this line (0x{byte:02X}) is not UTF-8{count_note}. The file may be "
        f"Latin-1 or Windows-1252: convert it, for example with iconv -f WINDOWS-1252 -t UTF-8.",
        (name, line),
    )


def file_name(name: str) -> str:
    """Turn a name into a file name: characters that a file system forbids become %XX."""
    return _RESERVED.sub(lambda match: f"%{ord(match[0]):02X}", name)


def name_of_file(stem: str) -> str:
    """Undo `file_name`; a file name that did not come from it stays as it is."""

    def restore(match: re.Match[str]) -> str:
        character = chr(int(match[1], 16))
        return character if _RESERVED.fullmatch(character) or character in "~_" else match[0]

    return _ESCAPED.sub(restore, stem)


def _is_readable(head: bytes, name: str, diagnostics: Diagnostics) -> bool:
    location = (name, None)
    if not head:
        diagnostics.problem("The file is empty.", location)
    elif encoding := _wide_encoding(head):
        diagnostics.problem(f"The file is {encoding}; save it as UTF-8.", location)
    else:
        if head.startswith(_UTF8_MARK):
            diagnostics.note(
                "The file starts with a byte order mark, which was left out.", location
            )
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
