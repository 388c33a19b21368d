"""Libraries that are imported when a test uses them, not whenever its file is collected.

Every worker collects every file and runs some of them; the peers that results are compared with,
and PyTorch, take seconds to import.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


class _OnUse:
    """Has the public names of the module of this name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest looks for such names in whatever a file has
            raise AttributeError(name)
        return getattr(import_module(self._name), name)


def on_use(name: str) -> Any:
    """The module of this name; a test file that asks for it is skipped where it is missing."""
    library = name.partition(".")[0]
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed", allow_module_level=True)
    return _OnUse(name)
