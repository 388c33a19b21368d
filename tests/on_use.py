"""Libraries that are imported when a test uses them, not whenever its file is collected.

PyTorch and the libraries that results are compared with take seconds to import, and many runs need
none of them.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


class _OnUse:
    """Stands for a module, which is imported when one of its public names is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest looks up such names on everything in a file
            raise AttributeError(name)
        return getattr(import_module(self._name), name)


def on_use(name: str) -> Any:
    """The module of this name; the test file is skipped if the library is not installed."""
    library = name.partition(".")[0]
    if find_spec(library) is None:
        pytest.skip(f"{library} is not installed", allow_module_level=True)
    return _OnUse(name)
