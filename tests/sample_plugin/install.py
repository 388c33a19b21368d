"""Installs a plugin as a user would, into a folder of its own, without a network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def install(target: Path, source: Path = HERE) -> Path:
    """Put a plugin into `target` once; a process with that on PYTHONPATH has the plugin."""
    if not target.exists():
        quietly = ["--quiet", "--disable-pip-version-check", "--no-index"]
        alone = ["--no-deps", "--no-build-isolation", "--target", str(target)]
        command = [sys.executable, "-m", "pip", "install", *quietly, *alone, str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
    return target
