"""How large a Parquet file is once it is read, found out in a process of its own.

A few kilobytes of Parquet can hold gigabytes of the same text over and over, and nothing in the
file need say so. So it is read piece by piece in a process that may use only so much memory and
time: `python swelling.py FILE BYTES` ends with 0 where the file has at most so many bytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_MEMORY = 3 * 1024**3
"""Address space of that process; pyarrow itself takes a good part of it."""
_SECONDS = 60
_ROWS = 64
_SWELLS, _UNREADABLE = 3, 4


def swells_beyond(file: Path, most: int) -> bool:
    """Whether a Parquet file has more than so many bytes when it is read.

    One that cannot be read at all does not: whoever reads it says what is wrong with it.
    """
    environment = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-I", __file__, str(file), str(most)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode not in (0, _UNREADABLE)


def _measure(file: str, most: int) -> int:
    import resource

    import pyarrow.parquet

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    total = 0
    try:
        with Path(file).open("rb") as stream:
            opened = pyarrow.parquet.ParquetFile(stream, pre_buffer=False)
            shares_texts = "dictionary" in str(opened.schema_arrow)
            for piece in opened.iter_batches(batch_size=_ROWS, use_threads=False):
                total += _size(piece.to_pylist()) if shares_texts else piece.nbytes
                if total > most:
                    return _SWELLS
    except MemoryError:
        return _SWELLS
    except (OSError, pyarrow.ArrowException) as error:
        return _SWELLS if isinstance(error, pyarrow.ArrowMemoryError) else _UNREADABLE
    return 0


def _size(value: object) -> int:
    """About how many bytes a value of Python takes, each text as often as it occurs."""
    if isinstance(value, dict):
        return sum(map(_size, value.values()))
    if isinstance(value, list):
        return sum(map(_size, value))
    return len(value) if isinstance(value, str | bytes) else 8


if __name__ == "__main__":
    sys.exit(_measure(sys.argv[1], int(sys.argv[2])))
