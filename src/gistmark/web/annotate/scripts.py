"""The scripts of the page on which a task is done, previewed or reviewed."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def modules_of(kind: str) -> tuple[str, ...]:
    """The scripts of a page, all of them requested at once instead of one after another.

    They are the page's own and those of its question type.
    """
    static = Path(__file__).parents[1] / "static"
    folder = static / "annotate"
    patterns = ("*.js", f"questions/{kind}.js", f"questions/{kind}/**/*.js")
    files = (file for pattern in patterns for file in sorted(folder.glob(pattern)))
    return tuple(file.relative_to(static).as_posix() for file in files)
