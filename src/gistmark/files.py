"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` when the block ends well, and vanishes if not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name[:100]}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as stream:
            yield stream
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
