"""The files of a cache."""

from __future__ import annotations

from pathlib import Path


def segments(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.scores"))
