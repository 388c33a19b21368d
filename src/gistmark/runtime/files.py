"""Files and folders that appear whole or not at all, whatever happens while they are written."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from uuid import uuid4


def user_path(name: str | Path) -> Path:
    """The path with `~` or `~user` expanded; the `~name` of no user stays as it is."""
    return Path(os.path.expanduser(name))  # noqa: PTH111


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content replaces `path` when the block ends well, and vanishes if not.

    Folders on the way are created. A file that is replaced keeps its permissions.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name[:100]}.{uuid4().hex[:12]}.tmp")
    try:
        with draft.open("wb") as stream:
            yield stream
        with suppress(FileNotFoundError):
            draft.chmod(path.stat().st_mode & 0o777)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_text(path: Path, text: str, *, errors: str = "strict") -> Path:
    """Write a UTF-8 file atomically and return its path; line ends stay as they are.

    A text that starts with U+FEFF gets a byte order mark, or reading would take that for one.
    """
    content = text.encode("utf-8", errors=errors)
    with atomic_write(path) as stream:
        if text.startswith("\ufeff"):
            stream.write(codecs.BOM_UTF8)
        stream.write(content)
    return path


def write_lines(path: Path, lines: Iterable[str]) -> Path:
    """Write a UTF-8 file atomically, line by line as they come, and return its path."""
    with atomic_write(path) as stream:
        stream.writelines(line.encode() for line in lines)
    return path


@contextmanager
def atomic_folder(folder: Path, *, is_complete: Callable[[Path], bool]) -> Iterator[Path]:
    """A path at which the block makes a folder, which becomes `folder` when the block ends well.

    Its parent is temporary and may hold what is needed meanwhile. An incomplete folder that is
    there is replaced. Where another process was quicker, its complete folder stays.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{folder.name[:100]}-", dir=folder.parent) as work:
        draft = Path(work) / "new"
        yield draft
        if folder.exists() and not is_complete(folder):
            with suppress(FileNotFoundError):
                folder.rename(Path(work) / "incomplete")
        try:
            draft.rename(folder)
        except OSError:
            if not is_complete(folder):
                raise
