"""The sample plugin, and how commands run beside a plugin."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forking import Forks
from plugins.installing import install

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample plugin, installed with pip into a folder of its own."""
    return install(tmp_path_factory.getbasetemp() / "installed-sample-plugin")


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    """Commands begin with what they would import, and have looked for no plugin yet."""
    with Forks(
        "gistmark.cli.main", "gistmark.scoring.run", "gistmark.metrics.lexical.rouge",
        "gistmark.summarizers.run", "gistmark.analysis.studies.pipeline",
    ) as running:  # fmt: skip
        yield running


@pytest.fixture
def beside(tmp_path: Path) -> Callable[[Path], dict[str, str]]:
    """The environment of a command with a folder of plugins on its path."""

    def environment(path: Path) -> dict[str, str]:
        folders = os.pathsep.join(filter(None, (str(path), os.environ.get("PYTHONPATH"))))
        return os.environ | {"PYTHONPATH": folders, "GISTMARK_CACHE": str(tmp_path / "cache")}

    return environment


@pytest.fixture
def command(forks: Forks, beside: Callable[[Path], dict[str, str]]) -> Run:
    """Run gistmark with a folder of plugins on its path."""
    return lambda *arguments, path: forks.run("gistmark", *arguments, env=beside(path))


@pytest.fixture
def started(beside: Callable[[Path], dict[str, str]]) -> Run:
    """The same from the start of Python."""

    def call(*arguments: object, path: Path) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "gistmark", *map(str, arguments)]
        return subprocess.run(words, env=beside(path), capture_output=True, text=True, timeout=300)

    return call
