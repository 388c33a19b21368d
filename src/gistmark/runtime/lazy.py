"""Packages whose names are imported on first use, so that importing them costs next to nothing."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def lazy_imports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package that imports only for type checkers.

    Its names stand once, as `from MODULE import NAME as NAME` under `if TYPE_CHECKING:`; here each
    is imported from that module when it is first wanted.
    """
    source = Path(str(sys.modules[package].__file__)).read_text(encoding="utf-8")
    modules = {
        alias.name: str(statement.module)
        for block in ast.parse(source).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }

    def import_name(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return import_name, lambda: sorted(modules), sorted(modules)
