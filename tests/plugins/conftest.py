"""The sample plugin, and how commands run beside a plugin."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plugins.installing import install

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample plugin, installed with pip into a folder of its own."""
    return install(tmp_path_factory.getbasetemp() / "installed-sample-plugin")


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """Run Python with some folders of plugins on its path."""

    def call(*arguments: object, path: Path) -> subprocess.CompletedProcess[str]:
        folders = os.pathsep.join(filter(None, (str(path), os.environ.get("PYTHONPATH"))))
        env = os.environ | {"PYTHONPATH": folders, "GISTMARK_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, *map(str, arguments)]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)

    return call


@pytest.fixture
def command(python: Run) -> Run:
    """Run gistmark with some folders of plugins on its path."""
    return lambda *arguments, path: python("-m", "gistmark", *arguments, path=path)
