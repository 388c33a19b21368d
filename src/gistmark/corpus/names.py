"""Names that Gistmark gives: of references and annotators that have none, and of files."""

from __future__ import annotations

import re

AGGREGATE = "aggregate"
"""The annotator of values that a file gives for several people together."""

_RESERVED = re.compile(r'[%/\\:*?"<>|\x00-\x1f\x7f]|^\.|^~|[. ]$')
_ESCAPED = re.compile(r"%([0-9A-F]{2})")
_REFERENCE = re.compile(r"reference(?:-([1-9][0-9]*))?")


def reference_name(number: int) -> str:
    """The system name of a document's first, second, ... reference where a format has none."""
    return "reference" if number == 1 else f"reference-{number}"


def reference_number(name: str) -> int | None:
    """Which reference a name that `reference_name` gave stands for; None for other names."""
    match = _REFERENCE.fullmatch(name)
    if match is None:
        return None
    number = int(match[1] or 1)
    return number if reference_name(number) == name else None


def file_name(name: str) -> str:
    """A name as a file name: what some file system forbids becomes %XX."""
    return _RESERVED.sub(lambda match: f"%{ord(match[0]):02X}", name)


def name_of_file(stem: str) -> str:
    """The name that `file_name` turned into a file name; other file names stay as they are."""

    def restore(match: re.Match[str]) -> str:
        character = chr(int(match[1], 16))
        return character if _RESERVED.fullmatch(character) or character in "~_" else match[0]

    return _ESCAPED.sub(restore, stem)
